import { createHmac } from 'node:crypto'
import type { DeliverySaying, Json } from '../facts.ts'
import type { KnownOrder, KnownTransfer } from './book.ts'
import { isSurelyInTime } from './coverage.ts'
import { isSameJson } from './exact.ts'
import { hiddenUntil, whyNotPaid } from './paid.ts'
import { broken, type MakeRule, nameOf } from './rule.ts'

/**
 * Rule 10, contents of events: signed, of the specified form, and one `order.paid` for an order. tries.ts
 * checks when they are sent.
 */

const MINUTE_MS = 60_000
/** Lies of an endpoint that answers, but may leave a payment out. */
const HIDING = /^(?:omit|blank|hide|short|unknown|lag|splitLag|lateIndex|lateLists)$/
const isHiding = (lie: string): boolean => HIDING.test(lie)
/** Lies that a payment is searched above, until an honest answer shows them. */
const isFar = (lie: string): boolean => /^far(?:Tip|Head)$/.test(lie)
/** The method of payments in coins, in events. */
const COINS = 'crypto'

const PAID_FIELDS = [
  ...[
    'id',
    'type',
    'createdAt',
    'orderUUID',
    'transactionUUID',
    'transactionRef',
    'status',
    'amount',
    'currency',
  ],
  ...['customerEmail', 'externalId', 'metadata', 'paidAt'],
]
const OPTIONAL = new Set(['transactionUUID', 'transactionRef'])
const SETTLEMENTS = ['exact', 'short', 'over', 'late', 'accepted', 'forced']

export const makeEvents: MakeRule = book => {
  const known = new Set<string>()
  const paidEvent = new Map<string, string>()

  /** deliveries of this step, by shop and URL, because the shop may have changed the URL in this step */
  const sentTo = new Set<string>()

  /** 10a: events go to the shop's URL, or to the one that it had when the step began. */
  function wrongUrls(): string[] {
    const found = [...sentTo].flatMap(key => {
      const [shop = '', url = ''] = key.split(' ')
      const history = book.shopHistory.get(Number(shop)) ?? []
      const own = history.filter(
        (_, index) => index >= history.length - 1 || history[index + 1]!.step === book.step,
      )
      const isOwn = own.length === 0 || own.some(({ webhook }) => webhook?.url === url)
      return isOwn ? [] : [`10a: an event of shop ${shop} is sent to ${url}`]
    })
    sentTo.clear()
    return found
  }

  /** 10a: the event is signed with the shop's secret, and for some hours also with the former one. */
  function headerProblems({ shop, headers, body, at, url }: DeliverySaying, id: string): string[] {
    const webhook = book.shops.get(shop)?.webhook
    sentTo.add(`${shop} ${url}`)
    const timestamp = headers['x-service-timestamp'] ?? ''
    const signed = (secret: string) =>
      createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('base64url')
    const previous = webhook?.previous
    const isOverlapping = previous != null && at + book.aheadMs < previous.until
    const seconds = Number(timestamp)
    const isNear = book.clocks.some(({ aheadMs }) => Math.abs(seconds * 1000 - at - aheadMs) <= 5 * MINUTE_MS)
    return broken([
      [
        !webhook?.secret || headers['x-service-signature'] === signed(webhook.secret),
        `10a: an event of shop ${shop} is not signed with its secret`,
      ],
      [
        headers['x-service-signature-previous'] === (isOverlapping ? signed(previous.secret) : undefined),
        `10a: an event of shop ${shop} is ${isOverlapping ? 'not ' : ''}signed with its former secret`,
      ],
      [/^[0-9]+$/.test(timestamp) && isNear, `10a: an event is sent with the time ${timestamp}`],
      [
        headers['x-service-event-id'] === id,
        `10a: the event ${id} is sent as ${headers['x-service-event-id']}`,
      ],
    ])
  }

  /** 10b: every field of the body of order.paid. */
  function bodyProblems(order: KnownOrder, json: Json, headers: Record<string, string>): string[] {
    const name = nameOf(order)
    const { first } = order
    const fields = Object.keys(json)
    const isForced = headers['x-service-settlement'] === 'forced'
    const missing = PAID_FIELDS.filter(field => !fields.includes(field) && !OPTIONAL.has(field))
    const wrong = first
      ? ['amount', 'currency', 'customerEmail', 'externalId', 'metadata'].filter(
          field => !isSameJson(json[field], first[field]),
        )
      : []
    return broken([
      [missing.length === 0, `10b: order.paid of ${name} lacks ${missing.join(' ')}`],
      [
        fields.every(field => PAID_FIELDS.includes(field)),
        `10b: order.paid of ${name} has ${fields.join(' ')}`,
      ],
      [wrong.length === 0, `10b: order.paid of ${name} tells another ${wrong.join(' ')}`],
      [json.status === 'PAID', `10b: order.paid of ${name} tells ${json.status}`],
      [
        SETTLEMENTS.includes(headers['x-service-settlement'] ?? ''),
        `10b: ${name} is settled, but not said how`,
      ],
      [
        isForced === (json.transactionUUID === undefined) && isForced === (json.transactionRef === undefined),
        `10b: order.paid of ${name} tells the transaction ${json.transactionUUID}`,
      ],
      ...agreeing(order, json),
    ])
  }

  /** The order's event must agree with the API about a paid order. */
  const agreeing = (order: KnownOrder, json: Json): (readonly [boolean, string])[] => {
    const { last } = order
    if (last?.status !== 'PAID') return []
    return [
      [
        json.paidAt === last.paidAt,
        `10b: order.paid of ${nameOf(order)} tells ${json.paidAt}, not ${last.paidAt}`,
      ],
      [
        json.transactionUUID === last.paidTransactionUUID,
        `10b: order.paid of ${nameOf(order)} tells another transaction than the API`,
      ],
    ]
  }

  /** 10e: events of payments are sent only to shops that subscribed to them. */
  function paymentProblems({ shop, body }: DeliverySaying, { type, id, orderUUID }: Json): string[] {
    const history = book.shopHistory.get(shop) ?? []
    const isAsked = history.some(({ webhook }) => webhook?.eventTypes.includes(type))
    const other = type === 'payment.paid' ? paidEvent.get(`${type} ${orderUUID}`) : undefined
    if (type === 'payment.paid') paidEvent.set(`${type} ${orderUUID}`, id)
    return broken([
      [isAsked || history.length === 0, `10e: shop ${shop} gets ${type}, for which it did not ask`],
      [
        other === undefined || other === id,
        `10e: the order ${orderUUID} is told twice in payment.paid: ${body}`,
      ],
    ])
  }

  /** events of expired payments in this step, because the step may have opened another payment */
  const expired: [DeliverySaying, Json][] = []

  function wronglyExpired(): string[] {
    const found = expired.flatMap(([saying, json]) => expiredProblems(saying, json))
    expired.length = 0
    return found
  }

  /**
   * True if every answer from a payment's block on to the making of an event showed the payment as final. A
   * payment that one answer left out, or that is below a false height, may stay unknown for long.
   */
  function wasShown(one: KnownTransfer, at: number, madeAt: number): boolean {
    const { block, sent } = one
    const skew = book.skewIn(madeAt, madeAt)
    const [least, most] = [Math.min(at, madeAt - skew), Math.min(at, madeAt + skew)]
    if (block === null || !book.isFinal(one, least) || hiddenUntil(sent) > least) return false
    const { openedAt } = one.attempt
    return (
      !book.wasLiedTo(sent.chain, block.time, most, isHiding) &&
      !book.wasLiedTo(sent.chain, openedAt, openedAt, isFar)
    )
  }

  /** 10i: the only payment of an order is reported as expired after its grace, and never if money came. */
  function expiredProblems({ at }: DeliverySaying, { orderUUID, createdAt }: Json): string[] {
    const order = book.orders.get(orderUUID)
    const [attempt, ...others] = order?.attempts ?? []
    const isPlain = others.length === 0 && order?.hasOthers === false && order.decisions.length === 0
    if (!order || !attempt || !isPlain || order.pages.length > 0) return []
    // Nobody can pay a Lightning invoice late.
    const isInvoice = book.chainOf(attempt.asset.chain).family === 'lightning'
    const madeAt = Date.parse(createdAt)
    const end = attempt.lockedUntil + (isInvoice ? 0 : (book.server?.graceMs ?? 0))
    const hasMoney = order.transfers.some(
      one => isSurelyInTime(book, order, one) && one.sent.kind === 'payment' && wasShown(one, at, madeAt),
    )
    return broken([
      [madeAt >= end, `10i: ${nameOf(order)}: its payment is called expired before ${end}`],
      [!hasMoney, `10i: ${nameOf(order)}: its payment is called expired, although money came`],
    ])
  }

  /** The first delivery to a shop about a paid order. */
  function paidProblems({ at, headers }: DeliverySaying, json: Json, order: KnownOrder): string[] {
    const other = paidEvent.get(order.id)
    const isKnownPaid = order.last?.status === 'PAID' || headers['x-service-settlement'] === 'forced'
    const why = isKnownPaid ? null : whyNotPaid(book, order, at)
    paidEvent.set(order.id, json.id)
    return [
      ...broken([
        [other === undefined, `10c: ${nameOf(order)} has the events ${other} and ${json.id}`],
        [why === null, `5a: order.paid is sent for ${nameOf(order)}, but ${why}`],
      ]),
      ...bodyProblems(order, json, headers),
    ]
  }

  function firstProblems(saying: DeliverySaying, json: Json): string[] {
    const order = book.orders.get(json.orderUUID)
    const isInCoin = (json.methodKey ?? COINS) === COINS
    if (json.type === 'payment.expired' && isInCoin) expired.push([saying, json])
    if (json.type !== 'order.paid') return paymentProblems(saying, json)
    return order ? paidProblems(saying, json, order) : []
  }

  function heard(saying: DeliverySaying): string[] {
    const json: Json = JSON.parse(saying.body)
    const { shop } = saying
    const headers = headerProblems(saying, json.id)
    if (json.type === 'webhook.test' || known.has(json.id)) return headers
    known.add(json.id)
    const order = book.orders.get(json.orderUUID)
    const isOwn = order === undefined || order.shop === shop
    return [
      ...headers,
      ...broken([[isOwn, `14a: shop ${shop} hears of the order ${json.orderUUID} of shop ${order?.shop}`]]),
      ...firstProblems(saying, json),
    ]
  }

  return {
    hear: saying => (saying.says === 'delivery' ? heard(saying) : []),
    step: () => [...wrongUrls(), ...wronglyExpired()],
  }
}
