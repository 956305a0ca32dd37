import type { CallFact, Json } from '../facts.ts'
import type { KnownOrder } from './book.ts'
import { amountOf, isSameJson, minorOf, percentOf, ratio, times } from './exact.ts'
import { mayBeDeleted } from './known.ts'
import { broken, dataOf, type MakeRule, nameOf, type Told } from './rule.ts'

/** Rule 1: an order keeps the properties with which it was requested. Rule 2: its status. */

const FIXED = [
  ...['merchantId', 'orderUUID', 'externalId', 'amount', 'currency', 'feePercent', 'platformFeeAmount'],
  ...['netAmount', 'customerId', 'customerEmail', 'customerFullName', 'paymentMethodsKeys', 'checkoutUrl'],
  ...['source', 'metadata', 'createdAt', 'description', 'returnUrl', 'productUUID', 'productName'],
  ...['receivingWallet'],
]
const REQUIRED = [
  ...['merchantId', 'orderUUID', 'transactionRef', 'externalId', 'amount', 'currency', 'status'],
  ...['customerId'],
  ...['customerEmail', 'customerFullName', 'feePercent', 'platformFeeAmount', 'netAmount', 'createdAt'],
  ...['feeCollectionStatus', 'paymentMethodsKeys', 'checkoutUrl', 'updatedAt'],
]
/** Fields that an order gets when it is paid, and then keeps. */
const FIXED_IF_PAID = ['paidAt', 'paidTransactionUUID', 'forced', 'forcedAt', 'forcedBy', 'forceReason']

const MOVES: Record<string, readonly string[]> = {
  UNPAID: ['UNPAID', 'PAID', 'FAILED', 'EXPIRED', 'CANCELLED'],
  EXPIRED: ['EXPIRED', 'PAID'],
  PAID: ['PAID'],
  FAILED: ['FAILED'],
  CANCELLED: ['CANCELLED'],
}

/** The provisioning status of an order that is over, by its status. */
const OVER: Record<string, string> = {
  PAID: 'SETTLED',
  EXPIRED: 'EXPIRED',
  CANCELLED: 'ABANDONED',
  FAILED: 'FAILED',
}

const [SECOND_MS, HOUR_MS] = [1000, 3_600_000]

export const makeOrders: MakeRule = book => {
  /** customer IDs by shop and email address */
  const customers = new Map<string, string>()

  /** 1e: a shop has one customer for each address, with one ID. */
  function customerProblems({ order, json }: Told): string[] {
    const key = `${order.shop} ${json.customerEmail.toLowerCase()}`
    const known = customers.get(key)
    customers.set(key, known ?? json.customerId)
    return broken([
      [known === undefined || known === json.customerId, `1e: ${nameOf(order)}: ${key} has two customer IDs`],
    ])
  }

  /** 1a to 1c: the fields of an order. */
  function fieldProblems({ order, json, shop, isConcurrent }: Told): string[] {
    const name = nameOf(order)
    const { first, last } = order
    const changed = first ? FIXED.filter(field => !isSameJson(json[field], first[field])) : []
    return [
      ...REQUIRED.filter(field => json[field] === undefined).map(field => `1a: ${name} has no ${field}`),
      ...changed.map(field => `1b: ${name} has another ${field}: ${JSON.stringify(json[field])}`),
      ...broken([
        [
          json.merchantId === book.shops.get(shop)?.id,
          `1a: ${name} is told to shop ${shop}, but is another shop's`,
        ],
        [
          isConcurrent ||
            !book.isClockRightSince(order.createdAt) ||
            !last ||
            Date.parse(json.updatedAt) >= Date.parse(last.updatedAt),
          `1b: ${name} was changed at ${json.updatedAt}, before what was said earlier`,
        ],
      ]),
      ...feeProblems(order, json),
    ]
  }

  /**
   * 1c: the fee is exact and rounded half up, at the percentage that the shop had when the order was created.
   */
  function feeProblems(order: KnownOrder, json: Json): string[] {
    const name = nameOf(order)
    const amount = minorOf(json.amount, json.currency)
    if (amount === null) return [`1a: ${name} has the amount ${json.amount} ${json.currency}`]
    const { over, under } = times(ratio(amount), percentOf(json.feePercent))
    const fee = (2n * over + under) / (2n * under)
    const percents = (book.shopHistory.get(order.shop) ?? []).map(shop => shop.feePercent)
    return broken([
      [json.amount === amountOf(amount, json.currency), `1a: ${name} writes its amount as ${json.amount}`],
      [
        json.platformFeeAmount === amountOf(fee, json.currency),
        `1c: ${name} has the fee ${json.platformFeeAmount}`,
      ],
      [json.netAmount === amountOf(amount - fee, json.currency), `1c: ${name} has the net ${json.netAmount}`],
      [
        percents.length === 0 || percents.some(one => isSamePercent(one, json.feePercent)),
        `1c: ${name} has a fee of ${json.feePercent} percent, which its shop never had`,
      ],
    ])
  }

  /** 1d: a new order has the requested properties. */
  function creationProblems({ order, json, call, at }: Told): string[] {
    if (call?.method !== 'POST' || !/^[/]v1[/]orders$/.test(call.path) || call.status !== 201) return []
    const { body } = call
    const name = nameOf(order)
    const isAsked = (field: string, told: unknown) =>
      [
        body[field] === undefined || isSameJson(body[field], told),
        `1d: ${name} has ${field} ${told}`,
      ] as const
    const asked = body.amount === undefined ? null : minorOf(body.amount, body.currency)
    const expiry = body.expiresAt === undefined ? null : Date.parse(body.expiresAt)
    const now = at + book.aheadMs
    const usual = now + (book.server?.orderExpiryMs ?? 0)
    return broken([
      [order.first === null, `1d: ${name} is created twice`],
      [json.status === 'UNPAID', `1d: ${name} is new and ${json.status}`],
      [asked === null || asked === minorOf(json.amount, json.currency), `1d: ${name} is of ${json.amount}`],
      isAsked('currency', json.currency),
      isAsked('externalId', json.externalId),
      ...(body.productUUID === undefined ? [isAsked('metadata', json.metadata)] : []),
      isAsked('paymentMethodsKeys', json.paymentMethodsKeys),
      [body.customer?.email === json.customerEmail, `1d: ${name} is of ${json.customerEmail}`],
      [
        expiry === null
          ? Math.abs(Date.parse(json.expiresAt) - usual) <= SECOND_MS
          : expiry === Date.parse(json.expiresAt),
        `1d: ${name} expires at ${json.expiresAt}`,
      ],
      [
        isSamePercent(json.feePercent, book.shops.get(order.shop)?.feePercent ?? json.feePercent),
        `1c: ${name} is new, with a fee of ${json.feePercent} percent`,
      ],
      [Math.abs(Date.parse(json.createdAt) - now) <= 60_000, `1d: ${name} is created at ${json.createdAt}`],
    ])
  }

  /** 2a to 2d: the status of an order, and its changes. */
  function statusProblems({ order, json, at, isConcurrent }: Told): string[] {
    const name = nameOf(order)
    const { last } = order
    const { status } = json
    const isMove = isConcurrent || !last || MOVES[last.status]?.includes(status) === true
    const isPaid = status === 'PAID'
    const changed =
      last?.status === 'PAID' && isPaid
        ? FIXED_IF_PAID.filter(field => !isSameJson(json[field], last[field]))
        : []
    const isForced = json.forced === true
    return [
      ...changed.map(field => `2b: ${name} is paid and has another ${field}: ${JSON.stringify(json[field])}`),
      ...broken([
        [isMove, `2a: ${name} was ${last?.status} and is ${status}`],
        [
          !OVER[status] || json.provisioningStatus === OVER[status],
          `2e: ${name} is ${status}, and its checkout ${json.provisioningStatus}`,
        ],
        [isPaid === (json.paidAt !== undefined), `2b: ${name} is ${status} and paidAt is ${json.paidAt}`],
        [
          (isPaid && !isForced) === (json.paidTransactionUUID !== undefined),
          `2b: ${name} is ${status}${isForced ? ' and forced' : ''}, with the transaction ${json.paidTransactionUUID}`,
        ],
        [
          !isForced || mayBeDecided(order, 'force'),
          `2c: ${name} is forced, but nobody who may has forced it`,
        ],
        [
          status !== 'CANCELLED' || mayBeDecided(order, 'cancel'),
          `2c: ${name} is cancelled, but nobody who may has cancelled it`,
        ],
        [
          status !== 'CANCELLED' || order.attempts.length === 0,
          `2f: ${name} is cancelled, but its buyer had begun to pay`,
        ],
        [
          status !== 'FAILED' || order.provider.length + order.cards.length > 0,
          `2c: ${name} failed, but no provider was asked`,
        ],
        [
          status !== 'EXPIRED' || mayBeExpired(order, json, at),
          `2d: ${name} expired before ${json.expiresAt}`,
        ],
        [
          isConcurrent || status !== 'EXPIRED' || !isHeld(order, json),
          `2d: ${name} expired while the time to pay still ran`,
        ],
        [
          status !== 'UNPAID' || mayBeOpen(order, json, at),
          `2d: ${name} is still UNPAID, long after ${json.expiresAt}`,
        ],
      ]),
    ]
  }

  const mayBeDecided = (order: KnownOrder, what: 'force' | 'cancel'): boolean =>
    order.decisions.some(
      ({ what: done, by }) =>
        done === what && (by.shop === order.shop || by.shop === null) && by.who !== 'viewer',
    ) ||
    (what === 'cancel' &&
      order.calls.some(({ path, by }) => path.endsWith('/cancel') && by.shop === order.shop))

  /** The most by which the server's clock was ahead since the order was created. */
  const aheadMost = (): number => Math.max(...book.clocks.map(({ aheadMs }) => aheadMs))

  const mayBeExpired = (order: KnownOrder, json: Json, at: number): boolean =>
    at + aheadMost() >= Date.parse(json.expiresAt) || order.decisions.some(({ what }) => what === 'end')

  /** True if the time of an open payment had not ended when the order expired. */
  const isHeld = (order: KnownOrder, json: Json): boolean =>
    order.last?.status === 'UNPAID' &&
    book.isClockRightSince(order.createdAt) &&
    !order.decisions.some(({ what }) => what === 'end') &&
    order.attempts.some(({ lockedUntil, openedAt }) => {
      const expiredAt = Date.parse(json.updatedAt)
      return openedAt < expiredAt && expiredAt < lockedUntil
    })

  /**
   * True if a lock is running, a payment is unconfirmed, or a bank has not decided on a debit: then the order
   * need not have expired. The hours are the longest pause between two checks.
   */
  function mayBeOpen(order: KnownOrder, json: Json, at: number): boolean {
    if (!book.isClockRightSince(at - 3 * HOUR_MS)) return true
    const locks = order.attempts.map(({ lockedUntil }) => lockedUntil)
    const since = Math.max(Date.parse(json.expiresAt), ...locks) + 3 * HOUR_MS
    const isPending = order.transfers.some(
      one => one.gone === null && one.sent.seenAt !== Infinity && !book.isFinal(one, at - 3 * HOUR_MS),
    )
    // The server may ask a bank once a day.
    const hasEnded = (session: string): boolean =>
      order.cards.some(
        one =>
          one.session === session &&
          (one.what === 'charged' || one.what === 'failed') &&
          one.at <= at - 27 * HOUR_MS,
      )
    const hasDebit = order.cards.some(({ what, session }) => what === 'pending' && !hasEnded(session))
    return (
      at <= since ||
      isPending ||
      hasDebit ||
      order.attempts.some(one => book.wasLiedTo(one.asset.chain, at - 27 * HOUR_MS, at, () => true))
    )
  }

  /** 1f: an order that the API has returned once does not disappear, unless it may have been deleted. */
  function lost({ by, path, method, status, at }: CallFact): string[] {
    const order =
      method === 'GET' ? book.orders.get(/^[/]v1[/]orders[/]([^/?]+)$/.exec(path)?.[1] ?? '') : undefined
    const isOwn = order !== undefined && order.shop === by.shop && /^(?:live|test|read)$/.test(by.key)
    return isOwn && status === 404 && !mayBeDeleted(order, at + book.aheadMs)
      ? [`1f: ${nameOf(order)} is not found`]
      : []
  }

  return {
    note(fact) {
      if (fact.fact === 'call' && fact.method === 'GET') return lost(fact)
      if (fact.fact !== 'call' || fact.method !== 'POST' || fact.status !== 201) return []
      const data = dataOf(fact)
      const isProduct = /^[/]v1[/]checkout[/]products[/][^/]+[/]orders$/.test(fact.path)
      return isProduct && data?.status !== 'UNPAID' ? [`1d: a product's new order is ${data?.status}`] : []
    },
    told: told => [
      ...creationProblems(told),
      ...fieldProblems(told),
      ...statusProblems(told),
      ...customerProblems(told),
    ],
  }
}

const isSamePercent = (one: string, other: string): boolean => {
  const [mine, theirs] = [percentOf(one), percentOf(other)]
  return mine.over * theirs.under === theirs.over * mine.under
}
