import type { Locale } from '../../../views/locale.ts'
import type { Refusal } from '../../domain/errors.ts'
import type { BuyerReason } from '../../domain/reason.ts'

/** The forms and the choice explain these with what they know. Elsewhere, the code has to do. */
type ExplainedThere = 'not_an_address' | 'network_away' | 'product_archived'
type Sentences = Record<Exclude<BuyerReason['kind'], ExplainedThere>, string>

const waitMessage = ({ texts: { errors } }: Locale, seconds: number | undefined): string =>
  seconds === undefined ? errors.waitMinute : errors.wait({ seconds })

const hasKey = <Key extends string>(texts: Record<Key, string>, key: string): key is Key =>
  Object.hasOwn(texts, key)

/** An error as a page shows it to buyers, who cannot fix what only the shop can. */
export function buyerMessage(locale: Locale, { code, reason, retryAfterSeconds }: Refusal): string {
  const { byCode, byReason, shopCannot } = locale.texts.errors
  const sentences: Sentences = byReason
  if (reason && hasKey(sentences, reason.kind)) return sentences[reason.kind]
  if (code === 'rate_limited') return waitMessage(locale, retryAfterSeconds)
  return hasKey(byCode, code) ? byCode[code] : shopCannot
}
