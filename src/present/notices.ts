import type { Notice } from '../../views/checkout/model.ts'
import type { Locale } from '../../views/locale.ts'
import type { Asset, AssetLook } from '../domain/asset.ts'
import { type Attempt, leftMinor } from '../domain/attempt.ts'
import { isElsewhere } from '../domain/elsewhere.ts'
import { fromUnitsShort } from '../domain/money.ts'
import type { Order } from '../domain/order.ts'
import { overpaidOf } from '../domain/overpaid.ts'
import type { AddressReason } from '../domain/reason.ts'
import { type Checkout, isReturnable } from '../operations/payments/load-checkout.ts'
import { money, tickerOf } from './amounts.ts'
import { coinsOn } from './elsewhere.ts'
import { noticeOf, overpaidSentence, receivedSentence, wantedOf } from './received-sentence.ts'

/** The refusal of an attempt's refund address. */
export interface AddressProblem {
  attemptId: string
  reason: AddressReason
  /** true if the page answers the form, so that the focus stays in its field */
  isNew: boolean
}

interface NoticeContext {
  asset(id: string): Asset | undefined
  look(asset: Asset): AssetLook
  refused: AddressProblem | null
}

/** Notices about money that arrived and did not complete the order, or was more than was due. */
export function presentNotices(locale: Locale, checkout: Checkout, context: NoticeContext): Notice[] {
  const over = overpaidOf(checkout.order, checkout.attempts)
  const open = checkout.unmatched.filter(({ payment }) => payment.status === 'open')
  return checkout.attempts.flatMap((attempt): Notice[] => {
    const rows = open.filter(row => row.payment.attemptId === attempt.id && !isEnough(checkout, attempt, row))
    const texts = rows.map(row => textOf(locale, { order: checkout.order, attempt }, row, context))
    if (over?.attempt.id === attempt.id) texts.push(overpaidSentence(locale, over, checkout.order))
    if (texts.length === 0) return []
    const [first] = rows
    const { title } = first ? noticeOf(checkout.order, first.payment.reason, first.incoming) : overpaid
    const { titles } = locale.texts.notices
    return [
      {
        attemptId: attempt.id,
        title: titles[title],
        texts,
        refund: refundOf(locale, checkout, attempt, context),
      },
    ]
  })
}

const overpaid = { title: 'overpaid' } as const

/** True for a part that counts, while payments that are not confirmed yet cover the rest of the order. */
const isEnough = (
  { order, attempts }: Checkout,
  { credited, awaited }: Attempt,
  { payment: { reason } }: Checkout['unmatched'][number],
): boolean =>
  (order.status === 'UNPAID' || order.status === 'EXPIRED') &&
  (reason === 'underpaid' || reason === 'late') &&
  credited > 0n &&
  awaited === 0n &&
  leftMinor(order, attempts) === 0n

function textOf(
  locale: Locale,
  { order, attempt }: { order: Order; attempt: Attempt },
  { payment, incoming, currency }: Checkout['unmatched'][number],
  context: NoticeContext,
): string {
  const { asset } = context
  const { notices: texts } = locale.texts
  const { value } = payment
  const { reason } = noticeOf(order, payment.reason, incoming)
  const isAsked = incoming.assetId === attempt.assetId
  const decimals = isAsked ? attempt.decimals : asset(incoming.assetId)?.decimals
  const coins = isElsewhere(attempt, incoming.source)
    ? coinsOn(locale, incoming, context)
    : decimals === undefined
      ? texts.otherCoin
      : `${fromUnitsShort(incoming.amountAtomic, decimals)} ${tickerOf(incoming.assetId)}`
  const worth = value === null ? null : money(locale, { amount: value, currency })
  // Buyers pay money on a provider's page, whatever coin the provider pays out, so the amount is shown as
  // money.
  const amount = attempt.kind === 'redirect' && worth !== null ? worth : coins
  return receivedSentence(locale, reason, { amount, worth, wanted: wantedOf(locale, attempt, context) })
}

/** The form for a refund address; null for payments through a provider, who returns them. */
function refundOf(
  { texts: { errors } }: Locale,
  checkout: Checkout,
  attempt: Attempt,
  { asset, refused }: NoticeContext,
): Notice['refund'] {
  const name = asset(attempt.assetId)?.name
  if (name === undefined || !isReturnable(checkout, attempt)) return null
  const network = name.split(' on ').at(-1) ?? name
  const saved = attempt.refundAddress
  if (refused?.attemptId !== attempt.id) return { network, saved, problem: null }
  const { reason, isNew } = refused
  const text = reason === 'not_an_address' ? errors.notAnAddress({ network }) : errors.byReason[reason]
  return { network, saved, problem: { text, isNew } }
}
