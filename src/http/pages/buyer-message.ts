import type { Locale } from '../../../views/locale.ts'
import type { Refusal } from '../../domain/errors.ts'
import type { BuyerReason } from '../../domain/reason.ts'

/**
 * Reasons that only the forms and the choice of methods explain, with facts that they know. Elsewhere, the
 * message of the code has to suffice.
 */
type ExplainedThere = 'not_an_address' | 'network_away' | 'product_archived'
type Sentences = Record<Exclude<BuyerReason['kind'], ExplainedThere>, string>

const waitMessage = ({ texts: { errors } }: Locale, seconds: number | undefined): string =>
  seconds === undefined ? errors.waitMinute : errors.wait({ seconds })

const hasKey = <Key extends string>(texts: Record<Key, string>, key: string): key is Key =>
  Object.hasOwn(texts, key)

/** The message of an error for buyers. If only the shop can fix the error, the message says so. */
export function buyerMessage(locale: Locale, { code, reason, retryAfterSeconds }: Refusal): string {
  const { byCode, byReason, shopCannot } = locale.texts.errors
  const sentences: Sentences = byReason
  if (reason && hasKey(sentences, reason.kind)) return sentences[reason.kind]
  if (code === 'rate_limited') return waitMessage(locale, retryAfterSeconds)
  return hasKey(byCode, code) ? byCode[code] : shopCannot
}
