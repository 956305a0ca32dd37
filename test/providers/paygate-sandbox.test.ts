import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { toUnits } from '../../src/domain/money.ts'
import { openState } from '../../src/sandbox/state.ts'
import { errorKind, feeWallet, givenSandbox, inbound, payout } from './given-paygate.ts'

let sandbox: ReturnType<typeof givenSandbox>
beforeEach(() => {
  sandbox = givenSandbox(undefined, { feeWallet })
})
afterEach(() => sandbox.stop())

const ask = async (path: string, query: Record<string, string> = {}) => {
  const response = await fetch(`${sandbox.base}${path}?${new URLSearchParams(query)}`)
  return { status: response.status, text: await response.text() }
}
const callback = 'https://shop.example/c?attempt=1'
const press = (url: string, outcome: string): Promise<Response> =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ outcome }) })

describe('the simulated gateway refuses', () => {
  const split = {
    address: payout,
    callback,
    affiliate: feeWallet,
    affiliate_fee: '0.01',
    merchant_fee: '0.98',
  }

  test.each([
    ['/api/control/wallet.php', { address: '0x12', callback }],
    ['/api/control/wallet.php', { address: payout }],
    ['/api/control/wallet.php', { address: payout, callback: 'javascript:x?a=1' }],
    ['/api/control/wallet.php', { address: payout, callback: 'https://shop.example/without-query' }],
    ['/api/control/custom-affiliate.php', { ...split, merchant_fee: '0.99' }],
    ['/api/control/custom-affiliate.php', { ...split, merchant_fee: '0.97' }],
    ['/api/control/custom-affiliate.php', { ...split, merchant_fee: '' }],
    ['/api/control/custom-affiliate.php', { ...split, affiliate_fee: '-0.01', merchant_fee: '1' }],
    ['/api/control/custom-affiliate.php', { ...split, affiliate: payout.toLowerCase() }],
    ['/api/control/custom-affiliate.php', { ...split, affiliate: '' }],
    ['/api/control/convert.php', { from: 'eur', value: '1e3' }],
    ['/api/control/convert.php', { from: 'zzz', value: '1' }],
    ['/api/control/payment-status.php', { ipn_token: 'x' }],
    ['/api/crypto/btc/wallet.php', { callback }],
    ['/api/crypto/btc/wallet.php', { address: 'bc1q', callback: 'https://shop.example/' }],
  ])('%s %j', async (path, query) => {
    expect(await ask(path, query as Record<string, string>)).toMatchObject({ status: 400 })
  })

  test('unknown coins and pages', async () => {
    expect((await ask('/api/crypto/xmr/wallet.php', { address: 'x', callback })).status).toBe(404)
    expect((await ask('/api/crypto/btc/qrcode.php', { address: 'x' })).status).toBe(404)
    expect((await ask('/api/crypto/*/', {})).status).toBe(404)
  })

  test('every request while it is down', async () => {
    const { url } = await sandbox.provisioned()
    sandbox.setDown(true)
    for (const path of [
      '/api/control/provider-status',
      '/api/crypto/info.php',
      '/api/crypto/btc/wallet.php',
    ]) {
      expect(await ask(path)).toEqual({ status: 503, text: '503 Service Unavailable' })
    }
    expect((await fetch(url)).status).toBe(503)
    expect((await press(url, 'paid')).status).toBe(503)
    expect(sandbox.calls).toEqual([])
  })

  test('to settle a payment that was not provisioned', async () => {
    const settling = sandbox.standIn.payments.settle(callback, 'paid', '1.00')
    expect(settling).rejects.toThrow('provisioned')
    await settling.catch(() => null)
  })
})

describe('the API', () => {
  test('returns address_in and ipn_token encoded, and the callback URL decoded', async () => {
    const { text } = await ask('/api/control/wallet.php', { address: payout, callback: `${callback}&x=%20` })
    const wallet = JSON.parse(text)
    expect(Object.keys(wallet)).toEqual(['address_in', 'polygon_address_in', 'callback_url', 'ipn_token'])
    expect(wallet.address_in).toEndWith('%3D%3D')
    expect(wallet.ipn_token).toEndWith('%3D%3D')
    expect(wallet.polygon_address_in).toMatch(/^0x[0-9a-f]{40}$/)
    expect(wallet.callback_url).toBe(`${callback}&x=%20`)
  })

  test('accepts the catalogue with a trailing slash', async () => {
    const { text } = await ask('/api/control/provider-status/')
    expect(text).toContain(
      '{"id":"moonpay","provider_name":"MoonPay.com","status":"active",' +
        '"minimum_currency":"USD","minimum_amount":20}',
    )
  })

  test('returns a conversion as strings', async () => {
    const { text } = await ask('/api/control/convert.php', { from: 'eur', value: '12.34' })
    expect(text).toBe('{"status":"success","value_coin":"13.41","exchange_rate":"1.0867"}')
  })

  test('rejects a double-encoded address', async () => {
    const { url } = await sandbox.provisioned()
    const twice = url.replace(/address=([^&]+)/, (_all, address) => `address=${encodeURIComponent(address)}`)
    expect((await fetch(twice)).status).toBe(400)
  })
})

describe('an outcome', () => {
  const settle = async (
    outcome: Parameters<typeof sandbox.standIn.payments.settle>[1],
    dueAtomic = '25.00',
    change = {},
  ) => {
    const made = await sandbox.provisioned(change)
    const statuses = await sandbox.standIn.payments.settle(made.attempt.callbackUrl, outcome, dueAtomic)
    return { ...made, statuses, status: await sandbox.provider.lookup(made.attempt) }
  }

  test.each([
    ['paid', '25', 'polygon/usdc'],
    ['late', '25', 'polygon/usdc'],
    ['underpaid', '12.5', 'polygon/usdc'],
    ['overpaid', '50', 'polygon/usdc'],
    ['wrong_asset', '25', 'polygon/usdt'],
  ] as const)(
    'of %s is a signed payment of %s %s, and the status agrees',
    async (outcome, amount, assetId) => {
      const { statuses, status } = await settle(outcome)
      expect(statuses).toEqual([{ status: 200 }])
      const [fact] = sandbox.calls[0]!.facts
      expect(fact).toMatchObject({ status: 'settled', proof: 'signature', amount, assetId })
      expect(status).toMatchObject([{ status: 'settled', amount, assetId, txIn: null, txOut: fact!.txOut }])
    },
  )

  test('of paid covers the amount due to the last unit', async () => {
    const { statuses, dueAtomic } = await settle('paid', '13.414044')
    expect(statuses).toEqual([{ status: 200 }])
    expect(dueAtomic).toBe(25_000_000n)
    expect(sandbox.calls[0]!.facts[0]!.amount).toBe('13.414044')
    await settle('underpaid', '0.000003')
    expect(sandbox.calls[1]!.facts[0]!.amount).toBe('0.000001')
  })

  test('of pending sends no callback', async () => {
    expect(await settle('pending')).toMatchObject({ statuses: [], status: [] })
    expect(sandbox.calls).toEqual([])
  })

  test('of failed is reported by a signed callback and by the status', async () => {
    const { statuses, status } = await settle('failed')
    expect(statuses).toEqual([{ status: 200 }])
    expect(sandbox.calls[0]!.facts).toMatchObject([{ status: 'failed', proof: 'signature' }])
    expect(status).toMatchObject([{ status: 'failed' }])
  })

  test('of forged sends the right URL with a wrong signature, and no money', async () => {
    const { statuses, status, attempt } = await settle('forged')
    expect(statuses).toEqual([{ status: 403 }])
    expect(status).toEqual([])
    expect(sandbox.calls[0]!.rawQuery).toContain('secret=s3cr3t&value_coin=25&coin=polygon_usdc&txid_in=0x')
    expect(await sandbox.standIn.payments.settle(attempt.callbackUrl, 'duplicate', '25.00')).toEqual([])
  })

  test('of duplicate repeats the last callback byte for byte', async () => {
    const { attempt } = await settle('paid')
    const { payments } = sandbox.standIn
    expect(await payments.settle(attempt.callbackUrl, 'duplicate', '1')).toEqual([{ status: 200 }])
    expect(sandbox.calls[1]!).toEqual(sandbox.calls[0]!)
    await payments.settle(attempt.callbackUrl, 'paid', '25.00')
    await payments.settle(attempt.callbackUrl, 'duplicate', '1')
    expect(sandbox.calls[3]!.rawQuery).toBe(sandbox.calls[2]!.rawQuery)
    expect(sandbox.calls[2]!.facts[0]!.txOut).not.toBe(sandbox.calls[0]!.facts[0]!.txOut)
  })

  test('of one payment cannot be sent again for another', async () => {
    const first = await settle('paid')
    const other = await sandbox.provisioned()
    const { rawQuery, signature } = sandbox.calls[0]!
    const headers: Record<string, string> = { 'X-PayGate-Signature': signature! }
    const nextState = rawQuery.replace(first.asked.attemptId, other.asked.attemptId)
    for (const [query, sent] of [
      [rawQuery, headers],
      [nextState, headers],
      [nextState, {}],
    ] as const) {
      expect(await errorKind(sandbox.provider.receive(inbound(query, sent), other.attempt))).toBe(
        'invalid proof',
      )
    }
    expect((await sandbox.provider.receive(inbound(rawQuery, headers), first.attempt)).length).toBe(1)
  })

  test('reports both wallets if the payout is split', async () => {
    await settle('paid', '25.00', { feePercent: '2.5' })
    const { callback } = sandbox.calls[0]!.facts[0]!.evidence as { callback: Record<string, string> }
    expect(JSON.parse(callback.address_out!)).toEqual({ [feeWallet]: '0.025', [payout]: '0.965' })
    expect(callback.value_forwarded_coin).toBe('24.75')
  })

  test('for a crypto address pays in its coin', async () => {
    const callbackUrl = sandbox.callbackUrl('coin')
    const asked = (await sandbox.provisioned()).asked
    const opened = await sandbox.provider.forwarding.openAddress('btc', {
      ...asked,
      callbackUrl,
      payoutAddress: 'bc1qpayout',
    })
    expect(opened.address).toMatch(/^bc1q[a-z0-9]{38}$/)
    sandbox.attempts.set('coin', { credentials: null, callbackUrl, ...opened, assetId: 'btc' })
    const { payments } = sandbox.standIn
    expect(await payments.settle(callbackUrl, 'paid', '0.00123456')).toEqual([{ status: 200 }])
    expect(sandbox.calls[0]!.facts).toMatchObject([{ assetId: 'btc', amount: '0.00123456' }])
  })

  test('survives a restart of the sandbox, as does the key that signs callbacks', async () => {
    const state = openState(':memory:')
    await sandbox.stop()
    sandbox = givenSandbox(state)
    const made = await sandbox.provisioned()
    const keys = await Promise.all([sandbox.standIn.publicKey(), sandbox.standIn.publicKey()])
    await sandbox.standIn.payments.settle(made.attempt.callbackUrl, 'paid', '25.00')
    await sandbox.stop()
    sandbox = givenSandbox(state)
    expect(await sandbox.standIn.publicKey()).toBe(keys[0])
    expect(keys[1]).toBe(keys[0])
    expect((await sandbox.provider.lookup(made.attempt)).length).toBe(1)
  })
})

describe('the payment page', () => {
  test('shows the amount, the method and three buttons', async () => {
    const { url } = await sandbox.provisioned({ currency: 'EUR', amount: '49.90' })
    const page = await (await fetch(url)).text()
    expect(page).toContain('Pay with MoonPay.com')
    expect(page).toContain('49.90 EUR')
    expect(
      [...page.matchAll(/<button[^>]* name="outcome" value="(\w+)">\s*([^<]+)</g)].map(match =>
        match.slice(1),
      ),
    ).toEqual([
      ['paid', 'Pay'],
      ['underpaid', 'Pay half'],
      ['failed', 'Decline'],
    ])
  })

  test.each([
    ['USD', '25.00'],
    ['EUR', '25.00'],
    ['JPY', '5000'],
    ['KWD', '12.345'],
  ])('pays exactly what is due for an order in %s', async (currency, amount) => {
    const { url, dueAtomic } = await sandbox.provisioned({ currency, amount })
    const page = await press(url, 'paid')
    expect(page.status).toBe(200)
    expect(await page.text()).toMatch(/Payment complete[\s\S]*answered with status 200/)
    const [fact] = sandbox.calls[0]!.facts
    expect(toUnits(fact!.amount, 6)).toBe(dueAtomic)
    expect(await (await fetch(url)).text()).toContain('has already been made')
  })

  test('can pay half, and decline', async () => {
    const { url } = await sandbox.provisioned()
    expect(await (await press(url, 'underpaid')).text()).toContain('Half of the amount')
    expect(await (await press(url, 'failed')).text()).toContain('declined')
    expect(sandbox.calls.map(({ facts }) => [facts[0]!.status, facts[0]!.amount])).toEqual([
      ['settled', '12.5'],
      ['failed', '0'],
    ])
  })

  test('pays the amount in its URL, which a buyer can change', async () => {
    const { url } = await sandbox.provisioned({ amount: '100.00' })
    await press(url.replace('amount=100.00', 'amount=21'), 'paid')
    expect(sandbox.calls[0]!.facts[0]!.amount).toBe('21')
  })

  test('shows the status that the shop answered with', async () => {
    const { url, attempt, asked } = await sandbox.provisioned()
    sandbox.attempts.set(asked.attemptId, { ...attempt, address: `0x${'9'.repeat(40)}` })
    expect(await (await press(url, 'paid')).text()).toContain('answered with status 403')
  })

  test.each([
    ['a method that is not active', 'provider=moonpay', 'provider=sardine'],
    ['an unknown method', 'provider=moonpay', 'provider=%3Cscript%3E'],
    ['an amount below the minimum', 'amount=25.00', 'amount=19.99'],
    ['no amount', 'amount=25.00', 'amount='],
    ['a currency that the method does not accept', 'provider=moonpay', 'provider=upi'],
    ['a currency without a rate', 'currency=USD', 'currency=ZZZ'],
    ['an unknown address', 'address=', 'address=x'],
  ])('fails for %s', async (_what, from, to) => {
    const { url } = await sandbox.provisioned()
    const page = await fetch(url.replace(from, to))
    expect(page.status).toBe(400)
    expect(await page.text()).toContain('select another payment provider')
    expect((await press(url.replace(from, to), 'paid')).status).toBe(400)
    expect(sandbox.calls).toEqual([])
  })

  test.each(['', 'forged', 'toString'])('rejects the button "%s"', async outcome => {
    const { url } = await sandbox.provisioned()
    expect((await press(url, outcome)).status).toBe(400)
    expect((await fetch(url, { method: 'POST' })).status).toBe(400)
    expect(sandbox.calls).toEqual([])
  })
})
