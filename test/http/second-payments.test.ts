import { expect, test } from 'bun:test'
import { listAudit } from '../../src/operations/audit/read.ts'
import { connectAccount } from '../../src/operations/merchants/connect-account.ts'
import { executeRefund } from '../../src/operations/refunds/execute.ts'
import { OWN_URL, startApp } from '../support/app.ts'
import { signInAs } from '../support/dashboard.ts'
import { givenMerchant, givenOrder } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { getOrder, HOUR_MS, notificationsOf } from './payments.ts'
import { keysOf } from './paypals.ts'
import { freshKey } from './refunding.ts'
import { rowsOf } from './rows.ts'

/** The sandbox with its providers. Answers to requests that match `wire.lost` are lost after their effect. */
async function startCards() {
  const wire = { lost: /^$/, requests: [] as string[] }
  const app: Awaited<ReturnType<typeof startApp>> = await startApp(
    {},
    {
      async fetch(url, init = {}) {
        const { pathname } = new URL(url)
        wire.requests.push(`${init.method} ${pathname}`)
        const isLost = wire.lost.test(pathname)
        if (isLost && pathname.startsWith('/callback/')) throw new TypeError('lost')
        const response = await (url.startsWith(OWN_URL)
          ? app.florin.http.handle(new Request(url, init))
          : fetch(url, init))
        if (isLost) throw new TypeError('the connection was closed')
        return response
      },
    },
  )
  return { ...app, wire }
}

const { app, ownApp } = suite({ start: startCards })

const cards: Record<string, { key: string; clientId?: string; form: Record<string, string> }> = {
  mollie: { key: `test_seconds1${'a'.repeat(20)}`, form: { status: 'paid' } },
  stripe: { key: 'rk_test_Second_12345678', form: { by: 'card', card: '4242424242424242' } },
  paypal: { ...keysOf('ASECOND123456'), form: { do: 'balance' } },
}

test.each([
  ['mollie', 'stripe'],
  ['stripe', 'mollie'],
  ['paypal', 'mollie'],
])(
  'a second payment, by %s after one by %s, is reported, and can be refunded with one click',
  async (late, first) => {
    await ownApp()
    const shop = await givenMerchant(app)
    for (const providerId of [late, first]) {
      const { key, clientId = null } = cards[providerId]!
      await connectAccount(app.context, {
        merchantId: shop.id,
        providerId,
        key,
        clientId,
        webhookSecret: null,
      })
    }
    const { orderUUID } = await givenOrder(app, shop, {
      ...{ amount: '25.00', currency: 'EUR', paymentMethodsKeys: [late, first] },
    })
    // A page at Mollie stays open when another page is opened.
    const pages = new Map<string, string>()
    for (const provider of [late, first].sort()) {
      const { headers } = await app.call('GET', `/payment/process/${orderUUID}?method=${provider}`)
      const { pathname, search } = new URL(headers.get('location') ?? '')
      pages.set(provider, pathname + search)
    }
    const payBy = (provider: string) =>
      app.call('POST', pages.get(provider)!, { form: cards[provider]!.form })
    app.wire.lost = new RegExp(`^/callback/${late}|/capture$`)
    await payBy(late)
    if (late === 'paypal') await app.call('GET', `/pay/${orderUUID}/return`)
    app.wire.lost = /^$/
    expect((await getOrder(app, shop, orderUUID)).status).toBe('UNPAID')
    await payBy(first)
    await app.advance(2 * HOUR_MS)
    const transactionRef = expect.stringMatching(first === 'stripe' ? /^pi_/ : /^tr_/)
    expect(await getOrder(app, shop, orderUUID)).toMatchObject({ status: 'PAID', transactionRef })
    expect(notificationsOf(app, orderUUID)).toEqual(['unmatched_payment'])

    const unmatched = () => rowsOf(app, 'SELECT id, status FROM unmatched_payments')
    const path = `/dashboard/unmatched/${unmatched()[0]?.id}/refund`
    const staff = await signInAs(app, 'staff', shop.id)
    expect((await staff.get('/dashboard/unmatched')).text).not.toContain(path)
    const owner = await signInAs(app, 'owner', shop.id)
    expect((await owner.get('/dashboard/unmatched')).text).toContain(path)
    const isRefund = /^POST .*refunds?$/
    app.wire.lost = /refunds?$/
    expect((await owner.post(path, {})).text).toContain('nothing is sent back twice')
    app.wire.lost = /^$/
    expect((await owner.post(path, {})).headers.get('location')).toBe('/dashboard/unmatched?done=sentBack')
    const [entry] = await listAudit(app.context, shop.id, 1)
    expect(entry).toMatchObject({ action: 'unmatched.resolved', after: { status: 'resolved' } })
    expect((await owner.post(path, {})).text).toContain('can no longer be changed')
    await app.advance(26 * HOUR_MS)
    expect(app.wire.requests.filter(name => isRefund.test(name))).toHaveLength(1)
    expect(unmatched()).toMatchObject([{ status: 'resolved' }])
    expect(notificationsOf(app, orderUUID)).toEqual(['unmatched_payment'])
    expect((await getOrder(app, shop, orderUUID)).refundedAmount).toBeUndefined()
    const whole = { merchantId: shop.id, orderId: orderUUID, idempotencyKey: freshKey(), by: 'Ann' }
    const body = { amount: '25.00', reason: 'returned' }
    expect((await executeRefund(app.context, { ...whole, body })).status).not.toBe('failed')
  },
)
