import { ed25519 } from '@noble/curves/ed25519.js'
import { HDKey } from '@scure/bip32'
import type { Script } from '../../src/domain/address-source.ts'
import type { WalletNetwork } from '../../src/domain/asset.ts'
import { encodeSolana } from '../../src/networks/addresses/solana.ts'
import type { CoinName } from '../../src/networks/bitcoin/coins.ts'
import { fillPool } from '../../src/operations/addresses/fill-pool.ts'
import { previewAccount, previewViewKey, setUpSource } from '../../src/operations/addresses/set-up-source.ts'
import { changeWallet } from '../../src/operations/addresses/wallet.ts'
import type { Context } from '../../src/operations/context.ts'
import { merchantOf } from '../support/monero-payment.ts'
import { blockbookFront } from './blockbook-front.ts'
import type { Chain } from './chain.ts'
import { coreFront } from './core-front.ts'
import type { Front } from './endpoint.ts'
import { esploraFront } from './esplora-front.ts'
import { evmFront } from './evm-front.ts'
import type { Setup } from './history.ts'
import type { Family } from './lies.ts'
import { moneroFront } from './monero-front.ts'
import { solanaFront } from './solana-front.ts'
import { type TronInterfaces, toHexAddress, tronFront } from './tron-front.ts'

/** The parts from which an endpoint is made. */
export interface FrontParts {
  chain: Chain
  setup: Setup
  /** its index in the settings */
  index: number
  /** token contracts as the settings write them, by asset */
  contracts: ReadonlyMap<string, string>
  /** the addresses to which invented payments go */
  targets(): string[]
}

/** The properties of one family of chains. */
export interface Plan {
  chainId: string
  /** the chain's own coin */
  coin: string
  /** true if contracts can send the coin */
  hasInternalTransfers: boolean
  firstHeight: number
  blockMs: number
  /** Jobs that are due within this time of each other run together. Shorter ticks found no further faults. */
  tickMs: number
  setting: string
  urlOf(host: string, setup: Setup, index: number): string
  front(parts: FrontParts): Front
  /** returns an address as endpoints of the chain write it */
  spell(address: string): string
  /** returns the number of newest blocks that a reorganisation may replace, at most */
  depthOf(depth: number): number
  /** true if payments settle in blocks that can still be replaced */
  canReplaceFinal: boolean
  /** the payout wallet of the merchant, which receives sweeps */
  payout: string
  /** true if a sweep can move an asset */
  canSweep(asset: string, setup: Setup): boolean
  /** true if endpoints of this kind find payments in an asset */
  canFind(asset: string, setup: Setup): boolean
  setUpWallet(context: Context, merchantId: string, setup: Setup): Promise<void>
}

const PAYOUT = '0x1111111111111111111111111111111111111111'
const root = HDKey.fromMasterSeed(new Uint8Array(32).fill(7))
const account = (path: string): string => root.derive(path).publicExtendedKey

async function setUpAccount(
  context: Context,
  merchantId: string,
  [network, path, script]: [WalletNetwork, string, Script | null],
): Promise<void> {
  const preview = await previewAccount(context, merchantId, network, account(path), script)
  await setUpSource(context, preview)
}

const evm: Plan = {
  chainId: 'polygon',
  coin: 'polygon/pol',
  hasInternalTransfers: true,
  firstHeight: 60_000_000,
  blockMs: 2000,
  tickMs: 30_000,
  setting: 'FLORIN_POLYGON_URL',
  urlOf: host => `https://${host}`,
  front: ({ chain, setup: { finalityLag }, contracts, targets }) =>
    evmFront({ chain, chainId: 137, finalityLag, coin: evm.coin, contracts: lowerCase(contracts), targets }),
  spell: address => address.toLowerCase(),
  depthOf: depth => depth,
  canReplaceFinal: false,
  payout: PAYOUT,
  canSweep: (_, { hasAccount }) => !hasAccount,
  canFind: () => true,
  async setUpWallet(context, merchantId, { hasAccount }) {
    await changeWallet(context, merchantId, { cryptoWallets: { evm: PAYOUT } })
    if (hasAccount) await setUpAccount(context, merchantId, ['evm', "m/44'/60'/0'", null])
  },
}

const lowerCase = (contracts: ReadonlyMap<string, string>): Map<string, string> =>
  new Map([...contracts].map(([asset, contract]) => [asset, contract.toLowerCase()]))

/** An endpoint of a chain like Bitcoin. */
export function bitcoinFront(
  chain: Chain,
  coin: CoinName,
  protocol: string | undefined,
  targets: () => string[],
): Front {
  if (protocol === 'blockbook') return blockbookFront(chain, coin)
  return protocol === 'core' ? coreFront(chain, coin, targets) : esploraFront(chain, coin)
}

const bitcoin: Plan = {
  chainId: 'btc',
  coin: 'btc',
  hasInternalTransfers: false,
  firstHeight: 900_000,
  blockMs: 600_000,
  tickMs: 180_000,
  setting: 'FLORIN_BITCOIN_URL',
  urlOf: (host, { interfaces }, index) => `${interfaces[index] ?? 'esplora'}+https://${host}`,
  front({ chain, setup: { interfaces }, index, targets }) {
    return bitcoinFront(chain, 'btc', interfaces[index], targets)
  },
  spell: address => address,
  depthOf: depth => Math.min(depth, 3),
  canReplaceFinal: true,
  payout: PAYOUT,
  canSweep: () => false,
  canFind: () => true,
  async setUpWallet(context, merchantId) {
    await changeWallet(context, merchantId, { cryptoWallets: { evm: PAYOUT } })
    await setUpAccount(context, merchantId, ['btc', "m/84'/0'/0'", 'p2wpkh'])
  },
}

const tron: Plan = {
  chainId: 'trc20',
  coin: 'trc20/trx',
  hasInternalTransfers: true,
  firstHeight: 70_000_000,
  blockMs: 3000,
  tickMs: 30_000,
  setting: 'FLORIN_TRON_URL',
  urlOf: (host, { interfaces }, index) =>
    `${interfaces[index] === 'rpc' ? 'jsonrpc' : 'trongrid'}+https://${host}`,
  front: ({ chain, setup: { finalityLag, interfaces }, index, contracts, targets }) =>
    tronFront({
      chain,
      finalityLag,
      interfaces: interfaces[index] as TronInterfaces,
      coin: tron.coin,
      contracts: new Map([...contracts].map(([asset, contract]) => [asset, toHexAddress(contract)])),
      targets,
    }),
  spell: toHexAddress,
  depthOf: depth => depth,
  canReplaceFinal: false,
  payout: PAYOUT,
  canSweep: () => false,
  canFind: (asset, { endpoints, interfaces }) =>
    asset !== tron.coin || interfaces.slice(0, endpoints).some(one => one !== 'rpc'),
  async setUpWallet(context, merchantId) {
    await changeWallet(context, merchantId, { cryptoWallets: { evm: PAYOUT } })
    await setUpAccount(context, merchantId, ['trc20', "m/44'/195'/0'", null])
  },
}

const solanaKey = (seed: number): string => encodeSolana(ed25519.getPublicKey(new Uint8Array(32).fill(seed)))
const [SOLANA_PAYOUT_SEED, POOL_SIZE] = [99, 12]
const SOLANA_PAYOUT = solanaKey(SOLANA_PAYOUT_SEED)

const solana: Plan = {
  chainId: 'solana',
  coin: 'solana/sol',
  hasInternalTransfers: false,
  firstHeight: 400_000_000,
  blockMs: 400,
  tickMs: 30_000,
  setting: 'FLORIN_SOLANA_URL',
  urlOf: host => `https://${host}`,
  front: ({ chain, setup: { finalityLag }, contracts, targets }) =>
    solanaFront({ chain, finalityLag, coin: solana.coin, contracts, targets }),
  spell: address => address,
  depthOf: depth => depth,
  canReplaceFinal: false,
  payout: SOLANA_PAYOUT,
  canSweep: (asset, { hasAccount }) => asset === solana.coin && !hasAccount,
  canFind: () => true,
  async setUpWallet(context, merchantId, { hasAccount }) {
    await changeWallet(context, merchantId, { cryptoWallets: { evm: PAYOUT, solana: SOLANA_PAYOUT } })
    // Tokens are paid to addresses from a pool.
    const pool = Array.from({ length: POOL_SIZE }, (_, index) => solanaKey(index + 1))
    if (hasAccount) await fillPool(context, merchantId, 'solana', pool)
  },
}

const moneroWallet = merchantOf('simulation')

const monero: Plan = {
  chainId: 'xmr',
  coin: 'xmr',
  hasInternalTransfers: false,
  firstHeight: 3_500_000,
  blockMs: 120_000,
  tickMs: 60_000,
  setting: 'FLORIN_MONERO_URL',
  urlOf: host => `https://${host}`,
  front: ({ chain, targets }) => moneroFront({ chain, targets }),
  spell: address => address,
  // A block with ten confirmations is final.
  depthOf: depth => Math.min(depth, 9),
  canReplaceFinal: false,
  payout: moneroWallet.payout,
  canSweep: () => false,
  canFind: () => true,
  async setUpWallet(context, merchantId) {
    const { payout, viewKey } = moneroWallet
    await changeWallet(context, merchantId, { cryptoWallets: { evm: PAYOUT, xmr: payout } })
    await setUpSource(context, await previewViewKey(context, merchantId, payout, viewKey))
  },
}

export const plans: Record<Family, Plan> = {
  evm,
  bitcoin,
  blockbook: bitcoin,
  core: bitcoin,
  tron,
  solana,
  monero,
}
