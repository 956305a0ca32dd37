import { bytesToNumberLE } from '@noble/curves/utils.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { assert, asserted } from '../../domain/errors.ts'
import { readOrigin } from '../address-origin.ts'
import { readMonero } from '../addresses/monero.ts'
import { curves } from '../keys/curves.ts'
import type { OwnAddress } from '../port.ts'

/** The keys that find the outputs to a subaddress, in hexadecimal. */
export interface ScanKeys {
  /** the public spend key */
  spendKey: string
  /** the private view key */
  viewKey: string
}

type Subaddress = Pick<OwnAddress, 'address' | 'source'>

/** Returns the keys of a subaddress, without checking that they belong together. */
export function scanKeysOf({ address, source }: Subaddress): ScanKeys {
  const decoded = readMonero(address)
  assert(decoded?.kind === 'subaddress', 'payments in Monero go to subaddresses')
  const origin = readOrigin(source)
  assert(origin.kind === 'viewkey', 'a subaddress is made with a view key')
  return { spendKey: bytesToHex(decoded.spendKey), viewKey: origin.viewKey }
}

/** Asserts that the stored view key can read payments to a subaddress. */
export function assertReadable(own: Subaddress): void {
  const { spendKey, viewKey } = scanKeysOf(own)
  const scalar = bytesToNumberLE(hexToBytes(viewKey))
  assert(curves.ed25519.Point.Fn.isValidNot0(scalar), 'a view key is a number below the order of the curve')
  const point = curves.ed25519.Point.fromHex(spendKey).multiply(scalar)
  const publicViewKey = bytesToHex(asserted(readMonero(own.address), 'an own address is valid').viewKey)
  assert(bytesToHex(point.toBytes()) === publicViewKey, 'a view key belongs to its subaddress')
}
