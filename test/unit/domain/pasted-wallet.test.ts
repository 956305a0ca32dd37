import { expect, test } from 'bun:test'
import { readMistake, readPasted } from '../../../src/domain/pasted-wallet.ts'
import { root } from '../networks/keys/published.ts'

const key = root.derive("m/84'/0'/0'").publicExtendedKey
const evm = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const bech32 = 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'

const pasted: [entered: string, text: string, script?: string | null][] = [
  [`  ${evm}\n`, evm],
  [`ethereum:${evm}@1`, evm],
  [`ethereum:pay-${evm}@137?value=1e18`, evm],
  [`ethereum:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48@1/transfer?address=${evm}&uint256=1`, evm],
  [`bitcoin:${bech32}?amount=0.1&label=x`, bech32],
  [`BITCOIN:${bech32.toUpperCase()}`, bech32],
  [
    'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
    'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
  ],
  [key, key],
  [`[73c5da0a/84h/0h/0h]${key}`, key, 'p2wpkh'],
  [`[73c5da0a/44h/0h/0h]${key}`, key, 'p2pkh'],
  [`[73c5da0a/86h/0h/0h]${key}`, key, 'p2tr'],
  [`[73c5da0a/49'/0'/0']${key}`, key, 'p2sh-p2wpkh'],
  [`wpkh([73c5da0a/84h/0h/0h]${key}/0/*)#qwertyui`, key, 'p2wpkh'],
  [`sh(wpkh(${key}/<0;1>/*))`, key, 'p2sh-p2wpkh'],
  [`pkh(\n  ${key}/0/*\n)`, key, 'p2pkh'],
  [`tr([73c5da0a/86'/0'/0']${key}/0/*)`, key, 'p2tr'],
  // Change addresses and keys of several people are not accounts.
  [`wpkh(${key}/1/*)`, `wpkh(${key}/1/*)`],
  [`wsh(sortedmulti(2,${key},${key}))`, `wsh(sortedmulti(2,${key},${key}))`],
]

test.each(pasted)('%s', (entered, text, script = null) => {
  expect(readPasted(entered)).toEqual({ text, script: script as never })
})

test('mistakes in a pasted wallet are named', () => {
  expect(readMistake('tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx')).toBe('testAddress')
  expect(readMistake('https://etherscan.io/tx/1')).toBe('linkEntered')
  expect(['shop.eth', 'shop@wallet.example'].map(readMistake)).toEqual(['nameEntered', 'nameEntered'])
  expect(readMistake(bech32)).toBe(null)
})
