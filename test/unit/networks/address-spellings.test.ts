import { describe, expect, test } from 'bun:test'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { base58, base58xmr, createBase58check } from '@scure/base'
import fc from 'fast-check'
import { registry } from '../../../src/coins/registry.ts'
import type { BitcoinAddressFormat } from '../../../src/coins/types.ts'
import { encodeWitness, readBitcoin } from '../../../src/networks/addresses/bitcoin.ts'
import { encodeCashAddr } from '../../../src/networks/addresses/cash-addr.ts'
import { checksumAddress } from '../../../src/networks/addresses/evm.ts'
import { addressFromSeed } from '../../../src/networks/addresses/index.ts'
import { canonicalAddress, isAddress } from '../../support/known-coins.ts'

const base58Check = createBase58check(sha256)
const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 })
const everyByte = Array.from({ length: 256 }, (_, byte) => byte)
const firstBytesOf = ({ p2pkh, p2sh }: BitcoinAddressFormat) =>
  new Set([p2pkh, ...p2sh].map(version => version.slice(0, -1)).map(bytes => bytes.join()))

/** A hash with every version that has the same number of bytes as the versions of the chain. */
const legacyOf = (format: BitcoinAddressFormat, hash: Uint8Array): string[] =>
  [...firstBytesOf(format)].flatMap(first => {
    const bytes = first === '' ? [] : first.split(',').map(Number)
    return everyByte.map(last => base58Check.encode(concatBytes(Uint8Array.of(...bytes, last), hash)))
  })

/** The same destination with and without the prefix, in lower and upper case. */
const cashAddrsOf = (prefix: string, hash: Uint8Array): string[] =>
  (['p2pkh', 'p2sh'] as const).flatMap(type => {
    const plain = encodeCashAddr(prefix, type, hash)
    const short = plain.slice(prefix.length + 1)
    return [plain, short, plain.toUpperCase(), short.toUpperCase()]
  })

function spellingsOf(format: BitcoinAddressFormat, hash: Uint8Array): string[] {
  const witness = format.segwit === null ? [] : [encodeWitness(format, hash)]
  return [
    ...legacyOf(format, hash),
    ...(format.cashAddr === null ? [] : cashAddrsOf(format.cashAddr, hash)),
    ...witness.flatMap(address => [address, address.toUpperCase()]),
  ]
}

const chains = registry.wallets.flatMap(({ network, address }) =>
  address.kind === 'bitcoin' ? [{ network, format: address }] : [],
)

test.each(chains)('all spellings of one script on $network are one address', ({ network, format }) => {
  fc.assert(
    fc.property(seeds, seed => {
      const accepted = spellingsOf(format, seed.slice(0, 20)).filter(text => isAddress(network, text))
      const scripts = Map.groupBy(accepted, text => JSON.stringify(readBitcoin(format, text)))
      for (const spellings of scripts.values()) {
        const written = new Set(spellings.map(text => canonicalAddress(network, text)))
        expect([...written]).toHaveLength(1)
        const [only] = [...written]
        expect(isAddress(network, only!)).toBe(true)
        expect(canonicalAddress(network, only!)).toBe(only!)
      }
      const all = new Set(accepted.map(text => canonicalAddress(network, text)))
      expect(all.size).toBe(scripts.size)
    }),
    { numRuns: 5 },
  )
})

test('all spellings of one EVM account are one address', () => {
  fc.assert(
    fc.property(seeds, seed => {
      const address = addressFromSeed('evm', seed)
      const digits = address.slice(2)
      for (const text of [address, `0x${digits.toLowerCase()}`, `0x${digits.toUpperCase()}`]) {
        expect(isAddress('evm', text)).toBe(true)
        expect(canonicalAddress('evm', text)).toBe(checksumAddress(address))
      }
    }),
  )
})

/** In Base58, upper and lower case differ: text in another case decodes to another account. */
const alphabets = { tron: base58, solana: base58, monero: base58xmr }
const oneSpelling = registry.wallets.flatMap(({ network, address: { kind } }) =>
  kind === 'tron' || kind === 'solana' || kind === 'monero' ? [{ network, alphabet: alphabets[kind] }] : [],
)

test.each(oneSpelling)('an address of $network has one spelling', ({ network, alphabet }) => {
  fc.assert(
    fc.property(seeds, seed => {
      const address = addressFromSeed(network, seed)
      expect(canonicalAddress(network, address)).toBe(address)
      const others = [address.toLowerCase(), address.toUpperCase(), `1${address}`, `0x${address}`]
      for (const text of others.filter(other => other !== address && isAddress(network, other))) {
        expect(alphabet.decode(text)).not.toEqual(alphabet.decode(address))
        expect(alphabet.encode(alphabet.decode(text))).toBe(text)
      }
    }),
    { numRuns: 50 },
  )
})

test('TRON’s hexadecimal spelling of an account is refused', () => {
  const bytes = base58Check.decode('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')
  const hex = Buffer.from(bytes).toString('hex')
  for (const text of [hex, `0x${hex}`, hex.slice(2), `0x${hex.slice(2)}`]) {
    expect(isAddress('trc20', text)).toBe(false)
  }
})

describe('Litecoin', () => {
  test.each([
    ['3MSvaVbVFFLML86rt5eqgA9SvW23upaXdY', 'MTf4tP1TCNBn8dNkyxeBVoPrFCcVzxJvvh'],
    ['3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', 'MQMHBtvnBfxTzt3K2bdxgSE7qZPHSXWsGM'],
  ])('a script is written as current wallets write it: %s is %s', (old, today) => {
    expect([old, today].map(address => isAddress('ltc', address))).toEqual([true, true])
    expect([old, today].map(address => canonicalAddress('ltc', address))).toEqual([today, today])
  })
})
