import type { Notice } from '../../views/checkout/model.ts'
import type { Asset } from '../domain/asset.ts'
import type { Attempt } from '../domain/attempt.ts'
import { fromUnitsShort } from '../domain/money.ts'
import type { UnmatchedReason } from '../domain/settlement.ts'
import { type Checkout, isReturnable } from '../operations/payments/load-checkout.ts'
import { money, tickerOf } from './amounts.ts'

/** Why the refund address of an attempt was refused. */
export interface AddressProblem {
  attemptId: string
  problem: string
}

interface NoticeContext {
  asset(id: string): Asset | undefined
  refused: AddressProblem | null
}

const titles: Record<UnmatchedReason, string> = {
  wrong_asset: 'A different coin arrived',
  underpaid: 'Your payment doesn’t cover this order',
  late: 'Your payment arrived late',
  second_payment: 'A second payment arrived',
  order_closed: 'A payment arrived for a closed order',
  too_late: 'Your payment arrived too late',
}

/** What the page says about money that arrived and did not pay the order, or was more than was due. */
export function presentNotices(checkout: Checkout, context: NoticeContext): Notice[] {
  const open = checkout.unmatched.filter(({ payment }) => payment.status === 'open')
  return checkout.attempts.flatMap((attempt): Notice[] => {
    const rows = open.filter(({ payment }) => payment.attemptId === attempt.id)
    const texts = rows.map(row => textOf(checkout, attempt, row, context))
    const over = overpaid(attempt)
    if (over !== null) texts.push(over)
    if (texts.length === 0) return []
    const title = rows[0] ? titles[rows[0].payment.reason] : 'You paid more than was due'
    return [{ attemptId: attempt.id, title, texts, refund: refundOf(checkout, attempt, context) }]
  })
}

function textOf(
  { order, unmatched }: Checkout,
  attempt: Attempt,
  { payment, incoming, currency }: Checkout['unmatched'][number],
  { asset }: NoticeContext,
): string {
  const { reason, value, shortfall } = payment
  const isAsked = incoming.assetId === attempt.assetId
  const decimals = isAsked ? attempt.decimals : asset(incoming.assetId)?.decimals
  const coins =
    decimals === undefined
      ? 'a different coin'
      : `${fromUnitsShort(incoming.amountAtomic, decimals)} ${tickerOf(incoming.assetId)}`
  const worth = value === null ? '' : `, worth ${money({ amount: value, currency })}`
  const isLast = unmatched.findLast(one => one.payment.attemptId === attempt.id)?.payment.id === payment.id
  const missing =
    shortfall === null || !isLast
      ? ''
      : ` ${money({ amount: shortfall, currency })} is missing of ${money(order)}.`
  const wanted = asset(attempt.assetId)?.name ?? attempt.methodName
  const why: Record<UnmatchedReason, string> = {
    wrong_asset: `, but this payment asked for ${wanted}`,
    underpaid: worth,
    late: ` after the time to pay had run out${worth}`,
    second_payment: ', but this order was already paid',
    order_closed: ', but this order was closed',
    too_late: ' long after the time to pay had run out',
  }
  return `We received ${coins}${why[reason]}.${missing}`
}

/** A settled payment of a coin of which more arrived than was due. */
function overpaid({ kind, state, confirmedAtomic, dueAtomic, decimals, assetId }: Attempt): string | null {
  if (kind !== 'address' || state !== 'settled' || confirmedAtomic <= dueAtomic) return null
  const coins = (atomic: bigint) => `${fromUnitsShort(atomic, decimals)} ${tickerOf(assetId)}`
  return `We received ${coins(confirmedAtomic)}, but only ${coins(dueAtomic)} was due.`
}

/** Payments through a provider are returned by the provider. */
function refundOf(checkout: Checkout, attempt: Attempt, { asset, refused }: NoticeContext): Notice['refund'] {
  const name = asset(attempt.assetId)?.name
  if (name === undefined || !isReturnable(checkout, attempt)) return null
  return {
    network: name.split(' on ').at(-1) ?? name,
    saved: attempt.refundAddress,
    problem: refused?.attemptId === attempt.id ? refused.problem : null,
  }
}
