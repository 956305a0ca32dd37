import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { walletNetworks } from '../../../src/domain/asset.ts'
import { isAddress } from '../../support/known-coins.ts'
import { foreign, known } from './known-addresses.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz:'
const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const bech32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'

const networksOf = (address: string): string[] =>
  walletNetworks.filter(network => isAddress(network, address))

const checksummed = known.filter(([, [network]]) => network !== 'solana')

describe('refused on every network', () => {
  const long = 10_000
  test.each([
    ['nothing', ''],
    ['a space', ' '],
    ['10,000 ones', '1'.repeat(long)],
    ['10,000 letters', 'z'.repeat(long)],
    ['10,000 letters of bech32', 'bc1' + 'q'.repeat(long)],
    ['10,000 digits behind 0x', '0x' + '0'.repeat(long)],
    ['10,000 emoji', '💸'.repeat(long)],
    ['a lone surrogate', '\ud800'],
    ['lone surrogates the wrong way round', '\udc00\ud800'],
    ['a zero byte', '\0'],
    ['Arabic digits', '٠١٢٣٤٥٦٧٨٩'],
    ['a prefix alone', 'bitcoincash:'],
    ['a human-readable part alone', 'bc1'],
    ['0x alone', '0x'],
    ['a property that every object has', '__proto__'],
  ])('%s is not an address', (_, text) => {
    expect(networksOf(text)).toEqual([])
  })

  test.each([...foreign])('%s is on no main chain that can be paid to', address => {
    expect(networksOf(address)).toEqual([])
  })

  test('an address is refused with a space, a line break or a zero byte at either end', () => {
    for (const [address] of known) {
      for (const blank of [' ', '\n', '\r\n', '\t', '\u00a0', '\u200b', '\ufeff', '\0']) {
        expect(networksOf(address + blank)).toEqual([])
        expect(networksOf(blank + address)).toEqual([])
      }
    }
  })

  test('an address with a checksum is refused without its last or its first character', () => {
    for (const [address] of checksummed) {
      expect(networksOf(address.slice(0, -1))).toEqual([])
      expect(networksOf(address.slice(1))).toEqual([])
    }
  })

  test('a text of two million characters is refused before anything is decoded', () => {
    const long = 'q'.repeat(2_000_000)
    const before = process.cpuUsage()
    expect(networksOf(long)).toEqual([])
    expect(process.cpuUsage(before).user).toBeLessThan(200_000)
  })

  test('letters that case folding turns into ASCII letters are not accepted', () => {
    expect(isAddress('btc', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4')).toBe(true)
    expect(isAddress('btc', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7\u212aV8F3T4')).toBe(false)
    expect(isAddress('bitcoincash', 'QPM2QSZNHKS23Z7629MMS6S4CWEF74VCWVY22GDX6A')).toBe(true)
    expect(isAddress('bitcoincash', 'QPM2QSZNH\u212aS23Z7629MMS6S4CWEF74VCWVY22GDX6A')).toBe(false)
  })

  test('no string of random characters is an address, or causes an error', () => {
    const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 120 })
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 120 }),
      units.map(codes => String.fromCharCode(...codes)),
    )
    fc.assert(
      fc.property(texts, text => {
        expect(networksOf(text)).toEqual([])
      }),
      { numRuns: 2000 },
    )
  })

  test('no random letters after the beginning of an address pass a checksum', () => {
    const beginnings = [
      ...['', '1', '3', 'bc1q', 'bc1p', 'ltc1q', 'L', 'D', 'T', 't1', '4', '8', 'q', 'bitcoincash:p'],
    ]
    const letters = fc
      .constantFrom(base58, bech32, alphabet)
      .chain(from =>
        fc.string({ unit: fc.constantFrom(...from), minLength: 25, maxLength: 105, size: 'max' }),
      )
    fc.assert(
      fc.property(fc.constantFrom(...beginnings), letters, (beginning, text) => {
        expect(networksOf(beginning + text).filter(network => network !== 'solana')).toEqual([])
      }),
      { numRuns: 3000 },
    )
  })
})

/** Every string that differs in one character from this one. */
const changed = (address: string): string[] =>
  [...address].flatMap((right, at) =>
    [...alphabet]
      .filter(letter => letter !== right)
      .map(letter => address.slice(0, at) + letter + address.slice(at + 1)),
  )

/** Every string with two unequal neighbours swapped. */
const swapped = (address: string): string[] =>
  [...address.slice(1)].flatMap((other, at) =>
    other === address[at] ? [] : [address.slice(0, at) + other + address[at] + address.slice(at + 2)],
  )

describe('one typing error', () => {
  test.each([...checksummed])('%s is refused with any character changed', (address, networks) => {
    const wrong = changed(address)
    expect(wrong.length).toBeGreaterThanOrEqual(address.length * (alphabet.length - 1))
    expect(wrong.filter(text => networks.some(network => isAddress(network, text)))).toEqual([])
  })

  test.each([...checksummed])('%s is refused with two neighbours swapped', (address, networks) => {
    const wrong = swapped(address)
    expect(wrong.length).toBeGreaterThan(10)
    expect(wrong.filter(text => networks.some(network => isAddress(network, text)))).toEqual([])
  })
})

describe('each network and its own addresses', () => {
  test.each([...known])('%s is an address of %p and of no other network', (address, networks) => {
    expect(networksOf(address).sort()).toEqual([...networks].sort())
  })

  test('each network has an example', () => {
    const seen = new Set(known.flatMap(([, networks]) => networks))
    expect(walletNetworks.filter(network => !seen.has(network))).toEqual([])
  })
})
