import type { DeliverySaying, Json } from '../facts.ts'
import type { KnownOrder, KnownTransfer } from './book.ts'
import { placedPrice } from './book.ts'
import { coverageOf, isSurelyInTime } from './coverage.ts'
import { isLess, ratio, unitsOf } from './exact.ts'
import { isMisled } from './paid.ts'
import { broken, type MakeRule, nameOf } from './rule.ts'

/**
 * Rules 5d and 5e: the settlement of an order as the API reports it, if a single payment in time paid the
 * order and nothing is in doubt.
 */

/** The only payment of an order, if it is in the requested coin and in time; otherwise null. */
function onlyPayment({ transfers, provider, cards, decisions }: KnownOrder): KnownTransfer | null {
  const [only, ...others] = transfers
  if (!only || others.length > 0 || provider.length + cards.length > 0 || decisions.length > 0) return null
  const { sent, attempt, block, gone } = only
  const isPlain = sent.kind === 'payment' && sent.asset === attempt.asset.id && gone === null
  return isPlain && block !== null ? only : null
}

export const makeSettlement: MakeRule = book => {
  /** True unless endpoints may have invented another payment, or another amount of this one. */
  const isTrue = (order: KnownOrder, at: number): boolean =>
    !isMisled(book, order, at) &&
    !order.attempts.some(({ asset, openedAt }) =>
      book.wasLiedTo(asset.chain, openedAt, at, lie => lie === 'dust'),
    )

  function receivedProblems(order: KnownOrder, json: Json, at: number): string[] {
    const only = onlyPayment(order)
    if (json.status !== 'PAID' || json.forced === true || !only || !isTrue(order, at)) return []
    const { asset } = only.attempt
    const name = nameOf(order)
    const received = unitsOf(json.receivedAmount ?? '', asset.decimals)
    return broken([
      [
        received === only.sent.amount,
        `5d: ${name} received ${only.sent.amount}, and says ${json.receivedAmount}`,
      ],
      [
        json.receivedCurrency === asset.id,
        `5d: ${name} received ${asset.id}, and says ${json.receivedCurrency}`,
      ],
    ])
  }

  /** The expected settlement of an order that one payment paid; null if that is in doubt. */
  function expectedOf(order: KnownOrder, at: number): string | null {
    const [only, price] = [onlyPayment(order), placedPrice(order)]
    if (!only || price === null || !isTrue(order, at) || !isSurelyInTime(book, order, only)) return null
    const { least, most } = coverageOf(book, order)
    if (isLess(least, most)) return null
    if (isLess(least, ratio(price))) return 'short'
    return isLess(ratio(price), least) ? 'over' : 'exact'
  }

  /** 5e: the header of the event that reports how the order was settled. */
  function headerProblems({ body, headers, at }: DeliverySaying): string[] {
    const json: Json = JSON.parse(body)
    const order = json.type === 'order.paid' ? book.orders.get(json.orderUUID) : undefined
    const expected = order ? expectedOf(order, at) : null
    const said = headers['x-service-settlement']
    if (!order || expected === null) return []
    return broken([
      [said === expected, `5e: ${nameOf(order)} is settled ${expected}, but said to be ${said}`],
    ])
  }

  return {
    told: ({ order, json, at }) => receivedProblems(order, json, at),
    hear: saying => (saying.says === 'delivery' ? headerProblems(saying) : []),
  }
}
