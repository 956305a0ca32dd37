import { describe, expect, test } from 'bun:test'
import type { Webhook } from '../../../src/domain/webhook.ts'
import { getWebhook } from '../../../src/operations/webhooks/change.ts'
import { startWithReceiver } from '../../support/app-with-receiver.ts'
import { signInAs } from '../../support/dashboard.ts'
import { givenOrder, givenShop, paidInCash } from '../../support/given.ts'
import { isSigned } from '../../support/receiver.ts'
import { suite } from '../../support/suite.ts'

const WEBHOOK = '/dashboard/webhook'
const DELIVERIES = '/dashboard/deliveries'
const MINUTE_MS = 60_000
const HOUR_MS = 3600_000

const { app, once, each } = suite({ start: startWithReceiver })
const receiver = once(() => app.receiver)
each(() => {
  // The limit of sign-ins per minute is low.
  app.time.now += MINUTE_MS
  receiver.answerWith(() => new Response('ok'))
})
const shop = each(() => givenShop(app))
const owner = each(() => signInAs(app, 'owner', shop.id))
const staff = each(() => signInAs(app, 'staff', shop.id))
each(() => {
  receiver.received.length = 0
})

const secretIn = (text: string): string => /whsec_[0-9A-Za-z]{40}/.exec(text)?.[0] ?? ''
const current = async (): Promise<Webhook> => (await getWebhook(app.context, shop.id))!
const listen = async () => secretIn((await owner.post(WEBHOOK, { url: receiver.url })).text)

async function paidOrder(of = shop, externalId?: string): Promise<string> {
  const { orderUUID: orderId } = await givenOrder(app, of, { externalId })
  await paidInCash(app, of, orderId)
  await app.jobs.settle()
  return orderId
}

describe('the webhook', () => {
  test('is set, and its secret is shown the first time only', async () => {
    expect((await owner.get(WEBHOOK)).text).toContain('No webhook yet.')
    const secret = await listen()
    expect(secret).toBe((await current()).secret)
    expect((await owner.get(WEBHOOK)).text).not.toContain(secret)
    const again = await owner.post(WEBHOOK, { url: `${receiver.url}?b` })
    expect([again.status, again.headers.get('location')]).toEqual([303, `${WEBHOOK}?saved=url`])
    expect((await current()).url).toBe(`${receiver.url}?b`)
  })

  test('that is connected late gets earlier events only on request', async () => {
    const former = await paidOrder()
    const orderPage = async (id = former) => (await owner.get(`/dashboard/orders/${id}`)).text
    expect(await orderPage()).toContain('No website is connected, so nothing is sent about orders.')
    expect(await orderPage()).not.toContain('/resend"')
    const waiting = await staff.get(DELIVERIES)
    expect(waiting.text).toContain('Not sent</span>')
    expect(waiting.text).toContain('No website is connected here')
    expect((await owner.get('/dashboard/setup/webhook')).text).toContain('name="earlier"')
    expect((await owner.get(WEBHOOK)).text).toContain('Also send the event about one order from before')
    app.time.now += MINUTE_MS
    await listen()
    await app.jobs.settle()
    const paid = () => receiver.received.filter(({ json }) => json.type === 'order.paid')
    expect(paid()).toEqual([])
    const later = await paidOrder()
    // A successful delivery sends waiting events, but not those from the time without a webhook.
    await app.advance(HOUR_MS)
    expect(paid().map(({ json }) => json.orderUUID)).toEqual([later])
    await owner.post(`${DELIVERIES}/failed`)
    await owner.post(WEBHOOK, { url: `${receiver.url}?b` })
    await app.jobs.settle()
    expect(paid()).toHaveLength(1)
    const text = await orderPage()
    expect(text).toContain('<td data-name="Status">Not sent</td>')
    const event = /name="event" value="([^"]+)"/.exec(text)?.[1] ?? ''
    await owner.post(`/dashboard/orders/${former}/resend`, { event })
    await app.jobs.settle()
    expect(paid().map(({ json }) => json.orderUUID)).toEqual([later, former])
  })

  test('that is connected late gets all events for which a person asked', async () => {
    const former = await paidOrder()
    await owner.post(WEBHOOK, { url: receiver.url, earlier: 'yes' })
    await app.jobs.settle()
    expect(receiver.received.map(({ json }) => json.orderUUID)).toEqual([former])
  })

  test('is refused with a private or wrong URL, which is shown again', async () => {
    for (const url of ['https://10.0.0.1/', 'http://shop.example/', 'nonsense"><script>']) {
      const answer = await owner.post(WEBHOOK, { url })
      expect(answer.status).toBeOneOf([400, 422])
      expect(answer.text).toContain(
        'The URL must begin with https:// and must not point to a private network.',
      )
      expect(answer.text).not.toContain('"><script>')
    }
    expect(await getWebhook(app.context, shop.id)).toBe(null)
  })

  test('gets the chosen events', async () => {
    await listen()
    const form = { 'event.order.paid': 'on', 'event.payment.created': 'on' }
    expect((await owner.post(`${WEBHOOK}/events`, form)).status).toBe(303)
    expect((await current()).events).toEqual(['order.paid', 'payment.created'])
    const none = await owner.post(`${WEBHOOK}/events`, {})
    expect([none.status, none.text.includes('Choose at least one event.')]).toEqual([400, true])
    expect((await current()).events).toHaveLength(2)
  })

  test('gets a new secret, with an overlap', async () => {
    const former = await listen()
    const rotated = await owner.post(`${WEBHOOK}/rotate`, { overlap: '1d' })
    const secret = secretIn(rotated.text)
    expect([secret, await current()]).toEqual([
      expect.not.stringContaining(former),
      expect.objectContaining({ secret, previousSecret: former }),
    ])
    const isOverlapping = async () =>
      (await owner.get(WEBHOOK)).text.includes(', events are also signed with the old secret.')
    expect(await isOverlapping()).toBe(true)
    expect((await owner.post(`${WEBHOOK}/rotate`, { overlap: 'x' })).status).toBe(400)
    for (let hour = 0; hour < 24; hour++) {
      expect(await isOverlapping()).toBe(true)
      app.time.now += 3600_000
    }
    expect([await isOverlapping(), (await owner.get(WEBHOOK)).text.includes('name="overlap"')]).toEqual([
      false,
      true,
    ])
  })

  test('keeps its new secret when the same form is sent again, as by loading the answer again', async () => {
    const former = await listen()
    const seenIn = (text: string) => /name="seen" value="([^"]+)"/.exec(text)![1]!
    const form = { overlap: '1d', seen: seenIn((await owner.get(WEBHOOK)).text) }
    const rotated = await owner.post(`${WEBHOOK}/rotate`, form)
    const secret = secretIn(rotated.text)
    const again = await owner.post(`${WEBHOOK}/rotate`, form)
    expect([again.status, again.text.includes('changed in the meantime')]).toEqual([409, true])
    // The receiver still has the former secret.
    expect(await current()).toMatchObject({ secret, previousSecret: former })
    expect((await owner.post(`${WEBHOOK}/rotate`, { ...form, seen: seenIn(rotated.text) })).status).toBe(200)
    expect(await current()).toMatchObject({ previousSecret: secret })
  })

  test('needs the password again half an hour after signing in, to change its URL or secret', async () => {
    const secret = await listen()
    app.time.now += 31 * MINUTE_MS
    const answers = [
      await owner.post(WEBHOOK, { url: `${receiver.url}?b` }),
      await owner.post(`${WEBHOOK}/rotate`, { overlap: '0' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 401])
    expect(await current()).toMatchObject({ url: receiver.url, secret })
  })

  test('is tested, and its answer is shown as text', async () => {
    const secret = await listen()
    const good = await owner.post(`${WEBHOOK}/test`)
    expect(good.text).toContain('Your website accepted the test event')
    expect(isSigned(receiver.received.at(-1)!, secret)).toBe(true)
    receiver.answerWith(() => new Response('<script>alert(1)</script>', { status: 500 }))
    const bad = await owner.post(`${WEBHOOK}/test`)
    expect(bad.text).toContain('refused (status 500)')
    expect(bad.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(bad.text).not.toContain('<script>alert')
  })

  test('that was disabled is enabled again by saving its URL', async () => {
    await listen()
    await app.context.storage.write(async tables => {
      const webhook = (await tables.webhooks.find(shop.id))!
      await tables.webhooks.put({ ...webhook, status: 'disabled', failingSince: 5, failures: 20 })
    })
    const page = await owner.get(WEBHOOK)
    expect(page.text).toContain('The webhook is disabled')
    expect(page.text).toContain('Enable it again')
    await owner.post(WEBHOOK, { url: receiver.url })
    expect(await current()).toMatchObject({ status: 'active', failingSince: null })
  })
})

describe('deliveries', () => {
  test('are listed with their status and answer, and one shows request and answers', async () => {
    await listen()
    receiver.answerWith(
      () =>
        new Response('<img src=x onerror=alert(1)>', {
          status: 500,
          headers: { 'content-type': 'text/html' },
        }),
    )
    const order = await paidOrder(shop, 'COFFEE-7')
    const list = await staff.get(DELIVERIES)
    expect(list.text).toContain(`href="/dashboard/orders/${order}">COFFEE-7</a>`)
    expect(list.text).toContain('refused (status 500)')
    const id = /deliveries\/([0-9a-f-]{36})/.exec(list.text)![1]!
    const { text } = await staff.get(`${DELIVERIES}/${id}`)
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;')
    expect(text).not.toContain('<img src=x')
    expect(text).toContain(`X-Service-Event-Id: ${id}`)
    expect(text).toContain('X-Service-Settlement: forced')
    expect(text).not.toContain((await current()).secret)
    expect(text).toContain('&quot;type&quot;:&quot;order.paid&quot;')
  })

  test('are sent again, one or everything that failed', async () => {
    await listen()
    const order = await paidOrder()
    const sentOf = (orderId: string) => receiver.received.filter(({ json }) => json.orderUUID === orderId)
    const id = sentOf(order)[0]!.headers.get('x-service-event-id')!
    const again = await staff.post(`${DELIVERIES}/${id}/redeliver`)
    expect([again.status, again.headers.get('location')]).toEqual([303, `${DELIVERIES}/${id}?sent`])
    await app.jobs.settle()
    expect(sentOf(order)).toHaveLength(2)
    receiver.answerWith(() => new Response('no', { status: 500 }))
    const failed = await paidOrder()
    for (let hour = 0; hour < 80; hour += 1) await app.advance(HOUR_MS)
    receiver.answerWith(() => new Response('ok'))
    receiver.received.length = 0
    Object.assign(staff, await signInAs(app, 'staff', shop.id))
    const all = await staff.post(`${DELIVERIES}/failed`)
    expect(all.headers.get('location')).toBe(`${DELIVERIES}?sent=1`)
    await app.jobs.settle()
    expect(sentOf(failed)).toHaveLength(1)
    expect((await staff.get(`${DELIVERIES}?sent=1`)).text).toContain('1 event is sent again.')
  })

  test('cannot be sent again without an active webhook, and the page says so', async () => {
    await paidOrder()
    const answer = await staff.post(`${DELIVERIES}/failed`)
    expect([answer.status, answer.text.includes('There is no active webhook.')]).toEqual([409, true])
    expect(answer.text).toContain('Not sent</span>')
  })

  test('are filtered by the URL, and have pages', async () => {
    await listen()
    const orders: string[] = []
    for (let at = 0; at < 51; at++) orders.push(await paidOrder())
    const shown = async (query: string) => {
      const { text } = await staff.get(`${DELIVERIES}${query}`)
      return { text, count: orders.filter(id => text.includes(id)).length }
    }
    const today = new Date(app.time.now).toISOString().slice(0, 10)
    const yesterday = new Date(app.time.now - 24 * HOUR_MS).toISOString().slice(0, 10)
    const first = await shown('')
    expect(first.count).toBe(50)
    const older = /href="(\/dashboard\/deliveries\?page=[^"]+)"/.exec(first.text)![1]!
    const second = await shown(older.slice(DELIVERIES.length))
    expect([second.count, second.text.includes('>Older<')]).toEqual([1, false])
    expect((await shown('?status=delivered&type=order.paid')).count).toBe(50)
    expect((await shown('?status=failed')).count).toBe(0)
    expect((await shown('?type=payment.paid')).count).toBe(0)
    expect((await shown(`?since=${today}&until=${today}`)).count).toBe(50)
    expect((await shown(`?until=${yesterday}`)).count).toBe(0)
    const wrong = await shown('?since=soon')
    expect([wrong.count, wrong.text.includes('Enter a date')]).toEqual([50, true])
    expect((await staff.get(`${DELIVERIES}?page=nonsense`)).status).toBe(400)
  })

  test('of another shop are not found', async () => {
    await listen()
    const order = await paidOrder()
    const id = receiver.received
      .find(({ json }) => json.orderUUID === order)!
      .headers.get('x-service-event-id')!
    const stranger = await signInAs(app, 'owner', (await givenShop(app)).id)
    expect((await stranger.get(DELIVERIES)).text).not.toContain(id)
    expect((await stranger.get(`${DELIVERIES}/${id}`)).status).toBe(404)
    expect((await stranger.post(`${DELIVERIES}/${id}/redeliver`)).status).toBe(404)
  })
})

describe('the audit log', () => {
  test('names the author of each change, and shows nothing of another shop', async () => {
    await listen()
    const { text } = await owner.get('/dashboard/audit')
    expect(text).toContain('webhook.changed')
    expect(text).toContain(`User ${owner.email}`)
    expect(text).toContain('Command line')
    expect(text).toContain(receiver.url)
    const stranger = await signInAs(app, 'owner', (await givenShop(app)).id)
    expect((await stranger.get('/dashboard/audit')).text).not.toContain(receiver.url)
  })

  test('comes in pages', async () => {
    for (let at = 0; at < 60; at++) {
      await app.context.storage.write(tables =>
        tables.audit.insert({
          id: app.context.ids.uuid(),
          merchantId: shop.id,
          at: app.time.now + at,
          actor: 'cli',
          action: 'merchant.changed',
          subject: `made.up${at}`,
          before: { a: null },
          after: { a: '<b>' },
          requestId: null,
          client: null,
        }),
      )
    }
    const { text } = await owner.get('/dashboard/audit')
    expect([text.includes('made.up59'), text.includes('made.up10<'), text.includes('made.up9<')]).toEqual([
      true,
      true,
      false,
    ])
    expect(text).toContain('<dd dir="auto">&lt;b&gt;</dd>')
    const older = /href="(\/dashboard\/audit\?page=[^"]+)"/.exec(text)![1]!
    expect((await owner.get(older)).text).toContain('made.up9<')
  })
})
