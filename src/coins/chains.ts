import type { WalletNetwork } from '../domain/asset.ts'
import { arbitrum } from './arbitrum.ts'
import { base } from './base.ts'
import { bitcoin } from './bitcoin.ts'
import { bitcoinCash } from './bitcoin-cash.ts'
import { bnbSmartChain } from './bnb-smart-chain.ts'
import { dogecoin } from './dogecoin.ts'
import { ethereum } from './ethereum.ts'
import { litecoin } from './litecoin.ts'
import { monero } from './monero.ts'
import { optimism } from './optimism.ts'
import { polygon } from './polygon.ts'
import { solana } from './solana.ts'
import { tron } from './tron.ts'
import type { Chain } from './types.ts'
import { zcash } from './zcash.ts'

/** Every chain that Florin knows, in the order in which buyers see their assets. */
export const chains = [
  bitcoin,
  litecoin,
  dogecoin,
  bitcoinCash,
  zcash,
  monero,
  tron,
  solana,
  ethereum,
  polygon,
  base,
  bnbSmartChain,
  arbitrum,
  optimism,
] as const satisfies readonly Chain[]

type KnownChain = (typeof chains)[number]

/** The networks of chains like Bitcoin. */
export type BitcoinNetwork = Extract<KnownChain, { family: 'bitcoin' }>['wallet']['network']

/** The names of chains in `FLORIN_…_URL`, in lower case. */
export type EndpointSetting = KnownChain['endpoints']['setting']

// A type error in this line means that a network of domain/asset.ts has no chain here.
true satisfies WalletNetwork extends KnownChain['wallet']['network'] ? true : false
