import { expect, test } from 'bun:test'
import { withResponse } from './given-paygate.ts'

const methodsOf = (keys: string[]) => {
  const providers = keys.map(id => ({ id, provider_name: id, status: 'active', minimum_amount: null }))
  return withResponse(JSON.stringify({ providers }), provider => provider.forwarding.methods())
}

/** Every key that a public client of the gateway was seen to use. */
const seen = (
  'moonpay banxa transak stripe revolut robinhood rampnetwork binance bitnovo paypal sardine simplex topper ' +
  'transfi upi utorg interac wert coinbase kryptonim unlimit mercuryo alchemypay guardarian cryptix simpleswap ' +
  'particle swipelux finchpay switchere kado changenow klarna ideal werteur itez paybis cashapp blockchaincom ' +
  'cryptocom'
).split(' ')

test('each method names its means of payment', async () => {
  const methods = await methodsOf(seen)
  expect(methods.map(({ key }) => key)).toEqual(seen)
  for (const { key, means = [] } of methods) {
    expect([key, means.length > 0]).toEqual([key, true])
    expect([key, new Set(means).size]).toEqual([key, means.length])
  }
})

test('methods of one country have the names that its buyers know, and an unknown provider takes cards', async () => {
  const methods = await methodsOf(['upi', 'interac', 'ideal', 'revolut', 'paypal', 'moonpay', 'new'])
  expect(methods.map(({ means }) => means?.[0])).toEqual([
    'upi',
    'interac',
    'ideal',
    'revolut',
    'paypal',
    'card',
    'card',
  ])
  // A provider may have the name of a property which every object has.
  expect((await methodsOf(['constructor']))[0]?.means).toEqual(['card'])
})
