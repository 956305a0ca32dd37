import { describe, expect, test } from 'bun:test'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { bech32, bech32m } from '@scure/base'
import fc from 'fast-check'
import { encodeSegwit, readSegwit } from '../../../src/networks/addresses/segwit.ts'
import { isAddress } from '../../support/known-coins.ts'

const hrpOf = (address: string): string => address.slice(0, address.lastIndexOf('1')).toLowerCase()

const sameBytesWith = (codec: typeof bech32, hrp: string, version: number, bytes: number): string =>
  codec.encode(hrp, [version, ...codec.toWords(new Uint8Array(bytes).fill(7))])

describe('refused as a segwit address', () => {
  test.each([
    ['BIP173', 'another human-readable part', 'tc1qw508d6qejxtdg4y5r3zarvary0c5xw7kg3g4ty'],
    ['BIP173', 'a wrong checksum', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5'],
    ['BIP173', 'a witness version above 16', 'BC13W508D6QEJXTDG4Y5R3ZARVARY0C5XW7KN40WF2'],
    ['BIP173', 'a short program', 'bc1rw5uspcuh'],
    [
      'BIP173',
      'a long program',
      'bc10w508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kw5rljs90',
    ],
    ['BIP173', 'version 0 with 16 bytes', 'BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P'],
    ['BIP173', 'mixed case', 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sL5k7'],
    ['BIP173', 'padding of more than 4 bits', 'bc1zw508d6qejxtdg4y5r3zarvaryvqyzf3du'],
    ['BIP173', 'padding that is not zero', 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3pjxtptv'],
    ['BIP173', 'no data', 'bc1gmk9yu'],
    [
      'BIP350',
      'another human-readable part',
      'tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut',
    ],
    ['BIP350', 'version 1 with bech32', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd'],
    ['BIP350', 'version 2 with bech32', 'tb1z0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqglt7rf'],
    ['BIP350', 'version 16 with bech32', 'BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL'],
    ['BIP350', 'version 0 with bech32m', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh'],
    ['BIP350', 'version 0 with bech32m', 'tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47'],
    ['BIP350', 'a letter of no alphabet', 'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4'],
    [
      'BIP350',
      'a witness version above 16',
      'BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R',
    ],
    ['BIP350', 'a program of 1 byte', 'bc1pw5dgrnzv'],
    ['BIP350', '41 bytes', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav'],
    ['BIP350', 'version 0 with 16 bytes', 'BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P'],
    ['BIP350', 'mixed case', 'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47Zagq'],
    [
      'BIP350',
      'padding of more than 4 bits',
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf',
    ],
    ['BIP350', 'padding that is not zero', 'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vpggkg4j'],
    ['BIP350', 'no data', 'bc1gmk9yu'],
  ])('%s: %s (%s)', (_, reason, address) => {
    const hrp = reason === 'another human-readable part' ? 'bc' : hrpOf(address)
    expect(readSegwit(hrp, address)).toBeNull()
    expect(isAddress('btc', address)).toBe(false)
  })

  test.each([
    ['an address of 40 bytes that BIP350 knows as version 1, but taproot does not', 40],
    ['a version 1 program of 20 bytes', 20],
    ['a version 1 program of 2 bytes, which anyone can spend', 2],
    ['a version 1 program of 33 bytes', 33],
  ])('%s', (_, bytes) => {
    expect(isAddress('btc', sameBytesWith(bech32m, 'bc', 1, bytes))).toBe(false)
  })

  test('BIP350’s own version 1 address of 40 bytes', () => {
    const address = 'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y'
    expect(isAddress('btc', address)).toBe(false)
  })

  test('addresses of versions above 0 with the checksum of BIP173', () => {
    for (const address of [
      'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7k7grplx',
      'BC1SW50QA3JX3S',
      'bc1zw508d6qejxtdg4y5r3zarvaryvg6kdaj',
    ]) {
      expect(isAddress('btc', address)).toBe(false)
    }
  })

  test('every version with the other version’s checksum', () => {
    for (let version = 0; version <= 16; version++) {
      const [right, wrong] = version === 0 ? [bech32, bech32m] : [bech32m, bech32]
      expect(readSegwit('bc', sameBytesWith(right, 'bc', version, 32))?.version).toBe(version)
      expect(readSegwit('bc', sameBytesWith(wrong, 'bc', version, 32))).toBeNull()
    }
  })

  test('a later version with a program of fewer than 2 bytes or more than 40', () => {
    for (let version = 2; version <= 16; version++) {
      const accepted = Array.from({ length: 46 }, (_, bytes) => bytes).filter(
        bytes => readSegwit('bc', sameBytesWith(bech32m, 'bc', version, bytes)) !== null,
      )
      expect([accepted.length, accepted[0], accepted.at(-1)]).toEqual([39, 2, 40])
    }
  })

  test('a payout address of a version without rules, which anyone could spend from', () => {
    for (let version = 2; version <= 16; version++) {
      expect(isAddress('btc', sameBytesWith(bech32m, 'bc', version, 32))).toBe(false)
      expect(isAddress('ltc', sameBytesWith(bech32m, 'ltc', version, 32))).toBe(false)
    }
  })

  test('a human-readable part that only begins like the right one', () => {
    for (const hrp of ['b', 'bcrt', 'bc1', 'ltcmweb', 'tltc', 'lt']) {
      const address = sameBytesWith(bech32, hrp, 0, 20)
      expect([isAddress('btc', address), isAddress('ltc', address)]).toEqual([false, false])
    }
  })

  test('by its encoder: a program of another length', () => {
    expect(() => encodeSegwit('bc', new Uint8Array(21))).toThrow('Assertion failed')
  })
})

describe('accepted as a segwit address', () => {
  test.each([
    ['BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 0, '751e76e8199196d454941c45d1b3a323f1433bd6'],
    [
      'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
      0,
      '1863143c14c5166804bd19203356da136c985678cd4d27a1b8c6329604903262',
    ],
    ['BC1SW50QGDZ25J', 16, '751e'],
    ['bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs', 2, '751e76e8199196d454941c45d1b3a323'],
    [
      'tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy',
      0,
      '000000c4a5cad46221b2a187905e5266362b99d5e91c6ce24d165dab93e86433',
    ],
    [
      'tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c',
      1,
      '000000c4a5cad46221b2a187905e5266362b99d5e91c6ce24d165dab93e86433',
    ],
    [
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
      1,
      '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
    ],
  ])('BIP350: %s is version %d', (address, version, program) => {
    const found = readSegwit(hrpOf(address), address)
    expect(found?.version).toBe(version)
    expect(bytesToHex(found!.program)).toBe(program)
    expect(isAddress('btc', address)).toBe(hrpOf(address) === 'bc' && version <= 1)
  })

  test('the programs of BIP173’s examples are encoded as its addresses', () => {
    expect(encodeSegwit('bc', hexToBytes('751e76e8199196d454941c45d1b3a323f1433bd6'))).toBe(
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    )
    expect(
      encodeSegwit('tb', hexToBytes('1863143c14c5166804bd19203356da136c985678cd4d27a1b8c6329604903262')),
    ).toBe('tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7')
  })

  test('any encoded program is decoded to the same program, on its own network only', () => {
    const programs = fc.oneof(
      fc.uint8Array({ minLength: 20, maxLength: 20 }),
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
    )
    fc.assert(
      fc.property(programs, program => {
        const [btc, ltc] = [encodeSegwit('bc', program), encodeSegwit('ltc', program)]
        expect([isAddress('btc', btc), isAddress('ltc', btc)]).toEqual([true, false])
        expect([isAddress('btc', ltc), isAddress('ltc', ltc)]).toEqual([false, true])
        expect(readSegwit('bc', btc)).toEqual({ version: 0, program })
        expect(readSegwit('ltc', ltc.toUpperCase())).toEqual({ version: 0, program })
      }),
    )
  })
})
