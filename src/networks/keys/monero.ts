import { ed25519 } from '@noble/curves/ed25519.js'
import { bytesToNumberLE, equalBytes } from '@noble/curves/utils.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes, createView, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { assert } from '../../domain/errors.ts'
import { encodeMonero, readMonero } from '../addresses/monero.ts'
import { LruCache } from '../rpc/cache.ts'
import { EXPOSED, isSeedPhrase } from './private-key-check.ts'

type Point = typeof ed25519.Point.BASE

/** A wallet's own account; its further ones are the merchant's to use. */
const ACCOUNT = 0
const INDEX_MAX = 2 ** 32 - 1
const WALLETS_REMEMBERED = 100
const ORDER = ed25519.Point.Fn.ORDER
const DOMAIN = utf8ToBytes('SubAddr\0')

const kinds = {
  integrated: 'an integrated address, which holds a payment id',
  subaddress: 'a subaddress, which others cannot be derived from',
}

const publicKeyOf = (scalar: bigint): Uint8Array =>
  scalar === 0n ? ed25519.Point.ZERO.toBytes() : ed25519.Point.BASE.multiply(scalar).toBytes()

/**
 * Why subaddresses cannot be derived from a primary address and a private view key of 64 hexadecimal digits,
 * as a sentence that can be shown; null where they can. What can spend is warned of with `EXPOSED`.
 */
export function viewKeyError(address: string, viewKey: string): string | null {
  const wallet = readMonero(address)
  if (wallet === null) return 'This is no address of Monero. Copy the primary address of the wallet.'
  if (wallet.kind !== 'standard')
    return `This is ${kinds[wallet.kind]}. Give the primary address of the wallet, which begins with 4.`
  if (isSeedPhrase(viewKey)) return `${EXPOSED} Give the private view key of that one.`
  if (!/^[0-9a-f]{64}$/i.test(viewKey))
    return 'A private view key is 64 hexadecimal digits. Copy it from the wallet, and nothing else.'
  const bytes = hexToBytes(viewKey)
  const scalar = bytesToNumberLE(bytes)
  const publicKey = publicKeyOf(scalar % ORDER)
  if (equalBytes(publicKey, wallet.spendKey))
    return `This is the private SPEND key. ${EXPOSED} Give the private view key of that one.`
  if (equalBytes(bytes, wallet.viewKey) || equalBytes(bytes, wallet.spendKey))
    return 'This is a public key, which the address holds already. Copy the private (secret) view key.'
  if (scalar === 0n || scalar >= ORDER) return 'This is no private view key: such a number cannot be one.'
  if (!equalBytes(publicKey, wallet.viewKey))
    return 'This view key is of another wallet than the address. Copy both from the same one.'
  return null
}

interface Wallet {
  viewKey: Uint8Array
  viewScalar: bigint
  spendPoint: Point
}

const wallets = new LruCache<Wallet>(WALLETS_REMEMBERED)

const walletOf = (address: string, viewKey: string): Wallet =>
  wallets.get(`${address} ${viewKey}`, () => {
    assert(viewKeyError(address, viewKey) === null, 'a view key was checked before it was kept')
    const bytes = hexToBytes(viewKey)
    const { spendKey } = readMonero(address)!
    return {
      viewKey: bytes,
      viewScalar: bytesToNumberLE(bytes),
      spendPoint: ed25519.Point.fromBytes(spendKey),
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
  return spendPoint.add(ed25519.Point.BASE.multiply(bytesToNumberLE(hash) % ORDER))
}

/**
 * The public spend key of a subaddress, by which a scan knows its outputs. The index is from 1 to 2^32 - 1:
 * at 0 stands the primary address itself. Address and view key are a pair without a `viewKeyError`.
 */
export const subaddressSpendKey = (address: string, viewKey: string, index: number): Uint8Array =>
  spendPoint(walletOf(address, viewKey), index).toBytes()

/** The subaddress of the primary account at an index from 1, of a pair as above. It begins with an 8. */
export function subaddress(address: string, viewKey: string, index: number): string {
  const wallet = walletOf(address, viewKey)
  const spend = spendPoint(wallet, index)
  return encodeMonero(spend.toBytes(), spend.multiply(wallet.viewScalar).toBytes(), 'subaddress')
}
