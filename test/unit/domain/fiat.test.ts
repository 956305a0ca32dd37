import { expect, test } from 'bun:test'
import { currencies, currencyDecimals } from '../../../src/domain/currency.ts'
import { fiatAssetId, fiatCurrency, receivedSum } from '../../../src/domain/fiat.ts'
import { assets } from '../../../src/networks/assets.ts'

test('every currency has its own asset ID, which no coin has', () => {
  const ids = currencies.map(fiatAssetId)
  expect(ids.map(fiatCurrency)).toEqual([...currencies])
  expect(new Set([...ids, ...assets.map(({ id }) => id)]).size).toBe(ids.length + assets.length)
})

const coins = ['btc', 'polygon/usdc', 'eur', 'fiat', 'fiat/', 'fiat/btc', 'fiat/xau', 'unknown/eur', '']

test.each(coins)('%p is not a currency', assetId => {
  expect(fiatCurrency(assetId)).toBeNull()
})

const sums: [atomic: bigint, assetId: string, decimals: number, sum: string][] = [
  [2500n, 'fiat/eur', 2, '25.00 EUR'],
  [1n, 'fiat/usd', 2, '0.01 USD'],
  [2500n, 'fiat/jpy', 0, '2500 JPY'],
  [12_345n, 'fiat/kwd', 3, '12.345 KWD'],
  [10n ** 24n + 1n, 'fiat/eur', 2, '10000000000000000000000.01 EUR'],
  [25_000_000n, 'polygon/usdc', 6, '25 polygon/usdc'],
  [150_000n, 'btc', 8, '0.0015 btc'],
]

test.each(sums)(
  '%p units of %s are shown as a received amount with its code',
  (atomic, assetId, decimals, sum) => {
    const { receivedAmount, receivedCurrency } = receivedSum(atomic, { assetId, decimals })
    expect(`${receivedAmount} ${receivedCurrency}`).toBe(sum)
  },
)

test('the minor units of a currency are the decimals of its asset', () => {
  for (const currency of currencies) {
    const decimals = currencyDecimals(currency)!
    const { receivedAmount } = receivedSum(10n ** BigInt(decimals), {
      assetId: fiatAssetId(currency),
      decimals,
    })
    expect(Number(receivedAmount)).toBe(1)
  }
})
