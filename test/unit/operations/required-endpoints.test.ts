import { expect, test } from 'bun:test'
import { assets } from '../../../src/networks/assets.ts'
import { requiredEndpointsFor } from '../../../src/operations/upstreams/steps/required-endpoints.ts'
import type { RateOf } from '../../../src/rates/port.ts'

const asset = assets.find(({ id }) => id === 'ethereum/eth')!
const prices: Record<string, string> = { USD: '2000', EUR: '1600', JPY: '300000' }
const limit = { amount: '1000.00', currency: 'EUR' }

const rateOf: RateOf = (_, currency) => {
  const value = prices[currency]
  return value === undefined ? null : { value, currency, sources: [], at: 0 }
}

/** The number of endpoints that have to confirm a payment of an order. */
const required = (amount: string, currency: string, quorumAbove: typeof limit | null = limit) =>
  requiredEndpointsFor({ quorumAbove }, rateOf, { amount, currency }, asset)

test.each([
  ['1000.00', 'EUR', 1],
  ['1000.01', 'EUR', 2],
  ['1250.00', 'USD', 1],
  ['1250.01', 'USD', 2],
  ['187500', 'JPY', 1],
  ['187501', 'JPY', 2],
])(
  'the value of a payment of %s %s decides how many endpoints have to report it',
  (amount, currency, endpoints) => {
    expect(required(amount, currency)).toBe(endpoints)
  },
)

test('two endpoints are required if no rate gives the value of the order or the limit', () => {
  expect(required('0.01', 'CHF')).toBe(2)
  expect(required('0.01', 'EUR', { amount: '1000.00', currency: 'CHF' })).toBe(2)
})

test('without a limit, one endpoint is enough', () => {
  expect(required('99999999.00', 'USD', null)).toBe(1)
})
