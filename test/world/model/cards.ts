import { type KnownOrder, placedPrice } from './book.ts'
import { cardSum } from './provider.ts'
import { broken, type MakeRule, nameOf } from './rule.ts'

/** Rule 17: what a buyer paid by card on the shop's own account pays the order. */

const SOON_MS = 25 * 60_000

export const makeCards: MakeRule = book => {
  /** One payment by card, soon after the order was made, and nothing else that could end it. */
  function isPlain({ cards, attempts, provider, decisions, calls, createdAt }: KnownOrder): boolean {
    const [charged, ...others] = cards.filter(({ what }) => what === 'charged')
    const isAlone = attempts.length + provider.length + decisions.length + calls.length + others.length === 0
    return isAlone && charged !== undefined && charged.at < createdAt + SOON_MS && book.clocks.length === 1
  }

  function unpaid(order: KnownOrder): string[] {
    const price = placedPrice(order)
    const [charged, status] = [cardSum(order, 'charged'), order.last?.status]
    const mustBePaid = price !== null && isPlain(order) && charged >= price
    return broken([
      [!mustBePaid || status === 'PAID', `17: ${nameOf(order)} is ${status}, but ${charged} were charged`],
    ])
  }

  return { end: () => [...book.orders.values()].flatMap(unpaid) }
}
