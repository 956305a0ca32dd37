import type { PayPalAccounts } from './accounts.ts'
import { notFound, type Parts, refused, type Sum } from './wire.ts'

/** The way a buyer pays, which decides what happens when the shop captures the payment. */
export type Funding = 'balance' | 'echeck' | 'declined'

interface Capture {
  id: string
  status: 'COMPLETED' | 'PENDING' | 'DECLINED'
  createdAt: string
}

export interface Order {
  id: string
  account: string
  status: 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED'
  amount: Sum
  customId: string | null
  description: string
  returnUrl: string
  cancelUrl: string
  funding: Funding
  capture: Capture | null
  createdAt: number
  updatedAt: string
}

/** After this time, PayPal forgets an order that nobody paid. */
const LIFE_MS = 6 * 3600_000

export const payeeOf = ({ account }: Order) => ({
  email_address: `${account.toLowerCase()}@business.example`,
  merchant_id: account,
})

/** The orders of all accounts. */
export function openOrders({ state, clock, newId }: Parts, { report }: PayPalAccounts) {
  const timestamp = () => new Date(clock()).toISOString()
  const save = (order: Order): Order => {
    const saved = { ...order, updatedAt: timestamp() }
    state.put('paypal.order', order.id, saved)
    return saved
  }

  function current(id: string): Order | null {
    const order = state.get<Order>('paypal.order', id)
    return order?.capture === null && order.createdAt + LIFE_MS <= clock() ? null : order
  }

  function own(account: string, id: string): Order {
    const order = current(id)
    if (order?.account === account) return order
    throw notFound()
  }

  const reportCapture = (order: Order, capture: Capture): Promise<number[]> => {
    const type = capture.status === 'DECLINED' ? 'DENIED' : capture.status
    const related = { supplementary_data: { related_ids: { order_id: order.id } } }
    return report(order.account, `PAYMENT.CAPTURE.${type}`, { id: capture.id, ...related })
  }

  return {
    current,
    require: own,
    /** Returns the order that a capture belongs to. */
    ofCapture(account: string, id: string): Order {
      const found = state.list<Order>('paypal.order').find(({ capture }) => capture?.id === id)
      return own(account, found?.id ?? '')
    },
    create: (
      account: string,
      wanted: Pick<Order, 'amount' | 'customId' | 'description' | 'returnUrl' | 'cancelUrl'>,
    ): Order =>
      save({
        ...{ id: newId(), account, status: 'PAYER_ACTION_REQUIRED', ...wanted },
        ...{ funding: 'balance', capture: null, createdAt: clock(), updatedAt: '' },
      }),
    /** The buyer approves a payment. Returns the statuses of the webhooks. */
    async approve(order: Order, funding: Funding): Promise<number[]> {
      const { id, account } = save({ ...order, status: 'APPROVED', funding })
      return report(account, 'CHECKOUT.ORDER.APPROVED', { id, status: 'APPROVED' })
    },
    /** Captures an approved payment for the shop. */
    async capture(account: string, id: string): Promise<Order> {
      const order = own(account, id)
      if (order.capture) throw refused('ORDER_ALREADY_CAPTURED', 'Order already captured.')
      if (order.status !== 'APPROVED')
        throw refused('ORDER_NOT_APPROVED', 'Payer has not approved the order.')
      if (order.funding === 'declined') {
        save({ ...order, status: 'PAYER_ACTION_REQUIRED' })
        throw refused(
          'INSTRUMENT_DECLINED',
          'The instrument presented was declined by the processor or bank.',
        )
      }
      const status = order.funding === 'echeck' ? 'PENDING' : 'COMPLETED'
      const capture: Capture = { id: newId(), status, createdAt: timestamp() }
      const saved = save({ ...order, status: 'COMPLETED', capture })
      await reportCapture(saved, capture)
      return saved
    },
    /** Completes or declines a payment that is on its way. */
    decide(order: Order, status: 'COMPLETED' | 'DECLINED'): Promise<number[]> {
      if (order.capture === null) throw notFound()
      const capture = { ...order.capture, status }
      return reportCapture(save({ ...order, capture }), capture)
    },
  }
}

export type PayPalOrders = ReturnType<typeof openOrders>
