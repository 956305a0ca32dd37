import { ApiError } from '../json-api.ts'
import type { State } from '../state.ts'

/** An error of the API, as Mollie words it. */
export class MollieError extends ApiError {
  constructor(
    readonly status: number,
    readonly title: string,
    readonly detail: string,
    readonly field?: string,
  ) {
    super(detail)
  }

  toJson() {
    const { status, title, detail, field } = this
    return { status, title, detail, ...(field && { field }), _links: {} }
  }
}

export interface Sum {
  value: string
  currency: string
}

type Status = 'open' | 'pending' | 'paid' | 'canceled' | 'expired' | 'failed'

export interface Payment {
  id: string
  account: string
  status: Status
  amount: Sum
  description: string
  redirectUrl: string
  cancelUrl: string | null
  webhookUrl: string | null
  metadata: unknown
  method: string | null
  createdAt: string
  expiresAt: number
  paidAt: string | null
}

const LIFE_MS = 15 * 60_000

export interface Parts {
  state: State
  clock(): number
  newId(prefix: string): string
  /** sends a webhook, and returns the status of the answer; 0 if there was none */
  deliver(request: { url: string; body: string; headers: Record<string, string> }): Promise<number>
}

export const unitsOf = ({ value }: Sum): bigint => BigInt(value.replace('.', ''))

/** The payments, refunds and chargebacks of all profiles. */
export function openPayments({ state, clock, newId, deliver }: Parts) {
  const timestamp = (at = clock()) => new Date(at).toISOString()
  const save = (payment: Payment): Payment => {
    state.put('mollie.payment', payment.id, payment)
    return payment
  }

  /** A payment in its present state: an open payment may have expired. */
  function current(id: string): Payment | null {
    const payment = state.get<Payment>('mollie.payment', id)
    if (payment?.status !== 'open' || payment.expiresAt > clock()) return payment
    return save({ ...payment, status: 'expired' })
  }

  /** Sends the webhook of a payment, which contains only its ID and has no signature. */
  async function report({ id, webhookUrl }: Payment): Promise<number[]> {
    if (webhookUrl === null) return []
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return [await deliver({ url: webhookUrl, body: new URLSearchParams({ id }).toString(), headers })]
  }

  return {
    current,
    report,
    /** The payment of a profile. If the profile has no payment with this ID, throws as the API does. */
    require(account: string, id: string): Payment {
      const payment = current(id)
      if (payment?.account === account) return payment
      throw new MollieError(404, 'Not Found', `No payment exists with token ${id}.`)
    },
    create: (
      account: string,
      wanted: Pick<
        Payment,
        'amount' | 'description' | 'redirectUrl' | 'cancelUrl' | 'webhookUrl' | 'metadata'
      >,
    ): Payment => {
      if (unitsOf(wanted.amount) === 0n) {
        throw new MollieError(422, 'Unprocessable Entity', 'The amount is lower than the minimum', 'amount')
      }
      return save({
        ...{ id: newId('tr_'), account, status: 'open', ...wanted, method: null },
        ...{ createdAt: timestamp(), expiresAt: clock() + LIFE_MS, paidAt: null },
      })
    },
    /**
     * Ends a payment, as the buyer does on the page, or later a bank. Returns the statuses of the webhooks.
     */
    finish: (payment: Payment, status: Exclude<Status, 'open'>, method = 'ideal'): Promise<number[]> => {
      const isPaid = status === 'paid'
      return report(save({ ...payment, status, method, paidAt: isPaid ? timestamp() : null }))
    },
  }
}

export type MolliePayments = ReturnType<typeof openPayments>
