import { describe, expect, test } from 'bun:test'
import { bytesToHex } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { checksumAddress, evmBytes } from '../../../src/networks/addresses/evm.ts'
import { isAddress } from '../../support/known-coins.ts'

const swapCase = (letter: string): string =>
  letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()

const published = [
  ...['0x52908400098527886E0F7030069857D2E4169EE7', '0x8617E340B3D01FA5F11F306F4090FD50E238070D'],
  ...['0xde709f2102306220921060314715629080e2fb77', '0x27b1fdb04752bbc536007a920d24acb045561c26'],
  ...['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'],
  ...['0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB', '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'],
]

describe('refused as an EVM address', () => {
  test.each([
    ['the zero address', `0x${'0'.repeat(40)}`],
    ['no 0x', published[4]!.slice(2)],
    ['an upper-case X', published[0]!.replace('0x', '0X')],
    ['39 digits', published[2]!.slice(0, -1)],
    ['41 digits', `${published[2]!}0`],
    ['a letter that is no digit', published[2]!.replace('f', 'g')],
    ['an ENS name', 'vitalik.eth'],
    ['an ICAP address', 'XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS'],
    ['a line break behind it', `${published[2]!}\n`],
    ['ERC-681’s own example, whose case is wrong', '0xfb6916095ca1df60bb79Ce92ce3ea74c37c5d359'],
  ])('%s', (_, text) => {
    expect(isAddress('evm', text)).toBe(false)
  })

  test('any single letter in the wrong case', () => {
    for (const address of published.slice(4)) {
      for (const [at, letter] of [...address].entries()) {
        if (at < 2 || swapCase(letter) === letter) continue
        expect(isAddress('evm', address.slice(0, at) + swapCase(letter) + address.slice(at + 1))).toBe(false)
      }
    }
  })

  test('the bytes of an invalid address, and an address of 21 bytes, fail an assertion', () => {
    expect(() => evmBytes('0x12')).toThrow('Assertion failed')
    expect(() => checksumAddress(new Uint8Array(21))).toThrow('Assertion failed')
  })
})

describe('accepted as an EVM address', () => {
  test.each(published)('EIP-55: %s', address => {
    expect(isAddress('evm', address)).toBe(true)
    expect(checksumAddress(address)).toBe(address)
    expect(checksumAddress(address.toLowerCase())).toBe(address)
  })

  test.each(published)('an address in one case has no checksum: %s', address => {
    expect(isAddress('evm', address.toLowerCase())).toBe(true)
    expect(isAddress('evm', '0x' + address.slice(2).toUpperCase())).toBe(true)
  })

  test('any encoded bytes are decoded to the same bytes', () => {
    const some = fc
      .uint8Array({ minLength: 20, maxLength: 20 })
      .filter(bytes => bytes.some(byte => byte !== 0))
    fc.assert(
      fc.property(some, bytes => {
        const address = checksumAddress(bytes)
        expect(isAddress('evm', address)).toBe(true)
        expect(evmBytes(address)).toEqual(bytes)
        expect(checksumAddress('0x' + bytesToHex(bytes))).toBe(address)
      }),
    )
  })
})
