import { expect, test } from 'bun:test'
import type { Event, FurtherDelivery, MessageType, Webhook } from '../../../src/domain/webhook.ts'
import { givenOrder, newId, type Open, opening, TEXT, webhookRow } from './given.ts'

const furtherWebhook = (merchantId: string, change: Partial<Webhook> = {}): Webhook =>
  webhookRow(merchantId, {
    ...{ isFirst: false, mode: 'test', format: 'greenfield', keyId: TEXT, sendsFrom: null },
    events: ['InvoiceSettled', 'order.paid'],
    ...change,
  })

export function furtherWebhooksContract(open: Open): void {
  const engine = opening(open)
  const { read, write } = engine
  const webhooksOf = (merchantId: string) => read(tables => tables.furtherWebhooks.find(merchantId))
  const put = (webhook: Webhook) => write(tables => tables.furtherWebhooks.put(webhook))
  const find = (id: string) => read(tables => tables.furtherDeliveries.find(id))

  /** Inserts an event with its delivery to a webhook. */
  async function given(
    { id: orderId, merchantId }: { id: string; merchantId: string },
    webhookId: string,
    { type = 'InvoiceSettled', ...change }: Partial<FurtherDelivery> = {},
  ) {
    const event: Event<MessageType> = { id: newId(), merchantId, orderId, type, body: '{}', createdAt: 1 }
    const delivery: FurtherDelivery = {
      ...{ id: newId(), webhookId, eventId: event.id, merchantId, type, status: 'pending' },
      ...{ nextAttemptAt: null, tries: [], firstTriedAt: null, createdAt: 1, updatedAt: 1 },
      ...change,
    }
    await write(async tables => {
      await tables.furtherDeliveries.insertEvent(event)
      await tables.furtherDeliveries.insert(delivery)
    })
    return { event, delivery }
  }

  test('further webhooks are read by age as they were stored, even within a write, without those of another merchant', async () => {
    const [mine, other] = [await givenOrder(engine), await givenOrder(engine)]
    const [young, old] = [furtherWebhook(mine.merchantId, { createdAt: 5 }), furtherWebhook(mine.merchantId)]
    for (const one of [young, old, furtherWebhook(other.merchantId)]) await put(one)
    expect(await webhooksOf(mine.merchantId)).toEqual([old, young])
    const changed = { ...old, failures: 0, failingSince: null, keyId: null }
    const within = await write(async tables => {
      await tables.furtherWebhooks.find(mine.merchantId)
      await tables.furtherWebhooks.put(changed)
      return tables.furtherWebhooks.find(mine.merchantId)
    })
    expect(within).toEqual([changed, young])
    expect(await webhooksOf(newId())).toEqual([])
  })

  test('further webhooks are read together with the first webhook, which comes first', async () => {
    const { merchantId } = await givenOrder(engine)
    const further = [
      furtherWebhook(merchantId, { createdAt: 1 }),
      furtherWebhook(merchantId, { createdAt: 7 }),
    ]
    for (const one of further.toReversed()) await put(one)
    const all = () => read(tables => tables.webhooks.listOf(merchantId))
    expect(await all()).toEqual(further)
    const { keyId: _, ...rest } = further[0]!
    const events: Webhook['events'] = ['order.paid']
    const own = { id: newId(), isFirst: true, format: 'florin', mode: 'live', createdAt: 9, events } as const
    const first: Webhook = { ...rest, ...own, events, keyId: null }
    await write(tables => tables.webhooks.put(first))
    expect(await all()).toEqual([first, ...further])
  })

  test('deleting a further webhook deletes its deliveries, and no others', async () => {
    const order = await givenOrder(engine)
    const [one, other] = [furtherWebhook(order.merchantId), furtherWebhook(order.merchantId)]
    for (const webhook of [one, other]) await put(webhook)
    const [gone, left] = [await given(order, one.id), await given(order, other.id)]
    await write(tables => tables.furtherWebhooks.remove(one.id))
    expect(await webhooksOf(order.merchantId)).toEqual([other])
    expect(await find(gone.delivery.id)).toBe(null)
    expect(await find(left.delivery.id)).toEqual(left)
  })

  test('further webhooks have deliveries, newest first, whose given fields are updated', async () => {
    const order = await givenOrder(engine)
    const webhookId = newId()
    const [one, two] = [await given(order, webhookId), await given(order, webhookId, { createdAt: 2 })]
    await given(order, newId())
    const tries = [{ at: 6, httpStatus: 200, outcome: 'delivered' as const, durationMs: 7 }]
    await write(tables => tables.furtherDeliveries.update(one.delivery.id, { status: 'delivered', tries }))
    expect(await read(tables => tables.furtherDeliveries.list(webhookId, 5))).toEqual([
      two,
      { event: one.event, delivery: { ...one.delivery, status: 'delivered', tries } },
    ])
    expect(await read(tables => tables.furtherDeliveries.list(webhookId, 1))).toHaveLength(1)
  })

  test('further webhooks have deliveries that are parked, and retries that are brought forward', async () => {
    const order = await givenOrder(engine)
    const [webhookId, other] = [newId(), newId()]
    const rows = [
      await given(order, webhookId, { nextAttemptAt: 60 }),
      await given(order, webhookId, { nextAttemptAt: 90, firstTriedAt: 10, updatedAt: 49 }),
      await given(order, webhookId, { type: 'order.paid', status: 'failed' }),
      await given(order, webhookId, { type: 'payment.paid' }),
      await given(order, other, { nextAttemptAt: 60 }),
    ]
    const types: MessageType[] = ['order.paid', 'InvoiceSettled']
    const parked = await read(tables => tables.furtherDeliveries.listParked(webhookId, types, 9))
    expect(parked).toEqual([{ id: rows[2]!.delivery.id, type: 'order.paid' }])
    await write(tables => tables.furtherDeliveries.bringForward(webhookId, 50, 30))
    const next = await Promise.all(
      rows.map(async ({ delivery }) => (await find(delivery.id))?.delivery.nextAttemptAt),
    )
    expect(next).toEqual([50, 51, null, null, 60])
  })

  test('the deliveries of one order to one webhook that wait for a try are listed', async () => {
    const [order, foreign] = [await givenOrder(engine), await givenOrder(engine)]
    const [webhookId, other] = [newId(), newId()]
    for (const id of [webhookId, other]) await put(webhookRow(order.merchantId, { id }))
    const waiting = await given(order, webhookId, { nextAttemptAt: 9 })
    await given(order, webhookId)
    await given(order, webhookId, { status: 'delivered' })
    await given(order, other, { nextAttemptAt: 9 })
    await given(foreign, webhookId, { nextAttemptAt: 9 })
    const listed = await read(tables => tables.furtherDeliveries.listWaiting(webhookId, order.id))
    expect(listed).toEqual([waiting.delivery])
  })
}
