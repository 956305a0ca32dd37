import { MollieError, type MolliePayments, type Parts, type Payment, type Sum, unitsOf } from './payments.ts'

/** A bank sends a refund after this time. */
export const REFUND_MS = 60_000

export interface Refund {
  id: string
  payment: string
  amount: Sum
  status: 'pending' | 'refunded' | 'failed' | 'canceled'
  description: string
  metadata: unknown
  /** when the bank sends it */
  sentAt: number
}

export interface Chargeback {
  id: string
  payment: string
  amount: Sum
  createdAt: string
  reversedAt: string | null
}

/** The refunds and chargebacks of all payments. */
export function openReversals({ state, clock, newId }: Parts, { current, report }: MolliePayments) {
  const timestamp = () => new Date(clock()).toISOString()
  const refunds = (): Refund[] =>
    state.list<Refund>('mollie.refund').map(one => ({
      ...one,
      status: one.status === 'pending' && one.sentAt <= clock() ? 'refunded' : one.status,
    }))
  const chargebacks = () => state.list<Chargeback>('mollie.chargeback')
  const refundsOf = (payment: string) => refunds().filter(one => one.payment === payment)
  const chargebacksOf = (payment: string) => chargebacks().filter(one => one.payment === payment)
  const isAt = (account: string) => (one: Refund | Chargeback) => current(one.payment)?.account === account

  return {
    refundsOf,
    chargebacksOf,
    /** The refunds of a profile. */
    refundsAt: (account: string) => refunds().filter(isAt(account)),
    chargebacksAt: (account: string) => chargebacks().filter(isAt(account)),
    async refund(
      payment: Payment,
      wanted: Pick<Refund, 'amount' | 'description' | 'metadata'>,
    ): Promise<Refund> {
      const { value, currency } = wanted.amount
      const taken = refundsOf(payment.id)
        .filter(({ status }) => status !== 'failed' && status !== 'canceled')
        .reduce((sum, { amount }) => sum + unitsOf(amount), 0n)
      const left = unitsOf(payment.amount) - taken
      const isPossible = payment.status === 'paid' && currency === payment.amount.currency
      if (!isPossible || unitsOf({ value, currency }) > left) {
        const detail = 'The amount is higher than the maximum that can be refunded.'
        throw new MollieError(422, 'Unprocessable Entity', detail, 'amount')
      }
      const made: Refund = {
        ...{ id: newId('re_'), payment: payment.id, status: 'pending', ...wanted },
        sentAt: clock() + REFUND_MS,
      }
      state.put('mollie.refund', made.id, made)
      await report(payment)
      return made
    },
    /** Ends a refund: Mollie cancels it before it is sent, or the bank returns it. */
    async endRefund(payment: Payment, as: 'failed' | 'canceled', id?: string): Promise<void> {
      const found = refundsOf(payment.id).findLast(one => id === undefined || one.id === id)
      if (!found || (as === 'canceled' && found.status !== 'pending')) {
        throw new MollieError(422, 'Unprocessable Entity', 'The refund can no longer be canceled.')
      }
      state.put('mollie.refund', found.id, { ...found, status: as })
      await report(payment)
    },
    /** Lets the buyer's bank take the money back, or return it. */
    chargeBack: (payment: Payment): Promise<number[]> => {
      const [known] = chargebacksOf(payment.id)
      const { id, amount } = payment
      const made: Chargeback = known
        ? { ...known, reversedAt: timestamp() }
        : { id: newId('chb_'), payment: id, amount, createdAt: timestamp(), reversedAt: null }
      state.put('mollie.chargeback', made.id, made)
      return report(payment)
    },
  }
}

export type MollieReversals = ReturnType<typeof openReversals>
