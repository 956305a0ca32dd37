import { describe, expect, test } from 'bun:test'
import { ed25519 } from '@noble/curves/ed25519.js'
import { numberToBytesLE } from '@noble/curves/utils.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js'
import { base58xmr } from '@scure/base'
import fc from 'fast-check'
import { walletFaultText } from '../../../../src/domain/wallet-fault.ts'
import { encodeMonero, readMonero } from '../../../../src/networks/addresses/monero.ts'
import { subaddress, subaddressSpendKey, viewKeyFault } from '../../../../src/networks/keys/monero.ts'
import { phrase } from './published.ts'

const PRIVATE_KEY_WARNING = walletFaultText({ kind: 'privateKey' })

const viewKeyError = (address: string, viewKey: string): string | null => {
  const fault = viewKeyFault(address, viewKey)
  return fault && walletFaultText(fault)
}

/** The Monero project's own wallet for donations. It publishes the view key, and one subaddress, its 70th. */
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
  test('for a string that is not an address, or an address on a test network', () => {
    expect(viewKeyError('44AFF', hex(VIEW))).toContain('not a Monero address')
    const bytes = base58xmr.decode(address).slice(0, -4)
    bytes[0] = 53
    const test = base58xmr.encode(concatBytes(bytes, keccak_256(bytes).slice(0, 4)))
    expect(viewKeyError(test, hex(VIEW))).toContain('not a Monero address')
  })

  test('for a subaddress or an integrated address, even with its own keys', () => {
    const body = concatBytes(Uint8Array.of(19), point(SPEND), point(VIEW), new Uint8Array(8))
    const integrated = base58xmr.encode(concatBytes(body, keccak_256(body).slice(0, 4)))
    expect(viewKeyError(integrated, hex(VIEW))).toContain('an integrated address')
    const sub = encodeMonero(point(SPEND), point(VIEW), 'subaddress')
    expect(viewKeyError(sub, hex(VIEW))).toContain('a subaddress')
  })

  test('that is the private spend key, with a warning', () => {
    expect(viewKeyError(address, hex(SPEND))).toBe(
      `This is the private SPEND key. ${PRIVATE_KEY_WARNING} Use the private view key of the new wallet.`,
    )
    expect(viewKeyError(address, hex(SPEND).toUpperCase())).toContain('SPEND')
  })

  test('that is the seed of the private spend key', () => {
    expect(viewKeyError(address, hex(SPEND + ORDER))).toContain('SPEND')
  })

  test('that is a seed phrase, with a warning', () => {
    for (const words of [phrase, `${'abbey '.repeat(24)}abbey`])
      expect(viewKeyError(address, words)).toStartWith(PRIVATE_KEY_WARNING)
  })

  test('that is a public key of the address', () => {
    for (const key of [point(VIEW), point(SPEND)])
      expect(viewKeyError(address, bytesToHex(key))).toContain('a public key')
  })

  test('that is not 64 hexadecimal digits', () => {
    const key = hex(VIEW)
    for (const text of ['', key.slice(1), `${key}0`, ` ${key}`, `0x${key.slice(2)}`, key.replace('0', 'g')])
      expect(viewKeyError(address, text)).toContain('64 hexadecimal digits')
  })

  test('that is out of range', () => {
    for (const scalar of [0n, ORDER, VIEW + ORDER, 2n ** 256n - 1n])
      expect(viewKeyError(address, hex(scalar))).toContain('out of range')
  })

  test('that belongs to another wallet', () => {
    expect(viewKeyError(address, hex(VIEW + 1n))).toContain('another wallet')
    expect(viewKeyError(PUBLIC_WALLET.address, hex(VIEW))).toContain('another wallet')
    expect(viewKeyError(address, PUBLIC_WALLET.viewKey)).toContain('another wallet')
  })

  test('without its digits in the message', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), bytes => {
        const problem = viewKeyError(address, bytesToHex(bytes))
        expect(problem).not.toBeNull()
        expect(problem).not.toContain(bytesToHex(bytes))
      }),
      { numRuns: 20 },
    )
  })
})

test('the view key of the address is accepted, in either case', () => {
  expect(viewKeyError(address, hex(VIEW))).toBeNull()
  expect(viewKeyError(PUBLIC_WALLET.address, PUBLIC_WALLET.viewKey)).toBeNull()
  expect(viewKeyError(PUBLIC_WALLET.address, PUBLIC_WALLET.viewKey.toUpperCase())).toBeNull()
})

describe('a subaddress', () => {
  test('is not derived at an index out of range, nor at the index of the primary address', () => {
    for (const index of [0, -1, 1.5, 2 ** 32, Number.NaN]) {
      expect(() => subaddress(address, hex(VIEW), index)).toThrow('Assertion failed')
      expect(() => subaddressSpendKey(address, hex(VIEW), index)).toThrow('Assertion failed')
    }
  })

  test('is not derived with the view key of another address', () => {
    for (const key of [hex(SPEND), hex(VIEW + 1n), 'view key', ''])
      expect(() => subaddress(address, key, 1)).toThrow('Assertion failed')
  })

  test('is the published one of the wallet that the Monero project publishes', () => {
    const { address, viewKey, index, subaddress: published } = PUBLIC_WALLET
    expect(subaddress(address, viewKey, index)).toBe(published)
    expect(subaddress(address, viewKey.toUpperCase(), index)).toBe(published)
    expect(subaddressSpendKey(address, viewKey, index)).toEqual(readMonero(published)!.spendKey)
  })

  test('has keys that match the private keys of the wallet, and no other has the same', () => {
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
