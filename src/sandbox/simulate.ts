import { Elysia, t } from 'elysia'
import { Refusal } from '../domain/errors.ts'
import { LIGHTNING } from '../domain/lightning.ts'
import { toUnits } from '../domain/money.ts'
import type { Ledger } from './chain/ledger.ts'
import { chainOutcomes, type Outcome, outcomes, payingOutcomes } from './outcomes.ts'
import type { Payments } from './paygate/payments.ts'
import { SafeString } from './safe-types.ts'

/** A payment of an order, as its upstream knows it. `decimals` are those of amounts. */
export type OpenPayment = { decimals: number } & (
  | { kind: 'address'; chain: string; assetId: string; address: string; dueAtomic: bigint }
  /** `due` is a decimal string: in US dollars for a payment page, in whole coins for an address */
  | { kind: 'provider'; callbackUrl: string; due: string }
  /** `reference` is the session of a shop's own account */
  | { kind: 'charge'; reference: string }
)

/** The payment that a script refers to. */
export interface PaymentQuery {
  orderUUID: string
  /** the order's latest payment by default */
  attemptId?: string | undefined
  /** the coin that is actually sent; by default the one that was asked for */
  assetId?: string | undefined
}

/**
 * Finds a payment of an order; undefined if there is none, null if there is no such order. Throws a Refusal
 * for a coin that cannot be sent to its address.
 */
export type PaymentOf = (query: PaymentQuery) => Promise<OpenPayment | undefined | null>

/** Simulates the payments at shops' own accounts. */
export interface ChargeSimulations {
  /** Returns the statuses of the callbacks; null if the outcome cannot happen to the payment. */
  simulate(reference: string, outcome: Outcome): Promise<number[] | null>
}

interface Parts {
  ledger: Pick<Ledger, 'simulate'>
  payments: Pick<Payments, 'settle'>
  charges: ChargeSimulations
  paymentOf: PaymentOf
}

const Uuid = SafeString({ format: 'uuid', examples: ['01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55'] })

const Body = t.Object(
  {
    orderUUID: Uuid,
    outcome: t.UnionEnum([...outcomes], { default: 'paid' }),
    amount: t.Optional(SafeString({ maxLength: 60 })),
    attemptId: t.Optional(Uuid),
    fee: t.Optional(t.Literal('low')),
    assetId: t.Optional(SafeString({ maxLength: 64 })),
  },
  { additionalProperties: false },
)
type Body = typeof Body.static

const wrong = (path: string, rule: string): Refusal =>
  new Refusal('validation_error', `${path}: ${rule}`, { details: [{ path, rule }] })

/** The amount in atomic units; null if no amount is given. */
function amountOf({ amount, outcome }: Body, decimals: number): bigint | null {
  if (amount === undefined) return null
  if (!payingOutcomes.includes(outcome as Outcome)) throw wrong('/amount', `has no meaning with ${outcome}`)
  const units = toUnits(amount, decimals)
  if (units !== null && units > 0n) return units
  throw wrong('/amount', `must be a decimal number above 0 with at most ${decimals} decimal places`)
}

/** Refuses less than the amount of an invoice: no wallet pays less than an invoice contains. */
function refuseLess(
  { dueAtomic }: { dueAtomic: bigint },
  outcome: Outcome,
  amountAtomic: bigint | null,
): void {
  const isLess = amountAtomic === null ? outcome === 'underpaid' : amountAtomic < dueAtomic
  if (isLess) throw new Refusal('conflict', 'Nobody can pay less than the amount of a Lightning invoice.')
}

async function simulate(
  { ledger, payments, charges, paymentOf }: Parts,
  body: Body,
): Promise<{ status: number }[]> {
  const { attemptId, amount, fee } = body
  const outcome = body.outcome as Outcome
  const orderUUID = body.orderUUID.toLowerCase()
  const payment = await paymentOf({ ...body, orderUUID, attemptId: attemptId?.toLowerCase() })
  if (payment === null) throw new Refusal('not_found', 'There is no such order.')
  if (payment === undefined) {
    if (attemptId !== undefined) throw new Refusal('not_found', 'The order has no such payment.')
    throw new Refusal('conflict', 'The order has no open payment.')
  }
  const amountAtomic = amountOf(body, payment.decimals)
  if (payment.kind === 'address' && payment.chain === LIGHTNING) refuseLess(payment, outcome, amountAtomic)
  if (payment.kind === 'address') {
    if (ledger.simulate(payment, { outcome, amountAtomic, isLowFee: fee === 'low' })) return []
    throw new Refusal('conflict', 'The payment has no transaction that this could happen to.')
  }
  if (payment.kind === 'charge') {
    const statuses = await charges.simulate(payment.reference, outcome)
    if (statuses) return statuses.map(status => ({ status }))
    throw new Refusal('conflict', 'This cannot happen to a payment by card. Try it on its payment page.')
  }
  if (fee !== undefined || chainOutcomes.includes(outcome)) {
    throw new Refusal('conflict', 'The payment is made through a provider, which has no mempool.')
  }
  return payments.settle(payment.callbackUrl, outcome, payment.due, amount)
}

/** Makes the upstream of a payment do what a script says. */
export const simulateRoutes = (parts: Parts) =>
  new Elysia({ normalize: false }).post(
    '/simulate',
    async ({ body, set }) => {
      const callbacks = await simulate(parts, body)
      set.status = 202
      return { success: true, data: { callbacks } }
    },
    { body: Body },
  )
