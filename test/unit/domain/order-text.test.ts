import { expect, test } from 'bun:test'
import { amountIn, searchedIn } from '../../../src/domain/order-text.ts'

const uuid = '01a20a64-00e1-71ef-833b-569bbd8407e4'
const tx = '9f3a'.repeat(16)
const address = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

test.each([
  [`https://pay.example/pay/${uuid}?lang=de`, uuid],
  [`https://pay.example/dashboard/orders/${uuid}`, uuid],
  [`https://etherscan.io/tx/0x${tx}`, `0x${tx}`],
  [`https://mempool.space/tx/${tx}#vout=0`, tx],
  [`https://tronscan.org/#/transaction/${tx}`, tx],
  [`https://blockchair.com/bitcoin/transaction/${tx}`, tx],
  [`https://mempool.space/address/${address}`, address],
  [`https://explorer.example/${address}/tx/${tx}`, tx],
  [`https://explorer.example/tx/${tx}/${address}`, tx],
  [`bitcoin:${address}?amount=0.01`, address],
  [
    'ethereum:0x1111111111111111111111111111111111111111@1?value=1',
    '0x1111111111111111111111111111111111111111',
  ],
  [`ethereum:0x${'22'.repeat(20)}@137/transfer?address=0x${'33'.repeat(20)}`, `0x${'33'.repeat(20)}`],
  ['https://shop.example/', 'https://shop.example/'],
  [' cart:77 ', 'cart:77'],
  ['Sam Buyer', 'Sam Buyer'],
])('a search by %s looks for a part', (text, wanted) => {
  expect(searchedIn(text)).toBe(wanted)
})

test.each([
  ['48 EUR', ['48.00 EUR']],
  ['€48', ['48.00 EUR']],
  ['48,5 €', ['48.50 EUR']],
  ['usd 1,234.50', ['1234.50 USD']],
  ['1.234,50 eur', ['1234.50 EUR']],
  ["1'234'567 chf", ['1234567.00 CHF']],
  ['1,234 KWD', ['1234.000 KWD', '1.234 KWD']],
  ['0048 JPY', ['48 JPY']],
  ['48.5 JPY', []],
  ['48 XYZ', []],
  ['€ 48 EUR', []],
  ['CC-1059', []],
  ['4 cups', []],
])('%s is searched as the amount of an order', (text, sums) => {
  expect(amountIn(text).map(({ amount, currency }) => `${amount} ${currency}`)).toEqual([...sums])
})

test('an amount without a currency is searched in each currency, with its decimals', () => {
  const found = amountIn('129.00').map(({ amount, currency }) => `${amount} ${currency}`)
  for (const sum of ['129.00 EUR', '129.00 USD', '129 JPY', '129.000 KWD']) expect(found).toContain(sum)
})
