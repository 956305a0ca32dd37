import { ed25519 } from '@noble/curves/ed25519.js'
import { bytesToNumberLE } from '@noble/curves/utils.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { assert } from '../../domain/errors.ts'
import { readMonero } from '../addresses/monero.ts'
import type { OwnAddress } from '../port.ts'
import { viewKeyOf } from './resume.ts'

/** Demands that what arrives at a subaddress can be read with the view key that is kept for it. */
export function demandOwnKey({ address, source }: OwnAddress): void {
  const keys = readMonero(address)
  assert(keys?.kind === 'subaddress', 'a subaddress is given out')
  const viewKey = bytesToNumberLE(hexToBytes(viewKeyOf(source)))
  assert(ed25519.Point.Fn.isValidNot0(viewKey), 'a view key is a number below the order of the curve')
  const point = ed25519.Point.fromBytes(keys.spendKey).multiply(viewKey)
  assert(bytesToHex(point.toBytes()) === bytesToHex(keys.viewKey), 'a subaddress is read with its view key')
}
