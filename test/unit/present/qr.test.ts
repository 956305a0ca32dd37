import { expect, test } from 'bun:test'
import decodeQR from 'qr/decode.js'
import { qrSvg } from '../../../src/present/qr.ts'
import { Chance } from '../operations/settlement/random-case.ts'

const SCALE = 4

/** The text that a reader reads from the picture of a code. */
function read(svg: string): string {
  const side = Number(/viewBox="0 0 (\d+)/.exec(svg)![1]) * SCALE
  const data = new Uint8Array(side * side * 4).fill(255)
  for (const [, x, y, length] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1/g)) {
    for (let row = Number(y) * SCALE; row < (Number(y) + 1) * SCALE; row++) {
      for (let column = Number(x) * SCALE; column < (Number(x) + Number(length)) * SCALE; column++) {
        data.fill(0, (row * side + column) * 4, (row * side + column) * 4 + 3)
      }
    }
  }
  return decodeQR({ width: side, height: side, data })
}

const chance = new Chance(7)
const letters = (alphabet: string, length: number) =>
  Array.from({ length }, () => alphabet[chance.below(alphabet.length)]).join('')
const hex = (length: number) => letters('0123456789abcdefABCDEF', length)
const base58 = (length: number) =>
  letters('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', length)

const kinds: [kind: string, make: () => string][] = [
  ['an address in hexadecimal', () => `0x${hex(40)}`],
  ['an address in base58', () => `T${base58(33)}`],
  [
    'a token of an EVM chain',
    () => `ethereum:0x${hex(40)}@1/transfer?address=0x${hex(40)}&uint256=${hex(8)}`,
  ],
  [
    'a coin with a label',
    () =>
      `bitcoin:bc1q${letters('qpzry9x8gf2tvdw0s3jn54khce6mua7l', 38)}?amount=0.0004&label=%D9%85%D9%82%D9%87%D9%89%20${letters('%ABCDEF0123456789', 40)}`,
  ],
  ['a Monero address', () => `monero:8${base58(94)}?tx_amount=0.123456789012&tx_description=Corner%20Coffee`],
  [
    'an invoice in capital letters',
    () => `LIGHTNING:LNBC${letters('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 260)}`,
  ],
]

test.each(kinds)('a reader reads the code of %s', (_, make) => {
  for (let count = 0; count < 40; count++) {
    const text = make()
    expect(read(qrSvg(text))).toBe(text)
  }
})
