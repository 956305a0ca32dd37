import { bytesToNumberLE, equalBytes } from '@noble/curves/utils.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes, createView, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { assert } from '../../domain/errors.ts'
import { LruCache } from '../../domain/lru-cache.ts'
import { encodeMonero, readMonero } from '../addresses/monero.ts'
import { curves } from './curves.ts'
import { isSeedPhrase, PRIVATE_KEY_WARNING } from './private-key-check.ts'

type Point = typeof curves.ed25519.Point.BASE

/** The wallet's first account; the merchant can use the others. */
const ACCOUNT = 0
const INDEX_MAX = 2 ** 32 - 1
const CACHED_WALLETS = 100
const order = (): bigint => curves.ed25519.Point.Fn.ORDER
const DOMAIN = utf8ToBytes('SubAddr\0')

const kinds = {
  integrated: 'an integrated address, which contains a payment id',
  subaddress: 'a subaddress, from which no others can be derived',
}

const publicKeyOf = (scalar: bigint): Uint8Array =>
  scalar === 0n ? curves.ed25519.Point.ZERO.toBytes() : curves.ed25519.Point.BASE.multiply(scalar).toBytes()

/**
 * Why subaddresses cannot be derived from a primary address and a private view key of 64 hexadecimal digits,
 * as a sentence that can be shown; null if they can. Anything that can spend gets `PRIVATE_KEY_WARNING`.
 */
export function viewKeyError(address: string, viewKey: string): string | null {
  const wallet = readMonero(address)
  if (wallet === null) return 'This is not a Monero address. Copy the primary address of the wallet.'
  if (wallet.kind !== 'standard')
    return `This is ${kinds[wallet.kind]}. Use the primary address of the wallet, which begins with 4.`
  if (isSeedPhrase(viewKey)) return `${PRIVATE_KEY_WARNING} Use the private view key of the new wallet.`
  if (!/^[0-9a-f]{64}$/i.test(viewKey))
    return 'A private view key has 64 hexadecimal digits. Copy it from the wallet, and nothing else.'
  const bytes = hexToBytes(viewKey)
  const scalar = bytesToNumberLE(bytes)
  const publicKey = publicKeyOf(scalar % order())
  if (equalBytes(publicKey, wallet.spendKey))
    return `This is the private SPEND key. ${PRIVATE_KEY_WARNING} Use the private view key of the new wallet.`
  if (equalBytes(bytes, wallet.viewKey) || equalBytes(bytes, wallet.spendKey))
    return 'This is a public key, which is part of the address. Copy the private (secret) view key.'
  if (scalar === 0n || scalar >= order()) return 'This is not a private view key: the number is out of range.'
  if (!equalBytes(publicKey, wallet.viewKey))
    return 'This view key belongs to another wallet than the address. Copy both from the same wallet.'
  return null
}

interface Wallet {
  viewKey: Uint8Array
  viewScalar: bigint
  spendPoint: Point
}

const wallets = new LruCache<Wallet>(CACHED_WALLETS)

const walletOf = (address: string, viewKey: string): Wallet =>
  wallets.get(`${address} ${viewKey}`, () => {
    assert(viewKeyError(address, viewKey) === null, 'a view key was checked before it was stored')
    const bytes = hexToBytes(viewKey)
    const { spendKey } = readMonero(address)!
    return {
      viewKey: bytes,
      viewScalar: bytesToNumberLE(bytes),
      spendPoint: curves.ed25519.Point.fromBytes(spendKey),
    }
  })

function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  createView(bytes).setUint32(0, value, true)
  return bytes
}

/** D = B + H(view key, account, index) G */
function spendPoint({ viewKey, spendPoint }: Wallet, index: number): Point {
  assert(Number.isInteger(index) && index >= 1 && index <= INDEX_MAX, 'a subaddress has an index from 1')
  const hash = keccak_256(concatBytes(DOMAIN, viewKey, uint32(ACCOUNT), uint32(index)))
  return spendPoint.add(curves.ed25519.Point.BASE.multiply(bytesToNumberLE(hash) % order()))
}

/**
 * The public spend key of a subaddress, from which a scan recognises its outputs. The index is from 1 to
 * 2^32 - 1, since 0 is the primary address. The address and view key must have no `viewKeyError`.
 */
export const subaddressSpendKey = (address: string, viewKey: string, index: number): Uint8Array =>
  spendPoint(walletOf(address, viewKey), index).toBytes()

/** The subaddress of the primary account at an index from 1, for the same pair. It begins with 8. */
export function subaddress(address: string, viewKey: string, index: number): string {
  const wallet = walletOf(address, viewKey)
  const spend = spendPoint(wallet, index)
  return encodeMonero(spend.toBytes(), spend.multiply(wallet.viewScalar).toBytes(), 'subaddress')
}
