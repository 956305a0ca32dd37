import type { BitcoinAddressFormat } from '../../coins/types.ts'
import { assert } from '../../domain/errors.ts'
import { encodeBase58Check, readBase58Check } from './base58-check.ts'
import { type CashType, encodeCashAddr, readCashAddr } from './cash-addr.ts'
import { encodeSegwit, readSegwit, type WitnessProgram } from './segwit.ts'

/** The key, script or witness program that an address of a chain like Bitcoin pays. */
export type Destination =
  | { type: CashType; hash: Uint8Array }
  | { type: 'witness'; version: number; program: Uint8Array }

function readLegacy({ p2pkh, p2sh }: BitcoinAddressFormat, address: string): Destination | null {
  const found = readBase58Check([p2pkh, ...p2sh], address)
  return found && { type: found.version === p2pkh ? 'p2pkh' : 'p2sh', hash: found.hash }
}

const witness = (found: WitnessProgram | null): Destination | null => found && { type: 'witness', ...found }

/** Reads an address of the main chain; null for any other text. */
export function readBitcoin(format: BitcoinAddressFormat, address: string): Destination | null {
  const { segwit, cashAddr } = format
  const modern =
    (cashAddr === null ? null : readCashAddr(cashAddr, address)) ??
    (segwit === null ? null : witness(readSegwit(segwit, address)))
  return modern ?? readLegacy(format, address)
}

function encodeHash(
  { p2pkh, p2sh, cashAddr }: BitcoinAddressFormat,
  type: CashType,
  hash: Uint8Array,
): string {
  if (cashAddr !== null) return encodeCashAddr(cashAddr, type, hash)
  return encodeBase58Check(type === 'p2pkh' ? p2pkh : p2sh[0], hash)
}

/** Returns the address that pays the hash of a public key. */
export const encodeKeyHash = (format: BitcoinAddressFormat, hash: Uint8Array): string =>
  encodeHash(format, 'p2pkh', hash)

/** Returns the address that pays the hash of a script. */
export const encodeScriptHash = (format: BitcoinAddressFormat, hash: Uint8Array): string =>
  encodeHash(format, 'p2sh', hash)

/** Returns the address that pays a witness program. */
export function encodeWitness(
  { segwit }: BitcoinAddressFormat,
  program: Uint8Array,
  version?: number,
): string {
  assert(segwit !== null, 'a chain with witness addresses has a prefix for them')
  return encodeSegwit(segwit, program, version)
}

/**
 * Returns the canonical spelling of an address that `readBitcoin` accepted. Addresses that pay the same
 * script have the same spelling, since payments to them look the same on the chain.
 */
export function canonicalBitcoin(format: BitcoinAddressFormat, address: string): string {
  const found = readBitcoin(format, address)
  if (found === null) return address
  return found.type === 'witness' ? address.toLowerCase() : encodeHash(format, found.type, found.hash)
}
