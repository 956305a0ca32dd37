import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { payGate } from '../../src/providers/paygate/paygate.ts'
import {
  errorKind,
  fakeServer,
  feeWallet,
  givenSandbox,
  options,
  payout,
  request,
  usdFor,
} from './given-paygate.ts'

const wallet = {
  address_in: 'gLd%2FM8%2BvVz%3D%3D',
  polygon_address_in: '0x32e8aF3A4F1aaB0c5e8e2c4E9b8bDb9cC0000001',
  callback_url: 'https://shop.example/x?n=1',
  ipn_token: 'Tn%2FpV%2Bq%3D%3D',
}

/** A gateway that answers every request with this wallet. */
const walletOf = (change: object = {}) =>
  fakeServer(({ path }) =>
    path.endsWith('convert.php')
      ? Response.json({ status: 'success', value_coin: '13.414044', exchange_rate: '1.0867' })
      : Response.json({ ...wallet, ...change }),
  )

describe('a payment page is refused', () => {
  test.each([
    ['without a payout wallet', { payoutAddress: '' }],
    ['for a payout wallet of another kind', { payoutAddress: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' }],
    ['for a payout wallet with a missing digit', { payoutAddress: payout.slice(0, -1) }],
    ['for a payout to the USDC contract', { payoutAddress: '0x3C499C542CEF5E3811E1192CE70D8CC03D5C3359' }],
    [
      'where the fee wallet is the payout wallet',
      { payoutAddress: feeWallet.toLowerCase(), feePercent: '1' },
    ],
    ['in US dollars for a method that takes rupees', { methodKey: 'upi' }],
  ])('%s, before any request', async (_what, change) => {
    using server = walletOf()
    const provider = payGate(options(server.url, { feeWallet }))
    expect(await errorKind(provider.forwarding.openPage(request(change)))).toBe('refused')
    expect(server.requests).toEqual([])
  })

  test.each([
    [400, '{"status":"error","error":"nope"}', 'refused'],
    [422, 'merchant_fee is wrong', 'refused'],
    [404, '<html>not here</html>', 'unavailable'],
    [403, ' <!doctype html><title>Just a moment</title>', 'unavailable'],
    [400, '400 Bad request method!', 'unavailable'],
    [408, 'timed out', 'unavailable'],
    [429, '{"error":"slow down"}', 'unavailable'],
    [500, '{"error":"oh"}', 'unavailable'],
    [503, 'Service Unavailable', 'unavailable'],
  ])('by HTTP %i %s: %s', async (status, text, kind) => {
    using server = fakeServer(() => new Response(text, { status }))
    const provider = payGate(options(server.url))
    expect(await errorKind(provider.forwarding.openPage(request()))).toBe(kind)
    expect(await errorKind(provider.forwarding.openAddress('btc', request()))).toBe(kind)
  })

  test.each([
    ['no address_in', { address_in: undefined }],
    ['an empty address_in', { address_in: '' }],
    ['an address_in that is a list', { address_in: ['x'] }],
    ['a broken address_in', { address_in: 'abc%2' }],
    ['no ipn_token', { ipn_token: undefined }],
    ['a broken ipn_token', { ipn_token: '%E0%A4%A' }],
    ['no polygon_address_in', { polygon_address_in: null }],
    ['a short polygon_address_in', { polygon_address_in: '0x32e8' }],
  ])('by an answer with %s', async (_what, change) => {
    using server = walletOf(change)
    expect(await errorKind(payGate(options(server.url)).forwarding.openPage(request()))).toBe('unavailable')
  })

  test.each(['0', '0.00', '-3', 'NaN', '', null, {}])(
    'when the amount converts to %p dollars',
    async value => {
      using server = fakeServer(() => Response.json({ ...wallet, status: 'success', value_coin: value }))
      const asked = request({ currency: 'EUR', amount: '12.34' })
      expect(await errorKind(payGate(options(server.url)).forwarding.openPage(asked))).toBe('unavailable')
    },
  )
})

describe('a payment page', () => {
  const query = (url: string): URLSearchParams => new URL(url).searchParams

  test('has address_in in its URL exactly as the gateway encoded it', async () => {
    using server = walletOf()
    const { url } = await payGate(options(server.url)).forwarding.openPage(request())
    expect(url).toBe(
      'https://checkout.example/process-payment.php?address=gLd%2FM8%2BvVz%3D%3D' +
        '&amount=25.00&provider=moonpay&email=ada%2Bshop%40example.com&currency=USD',
    )
  })

  test('encodes an address_in that arrived without encoding', async () => {
    using server = walletOf({ address_in: 'gLd/M8+vVz==', ipn_token: 'Tn/pV+q==' })
    const made = await payGate(options(server.url)).forwarding.openPage(request())
    expect(made.url).toContain('?address=gLd%2FM8%2BvVz%3D%3D&')
    expect(made.reference).toBe('Tn/pV+q==')
  })

  test('keeps an encoded percent sign of address_in', async () => {
    using server = walletOf({ address_in: 'a%252Bb' })
    expect((await payGate(options(server.url)).forwarding.openPage(request())).url).toContain(
      '?address=a%252Bb&',
    )
  })

  test('has its token stored decoded, and encoded once when it is used', async () => {
    using server = walletOf()
    const provider = payGate(options(server.url))
    const { reference, address } = await provider.forwarding.openPage(request())
    expect(reference).toBe('Tn/pV+q==')
    await errorKind(
      provider.lookup({
        callbackUrl: 'https://shop.example/?a=1',
        reference,
        address,
        assetId: 'polygon/usdc',
        credentials: null,
      }),
    )
    expect(server.requests.at(-1)!.rawQuery).toBe('ipn_token=Tn%2FpV%2Bq%3D%3D')
  })

  test('is opened with the callback URL and its query, encoded once', async () => {
    using server = walletOf()
    const asked = request({ callbackUrl: 'https://shop.example/c?attempt=1&secret=a%2Bb' })
    await payGate(options(server.url)).forwarding.openPage(asked)
    expect(server.requests[0]).toMatchObject({ path: '/control/wallet.php' })
    expect(server.requests[0]!.rawQuery).toBe(
      `address=${payout}&callback=https%3A%2F%2Fshop.example%2Fc%3Fattempt%3D1%26secret%3Da%252Bb`,
    )
  })

  test('is opened with the headers of a browser', async () => {
    using server = walletOf()
    await payGate(options(`${server.url}//`)).forwarding.openPage(request())
    expect(server.requests[0]!.path).toBe('/control/wallet.php')
    expect(server.requests[0]!.headers.get('User-Agent')).toStartWith('Mozilla/5.0 ')
  })

  test.each([
    ['moonpay', 'USD', '25.00', 'USD', '25.00', 25_000_000n],
    ['moonpay', 'EUR', '12.34', 'EUR', '12.34', 13_414_044n],
    ['stripe', 'EUR', '12.34', 'EUR', '12.34', 13_414_044n],
    ['stripe', 'GBP', '12.34', 'USD', '13.42', 13_414_044n],
    ['wert', 'EUR', '12.34', 'USD', '13.42', 13_414_044n],
    ['upi', 'INR', '500.00', 'INR', '500.00', 13_414_044n],
    ['moonpay', 'JPY', '2000', 'USD', '13.42', 13_414_044n],
    ['moonpay', 'KWD', '4.125', 'USD', '13.42', 13_414_044n],
  ])(
    '%s for %s %s is charged in %s %s, and %p is due',
    async (methodKey, currency, amount, paidIn, charged, dueAtomic) => {
      using server = walletOf()
      const made = await payGate(options(server.url)).forwarding.openPage(
        request({ methodKey, currency, amount }),
      )
      expect(query(made.url).get('currency')).toBe(paidIn)
      expect(query(made.url).get('amount')).toBe(charged)
      expect(made).toMatchObject({ dueAtomic, assetId: 'polygon/usdc', decimals: 6, feeSplit: false })
      expect(made.address).toBe(wallet.polygon_address_in)
    },
  )

  test.each([
    ['13.4140441', 13_414_045n],
    ['0.0000001', 1n],
    ['1.3414e1', 13_414_000n],
  ])('%s dollars are rounded up to %p millionths', async (value, dueAtomic) => {
    using server = fakeServer(() => Response.json({ ...wallet, value_coin: value }))
    const asked = request({ currency: 'EUR', amount: '12.34' })
    expect((await payGate(options(server.url)).forwarding.openPage(asked)).dueAtomic).toBe(dueAtomic)
  })

  test('is opened at the exact dollar value, even beyond the precision of a double', async () => {
    using server = fakeServer(() => new Response(`{"value_coin": 90071992547409931.123456}`))
    expect(await usdFor(server.url, '1.00', 'EUR')).toBe('90071992547409931.123456')
    expect(server.requests[0]!.rawQuery).toBe('from=eur&value=1.00')
    expect(await usdFor(server.url, '25.00', 'USD')).toBe('25.00')
    expect(server.requests.length).toBe(1)
  })
})

describe('the platform fee', () => {
  test.each([
    ['1', '0.01', '0.98'],
    ['2.5', '0.025', '0.965'],
    ['0.0001', '0.000001', '0.989999'],
    ['89.9999', '0.899999', '0.090001'],
    ['99', '0.99', '0'],
    ['99.0000', '0.99', '0'],
    ['10.10', '0.101', '0.889'],
  ])('of %s percent is split off as %s, and %s is left', async (feePercent, fee, merchant) => {
    using server = walletOf()
    const made = await payGate(options(server.url, { feeWallet })).forwarding.openPage(
      request({ feePercent }),
    )
    const { path, query } = server.requests[0]!
    expect(path).toBe('/control/custom-affiliate.php')
    expect(query.get('address')).toBe(payout)
    expect(query.get('affiliate')).toBe(feeWallet)
    expect([query.get('affiliate_fee'), query.get('merchant_fee')]).toEqual([fee, merchant])
    expect(made.feeSplit).toBe(true)
  })

  test.each([
    ['with an amount of zero', '0', feeWallet],
    ['of zero, with decimals', '0.0000', feeWallet],
    ['without a fee wallet', '2.5', null],
  ])('%s is not split off', async (_what, feePercent, feeWallet) => {
    using server = walletOf()
    const made = await payGate(options(server.url, { feeWallet })).forwarding.openPage(
      request({ feePercent }),
    )
    expect(server.requests[0]!.path).toBe('/control/wallet.php')
    expect(server.requests[0]!.query.has('affiliate')).toBe(false)
    expect(made.feeSplit).toBe(false)
  })

  test('that the gateway rejects is an error, not a page without the split', async () => {
    using server = fakeServer(({ path }) =>
      path.endsWith('custom-affiliate.php') ? new Response('fees?', { status: 400 }) : Response.json(wallet),
    )
    const provider = payGate(options(server.url, { feeWallet }))
    expect(await errorKind(provider.forwarding.openPage(request({ feePercent: '99' })))).toBe('refused')
    expect(server.requests.length).toBe(1)
  })

  test('needs a fee wallet that is an EVM address', () => {
    expect(() => payGate(options('https://api.example', { feeWallet: '0x12' }))).toThrow('EVM address')
  })
})

describe('with the sandbox', () => {
  let sandbox: ReturnType<typeof givenSandbox>
  beforeAll(() => {
    sandbox = givenSandbox(undefined, { feeWallet })
  })
  afterAll(() => sandbox.stop())

  test('the same callback URL returns the same wallet, so that a request can be repeated', async () => {
    const first = await sandbox.provisioned()
    const again = await sandbox.provider.forwarding.openPage(first.asked)
    expect(again).toMatchObject({ url: first.url, reference: first.reference, address: first.address })
    expect((await sandbox.provisioned()).address).not.toBe(first.address)
  })

  test('a wallet whose response was lost is returned to the next request', async () => {
    const made: string[] = []
    const deaf = async (url: string, init?: RequestInit): Promise<Response> => {
      made.push((await (await fetch(url, init)).json()).polygon_address_in)
      throw new DOMException('late', 'TimeoutError')
    }
    const asked = request()
    const apiUrl = `${sandbox.base}/api`
    expect(await errorKind(payGate(options(apiUrl, { fetch: deaf })).forwarding.openPage(asked))).toBe(
      'unavailable',
    )
    expect((await payGate(options(apiUrl)).forwarding.openPage(asked)).address).toBe(made[0]!)
  })

  test.each(['1', '2.5', '0.0001', '89.9999', '99'])('a fee of %s percent is accepted', async feePercent => {
    expect((await sandbox.provisioned({ feePercent })).feeSplit).toBe(true)
  })

  test('the payment page of the buyer opens', async () => {
    const { url } = await sandbox.provisioned()
    const page = await fetch(url)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('25.00 USD')
  })

  test('no page can be opened while it is down', async () => {
    sandbox.setDown(true)
    expect(await errorKind(sandbox.provider.forwarding.openPage(request()))).toBe('unavailable')
    sandbox.setDown(false)
  })
})
