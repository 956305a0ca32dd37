import { describe, expect, test } from 'bun:test'
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { base58, base58xmr, createBase58check } from '@scure/base'
import fc from 'fast-check'
import { bitcoin } from '../../../src/coins/bitcoin.ts'
import { dogecoin } from '../../../src/coins/dogecoin.ts'
import { zcash } from '../../../src/coins/zcash.ts'
import type { WalletNetwork } from '../../../src/domain/asset.ts'
import { encodeBase58Check, readBase58Check } from '../../../src/networks/addresses/base58-check.ts'
import { encodeKeyHash } from '../../../src/networks/addresses/bitcoin.ts'
import { encodeMonero, readMonero } from '../../../src/networks/addresses/monero.ts'
import { encodeSolana, readSolana } from '../../../src/networks/addresses/solana.ts'
import { encodeTron, readTron } from '../../../src/networks/addresses/tron.ts'
import { isAddress } from '../../support/known-coins.ts'

const base58Check = createBase58check(sha256)
const hash20 = fc.uint8Array({ minLength: 20, maxLength: 20 })
const isZero = (bytes: Uint8Array): boolean => bytes.every(byte => byte === 0)

const moneroText = (network: number, ...parts: Uint8Array[]): string => {
  const body = concatBytes(Uint8Array.of(network), ...parts)
  return base58xmr.encode(concatBytes(body, keccak_256(body).slice(0, 4)))
}

const isPoint = (key: Uint8Array): boolean => {
  try {
    return ed25519.Point.fromBytes(key) !== null
  } catch {
    return false
  }
}

const point = (scalar: bigint): Uint8Array => ed25519.Point.BASE.multiply(scalar).toBytes()
const offCurve = Array.from({ length: 32 }, (_, seed) => sha256(Uint8Array.of(seed))).find(
  key => !isPoint(key),
)!

describe('base58check', () => {
  const ours: [WalletNetwork, number[]][] = [
    ['btc', [0x00]],
    ['btc', [0x05]],
    ['bitcoincash', [0x00]],
    ['bitcoincash', [0x05]],
    ['ltc', [0x30]],
    ['ltc', [0x32]],
    ['ltc', [0x05]],
    ['doge', [0x1e]],
    ['doge', [0x16]],
    ['zec', [0x1c, 0xb8]],
    ['zec', [0x1c, 0xbd]],
    ['trc20', [0x41]],
  ]
  const coins: WalletNetwork[] = ['btc', 'bitcoincash', 'ltc', 'doge', 'zec', 'trc20']

  test('of all versions of one and two bytes, each coin accepts only its own', () => {
    const prefixes = [
      ...Array.from({ length: 256 }, (_, byte) => [byte]),
      ...Array.from({ length: 256 }, (_, byte) => [0x1c, byte]),
    ]
    for (const prefix of prefixes) {
      const address = encodeBase58Check(prefix, new Uint8Array(20).fill(9))
      const expected = ours.filter(([, version]) => version.join() === prefix.join()).map(([coin]) => coin)
      expect(coins.filter(coin => isAddress(coin, address))).toEqual(expected)
    }
  })

  test('a hash of another length is refused, even with the right checksum', () => {
    for (const [coin, version] of ours) {
      for (const length of [0, 1, 19, 21, 32]) {
        const address = base58Check.encode(Uint8Array.from([...version, ...new Uint8Array(length).fill(3)]))
        expect(isAddress(coin, address)).toBe(false)
      }
    }
  })

  test('a private key in import format is not an address', () => {
    expect(isAddress('btc', '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ')).toBe(false)
  })

  test('an extended public key is not an address', () => {
    const xpub =
      'xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1' +
      'Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8'
    expect(isAddress('btc', xpub)).toBe(false)
  })

  test('an encoder that is given a hash of another length throws', () => {
    expect(() => encodeBase58Check([0], new Uint8Array(21))).toThrow('Assertion failed')
  })

  test('the hash of the public key of 1 is encoded as its known addresses', () => {
    const hash = hexToBytes('751e76e8199196d454941c45d1b3a323f1433bd6')
    expect(encodeKeyHash(bitcoin.wallet.address, hash)).toBe('1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH')
    expect(encodeKeyHash(dogecoin.wallet.address, hash)).toBe('DFpN6QqFfUm3gKNaxN6tNcab1FArL9cZLE')
    expect(encodeKeyHash(zcash.wallet.address, hash)).toBe('t1UYsZVJkLPeMjxEtACvSxfWuNmddpWfxzs')
  })

  test('any encoded bytes are decoded to the same bytes', () => {
    fc.assert(
      fc.property(hash20, hash => {
        for (const [coin, version] of ours) {
          const address = encodeBase58Check(version, hash)
          expect(readBase58Check([version], address)).toEqual({ version, hash })
          if (coin !== 'trc20' || !isZero(hash)) expect(isAddress(coin, address)).toBe(true)
        }
      }),
      { numRuns: 50 },
    )
  })
})

describe('TRON', () => {
  test('the zero account is refused', () => {
    expect(encodeTron(new Uint8Array(20))).toBe('T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb')
    expect(isAddress('trc20', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb')).toBe(false)
  })

  test('its hexadecimal form is refused', () => {
    expect(isAddress('trc20', '41a614f803b6fd780986a42c78ec9c7f77e6ded13c')).toBe(false)
  })

  test('the USDT contract has its known bytes', () => {
    const bytes = readTron('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')
    expect(bytesToHex(bytes!)).toBe('a614f803b6fd780986a42c78ec9c7f77e6ded13c')
    expect(encodeTron(bytes!)).toBe('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')
  })
})

describe('Solana', () => {
  test('the System Program is refused', () => {
    expect(isAddress('solana', '1'.repeat(32))).toBe(false)
  })

  test('keys of other lengths are refused', () => {
    for (const length of [0, 1, 20, 31, 33, 64]) {
      expect(isAddress('solana', base58.encode(new Uint8Array(length).fill(200)))).toBe(false)
    }
    expect(() => encodeSolana(new Uint8Array(31))).toThrow('Assertion failed')
  })

  test('letters that are not in base58 are refused', () => {
    for (const letter of '0OIl') {
      expect(isAddress('solana', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1' + letter)).toBe(false)
    }
  })

  test('a key off the curve is accepted, as a multisig vault has one', () => {
    expect(isPoint(offCurve)).toBe(false)
    expect(isAddress('solana', encodeSolana(offCurve))).toBe(true)
  })

  test('any encoded bytes are decoded to the same bytes', () => {
    const keys = fc.uint8Array({ minLength: 32, maxLength: 32 }).filter(key => !isZero(key))
    fc.assert(
      fc.property(keys, key => {
        const address = encodeSolana(key)
        expect(isAddress('solana', address)).toBe(true)
        expect(readSolana(address)).toEqual(key)
      }),
    )
  })
})

describe('Monero', () => {
  const [spend, view] = [point(3n), point(5n)]
  const paymentId = new Uint8Array(8).fill(1)

  test('of all first bytes, only 18, 19 and 42 are the main chain’s', () => {
    const accepted = Array.from({ length: 256 }, (_, network) => network).filter(
      network =>
        isAddress('xmr', moneroText(network, spend, view)) ||
        isAddress('xmr', moneroText(network, spend, view, paymentId)),
    )
    expect(accepted).toEqual([18, 19, 42])
  })

  test('only an integrated address has a payment id', () => {
    expect(isAddress('xmr', moneroText(19, spend, view))).toBe(false)
    expect(isAddress('xmr', moneroText(18, spend, view, paymentId))).toBe(false)
    expect(isAddress('xmr', moneroText(42, spend, view, paymentId))).toBe(false)
    expect(isAddress('xmr', moneroText(19, spend, view, new Uint8Array(32)))).toBe(false)
  })

  test('a key that is not on the curve is refused, as either of the two', () => {
    expect(isAddress('xmr', moneroText(18, offCurve, view))).toBe(false)
    expect(isAddress('xmr', moneroText(18, spend, offCurve))).toBe(false)
    expect(isAddress('xmr', moneroText(18, spend, new Uint8Array(32).fill(255)))).toBe(false)
    expect(isAddress('xmr', moneroText(18, spend, view))).toBe(true)
  })

  test('an encoder that is given a short key throws', () => {
    expect(() => encodeMonero(spend, new Uint8Array(31))).toThrow('Assertion failed')
  })

  test.each([
    [
      'standard',
      '47zQ5LAivg6hNCgijXSEFVLX7mke1bgM6YGLFaANDoJbgXDymcAAZvvMNt2PmMpqEe5qRy2zyfMYXdwpmdyitiFh84xnPG2',
    ],
    [
      'subaddress',
      '888tNkZrPN6JsEgekjMnABU4TBzc2Dt29EPAvkRxbANsAnjyPbb3iQ1YBRk1UXcdRsiKc9dhwMVgN5S9cQUiyoogDavup3H',
    ],
    [
      'integrated',
      '4Gd4DLiXzBmbVX2FZZ3Cvu6fUaWACup1qDowprUCje1kSP4FmbftiJMSfV8kWZXNqmVwj4m5' +
        '2xqtgFNUudVmsmGkGvkLcCibWfVUfUFVB7',
    ],
  ] as const)('a %s address is read with its kind', (kind, address) => {
    const found = readMonero(address)
    expect(found?.kind).toBe(kind)
    if (kind !== 'integrated') expect(encodeMonero(found!.spendKey, found!.viewKey, kind)).toBe(address)
  })

  test('any encoded keys are decoded to the same keys', () => {
    const scalars = fc.bigInt({ min: 1n, max: 2n ** 252n })
    fc.assert(
      fc.property(scalars, scalars, fc.constantFrom('standard', 'subaddress'), (one, other, kind) => {
        const [spendKey, viewKey] = [point(one), point(other)]
        const address = encodeMonero(spendKey, viewKey, kind)
        expect(isAddress('xmr', address)).toBe(true)
        expect(readMonero(address)).toEqual({ kind, spendKey, viewKey })
      }),
      { numRuns: 30 },
    )
  })
})
