import type { Json } from './metadata.ts'
import { type Amount, amountOf, minorOf } from './money.ts'
import type { SettledPart } from './settlement-evidence.ts'

/** The part of a settlement's evidence that books and invoices need. */
interface Evidence {
  parts?: SettledPart[]
  shortfall?: string | null
  excess?: string | null
  /** credited and missing amount; only in older settlements */
  credited?: string
  missing?: string | null
  acceptedBy?: string | null
  incomingPayments?: {
    value?: string | null
    lateRate?: string | null
    minedAt?: number | null
    paidAt?: number
  }[]
}

interface Settled {
  parts: SettledPart[]
  shortfall: Amount | null
  excess: Amount | null
  /**
   * value of what arrived, in the order's currency; null if the merchant accepted coins of an unknown value
   */
  worth: Amount | null
  /** the rate at which all of it counted; null if that was the quoted rate */
  lateRate: { rate: string; rateAt: number | null } | null
}

interface Settling {
  /** the amount of the order */
  price: { amount: Amount; currency: string }
  verdict: string
  evidence: Json
}

/** Compares what paid an order with the order's amount. */
export function settledOf({ price: { amount, currency }, verdict, evidence }: Settling): Settled {
  const of = (evidence ?? {}) as Evidence
  const price = minorOf(amount, currency)
  const minor = (text: string | null | undefined) => (text ? minorOf(text, currency) : 0n)
  const missing = minor(of.shortfall === undefined && verdict !== 'accepted' ? of.missing : of.shortfall)
  const more = of.excess === undefined ? overOf(verdict, minor(of.credited), price) : minor(of.excess)
  const payments = of.incomingPayments ?? []
  const isUnknown = verdict === 'accepted' && payments.some(({ value }) => (value ?? null) === null)
  const given = (sum: bigint) => (sum > 0n && !isUnknown ? amountOf(sum, currency) : null)
  return {
    parts: of.parts ?? [],
    shortfall: given(missing),
    excess: given(more),
    worth: isUnknown ? null : amountOf(price - missing + more, currency),
    lateRate: rateOf(payments),
  }
}

const overOf = (verdict: string, credited: bigint, price: bigint): bigint =>
  verdict === 'over' && credited > price ? credited - price : 0n

function rateOf(payments: NonNullable<Evidence['incomingPayments']>): Settled['lateRate'] {
  const [first, ...others] = payments
  const rate = first?.lateRate ?? null
  if (first === undefined || rate === null || others.some(({ lateRate }) => lateRate !== rate)) return null
  return { rate, rateAt: first.minedAt ?? first.paidAt ?? null }
}
