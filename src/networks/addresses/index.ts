import type { WalletNetwork } from '../../domain/asset.ts'
import { readBase58Check, versions } from './base58-check.ts'
import { cashAddr } from './cash-addr.ts'
import { checksumAddress, isEvmAddress } from './evm.ts'
import { readMonero } from './monero.ts'
import { hrps, readSegwit } from './segwit.ts'
import { readSolana } from './solana.ts'
import { readTron } from './tron.ts'

/** An integrated Monero address has as many characters; decoding takes long where a text is long. */
const LONGEST = 106

/** Later witness versions have no rules yet: what is sent to one, anybody can take. */
const VERSION_WITH_RULES = 1

const isSegwit = (hrp: string, address: string): boolean =>
  (readSegwit(hrp, address)?.version ?? Number.POSITIVE_INFINITY) <= VERSION_WITH_RULES

const checks: Record<WalletNetwork, (address: string) => boolean> = {
  evm: isEvmAddress,
  btc: address => readBase58Check(versions.btc, address) !== null || isSegwit(hrps.btc, address),
  bitcoincash: address => cashAddr(address) !== null,
  ltc: address => readBase58Check(versions.ltc, address) !== null || isSegwit(hrps.ltc, address),
  doge: address => readBase58Check(versions.doge, address) !== null,
  solana: address => readSolana(address) !== null,
  trc20: address => readTron(address) !== null,
  zec: address => readBase58Check(versions.zec, address) !== null,
  xmr: address => readMonero(address) !== null,
}

/**
 * Whether a text is an address of the network's main chain that may be paid to, by the network's own rules
 * and checksums. Never throws. It says nothing of whether anybody holds the key.
 */
export const isAddress = (network: WalletNetwork, address: string): boolean =>
  address.length <= LONGEST && checks[network](address)

const lowered = (address: string): string => (/^[A-Z0-9]+$/.test(address) ? address.toLowerCase() : address)

const spellings: Partial<Record<WalletNetwork, (address: string) => string>> = {
  evm: checksumAddress,
  btc: lowered,
  ltc: lowered,
  bitcoincash: address => cashAddr(address) ?? address,
}

/** The one spelling of an address that `isAddress` accepted. */
export const canonicalAddress = (network: WalletNetwork, address: string): string =>
  spellings[network]?.(address) ?? address
