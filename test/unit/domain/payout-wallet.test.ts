import { expect, test } from 'bun:test'
import { emptyWallet, usesOtherWallet } from '../../../src/domain/wallet.ts'

const evm = '0xAbCdEf0123456789aBcDeF0123456789AbCdEf01'
const wallet = { ...emptyWallet('shop', 0), addresses: { evm } }

test.each([
  ['no wallet', null, false],
  ['the wallet of its shop', evm, false],
  ['the wallet of its shop in small letters', evm.toLowerCase(), false],
  ['another wallet', `${evm.slice(0, -1)}2`, true],
])('an order with %s has a payout wallet of its own: %p', (_, own, expected) => {
  expect(usesOtherWallet(wallet, own)).toBe(expected)
  expect(usesOtherWallet(emptyWallet('shop', 0), own)).toBe(own !== null)
})
