import type { IncomingPayment, SeenAmount } from './payment.ts'

type Spending = Pick<IncomingPayment, 'txId' | 'inputs'>

/** A payment as a chain reports it. `paidAt` is when it was seen, or the time of its block. */
type Reported = Pick<IncomingPayment, 'txId' | 'paidAt' | 'amountAtomic'> & Partial<Spending>

const sharesInput = (one: Spending, other: Spending): boolean =>
  one.inputs.some(input => other.inputs.includes(input))

/** The amount of a payment that was known at a time. */
const knownAt = ({ seen }: Pick<IncomingPayment, 'seen'>, at: number): bigint =>
  BigInt(seen.findLast(one => one.at <= at)?.atomic ?? '0')

/**
 * The known amounts of a payment, each with the time since which it is known. A buyer who raises the fee
 * replaces a payment with another one that spends the same inputs. The new payment keeps the time of the
 * replaced payment, for at most the replaced amount. All payments that replace the same one, such as several
 * outputs of one transaction, share the amount that was seen of it. Otherwise a buyer could reserve the quote
 * of a large amount with a small payment.
 */
export function seenAmountsOf(
  payments: readonly IncomingPayment[],
  { txId, inputs = [], paidAt, amountAtomic }: Reported,
  before: IncomingPayment | null,
): SeenAmount[] {
  const own = before?.seen ?? []
  const former = payments.filter(
    one => one.id !== before?.id && one.txId !== txId && sharesInput(one, { txId, inputs }),
  )
  const others = payments.filter(
    one =>
      one.id !== before?.id &&
      one.state !== 'gone' &&
      !former.includes(one) &&
      former.some(replaced => sharesInput(one, replaced)),
  )
  const inherited = [...new Set(former.flatMap(({ seen }) => seen.map(({ at }) => at)))].map(at => ({
    at,
    atomic: others.reduce((left, one) => left - knownAt(one, at), replacedAt(former, at)).toString(),
  }))
  const all = [...own, ...inherited, { at: paidAt, atomic: amountAtomic.toString() }]
  const amounts: SeenAmount[] = []
  let most = 0n
  for (const { at, atomic } of all.sort((one, other) => one.at - other.at)) {
    const capped = BigInt(atomic) < amountAtomic ? BigInt(atomic) : amountAtomic
    if (capped > most) amounts.push({ at, atomic: capped.toString() })
    most = capped > most ? capped : most
  }
  return amounts
}

/**
 * The amount of the replaced payments that was known at a time. Transactions that spend the same input cannot
 * exist together, so only the one with the largest amount counts.
 */
function replacedAt(former: readonly IncomingPayment[], at: number): bigint {
  const left = new Set(former)
  let sum = 0n
  for (const first of left) {
    const group = [first]
    for (const one of group) {
      left.delete(one)
      for (const other of left) {
        if (group.includes(other) || !sharesInput(one, other)) continue
        group.push(other)
      }
    }
    const totals = Map.groupBy(group, ({ txId }) => txId).values()
    const sums = [...totals].map(outputs => outputs.reduce((total, one) => total + knownAt(one, at), 0n))
    sum += sums.reduce((most, amount) => (amount > most ? amount : most), 0n)
  }
  return sum
}
