import { type KnownOrder, placedPrice } from './book.ts'
import { minorOf } from './exact.ts'
import { cardSum } from './provider.ts'
import { broken, type MakeRule, nameOf } from './rule.ts'

/** Rule 17: what a buyer paid by card on the shop's own account, and what was taken back of it. */

const SOON_MS = 25 * 60_000

export const makeCards: MakeRule = book => {
  /** when each session was charged */
  const chargedAt = new Map<string, number>()

  /** 17a: one payment by card, soon after its order was made, and nothing else: it pays the order. */
  function mustBePaid(order: KnownOrder): boolean {
    const { cards, attempts, provider, decisions, calls, createdAt } = order
    const charged = cards.filter(({ what }) => what === 'charged')
    const [only, ...others] = charged
    const isAlone = attempts.length + provider.length + decisions.length + calls.length === 0
    const isSoon = only !== undefined && (chargedAt.get(only.session) ?? 0) < createdAt + SOON_MS
    return isAlone && others.length === 0 && isSoon && book.clocks.length === 1
  }

  function endProblems(order: KnownOrder): string[] {
    const { last, cards } = order
    const price = placedPrice(order)
    if (cards.length === 0 || last === null || price === null) return []
    const name = nameOf(order)
    const charged = cardSum(order, 'charged')
    const said = minorOf(last.refundedAmount ?? '0', last.currency) ?? -1n
    const refunded = cardSum(order, 'refunded')
    const most = refunded + cardSum(order, 'disputed')
    const isPaid = last.status === 'PAID'
    const isByCard = isPaid && mustBePaid(order)
    return broken([
      [
        !mustBePaid(order) || charged < price || isPaid,
        `17a: ${name} is ${last.status}, but ${charged} were charged`,
      ],
      [said <= price, `17b: ${name} of ${price} says that ${said} is refunded`],
      [!isByCard || said >= refunded, `17b: ${name} says that ${said} is refunded, but ${refunded} were`],
      [!isByCard || said <= most, `17b: ${name} says that ${said} is refunded, of at most ${most}`],
    ])
  }

  return {
    note(fact) {
      if (fact.fact === 'card' && fact.what === 'charged') chargedAt.set(fact.session, fact.at)
      return []
    },
    end: () => [...book.orders.values()].flatMap(endProblems),
  }
}
