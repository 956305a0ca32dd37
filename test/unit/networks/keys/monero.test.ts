import { describe, expect, test } from 'bun:test'
import { ed25519 } from '@noble/curves/ed25519.js'
import { numberToBytesLE } from '@noble/curves/utils.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js'
import { base58xmr } from '@scure/base'
import fc from 'fast-check'
import { encodeMonero, readMonero } from '../../../../src/networks/addresses/monero.ts'
import { subaddress, subaddressSpendKey, viewKeyError } from '../../../../src/networks/keys/monero.ts'
import { EXPOSED } from '../../../../src/networks/keys/private-key-check.ts'
import { phrase } from './published.ts'

/** The Monero project's own wallet for gifts: it publishes the view key, and one subaddress, its 70th. */
const PUBLIC_WALLET = {
  address: '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A',
  viewKey: 'f359631075708155cc3d92a32b75a7d02a5dcf27756707b47a2b31b21c389501',
  index: 70,
  subaddress:
    '888tNkZrPN6JsEgekjMnABU4TBzc2Dt29EPAvkRxbANsAnjyPbb3iQ1YBRk1UXcdRsiKc9dhwMVgN5S9cQUiyoogDavup3H',
}

const ORDER = ed25519.Point.Fn.ORDER
const hex = (scalar: bigint): string => bytesToHex(numberToBytesLE(scalar, 32))
const point = (scalar: bigint): Uint8Array => ed25519.Point.BASE.multiply(scalar).toBytes()

const SPEND = 1234567890123456789n
const VIEW = 9876543210987654321n
const address = encodeMonero(point(SPEND), point(VIEW))

describe('a view key is refused', () => {
  test('for a text that is no address, or one of a test network', () => {
    expect(viewKeyError('44AFF', hex(VIEW))).toContain('no address of Monero')
    const bytes = base58xmr.decode(address).slice(0, -4)
    bytes[0] = 53
    const test = base58xmr.encode(concatBytes(bytes, keccak_256(bytes).slice(0, 4)))
    expect(viewKeyError(test, hex(VIEW))).toContain('no address of Monero')
  })

  test('for a subaddress or an integrated address, though both keys be its own', () => {
    const body = concatBytes(Uint8Array.of(19), point(SPEND), point(VIEW), new Uint8Array(8))
    const integrated = base58xmr.encode(concatBytes(body, keccak_256(body).slice(0, 4)))
    expect(viewKeyError(integrated, hex(VIEW))).toContain('an integrated address')
    const sub = encodeMonero(point(SPEND), point(VIEW), 'subaddress')
    expect(viewKeyError(sub, hex(VIEW))).toContain('a subaddress')
  })

  test('where it is the private spend key, with a warning', () => {
    expect(viewKeyError(address, hex(SPEND))).toBe(
      `This is the private SPEND key. ${EXPOSED} Give the private view key of that one.`,
    )
    expect(viewKeyError(address, hex(SPEND).toUpperCase())).toContain('SPEND')
  })

  test('where it is the seed that the private spend key is reduced from', () => {
    expect(viewKeyError(address, hex(SPEND + ORDER))).toContain('SPEND')
  })

  test('where it is a seed phrase, with a warning', () => {
    for (const words of [phrase, `${'abbey '.repeat(24)}abbey`])
      expect(viewKeyError(address, words)).toStartWith(EXPOSED)
  })

  test('where it is a public key of the address', () => {
    for (const key of [point(VIEW), point(SPEND)])
      expect(viewKeyError(address, bytesToHex(key))).toContain('a public key')
  })

  test('where it is not 64 hexadecimal digits', () => {
    const key = hex(VIEW)
    for (const text of ['', key.slice(1), `${key}0`, ` ${key}`, `0x${key.slice(2)}`, key.replace('0', 'g')])
      expect(viewKeyError(address, text)).toContain('64 hexadecimal digits')
  })

  test('where it is no canonical number', () => {
    for (const scalar of [0n, ORDER, VIEW + ORDER, 2n ** 256n - 1n])
      expect(viewKeyError(address, hex(scalar))).toContain('such a number')
  })

  test('where it is of another wallet', () => {
    expect(viewKeyError(address, hex(VIEW + 1n))).toContain('another wallet')
    expect(viewKeyError(PUBLIC_WALLET.address, hex(VIEW))).toContain('another wallet')
    expect(viewKeyError(address, PUBLIC_WALLET.viewKey)).toContain('another wallet')
  })

  test('without its digits in the sentence', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), bytes => {
        const fault = viewKeyError(address, bytesToHex(bytes))
        expect(fault).not.toBeNull()
        expect(fault).not.toContain(bytesToHex(bytes))
      }),
      { numRuns: 20 },
    )
  })
})

test('the view key of the address is taken, in either case', () => {
  expect(viewKeyError(address, hex(VIEW))).toBeNull()
  expect(viewKeyError(PUBLIC_WALLET.address, PUBLIC_WALLET.viewKey)).toBeNull()
  expect(viewKeyError(PUBLIC_WALLET.address, PUBLIC_WALLET.viewKey.toUpperCase())).toBeNull()
})

describe('a subaddress', () => {
  test('is not derived at an index that is none, nor at that of the primary address', () => {
    for (const index of [0, -1, 1.5, 2 ** 32, Number.NaN]) {
      expect(() => subaddress(address, hex(VIEW), index)).toThrow('Assertion failed')
      expect(() => subaddressSpendKey(address, hex(VIEW), index)).toThrow('Assertion failed')
    }
  })

  test('is not derived with a view key that is not of the address', () => {
    for (const key of [hex(SPEND), hex(VIEW + 1n), 'view key', ''])
      expect(() => subaddress(address, key, 1)).toThrow('Assertion failed')
  })

  test('is the published one of the wallet that the Monero project publishes', () => {
    const { address, viewKey, index, subaddress: published } = PUBLIC_WALLET
    expect(subaddress(address, viewKey, index)).toBe(published)
    expect(subaddress(address, viewKey.toUpperCase(), index)).toBe(published)
    expect(subaddressSpendKey(address, viewKey, index)).toEqual(readMonero(published)!.spendKey)
  })

  test('has keys that the private keys of the wallet open, and no other has the same', () => {
    const seen = new Set<string>()
    for (const index of [1, 2, 3, 255, 256, 65_536, 2 ** 32 - 1]) {
      const made = readMonero(subaddress(address, hex(VIEW), index))!
      expect(made.kind).toBe('subaddress')
      const spend = ed25519.Point.fromBytes(subaddressSpendKey(address, hex(VIEW), index))
      expect(made.spendKey).toEqual(spend.toBytes())
      expect(made.viewKey).toEqual(spend.multiply(VIEW).toBytes())
      seen.add(bytesToHex(made.spendKey))
    }
    expect(seen.size).toBe(7)
  })
})
