import { Refusal } from '../../domain/errors.ts'
import { amountOf, minorOf } from '../../domain/money.ts'
import type { Delivered } from '../developer/deliver.ts'
import type { ShopServer } from '../developer/server.ts'
import { type Order, orderExpired, orderPaid, paymentEvent, testEvent } from './events.ts'
import { answerOf, expectAccepted, expectShippedOnce, expectUnpaid, isRefused, Problem } from './expect.ts'
import type { SentEvent, Shop } from './shop.ts'

const TEN_MINUTES = 600
const THREE_DAYS_MS = 3 * 24 * 3600_000
export interface Scenario {
  name: string
  /** the event or situation that is checked, for a person */
  title: string
  /** true if only a shop with a test endpoint can be checked */
  needsDoor?: boolean
  run(shop: Shop): Promise<void>
}

const getOrder = ({ call }: ShopServer, orderUUID: string): Promise<Order> =>
  call('readOrder', 'GET', `/v1/orders/${orderUUID}`)

/** Creates an order of the shop. Without a test endpoint, the shop does not know the order. */
async function newOrder({ server, door }: Shop): Promise<Order> {
  if (door) return getOrder(server, await door.newOrder())
  return server.call('createOrder', 'POST', '/v1/orders', {
    amount: '25.00',
    currency: 'USD',
    customer: { email: 'conformance@example.com' },
    paymentMethodsKeys: ['*'],
    externalId: 'conformance',
  })
}

/** Creates an order and has the sandbox pay it. */
async function paidOrder(shop: Shop): Promise<Order> {
  const { orderUUID } = await newOrder(shop)
  await shop.sandbox.openCrypto(orderUUID)
  await shop.sandbox.simulate(orderUUID, 'paid')
  await shop.sandbox.check(orderUUID)
  const order = await getOrder(shop.server, orderUUID)
  if (order.status === 'PAID') return order
  throw new Refusal('conflict', `The sandbox did not pay the order ${orderUUID}.`)
}

/** Checks that an event that must not be trusted is refused, and that the order stays unpaid. */
const refused =
  (send: (shop: Shop, event: SentEvent) => Promise<Delivered>, why: string): Scenario['run'] =>
  async shop => {
    const order = await newOrder(shop)
    const delivered = await send(shop, orderPaid(order))
    if (!isRefused(delivered)) throw new Problem(`The webhook ${answerOf(delivered)}. ${why}`)
    await expectUnpaid(shop, order, `The shop took the order for paid. ${why}`)
  }

/** Checks that each of several events of a paid order is accepted, and that the order ships once. */
const shipsOnce =
  (why: string, eventsOf: (order: Order) => readonly SentEvent[]): Scenario['run'] =>
  async shop => {
    const order = await paidOrder(shop)
    for (const event of eventsOf(order)) expectAccepted(await shop.send(event), why)
    await expectShippedOnce(shop, order, why)
  }

/** Checks that an order stays unpaid after an event with a price that is not the shop's. */
const ofAnotherPrice =
  (priceOf: (order: Order) => { amount?: string; currency?: string }): Scenario['run'] =>
  async shop => {
    const order = await newOrder(shop)
    const { amount, currency } = { ...order, ...priceOf(order) }
    await shop.send(orderPaid(order, { amount, currency }))
    await expectUnpaid(
      shop,
      order,
      `The shop shipped for ${amount} ${currency}. Compare amount and currency with your order: some ` +
        'products let buyers choose the price.',
    )
  }

const now = () => Date.now() / 1000
const VERIFY =
  'Compute the signature over timestamp, dot and the raw body, compare it in constant time, and ' +
  'answer 400 or 401.'
const RECENT =
  'Refuse a timestamp that differs from the clock by more than five minutes: an old delivery can be replayed.'

export const scenarios: readonly Scenario[] = [
  {
    name: 'wrong_signature',
    title: 'order.paid, signed with another secret',
    run: refused((shop, event) => shop.send(event, { secret: 'whsec_of_somebody_else' }), VERIFY),
  },
  {
    name: 'no_signature',
    title: 'order.paid without a signature',
    run: refused((shop, event) => shop.send(event, { forge: () => '' }), VERIFY),
  },
  {
    name: 'old_signature',
    title: 'order.paid, signed ten minutes ago',
    run: refused((shop, event) => shop.send(event, { at: now() - TEN_MINUTES }), RECENT),
  },
  {
    name: 'future_signature',
    title: 'order.paid, signed for a time in ten minutes',
    run: refused((shop, event) => shop.send(event, { at: now() + TEN_MINUTES }), RECENT),
  },
  {
    name: 'rotated_secret',
    title: 'an order is paid while the signing secret is being replaced',
    async run(shop) {
      const order = await paidOrder(shop)
      const why =
        'Also accept a matching X-Service-Signature-Previous: it is made with the secret that you have, ' +
        'until you enter the new one.'
      expectAccepted(await shop.send(orderPaid(order), { newSecret: 'whsec_that_is_new' }), why)
      await expectShippedOnce(shop, order, why)
    },
  },
  {
    name: 'paid',
    title: 'an order is paid',
    async run(shop) {
      const order = await paidOrder(shop)
      expectAccepted(await shop.send(orderPaid(order)), 'It must accept a correct event with 200.')
      await expectShippedOnce(shop, order, 'Handle order.paid.')
    },
  },
  {
    name: 'duplicates',
    title: 'the same order.paid five times, three of them at once',
    async run(shop) {
      const order = await paidOrder(shop)
      const event = orderPaid(order)
      const why = 'Store the event ID under a unique key in the transaction that ships, and answer 200 again.'
      expectAccepted(await shop.send(event), why)
      const more = await Promise.all([1, 2, 3].map(() => shop.send(event)))
      for (const delivered of [...more, await shop.send(event)]) expectAccepted(delivered, why)
      await expectShippedOnce(shop, order, why)
    },
  },
  {
    name: 'duplicates_first',
    title: 'the first order.paid twice at the same moment',
    async run(shop) {
      const order = await paidOrder(shop)
      const event = orderPaid(order)
      const why = 'Two deliveries can arrive at once: a check before the write is not enough.'
      for (const delivered of await Promise.all([shop.send(event), shop.send(event)]))
        expectAccepted(delivered, why)
      await expectShippedOnce(shop, order, why)
    },
  },
  {
    name: 'unknown_event',
    title: 'an event of a type that does not exist yet',
    async run(shop) {
      const order = await newOrder(shop)
      const { body } = orderPaid(order, { type: 'order.archived' })
      expectAccepted(
        await shop.send({ type: 'order.archived', body }),
        'Ignore unknown types with 200: later versions add some, and refused events are repeated for ' +
          'three days.',
      )
      await expectUnpaid(shop, order, 'The shop took an unknown event for a payment. Look at the type.')
    },
  },
  {
    name: 'test_event',
    title: 'webhook.test, as from florin webhook test',
    run: async shop => expectAccepted(await shop.send(testEvent()), 'Look at the type, and answer 200.'),
  },
  {
    name: 'unsigned_header',
    title: 'payment.created whose header says order.paid',
    async run(shop) {
      const order = await newOrder(shop)
      await shop.send({ ...paymentEvent(order, 'created'), header: 'order.paid' })
      await expectUnpaid(
        shop,
        order,
        'The shop trusted X-Service-Event, which is not signed. Read the type from the body.',
      )
    },
  },
  {
    name: 'part_paid',
    title: 'half of an order is paid',
    async run(shop) {
      const order = await newOrder(shop)
      const why = 'Ship at order.paid alone: payment events tell of single payments, which may be a part.'
      for (const status of ['created', 'processing'] as const)
        expectAccepted(await shop.send(paymentEvent(order, status)), 'Accept payment events with 200.')
      await expectUnpaid(shop, order, `The shop took a part for the whole. ${why}`)
    },
  },
  {
    name: 'reversed',
    title: 'order.paid first, then what happened before it',
    run: shipsOnce('Events may arrive in any order. Once paid, an order stays paid.', order => [
      orderPaid(order),
      orderExpired(order),
      ...(['expired', 'failed', 'processing', 'created'] as const).map(status => paymentEvent(order, status)),
    ]),
  },
  {
    name: 'delayed',
    title: 'order.paid of an order that was paid three days ago',
    run: shipsOnce(
      'Deliveries are repeated for three days. Only X-Service-Timestamp must be recent, not createdAt or ' +
        'paidAt.',
      order => {
        const past = new Date(Date.now() - THREE_DAYS_MS).toISOString()
        return [orderPaid(order, { createdAt: past, paidAt: past })]
      },
    ),
  },
  {
    name: 'late',
    title: 'a late payment settles an order after payment.expired and order.expired',
    run: shipsOnce('A payment may arrive after its order expired, and still pay it.', order => [
      paymentEvent(order, 'expired'),
      orderExpired(order),
      paymentEvent(order, 'paid', { late: true }),
      orderPaid(order),
    ]),
  },
  {
    name: 'paid_twice',
    title: 'the buyer pays a second time',
    run: shipsOnce('A second payment is no second order: refund it, or ask the buyer.', order => [
      orderPaid(order),
      paymentEvent(order, 'paid'),
    ]),
  },
  {
    name: 'smaller_amount',
    title: 'order.paid with a smaller amount than the shop asked for',
    needsDoor: true,
    run: ofAnotherPrice(() => ({ amount: '0.01' })),
  },
  {
    name: 'other_currency',
    title: 'order.paid with the same number in a currency that is worth less',
    needsDoor: true,
    run: ofAnotherPrice(({ currency }) => ({ currency: currency === 'IDR' ? 'VND' : 'IDR' })),
  },
  {
    name: 'another_order',
    title: 'order.paid of an order that the shop never made, with the externalId of one that it made',
    async run(shop) {
      const order = await newOrder(shop)
      const delivered = await shop.send(orderPaid(order, { orderUUID: crypto.randomUUID() }))
      expectAccepted(delivered, 'Answer 200 for an order that you do not know: it may be made by hand.')
      await expectUnpaid(
        shop,
        order,
        'The shop found the order by externalId, which is not unique. Compare orderUUID too.',
      )
    },
  },
  {
    name: 'refunds',
    title: 'a refund in the dashboard of Florin, then two in the shop',
    needsDoor: true,
    run: refundFromBothSides,
  },
]

async function refundFromBothSides(shop: Shop): Promise<void> {
  const { server, door } = shop
  if (!door) return
  const order = await paidOrder(shop)
  const { orderUUID, amount, currency } = order
  await shop.send(orderPaid(order))
  const minor = (text: string) => minorOf(text, currency)
  const whole = minor(amount)
  const recorded = whole / 5n
  await server.call('recordRefund', 'POST', `/v1/orders/${orderUUID}/refunds`, {
    amount: amountOf(recorded, currency),
    reason: 'conformance',
  })
  if ((await door.refund(orderUUID, amount)) === 404) return
  await door.refund(orderUUID, amountOf(whole - recorded, currency))
  const { refundedAmount = '0' } = await getOrder(server, orderUUID)
  const { refunded } = await door.read(orderUUID)
  if (minor(refunded) > whole) {
    throw new Problem(`The shop refunded ${refunded} of ${amount}. Read refundedAmount before you refund.`)
  }
  if (minor(refunded) !== minor(refundedAmount)) {
    throw new Problem(
      `The shop says that ${refunded} is refunded, Florin says ${refundedAmount}. Record each refund by ` +
        'POST /v1/orders/{orderUUID}/refunds, and read refundedAmount for those that were made elsewhere.',
    )
  }
}
