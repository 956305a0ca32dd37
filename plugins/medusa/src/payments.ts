import { isAutomatic } from './automatic.ts'
import type { CreateOrder, Order } from './florin/api.ts'
import { type Florin, FlorinError } from './florin/client.ts'
import { decimalOf } from './money.ts'
import type { FlorinOptions } from './options.ts'
import { adopt, type IsInMedusa, ownerOf, reasonOf } from './refunds.ts'

/** A refusal with a message for people. `type` is its type as an error of Medusa. */
export class PaymentError extends Error {
  constructor(
    readonly type: 'not_allowed' | 'invalid_data',
    message: string,
  ) {
    super(message)
  }
}

/** A sum in the currency of a cart. */
export interface Sum {
  amount: unknown
  currency_code: string
}

type Data = Record<string, unknown>

export interface Buyer {
  email?: string | null
  first_name?: string | null
  last_name?: string | null
}

/** The data that Medusa stores with a payment session, and shows to the storefront. */
export interface PaymentData extends Data {
  session_id: string
  orderUUID: string
  /** URL to which the storefront sends the buyer */
  checkoutUrl: string
  amount: string
  currency: string
  orderStatus: Order['status']
  /** the amount that arrived, and its coin */
  receivedAmount?: string
  receivedCurrency?: string
  /** IDs of refunds in Florin, by the IDs of the refunds in Medusa */
  refunds?: Record<string, string>
}

const textIn = (data: Data | undefined, name: string): string | undefined => {
  const value = data?.[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

const dataOf = (order: Order, data: Data, session: string): PaymentData => ({
  ...data,
  session_id: session,
  orderUUID: order.orderUUID,
  checkoutUrl: order.checkoutUrl,
  amount: order.amount,
  currency: order.currency,
  orderStatus: order.status,
  ...(order.receivedAmount !== undefined && { receivedAmount: order.receivedAmount }),
  ...(order.receivedCurrency !== undefined && { receivedCurrency: order.receivedCurrency }),
})

/** States of a payment in which money was seen. */
const SEEN = ['underpaid', 'confirming', 'settled']

const isCode = (error: unknown, code: FlorinError['code']): boolean =>
  error instanceof FlorinError && error.code === code

/** The orders of Florin behind the payment sessions of Medusa. */
export class Payments {
  readonly #florin: Florin
  readonly #options: FlorinOptions

  constructor(florin: Florin, options: FlorinOptions) {
    this.#florin = florin
    this.#options = options
  }

  /** Creates the order of a session. The same key returns the same order. */
  async open(sum: Sum, data: Data | undefined, buyer: Buyer | undefined, key: string): Promise<PaymentData> {
    const session = textIn(data, 'session_id') ?? key
    const email = textIn(data, 'email') ?? buyer?.email
    if (!email) {
      throw new PaymentError(
        'invalid_data',
        'The cart has no email address. Set it before the payment session.',
      )
    }
    const fullName = [buyer?.first_name, buyer?.last_name].filter(Boolean).join(' ')
    const cart = textIn(data, 'cart_id')
    const { paymentMethods = ['*'], returnUrl } = this.#options
    const body: CreateOrder = {
      amount: decimalOf(sum.amount, sum.currency_code),
      currency: sum.currency_code.toUpperCase(),
      paymentMethodsKeys: paymentMethods,
      customer: { email, ...(fullName !== '' && { fullName }) },
      externalId: session,
      metadata: { session_id: session, ...(cart && { cart_id: cart }) },
      ...(returnUrl && { returnUrl: returnUrl.replaceAll('{cart_id}', encodeURIComponent(cart ?? '')) }),
    }
    return dataOf(await this.#florin.createOrder(body, { idempotencyKey: key }), data ?? {}, session)
  }

  /** Keeps the order of a session if the sum is the same. Otherwise ends the order and creates another. */
  async change(sum: Sum, data: Data | undefined, buyer: Buyer | undefined): Promise<PaymentData> {
    const [session, orderUUID] = [textIn(data, 'session_id'), textIn(data, 'orderUUID')]
    if (!session) throw new PaymentError('invalid_data', 'The payment session has no data of Florin.')
    if (!orderUUID) return this.open(sum, data, buyer, session)
    const order = await this.#florin.getOrder(orderUUID)
    const isSame =
      order.amount === decimalOf(sum.amount, sum.currency_code) &&
      order.currency === sum.currency_code.toUpperCase()
    if (isSame && order.status === 'UNPAID') return dataOf(order, data ?? {}, session)
    await this.end(data)
    return this.open(sum, data, buyer ?? { email: order.customerEmail }, `${session}:${orderUUID}`)
  }

  /** Returns the status of a payment by its order in Florin, never by what the storefront says. */
  async read(data: Data | undefined): Promise<{ status: Status; data: PaymentData }> {
    const [session, orderUUID] = [textIn(data, 'session_id'), textIn(data, 'orderUUID')]
    if (!session || !orderUUID) {
      throw new PaymentError('invalid_data', 'The payment session has no order in Florin.')
    }
    const order = await this.#florin.getOrder(orderUUID)
    const isOurs =
      order.externalId === session && order.amount === data?.amount && order.currency === data?.currency
    return { status: isOurs ? statusOf(order) : 'error', data: dataOf(order, data ?? {}, session) }
  }

  /**
   * Ends the order of a session that the buyer left: the cart changed, or another way to pay was chosen.
   * Refuses if the order is paid or a payment was seen, because that money belongs to this cart.
   */
  async end(data: Data | undefined): Promise<Data> {
    const orderUUID = textIn(data, 'orderUUID')
    if (!orderUUID) return data ?? {}
    try {
      await this.#florin.call('cancelOrder', {
        path: { orderUUID },
        body: { reason: 'The cart was changed.' },
      })
    } catch (error) {
      // If Florin cannot be reached, buyers can still pay in another way. Money that arrives nevertheless is
      // reported.
      if (isCode(error, 'no_response') || isCode(error, 'not_found')) return data ?? {}
      if (!isCode(error, 'order_not_cancellable')) throw error
      await this.#refuseIfSeen(orderUUID)
    }
    return data ?? {}
  }

  async #refuseIfSeen(orderUUID: string): Promise<void> {
    const { status } = await this.#florin.getOrder(orderUUID)
    if (status === 'PAID') {
      throw new PaymentError('not_allowed', 'This payment has arrived. Refund it instead of cancelling it.')
    }
    if (await this.#isSeen(orderUUID)) {
      throw new PaymentError('not_allowed', 'A payment is on its way. Wait until it is confirmed.')
    }
  }

  /** True if money was seen for an order, although the order is not paid yet. */
  async #isSeen(orderUUID: string): Promise<boolean> {
    const { attempts } = await readStatus(this.#options.url, orderUUID)
    return attempts.some(({ state, credited }) => SEEN.includes(state) || /[1-9]/.test(credited))
  }

  /**
   * Records a refund in Florin. This moves no money: the merchant sends it, from the page of the order in
   * Florin. If Florin has a refund of the same amount that belongs to no refund in Medusa, that refund is
   * used: it was made in Florin first, or the shop was killed after recording it. `key` is the ID of the
   * refund in Medusa.
   */
  async refund(amount: unknown, data: Data | undefined, key: string, isInMedusa: IsInMedusa): Promise<Data> {
    const orderUUID = textIn(data, 'orderUUID')
    if (!orderUUID) throw new PaymentError('invalid_data', 'The payment has no order in Florin.')
    if (isAutomatic()) {
      throw new PaymentError(
        'not_allowed',
        'Florin sends no money back by itself. Refund the payment in the admin.',
      )
    }
    const sum = decimalOf(amount, textIn(data, 'currency') ?? '')
    const known = refundsIn(data)
    const all = await this.refundsOf(orderUUID)
    const isOther = (id: string) => Object.entries(known).some(([owner, one]) => one === id && owner !== key)
    const free = all.filter(({ refundId, amount: one }) => one === sum && !isOther(refundId))
    const same = free.find(one => ownerOf(one) === key) ?? (await adopt(free, key, isInMedusa))
    const { refundId } = same ?? (await this.#record(orderUUID, sum, key))
    return { ...data, refunds: { ...known, [key]: refundId } }
  }

  async #record(orderUUID: string, amount: string, key: string) {
    try {
      const body = { amount, reason: reasonOf(key) }
      const options = { idempotencyKey: key }
      return (await this.#florin.call('recordRefund', { path: { orderUUID }, body }, options)).refund
    } catch (error) {
      if (!isCode(error, 'refund_exceeds_remaining') && !isCode(error, 'order_not_refundable')) throw error
      throw new PaymentError('not_allowed', `Florin refuses the refund: ${(error as FlorinError).message}`)
    }
  }

  /** All refunds of an order, the oldest first. */
  async refundsOf(orderUUID: string) {
    const found = []
    for await (const refund of this.#florin.each('listRefunds', { path: { orderUUID } }))
      found.unshift(refund)
    return found
  }

  order(orderUUID: string): Promise<Order> {
    return this.#florin.getOrder(orderUUID)
  }

  /** The orders that were paid since a time, the newest first. */
  async *paidSince(time: Date): AsyncGenerator<string> {
    for await (const { createdAt, orderUUID } of this.#florin.each('listEvents', {
      query: { type: 'order.paid' },
    })) {
      if (Date.parse(createdAt) < time.getTime()) return
      yield orderUUID
    }
  }

  /** The orders with a refund since a time. */
  async *refundedSince(time: Date): AsyncGenerator<string> {
    for (const status of ['PARTIALLY_REFUNDED', 'REFUNDED'] as const) {
      for await (const { lastRefundedAt, orderUUID } of this.#florin.each('listTransactions', {
        query: { status },
      }))
        if (lastRefundedAt !== undefined && Date.parse(lastRefundedAt) >= time.getTime()) yield orderUUID
    }
  }
}

/** IDs of refunds in Florin, by the IDs of their refunds in Medusa. */
export const refundsIn = (data: Data | undefined): Record<string, string> => ({
  ...(data?.refunds as Record<string, string> | undefined),
})

type Status = 'captured' | 'requires_more' | 'canceled' | 'error'

/**
 * The status of an order in Medusa. An expired order may still be paid late: then the webhook captures the
 * payment.
 */
const statusOf = ({ status }: Order): Status =>
  status === 'PAID' ? 'captured' : status === 'UNPAID' ? 'requires_more' : 'canceled'

interface OrderPayments {
  attempts: { state: string; credited: string }[]
}

async function readStatus(url: string, orderUUID: string): Promise<OrderPayments> {
  const address = `${url.replace(/\/+$/, '')}/pay/${encodeURIComponent(orderUUID)}/status`
  const signal = AbortSignal.timeout(10_000)
  const response = await fetch(address, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal,
  })
  const { data } = (await response.json()) as { data?: OrderPayments }
  if (!data)
    throw new PaymentError('not_allowed', 'Florin does not say if a payment is on its way. Try again.')
  return data
}
