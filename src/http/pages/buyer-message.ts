import type { Locale } from '../../../views/locale.ts'
import { BuyerRefusal, type Refusal, RefusedAddress } from '../../domain/errors.ts'

const waitMessage = ({ texts: { errors } }: Locale, seconds: number | undefined): string =>
  seconds === undefined ? errors.waitMinute : errors.wait(seconds)

const hasKey = <Key extends string>(texts: Record<Key, string>, key: string): key is Key => key in texts

/** An error as a page shows it to buyers, who cannot fix what only the shop can. */
export function buyerMessage(locale: Locale, refusal: Refusal): string {
  const { byCode, byReason, notAnAddress, shopCannot } = locale.texts.errors
  if (refusal.code === 'rate_limited') return waitMessage(locale, refusal.retryAfterSeconds)
  if (refusal instanceof RefusedAddress && refusal.reason === 'not_an_address')
    return notAnAddress(refusal.network)
  if (refusal instanceof BuyerRefusal && hasKey(byReason, refusal.reason)) return byReason[refusal.reason]
  return hasKey(byCode, refusal.code) ? byCode[refusal.code] : shopCannot
}
