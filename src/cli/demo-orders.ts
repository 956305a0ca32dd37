import type { Running } from '../boot/serve.ts'
import { isLocked } from '../domain/attempt.ts'
import { assert } from '../domain/errors.ts'
import { allOf } from '../domain/opening.ts'
import { LOCK_MS } from '../domain/quote.ts'
import type { Context } from '../operations/context.ts'
import { cancelOrder } from '../operations/orders/cancel.ts'
import { createOrder } from '../operations/orders/create.ts'
import { expireOrder } from '../operations/orders/end.ts'
import { findOrders } from '../operations/orders/read.ts'
import { checkOrder } from '../operations/payments/check-order.ts'
import { type Checkout, loadCheckout } from '../operations/payments/load-checkout.ts'
import { openCryptoAttempt } from '../operations/payments/open-crypto.ts'
import { provisionAttempt } from '../operations/payments/open-provider.ts'
import { recordRefund } from '../operations/refunds/record.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** An order of an earlier start is replaced if it, or its quoted price, ends sooner than this. */
const LEFT_MS = 10 * MINUTE_MS
/** Remaining lifetime of the order that expires with a late part of its amount. */
const ENDS_SOON_MS = 10_000
/** Max orders with the same external ID that are examined. */
const FOUND_MAX = 20

type Outcome = 'paid' | 'pending' | 'underpaid' | 'overpaid' | 'late' | 'failed'

/** Tools for making an order of the demo. */
interface OrderMaker {
  context: Context
  merchantId: string
  /**
   * Creates the order `agoMs` ago; `past` is a context with a clock that is behind by as much. The order ends
   * in a day by default.
   */
  create(agoMs?: number, endsInMs?: number): Promise<{ past: Context; id: string }>
  /** Gives the order's payment an outcome in the sandbox, then checks it. */
  simulate(id: string, outcome: Outcome): Promise<void>
}

interface DemoOrder {
  label: string
  make(making: OrderMaker): Promise<string>
  /** true if the page of the order still shows the state that the order is made for */
  holds(checkout: Checkout, now: number): boolean
}

const inCoin = async (
  { create, simulate }: OrderMaker,
  asset: string,
  outcome?: Outcome,
): Promise<string> => {
  const { past, id } = await create()
  await openCryptoAttempt(past, id, asset)
  if (outcome) await simulate(id, outcome)
  return id
}

const byCard = async ({ create, simulate }: OrderMaker, outcome?: Outcome): Promise<string> => {
  const { past, id } = await create()
  await provisionAttempt(past, id, 'moonpay')
  if (outcome) await simulate(id, outcome)
  return id
}

/** Pays after the price and its grace have ended. The order may end soon. */
const inCoinLate = async (
  { context, create, simulate }: OrderMaker,
  outcome: Outcome,
  endsInMs?: number,
): Promise<string> => {
  const agoMs = LOCK_MS + context.policy.lateGraceMs + 30 * MINUTE_MS
  const { past, id } = await create(agoMs, endsInMs)
  await openCryptoAttempt(past, id, 'ltc')
  await simulate(id, outcome)
  return id
}

const isOpenFor = ({ order }: Checkout, now: number): boolean =>
  order.status === 'UNPAID' && order.expiresAt - now > LEFT_MS

const isPaid = ({ order }: Checkout): boolean => order.status === 'PAID'

/** True if the order has one attempt, which has the given state and enough time left. */
const isWaiting = (checkout: Checkout, now: number, state: string): boolean => {
  const [attempt, ...others] = allOf(checkout)
  if (attempt?.state !== state || others.length > 0) return false
  return isOpenFor(checkout, now) && isLocked(attempt, now + LEFT_MS)
}

/** An order for which nothing was opened yet. */
export const orderToPay: DemoOrder = {
  label: 'To pay',
  make: async ({ create }) => (await create()).id,
  holds: (checkout, now) => isOpenFor(checkout, now) && allOf(checkout).length === 0,
}

/** The demo's orders, one for each page that a buyer may see. */
const demoOrders = {
  toPay: orderToPay,
  waitingForCoin: {
    label: 'Waiting for a coin',
    make: making => inCoin(making, 'polygon/usdc'),
    holds: (checkout, now) => isWaiting(checkout, now, 'waiting'),
  },
  waitingForCard: {
    label: 'Waiting for a card',
    make: making => byCard(making),
    holds: (checkout, now) => isWaiting(checkout, now, 'waiting'),
  },
  confirming: {
    label: 'Confirming',
    make: making => inCoin(making, 'btc', 'pending'),
    holds: ({ order, attempts }) =>
      order.status === 'UNPAID' && attempts.length === 1 && attempts[0]?.state === 'confirming',
  },
  partlyPaid: {
    label: 'Partly paid',
    make: making => inCoin(making, 'doge', 'underpaid'),
    holds: (checkout, now) => isWaiting(checkout, now, 'underpaid'),
  },
  paidByCard: { label: 'Paid by card', make: making => byCard(making, 'paid'), holds: isPaid },
  paidInCrypto: { label: 'Paid in crypto', make: making => inCoin(making, 'btc', 'paid'), holds: isPaid },
  overpaid: {
    label: 'Overpaid',
    make: making => inCoin(making, 'ethereum/usdc', 'overpaid'),
    holds: checkout =>
      isPaid(checkout) &&
      checkout.attempts.some(({ confirmedAtomic, dueAtomic }) => confirmedAtomic > dueAtomic),
  },
  paidLate: { label: 'Paid late', make: making => inCoinLate(making, 'late'), holds: isPaid },
  arrivedLate: {
    label: 'Paid too late',
    async make(making) {
      // If the order had already ended, opening a payment would be refused.
      const id = await inCoinLate(making, 'underpaid', ENDS_SOON_MS)
      await expireOrder(before(making.context, -ENDS_SOON_MS), id)
      return id
    },
    holds: ({ order, unmatched }) => order.status === 'EXPIRED' && unmatched.length > 0,
  },
  expired: {
    label: 'Expired',
    async make({ context, create }) {
      const { id } = await create(2 * LOCK_MS, -LOCK_MS)
      await expireOrder(context, id)
      return id
    },
    holds: checkout => checkout.order.status === 'EXPIRED' && allOf(checkout).length === 0,
  },
  cancelled: {
    label: 'Cancelled',
    async make({ context, merchantId, create }) {
      const { id } = await create()
      await cancelOrder(context, merchantId, id, 'demo', 'The house blend is sold out')
      return id
    },
    holds: ({ order }) => order.status === 'CANCELLED',
  },
  partlyRefunded: {
    label: 'Partly refunded',
    async make(making) {
      const orderId = await inCoin(making, 'solana/usdc', 'paid')
      const body = { amount: '10.00', reason: 'One bag was torn' }
      const { context, merchantId } = making
      await recordRefund(context, {
        merchantId,
        orderId,
        by: 'demo',
        idempotencyKey: `demo-${orderId}`,
        body,
      })
      return orderId
    },
    holds: ({ order }) => order.refundStatus === 'PARTIAL',
  },
  declined: {
    label: 'Card declined',
    make: making => byCard(making, 'failed'),
    holds: (checkout, now) =>
      isOpenFor(checkout, now) && checkout.attempts.length === 1 && checkout.attempts[0]?.state === 'failed',
  },
} satisfies Record<string, DemoOrder>

/** A context with a clock that is behind by `ms`; negative for ahead. */
const before = (context: Context, ms: number): Context => {
  const clock = () => context.clock() - ms
  return { ...context, clock, ids: { ...context.ids, uuid: () => Bun.randomUUIDv7('hex', clock()) } }
}

function makingOf({ florin }: Running, merchantId: string, externalId: string): OrderMaker {
  const { context, http } = florin
  return {
    context,
    merchantId,
    async create(agoMs = 0, endsInMs = DAY_MS) {
      const past = agoMs === 0 ? context : before(context, agoMs)
      const { order } = await createOrder(past, merchantId, {
        amount: '25.00',
        currency: 'USD',
        paymentMethodsKeys: ['*'],
        customer: { email: 'buyer@example.com', fullName: 'Sam Buyer' },
        description: 'Two bags of house blend, whole bean',
        externalId,
        expiresAt: new Date(context.clock() + endsInMs).toISOString(),
      })
      return { past, id: order.id }
    },
    async simulate(orderUUID, outcome) {
      const response = await http.handle(
        new Request('http://localhost/sandbox/simulate', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ orderUUID, outcome }),
        }),
      )
      assert(response.ok, 'the sandbox simulates every outcome')
      await checkOrder(context, orderUUID)
    },
  }
}

/** Finds an order of an earlier start whose page still shows the state, or makes a new one. */
export async function findOrMake(
  running: Running,
  merchantId: string,
  externalId: string,
  { make, holds }: DemoOrder,
): Promise<string> {
  const { context } = running.florin
  for (const { order } of await findOrders(context, { merchantId, externalId }, FOUND_MAX)) {
    if (holds(await loadCheckout(context, order.id), context.clock())) return order.id
  }
  const id = await make(makingOf(running, merchantId, externalId))
  assert(holds(await loadCheckout(context, id), context.clock()), 'an order of the demo has its state')
  return id
}

export interface DemoPage {
  /** name in the answer of `florin demo --json` */
  state: string
  label: string
  url: string
}

/**
 * Makes an order in each state, through the operations that shops and buyers use. Orders of an earlier start
 * are used again. The first order is essential; others that cannot be made are left out and logged.
 */
export async function openDemoOrders(running: Running, merchantId: string): Promise<DemoPage[]> {
  const { context } = running.florin
  const pages = await Promise.all(
    Object.entries<DemoOrder>(demoOrders).map(async ([state, demoOrder], index): Promise<DemoPage[]> => {
      const { label } = demoOrder
      try {
        const id = await findOrMake(running, merchantId, `DEMO-${index + 1}`, demoOrder)
        const url = `${context.policy.checkoutUrl}/pay/${id}`
        const receipt = { state: 'receipt', label: 'Receipt', url: `${url}/receipt` }
        return [{ state, label, url }, ...(state === 'paidInCrypto' ? [receipt] : [])]
      } catch (error) {
        if (state === 'toPay') throw error
        context.log.warn({ state, error: String(error) }, 'demo.order.failed')
        return []
      }
    }),
  )
  return pages.flat()
}
