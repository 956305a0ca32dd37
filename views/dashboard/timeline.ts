import { type Html, html } from '../html.ts'
import type { AuditAction } from './audit.ts'
import type { DashboardLocale } from './locale.ts'
import { time } from './parts.ts'

type Texts = DashboardLocale['texts']['timeline']
type EventType = keyof Texts['eventNames']

/** The payment of an order, with the reason. */
interface SettledEntry {
  kind: 'settled'
  verdict: string
  /** confirmed and required amount; null if a person decided */
  confirmed: string | null
  needed: string | null
  /** person who accepted a payment that did not complete the order, and their reason */
  by: string | null
  reason: string | null
  /** rule as it is stored, in English */
  rule: string
  /** evidence, as JSON */
  evidence: string
}

/** An event in the life of an order. Amounts include their currency or coin. */
export type TimelineEntry = { at: number } & (
  | { kind: 'created' | 'opened' | 'expired' | 'failed' }
  /** `due` is null until the provider's page is opened */
  | { kind: 'attempt'; method: string; due: string | null }
  | { kind: 'attemptFailed'; method: string }
  | {
      kind: 'payment'
      state: keyof Texts['payment']
      amount: string
      txId: string | null
      txUrl: string | null
      confirmations: number
      /** null if the upstream decides when the payment is final */
      required: number | null
    }
  | SettledEntry
  | { kind: 'unmatched'; reason: keyof Texts['reasons']; amount: string }
  | { kind: 'ended'; by: string }
  | { kind: 'forced' | 'cancelled'; by: string; reason: string | null }
  | {
      kind: 'refund'
      amount: string
      /** refunded amount with its coin; null if it was not recorded */
      sent: string | null
      txId: string | null
      txUrl: string | null
      reason: string
      by: string
    }
  | { kind: 'event'; type: EventType }
  | { kind: 'delivery'; type: EventType; outcome: keyof Texts['outcomes']; httpStatus: number | null }
  | { kind: 'notified'; text: string }
  | { kind: 'change'; action: AuditAction; by: string }
  | { kind: 'note'; text: string; by: string }
)

type Kind = TimelineEntry['kind']
type Of<K extends Kind> = Extract<TimelineEntry, { kind: K }>

/** An entry in words: a sentence, and further details. */
type EntryWords = [title: string, ...details: (Html | string | null)[]]

/** A transaction, with a link to its page in an explorer if there is one. */
const transaction = (id: string | null, url: string | null): Html | null => {
  if (id === null) return null
  if (url === null) return html`<span class="code" dir="ltr">${id}</span>`
  return html`<a class="code" href="${url}" rel="noopener noreferrer" dir="ltr">${id}</a>`
}

const hasKey = <Key extends string>(texts: Record<Key, string>, key: string): key is Key => key in texts

function payment(
  texts: Texts,
  { state, amount, txId, txUrl, confirmations, required }: Of<'payment'>,
): EntryWords {
  const counted =
    required === null ? null : texts.confirmations({ count: Math.min(confirmations, required), required })
  const hasLasted = state === 'seen' || state === 'final'
  return [texts.payment[state]({ amount }), hasLasted ? counted : null, transaction(txId, txUrl)]
}

const quoted = (text: string | null): Html | null =>
  text ? html`<span class="written" dir="auto">${text}</span>` : null

/** A sentence that says why an order is paid. */
export const settledText = ({ settled }: Texts, verdict: string): string =>
  hasKey(settled, verdict) ? settled[verdict] : settled.exact

type EntryTexts = { [K in Kind]: (texts: Texts, entry: Of<K>, locale: DashboardLocale) => EntryWords }

const entryTexts: EntryTexts = {
  created: texts => [texts.created],
  opened: texts => [texts.opened],
  expired: texts => [texts.expired],
  failed: texts => [texts.failed],
  attempt: (texts, { method, due }, { coin }) => [
    due === null ? texts.attempt({ method: coin(method) }) : texts.attemptDue({ method: coin(method), due }),
  ],
  attemptFailed: (texts, { method }, { coin }) => [texts.attemptFailed({ method: coin(method) })],
  payment,
  settled: (texts, { verdict, confirmed, needed, by, reason }, { coin }) => [
    settledText(texts, verdict),
    confirmed &&
      (needed === null
        ? texts.confirmed({ sum: coin(confirmed) })
        : texts.enough({ sum: coin(confirmed), needed: coin(needed) })),
    by && texts.acceptedBy({ by }),
    quoted(reason),
  ],
  unmatched: (texts, { amount, reason }) => [texts.unmatched({ amount }), texts.reasons[reason]],
  forced: (texts, { by, reason }) => [texts.forced({ by }), quoted(reason)],
  cancelled: (texts, { by, reason }) => [texts.cancelled({ by }), quoted(reason)],
  ended: (texts, { by }) => [texts.ended({ by })],
  refund: (texts, { amount, sent, txId, txUrl, by, reason }) => [
    texts.refund({ amount, by }),
    sent && texts.refundSent({ sum: sent }),
    transaction(txId, txUrl),
    quoted(reason),
  ],
  event: (texts, { type }) => [texts.event({ name: texts.eventNames[type], type })],
  delivery: (texts, { type, outcome, httpStatus }) => [
    texts.delivery({ name: texts.eventNames[type] }),
    texts.outcomes[outcome],
    httpStatus === null ? null : texts.httpStatus({ status: httpStatus }),
  ],
  notified: (texts, { text }) => [texts.notified, quoted(text)],
  change: (texts, { action, by }, locale) => [texts.change({ what: locale.texts.audit.actions[action], by })],
  note: (texts, { text, by }) => [texts.note({ by }), quoted(text)],
}

const evidence = (texts: Texts, rule: string, text: string): Html =>
  html`<details id="evidence"><summary>${texts.evidence}</summary>
<p class="soft" lang="en" dir="ltr">${rule}</p>
<pre dir="ltr">${text}</pre></details>`

function entry(locale: DashboardLocale, one: TimelineEntry): Html {
  const wordsOf = entryTexts[one.kind] as (
    texts: Texts,
    entry: TimelineEntry,
    locale: DashboardLocale,
  ) => EntryWords
  const [title, ...details] = wordsOf(locale.texts.timeline, one, locale)
  const shown = details.filter(detail => detail !== null)
  return html`<li><span dir="auto">${title}</span> <span class="soft">${time(locale, one.at)}</span>
${shown.map(detail => html`<br><span class="soft">${detail}</span>`)}
${one.kind === 'settled' && evidence(locale.texts.timeline, one.rule, one.evidence)}</li>
`
}

/** The events of an order, oldest first. */
export const timeline = (locale: DashboardLocale, entries: readonly TimelineEntry[]): Html =>
  html`<section class="card"><h2>${locale.texts.timeline.title}</h2>
<ol class="timeline">
${entries.map(one => entry(locale, one))}</ol></section>`
