import { expect, test } from 'bun:test'
import type { Webhook } from '../../../src/domain/webhook.ts'
import { diagnoseMerchants } from '../../../src/operations/overview/diagnose.ts'
import { addWebhook, listWebhooks } from '../../../src/operations/webhooks/further.ts'
import { redeliverFailed } from '../../../src/operations/webhooks/redeliver.ts'
import { startWithReceiver } from '../../support/app-with-receiver.ts'
import { signInAs } from '../../support/dashboard.ts'
import { givenOrder, givenShop, paidInCash } from '../../support/given.ts'
import { isSigned } from '../../support/receiver.ts'
import { suite } from '../../support/suite.ts'
import { listen } from '../request.ts'

const PATH = '/dashboard/webhooks'

const { app, once, each } = suite({ start: startWithReceiver })
const receiver = once(() => app.receiver)
each(() => {
  // The limit of sign-ins per minute is low.
  app.time.now += 60_000
  receiver.answerWith(() => new Response('ok'))
  receiver.received.length = 0
})
const shop = each(() => givenShop(app))
const owner = each(() => signInAs(app, 'owner', shop.id))

const secretIn = (text: string): string => /whsec_[0-9A-Za-z]{40}/.exec(text)?.[0] ?? ''
const further = () => listWebhooks(app.context, shop.id)
const add = async () =>
  secretIn((await owner.post(PATH, { url: receiver.url, 'event.order.paid': 'on' })).text)

async function paidOrder(): Promise<void> {
  const { orderUUID } = await givenOrder(app, shop)
  await paidInCash(app, shop, orderUUID)
  await app.jobs.settle()
}

test('an owner adds a webhook, whose secret is shown once', async () => {
  expect((await owner.get(PATH)).text).toContain('You have no other webhook.')
  const secret = await add()
  const [made] = await further()
  expect(made).toMatchObject({ url: receiver.url, events: ['order.paid'], secret })
  await paidOrder()
  expect(receiver.received.map(one => isSigned(one, secret))).toEqual([true])
  const page = await owner.get(`${PATH}/${made!.id}`)
  expect(page.text).toContain('order.paid')
  expect((await owner.get(PATH)).text + page.text).not.toContain('whsec_')
})

test('a form with a wrong URL, or without events, is shown again', async () => {
  const wrong = await owner.post(PATH, { url: 'https://10.0.0.1/', 'event.payment.paid': 'on' })
  expect([wrong.status, wrong.text.includes('must not point to a private network')]).toEqual([422, true])
  expect((await owner.post(PATH, { url: receiver.url })).status).toBe(400)
  expect(await further()).toEqual([])
})

test('a further webhook is changed, tested, sent again, gets another secret and is deleted', async () => {
  await add()
  const [{ id, secret }] = (await further()) as [Webhook]
  receiver.answerWith(() => new Response('no', { status: 500 }))
  await paidOrder()
  expect((await owner.get(`${PATH}/${id}`)).text).toContain('Failing')
  receiver.answerWith(() => new Response('ok'))
  expect((await owner.post(`${PATH}/${id}/test`)).status).toBe(200)
  await app.jobs.settle()
  expect(receiver.received.at(-1)?.json.type).toBe('order.paid')
  expect((await owner.post(`${PATH}/${id}/failed`)).status).toBe(200)
  const saved = await owner.post(`${PATH}/${id}/events`, { 'event.payment.paid': 'on' })
  expect(saved.headers.get('location')).toBe(`${PATH}/${id}?saved`)
  const both = await owner.post(`${PATH}/${id}/mode`, { mode: 'both' })
  expect(both.headers.get('location')).toBe(`${PATH}/${id}?saved`)
  expect(await further()).toMatchObject([{ mode: 'both' }])
  const rotated = secretIn((await owner.post(`${PATH}/${id}/rotate`, { overlap: '0' })).text)
  expect(rotated).not.toBe(secret)
  expect(await further()).toMatchObject([{ events: ['payment.paid'], secret: rotated }])
  const removed = await owner.post(`${PATH}/${id}/remove`)
  expect([removed.headers.get('location'), await further()]).toEqual([`${PATH}?removed`, []])
})

test('a webhook of a plugin shows the plugin, and offers no events of Florin', async () => {
  const of = { url: receiver.url, format: 'greenfield', events: ['InvoiceSettled'] } as const
  const { id } = await addWebhook(app.context, shop.id, { ...of, events: [...of.events] })
  await paidOrder()
  const { text } = await owner.get(`${PATH}/${id}`)
  expect([text.includes('A plugin made this webhook.'), text.includes('event.order.paid')]).toEqual([
    true,
    false,
  ])
  expect(text).toContain('InvoiceSettled')
})

test('a further webhook that is disabled or lost events is on the overview and in doctor’s data, and gets them again', async () => {
  await listen(app, shop, receiver.url)
  await add()
  const [first, books] = (await further()) as [Webhook, Webhook]
  const change = { failingSince: app.time.now, failures: 30, status: 'disabled' } as const
  await app.context.storage.write(tables => tables.furtherWebhooks.put({ ...books, ...change }))
  await paidOrder()
  await app.context.storage.write(async tables => {
    const [waiting] = await tables.furtherDeliveries.listParked(books.id, ['order.paid'], 1)
    await tables.furtherDeliveries.update(waiting!.id, { status: 'failed' })
  })
  const { text } = await owner.get('/dashboard')
  const { host } = receiver
  expect(text).toContain(`The webhook to ${host} is disabled`)
  expect(text).toContain(`1 event could not be delivered to ${host}.`)
  const state = (await diagnoseMerchants(app.context)).find(({ merchant }) => merchant.id === shop.id)
  expect(state?.webhooks.map(({ webhook, givenUp }) => [webhook.id, givenUp])).toEqual([
    [first.id, 0],
    [books.id, 1],
  ])
  await app.context.storage.write(tables => tables.furtherWebhooks.put(books))
  expect(await redeliverFailed(app.context, shop.id)).toBe(1)
})
