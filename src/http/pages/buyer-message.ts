import type { Locale } from '../../../views/locale.ts'
import { BuyerRefusal, type Refusal } from '../../domain/errors.ts'

const waitMessage = ({ texts: { errors } }: Locale, seconds: number | undefined): string =>
  seconds === undefined ? errors.waitMinute : errors.wait({ seconds })

const hasKey = <Key extends string>(texts: Record<Key, string>, key: string): key is Key => key in texts

/** An error in words for buyers, who cannot fix what only the shop can. */
export function buyerMessage(locale: Locale, refusal: Refusal): string {
  const { byCode, byReason, shopCannot } = locale.texts.errors
  if (refusal instanceof BuyerRefusal && hasKey(byReason, refusal.reason)) return byReason[refusal.reason]
  if (refusal.code === 'rate_limited') return waitMessage(locale, refusal.retryAfterSeconds)
  return hasKey(byCode, refusal.code) ? byCode[refusal.code] : shopCannot
}
