import type { CallFact, DecisionFact } from '../facts.ts'
import { broken, isWellAnswered, type MakeRule, nameOf } from './rule.ts'

/** Rule 7: which decisions people may make, and their results. */

/** Decisions that give away money or goods: only an owner may make them, after entering the password. */
const OWNERS = new Set(['accept', 'force', 'refund', 'send-refund', 'settings', 'webhook'])

const isEntitled = ({ by: { who }, what }: DecisionFact): boolean =>
  who === 'owner' || who === 'operator' || who === 'cli' || (who === 'staff' && !OWNERS.has(what))

/** The statuses that an order may have after a decision was carried out. */
const FOLLOWS: Record<string, readonly string[]> = {
  cancel: ['CANCELLED'],
  force: ['PAID'],
  accept: ['PAID'],
  end: ['EXPIRED', 'PAID'],
}

export const makeDecisions: MakeRule = book => {
  /** the newest decision of each order that was carried out, until an answer shows the status */
  const carriedOut = new Map<string, DecisionFact>()
  /** the newest payment of each order that was resolved */
  const resolved = new Map<string, DecisionFact>()

  /** 7b: a payment that was resolved cannot be resolved again by the same form. */
  function isAgain(fact: DecisionFact): boolean {
    const { order, what, step, isStale } = fact
    const before = order === null ? undefined : resolved.get(order)
    if (what === 'resolve' && order !== null) resolved.set(order, fact)
    return what === 'resolve' && isStale && before?.step === step
  }

  /** 7b: a key cannot cancel an order that its buyer has begun to pay, nor an order of another shop. */
  function cancelled({ path, by, together }: CallFact): string[] {
    const order = book.orders.get(/^[/]v1[/]orders[/]([^/]+)[/]cancel$/.exec(path)?.[1] ?? '')
    if (!order) return []
    return broken([
      [
        by.shop === order.shop && by.key === 'live',
        `7a: ${nameOf(order)} was cancelled with a ${by.key} key`,
      ],
      [
        order.attempts.length === 0 || together !== null,
        `7b: ${nameOf(order)} was cancelled while it is being paid`,
      ],
    ])
  }

  return {
    note(fact) {
      if (fact.fact === 'call' && isWellAnswered(fact)) return cancelled(fact)
      if (fact.fact !== 'decision' || fact.status !== 303 || fact.order === null) return []
      const order = book.orders.get(fact.order)
      if (!order) return []
      if (FOLLOWS[fact.what]) carriedOut.set(order.id, fact)
      const { what, by } = fact
      const mayBe =
        what !== 'cancel' ||
        order.firstOpenedAt === null ||
        fact.together !== null ||
        order.attempts.length === 0
      return broken([
        [isEntitled(fact), `7a: ${nameOf(order)}: ${by.who} may not ${what}, but did`],
        [!isAgain(fact), `7b: a payment of ${nameOf(order)} was resolved twice`],
        [mayBe, `7b: ${nameOf(order)} was cancelled after its buyer had begun to pay`],
      ])
    },
    told({ order, json, isConcurrent }) {
      const decision = carriedOut.get(order.id)
      if (!decision || isConcurrent) return []
      carriedOut.delete(order.id)
      const isFollowed = FOLLOWS[decision.what]!.includes(json.status)
      return broken([
        [isFollowed, `7b: ${nameOf(order)}: ${decision.what} was carried out, but it is ${json.status}`],
      ])
    },
  }
}
