import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { payGate } from '../../src/providers/paygate/paygate.ts'
import {
  errorKind,
  fakeServer,
  givenSandbox,
  options,
  request,
  usdFor,
  withResponse,
} from './given-paygate.ts'

const listed = (entries: string): string => `{"providers":[${entries}]}`
const entry = (minimum: string, currency = '"USD"', more = ''): string =>
  '{"id":"moonpay","provider_name":"MoonPay.com","status":"active",' +
  `"minimum_currency":${currency},"minimum_amount":${minimum}${more}}`

const methodsOf = (text: string) => withResponse(text, provider => provider.forwarding.methods())
const minimumOf = async (minimum: string, currency?: string) =>
  (await methodsOf(listed(entry(minimum, currency))))[0]!.minimum

describe('a malformed catalogue is rejected', () => {
  test.each([
    ['a page', '<html><title>Just a moment…</title></html>'],
    ['nothing', ''],
    ['half of it', '{"providers":['],
    ['a list', '[]'],
    ['null', 'null'],
    ['no providers', '{}'],
    ['providers that are not a list', '{"providers":{"moonpay":{}}}'],
    ['a method that is not an object', '{"providers":["moonpay"]}'],
    ['a method without id', '{"providers":[{"status":"active"}]}'],
    ['a method without status', '{"providers":[{"id":"moonpay"}]}'],
    ['a name that is not a string', '{"providers":[{"id":"moonpay","status":"active","provider_name":{}}]}'],
    ['a minimum that is not a number', listed(entry('"twenty"'))],
    ['a negative minimum', listed(entry('-1'))],
    ['a minimum that is a list', listed(entry('[20]'))],
    ['a minimum of nineteen digits', listed(entry('1000000000000000000'))],
    ['deeply nested arrays', '['.repeat(200_000)],
  ])('when it is %s', async (_what, text) => {
    expect(await errorKind(methodsOf(text))).toBe('unavailable')
  })

  test.each([301, 400, 403, 404, 500, 503])('if it arrives with HTTP %i', async status => {
    const text = listed(entry('20'))
    expect(await errorKind(withResponse(text, provider => provider.forwarding.methods(), status))).toBe(
      'unavailable',
    )
  })
})

describe('a method is skipped', () => {
  test.each([
    ['all'],
    ['hosted'],
    ['crypto'],
    ['MoonPay'],
    ['moon pay'],
    [''],
    ['-moonpay'],
    ['../wallet'],
    ['a'.repeat(65)],
  ])('whose key is "%s"', async key => {
    expect(await methodsOf(listed(`{"id":${JSON.stringify(key)},"status":"active"}`))).toEqual([])
  })

  test.each(['inactive', 'redirected', 'unstable', 'ACTIVE', 'somehow'])('that is %s', async status => {
    expect(await methodsOf(listed(`{"id":"moonpay","status":"${status}","minimum_amount":"?"}`))).toEqual([])
  })

  test('that is already in the list', async () => {
    const methods = await methodsOf(listed(`${entry('20')},${entry('30')}`))
    expect(methods.map(({ minimum }) => minimum?.amount)).toEqual(['20.00'])
  })
})

describe('a method is listed', () => {
  test('without unknown properties', async () => {
    const text = listed(entry('20', '"USD"', ',"logo":"x","__proto__":{"status":"inactive"},"fees":[1,{}]'))
    expect(await methodsOf(text.replace('{', '{"time":1,'))).toEqual([
      {
        key: 'moonpay',
        name: 'MoonPay.com',
        means: ['card', 'applepay', 'googlepay', 'bank'],
        minimum: { amount: '20.00', currency: 'USD' },
        currencies: null,
      },
    ])
  })

  test('by its key if it has no name', async () => {
    const methods = await methodsOf('{"providers":[{"id":"a_b-1","status":"active"}]}')
    expect(methods).toEqual([
      { key: 'a_b-1', name: 'a_b-1', means: ['card'], minimum: null, currencies: null },
    ])
  })

  test.each([
    ['20', '"USD"', '20.00', 'USD'],
    ['"20"', '"USD"', '20.00', 'USD'],
    ['20.10', '"EUR"', '20.10', 'EUR'],
    ['0.1', '"USD"', '0.10', 'USD'],
    ['5.001', '"USD"', '5.01', 'USD'],
    ['"5.0000000000000000000001"', '"USD"', '5.01', 'USD'],
    ['99.5', '"JPY"', '100', 'JPY'],
    ['1.0001', '"KWD"', '1.001', 'KWD'],
    ['2e1', '"USD"', '20.00', 'USD'],
    ['1.5e-1', '"USD"', '0.15', 'USD'],
    ['100', '"inr"', '100.00', 'INR'],
    ['90071992547409931.01', '"USD"', '90071992547409931.01', 'USD'],
  ])('with the minimum %s %s exactly, and never rounded down', async (minimum, code, amount, currency) => {
    expect(await minimumOf(minimum, code)).toEqual({ amount, currency })
  })

  test.each([
    ['null', '"USD"'],
    ['0', '"USD"'],
    ['"0.00"', '"USD"'],
    ['20', '"XYZ"'],
    ['20', '"XAU"'],
    ['20', 'null'],
    ['20', '7'],
  ])('without a minimum if it is %s %s', async (minimum, currency) => {
    expect(await minimumOf(minimum, currency)).toBeNull()
  })

  test.each([
    ['wert', null],
    ['stripe', null],
    ['upi', ['INR']],
    ['interac', ['CAD']],
    ['klarna', ['SEK']],
    ['ideal', ['EUR']],
    ['moonpay', null],
    ['constructor', null],
  ])(
    'with %s takes orders in %p: pages that take US dollars convert every currency',
    async (id, currencies) => {
      const [method] = await methodsOf(`{"providers":[{"id":"${id}","status":"active"}]}`)
      expect(method!.currencies).toEqual(currencies)
    },
  )
})

describe('the coins', () => {
  const coinsOf = (text: string) => withResponse(text, provider => provider.forwarding.coins())

  test.each(['{}', '[]', '<html>', '{"fee_tiers":[{"percent":1}]}', '{"btc":null,"bep20":{"usdc":5}}'])(
    'are refused if they are %s',
    async text => {
      expect(await errorKind(coinsOf(text))).toBe('unavailable')
    },
  )

  test.each([undefined, null, '', 'much', '-1', -1, {}, true])(
    'are left out if their minimum is %p, since smaller payments are lost',
    async minimum => {
      const coin = (ticker: string, withResponse: unknown) => ({
        ticker,
        minimum_transaction_coin: withResponse,
      })
      const text = JSON.stringify({ btc: coin('btc', minimum), ltc: coin('ltc', '0.002') })
      expect(await coinsOf(text)).toEqual([{ assetId: 'ltc', minimum: '0.002' }])
    },
  )

  test('are our assets, and all other entries are ignored', async () => {
    const coin = (ticker: string, minimum: unknown) => ({ ticker, minimum_transaction_coin: minimum })
    const text = JSON.stringify({
      fee_tiers: { small: { percent: 1 } },
      btc: { coin: 'Bitcoin', ticker: 'btc', minimum_transaction_coin: 0.00008 },
      bch: { coin: 'Bitcoin Cash', ...coin('bch', '0.00050000') },
      xmr: { coin: 'Monero', ...coin('xmr', 1e-7) },
      eth: { ticker: 'eth', minimum: '0.001' },
      bep20: { bnb: coin('bnb', 0), cake: coin('cake', 1), notes: 'x' },
      sol: { sol: coin('sol', '1') },
      trc20: { usdt: coin('usdt', 5) },
      dash: coin('dash', 1),
    })
    expect(await coinsOf(text)).toEqual([
      { assetId: 'btc', minimum: '0.00008' },
      { assetId: 'bitcoincash', minimum: '0.0005' },
      { assetId: 'xmr', minimum: '0.0000001' },
      { assetId: 'trc20/usdt', minimum: '5' },
      { assetId: 'solana/sol', minimum: '1' },
      { assetId: 'ethereum/eth', minimum: '0.001' },
      { assetId: 'bsc/bnb', minimum: '0' },
    ])
  })

  test('have addresses of their own, opened by their paths', async () => {
    using server = fakeServer(() => Response.json({ address_in: 'bitcoincash%3Aqq', ipn_token: 'a%2Fb' }))
    const provider = payGate(options(server.url))
    const asked = request({ payoutAddress: 'bitcoincash:qpayout' })
    expect(await provider.forwarding.openAddress('bitcoincash', asked)).toEqual({
      address: 'bitcoincash:qq',
      reference: 'a/b',
      feeSplit: false,
    })
    expect(server.requests[0]!.path).toBe('/crypto/bch/wallet.php')
    expect(server.requests[0]!.query.get('address')).toBe('bitcoincash:qpayout')
    await provider.forwarding.openAddress('solana/usdc', asked)
    expect(server.requests[1]!.path).toBe('/crypto/sol/usdc/wallet.php')
    expect(await errorKind(provider.forwarding.openAddress('dash', asked))).toBe('refused')
    expect(await errorKind(provider.forwarding.openAddress('polygon/usdc', asked))).toBe('refused')
    expect(server.requests.length).toBe(2)
  })
})

describe('with the sandbox', () => {
  let sandbox: ReturnType<typeof givenSandbox>
  beforeAll(() => {
    sandbox = givenSandbox()
  })
  afterAll(() => sandbox.stop())

  test('the catalogue contains the active methods', async () => {
    const methods = await sandbox.provider.forwarding.methods()
    expect(methods.length).toBe(11)
    expect(methods.find(({ key }) => key === 'sardine')).toBeUndefined()
    expect(methods.find(({ key }) => key === 'particle')!.minimum).toBeNull()
    expect(methods.find(({ key }) => key === 'upi')).toEqual({
      key: 'upi',
      name: 'UPI',
      means: ['upi'],
      minimum: { amount: '100.00', currency: 'INR' },
      currencies: ['INR'],
    })
    expect(methods.find(({ key }) => key === 'revolut')!.minimum).toEqual({ amount: '6.00', currency: 'EUR' })
  })

  test('every coin of ours can be opened at an address of its own', async () => {
    const assets = await sandbox.provider.forwarding.coins()
    expect(assets.length).toBe(20)
    const addresses = await Promise.all(
      assets.map(
        async ({ assetId }) => (await sandbox.provider.forwarding.openAddress(assetId, request())).address,
      ),
    )
    expect(new Set(addresses).size).toBe(20)
  })

  test('amounts convert, and a currency without a rate is an error', async () => {
    expect(await usdFor(`${sandbox.base}/api`, '12.34', 'EUR')).toBe('13.41')
    expect(await errorKind(usdFor(`${sandbox.base}/api`, '12.34', 'ZZZ'))).toBe('unavailable')
  })

  test('every request fails while it is down', async () => {
    sandbox.setDown(true)
    const { provider } = sandbox
    expect(await errorKind(provider.forwarding.methods())).toBe('unavailable')
    expect(await errorKind(provider.forwarding.coins())).toBe('unavailable')
    expect(await errorKind(usdFor(`${sandbox.base}/api`, '1.00', 'EUR'))).toBe('unavailable')
    sandbox.setDown(false)
    expect((await provider.forwarding.methods()).length).toBe(11)
  })
})
