import type { PayPalAccounts } from './accounts.ts'
import type { Order } from './orders.ts'
import { type Parts, refused, type Sum, unitsOf } from './wire.ts'

export interface Refund {
  id: string
  order: string
  capture: string
  amount: Sum
  status: 'COMPLETED' | 'PENDING' | 'FAILED'
  customId: string | null
  note: string | null
  createdAt: string
}

export interface Dispute {
  dispute_id: string
  account: string
  capture: string
  dispute_amount: Sum
  status: 'OPEN' | 'RESOLVED'
  outcome: string | null
  createdAt: string
}

/** The refunds and disputes of all payments. */
export function openReversals({ state, clock, newId }: Parts, { report }: PayPalAccounts) {
  const timestamp = () => new Date(clock()).toISOString()
  const refundsOf = (order: string): Refund[] =>
    state.list<Refund>('paypal.refund').filter(one => one.order === order)
  /** The disputes of a payment, or all disputes of an account. */
  const disputesOf = (account: string, capture: string | null): Dispute[] =>
    state
      .list<Dispute>('paypal.dispute')
      .filter(one => one.account === account && (capture === null || one.capture === capture))

  /** The amount that can still be refunded, in units. */
  const leftOf = ({ id, amount }: Order): bigint =>
    refundsOf(id)
      .filter(({ status }) => status !== 'FAILED')
      .reduce((left, one) => left - unitsOf(one.amount), unitsOf(amount))

  return {
    refundsOf,
    disputesOf,
    refundsAt: (account: string): Refund[] =>
      state
        .list<Refund>('paypal.refund')
        .filter(({ order }) => state.get<Order>('paypal.order', order)?.account === account),
    leftOf,
    find: (id: string): Refund | null => state.get('paypal.refund', id),
    dispute: (id: string): Dispute | null => state.get('paypal.dispute', id),
    async refund(order: Order, wanted: Pick<Refund, 'amount' | 'customId' | 'note'>): Promise<Refund> {
      const { amount } = wanted
      if (order.capture?.status !== 'COMPLETED') {
        throw refused('CAPTURE_NOT_COMPLETED', 'Only a completed capture can be refunded.')
      }
      if (amount.currency_code !== order.amount.currency_code || unitsOf(amount) > leftOf(order)) {
        throw refused('REFUND_AMOUNT_EXCEEDED', 'The refund amount must be at most what is left.')
      }
      const made: Refund = {
        ...{ id: newId(), order: order.id, capture: order.capture.id, status: 'COMPLETED' },
        ...{ ...wanted, createdAt: timestamp() },
      }
      state.put('paypal.refund', made.id, made)
      const up = `https://api-m.paypal.com/v2/payments/captures/${made.capture}`
      await report(order.account, 'PAYMENT.CAPTURE.REFUNDED', {
        id: made.id,
        links: [{ rel: 'up', href: up, method: 'GET' }],
      })
      return made
    },
    /** The buyer disputes a payment, and then wins (ACCEPTED by the shop) or gives up. */
    async argue(order: Order, outcome: 'RESOLVED_BUYER_FAVOUR' | 'CANCELED_BY_BUYER'): Promise<number[]> {
      const { account, amount: dispute_amount, capture } = order
      if (capture === null) throw refused('NOT_PAID', 'Nothing to dispute.')
      const [known] = disputesOf(account, capture.id)
      const made: Dispute = known
        ? { ...known, status: 'RESOLVED', outcome }
        : {
            ...{ dispute_id: `PP-D-${newId()}`, account, capture: capture.id, dispute_amount },
            ...{ status: 'OPEN', outcome: null, createdAt: timestamp() },
          }
      state.put('paypal.dispute', made.dispute_id, made)
      return report(account, `CUSTOMER.DISPUTE.${known ? 'RESOLVED' : 'CREATED'}`, {
        dispute_id: made.dispute_id,
        disputed_transactions: [{ seller_transaction_id: capture.id }],
      })
    },
  }
}

export type PayPalReversals = ReturnType<typeof openReversals>
