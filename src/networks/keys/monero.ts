import { bytesToNumberLE, equalBytes } from '@noble/curves/utils.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes, createView, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { assert, asserted } from '../../domain/errors.ts'
import { LruCache } from '../../domain/lru-cache.ts'
import type { WalletFault } from '../../domain/wallet-fault.ts'
import { encodeMonero, readMonero } from '../addresses/monero.ts'
import { curves } from './curves.ts'
import { isSeedPhrase } from './private-key-check.ts'

type Point = typeof curves.ed25519.Point.BASE

/** The wallet's first account, whose subaddresses Florin uses. The merchant can use the other accounts. */
const ACCOUNT = 0
const INDEX_MAX = 2 ** 32 - 1
const CACHED_WALLETS = 100
const order = (): bigint => curves.ed25519.Point.Fn.ORDER
const DOMAIN = utf8ToBytes('SubAddr\0')

const publicKeyOf = (scalar: bigint): Uint8Array =>
  scalar === 0n ? curves.ed25519.Point.ZERO.toBytes() : curves.ed25519.Point.BASE.multiply(scalar).toBytes()

/**
 * The fault of a private view key, which must have 64 hexadecimal digits and belong to the primary address;
 * null if subaddresses can be derived.
 */
export function viewKeyFault(address: string, viewKey: string): WalletFault | null {
  const wallet = readMonero(address)
  if (wallet === null) return { kind: 'notMonero' }
  if (wallet.kind !== 'standard') return { kind: wallet.kind }
  if (isSeedPhrase(viewKey)) return { kind: 'viewKeyWords' }
  if (!/^[0-9a-f]{64}$/i.test(viewKey)) return { kind: 'viewKeyForm' }
  const bytes = hexToBytes(viewKey)
  const scalar = bytesToNumberLE(bytes)
  const publicKey = publicKeyOf(scalar % order())
  if (equalBytes(publicKey, wallet.spendKey)) return { kind: 'spendKey' }
  if (equalBytes(bytes, wallet.viewKey) || equalBytes(bytes, wallet.spendKey))
    return { kind: 'publicViewKey' }
  if (scalar === 0n || scalar >= order()) return { kind: 'viewKeyRange' }
  return equalBytes(publicKey, wallet.viewKey) ? null : { kind: 'otherViewKey' }
}

interface Wallet {
  viewKey: Uint8Array
  viewScalar: bigint
  spendPoint: Point
}

const wallets = new LruCache<Wallet>(CACHED_WALLETS)

const walletOf = (address: string, viewKey: string): Wallet =>
  wallets.get(`${address} ${viewKey}`, () => {
    assert(viewKeyFault(address, viewKey) === null, 'a view key was checked before it was stored')
    const bytes = hexToBytes(viewKey)
    const { spendKey } = asserted(readMonero(address), 'a view key was checked with its address')
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

/** The public spend key of a subaddress: D = B + H(view key, account, index) G. */
function spendPoint({ viewKey, spendPoint }: Wallet, index: number): Point {
  assert(Number.isInteger(index) && index >= 1 && index <= INDEX_MAX, 'a subaddress has an index from 1')
  const hash = keccak_256(concatBytes(DOMAIN, viewKey, uint32(ACCOUNT), uint32(index)))
  return spendPoint.add(curves.ed25519.Point.BASE.multiply(bytesToNumberLE(hash) % order()))
}

/**
 * Derives the public spend key of a subaddress, by which a scan recognizes its outputs. The index is from 1
 * to 2^32 - 1, since 0 is the primary address. The view key must have no `viewKeyFault`.
 */
export const subaddressSpendKey = (address: string, viewKey: string, index: number): Uint8Array =>
  spendPoint(walletOf(address, viewKey), index).toBytes()

/**
 * Derives the subaddress of the primary account at an index from 1. The view key must have no `viewKeyFault`.
 */
export function subaddress(address: string, viewKey: string, index: number): string {
  const wallet = walletOf(address, viewKey)
  const spend = spendPoint(wallet, index)
  return encodeMonero(spend.toBytes(), spend.multiply(wallet.viewScalar).toBytes(), 'subaddress')
}
