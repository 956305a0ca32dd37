import { describe, expect, test } from 'bun:test'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { bitcoinCash } from '../../../src/coins/bitcoin-cash.ts'
import { encodeBase58Check } from '../../../src/networks/addresses/base58-check.ts'
import { encodeCashAddr, readCashAddr } from '../../../src/networks/addresses/cash-addr.ts'
import { canonicalAddress, isAddress } from '../../support/known-coins.ts'

const PREFIX = 'bitcoincash'
const address = 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'
const payload = address.slice('bitcoincash:'.length)

describe('refused as a CashAddr', () => {
  test.each([
    [
      'a checksum over no payload that means anything',
      'bitcoincash:qpzry9x8gf2tvdw0s3jn54khce6mua7lcw20ayyn',
    ],
    ['the same of another prefix', 'prefix:x64nx6hz'],
    ['the shortest one', 'p:gpf8m4h7'],
    ['the test chain', 'bchtest:pr6m7j9njldwwzlg9v7v53unlr4jkmx6eyvwc0uz5t'],
    ['the test chain without its prefix', 'pr6m7j9njldwwzlg9v7v53unlr4jkmx6eyvwc0uz5t'],
    ['the test chain’s checksum behind the main chain’s prefix', `bitcoincash:testnetaddress4d6njnut`],
    ['24 bytes', 'bitcoincash:q9adhakpwzztepkpwp5z0dq62m6u5v5xtyj7j3h2ws4mr9g0'],
    ['28 bytes', 'bitcoincash:qgagf7w02x4wnz3mkwnchut2vxphjzccwxgjvvjmlsxqwkcw59jxxuz'],
    ['32 bytes of a key', 'bitcoincash:qvch8mmxy0rtfrlarg7ucrxxfzds5pamg73h7370aa87d80gyhqxq5nlegake'],
    ['40 bytes', 'bitcoincash:qnq8zwpj8cq05n7pytfmskuk9r4gzzel8qtsvwz79zdskftrzxtar994cgutavfklv39gr3uvz'],
    ['an undefined type', 'prefix:0r6m7j9njldwwzlg9v7v53unlr4jkmx6ey3qnjwsrf'],
    ['a token-aware address of the test chain', 'bchtest:rr6m7j9njldwwzlg9v7v53unlr4jkmx6eytyt3jytc'],
    ['a doubled prefix', `bitcoincash:${address}`],
    ['an empty prefix', `:${payload}`],
    ['another coin’s prefix', `bitcoin:${payload}`],
    ['an upper-case prefix before lower case', `BITCOINCASH:${payload}`],
    ['a lower-case prefix before upper case', `bitcoincash:${payload.toUpperCase()}`],
    ['one upper-case letter', payload.replace('z', 'Z')],
    ['a payment URI', `${address}?amount=1`],
  ])('%s', (_, text) => {
    expect(readCashAddr(PREFIX, text)).toBeNull()
    expect(isAddress('bitcoincash', text)).toBe(false)
  })

  test('by its encoder: a hash of another length', () => {
    expect(() => encodeCashAddr(PREFIX, 'p2pkh', new Uint8Array(32))).toThrow('Assertion failed')
  })
})

describe('the examples of the CashAddr specification', () => {
  test.each([
    ['1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu', 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
    ['1KXrWXciRDZUpQwQmuM1DbwsKDLYAYsVLR', 'bitcoincash:qr95sy3j9xwd2ap32xkykttr4cvcu7as4y0qverfuy'],
    ['16w1D5WRVKJuZUsSRzdLp9w3YGcgoxDXb', 'bitcoincash:qqq3728yw0y47sqn6l2na30mcw6zm78dzqre909m2r'],
    ['3CWFddi6m4ndiGyKqzYvsFYagqDLPVMTzC', 'bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq'],
    ['3LDsS579y7sruadqu11beEJoTjdFiFCdX4', 'bitcoincash:pr95sy3j9xwd2ap32xkykttr4cvcu7as4yc93ky28e'],
    ['31nwvkZwyPdgzjBJZXfDmSWsC4ZLKpYyUw', 'bitcoincash:pqq3728yw0y47sqn6l2na30mcw6zm78dzq5ucqzc37'],
  ])('%s is %s', (legacy, modern) => {
    const plain = modern.slice('bitcoincash:'.length)
    for (const spelling of [legacy, modern, plain, modern.toUpperCase(), plain.toUpperCase()]) {
      expect(isAddress('bitcoincash', spelling)).toBe(true)
      expect(canonicalAddress('bitcoincash', spelling)).toBe(modern)
    }
  })

  test('the hash of each address is encoded as that address', () => {
    const hash = 'f5bf48b397dae70be82b3cca4793f8eb2b6cdac9'
    const printed = 'bitcoincash:qr6m7j9njldwwzlg9v7v53unlr4jkmx6eylep8ekg2'
    expect(encodeCashAddr(PREFIX, 'p2pkh', hexToBytes(hash))).toBe(printed)
    expect(readCashAddr(PREFIX, printed)?.type).toBe('p2pkh')
    expect(bytesToHex(readCashAddr(PREFIX, printed)!.hash)).toBe(hash)
  })

  test('an encoded script hash of 32 bytes is decoded to the same hash', () => {
    const printed = 'bitcoincash:pvqqqqqqqqqqqqqqqqqqqqqqzg69v7ysqqqqqqqqqqqqqqqqqqqqqpkp7fqn0'
    const hash = '0000000000000000000000000000123456789000000000000000000000000000'
    expect(readCashAddr(PREFIX, printed)?.type).toBe('p2sh32')
    expect(bytesToHex(readCashAddr(PREFIX, printed)!.hash)).toBe(hash)
    expect(encodeCashAddr(PREFIX, 'p2sh32', hexToBytes(hash))).toBe(printed)
  })

  test('any encoded hash is decoded to the same hash, as is its legacy address', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 20, maxLength: 20 }),
        fc.constantFrom('p2pkh', 'p2sh'),
        (hash, type) => {
          const printed = encodeCashAddr(PREFIX, type, hash)
          expect(isAddress('bitcoincash', printed)).toBe(true)
          expect(isAddress('btc', printed)).toBe(false)
          expect(readCashAddr(PREFIX, printed)).toEqual({ type, hash })
          const { p2pkh, p2sh } = bitcoinCash.wallet.address
          const legacy = encodeBase58Check(type === 'p2pkh' ? p2pkh : p2sh[0], hash)
          expect(canonicalAddress('bitcoincash', legacy)).toBe(printed)
        },
      ),
    )
  })
})

test.each([
  ['zr6m7j9njldwwzlg9v7v53unlr4jkmx6eycnjehshe', 'qr6m7j9njldwwzlg9v7v53unlr4jkmx6eylep8ekg2'],
  ['zz7xc0vl85nck65ffrsx5wvewjznp9lflg3p4x6pp5', 'qz7xc0vl85nck65ffrsx5wvewjznp9lflgktxc5878'],
  ['zpm2qsznhks23z7629mms6s4cwef74vcwvrqekrq9w', 'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
  ['rpm2qsznhks23z7629mms6s4cwef74vcwv59yeyr7n', 'ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq'],
  ['rpawqn2h74a4t50phuza84kdp3794pq3cct3k50p0y', 'ppawqn2h74a4t50phuza84kdp3794pq3ccvm92p8sh'],
  ['rqv53dwyatxse2xh7nnlqhyr6ryjgfdtag38xjkhc5', 'pqv53dwyatxse2xh7nnlqhyr6ryjgfdtagkd4vc388'],
  [
    'rvqqqqqqqqqqqqqqqqqqqqqqzg69v7ysqqqqqqqqqqqqqqqqqqqqqn9alsp2y',
    'pvqqqqqqqqqqqqqqqqqqqqqqzg69v7ysqqqqqqqqqqqqqqqqqqqqqpkp7fqn0',
  ],
])('the token-aware address %s of the CashTokens specification is %s', (tokenAware, plain) => {
  const full = `${PREFIX}:${tokenAware}`
  for (const spelling of [tokenAware, full, tokenAware.toUpperCase(), full.toUpperCase()]) {
    expect(isAddress('bitcoincash', spelling)).toBe(true)
    expect(canonicalAddress('bitcoincash', spelling)).toBe(`${PREFIX}:${plain}`)
  }
  expect(readCashAddr(PREFIX, full)).toEqual(readCashAddr(PREFIX, plain))
})
