import { type DashboardLocale, dashboardLanguageNames } from './locale.ts'

/** The words for values that the database has a name for, by field. */
function wordsOf({ texts }: DashboardLocale): Record<string, Record<string, string>> {
  const { audit, developers, frame, orders, payouts, settings, timeline } = texts
  return {
    by: audit.ways,
    cryptoFirst: audit.routes,
    events: timeline.eventNames,
    kind: { ...payouts.kinds, ...audit.factors },
    language: dashboardLanguageNames,
    late: settings.choices.late,
    mode: developers.modes,
    network: payouts.networks,
    paymentMethodsKeys: { '*': audit.every, crypto: orders.crypto },
    role: frame.roles,
    scopes: developers.scopeNames,
    script: payouts.scripts,
    status: { ...orders.statuses, ...audit.statuses },
  }
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

function wordFor(locale: DashboardLocale, field: string, value: string): string {
  const words = wordsOf(locale)[field] ?? {}
  if (Object.hasOwn(words, value)) return words[value]!
  return TIMESTAMP.test(value) ? locale.dateTime(Date.parse(value)) : value
}

/** A value of the audit log in the words of the page; null for none. */
export function auditValue(locale: DashboardLocale, field: string, value: unknown): string | null {
  const { audit } = locale.texts
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return value ? audit.yes : audit.no
  if (typeof value === 'string') return wordFor(locale, field, value)
  if (Array.isArray(value) && value.every(one => typeof one === 'string'))
    return value.map(one => wordFor(locale, field, one)).join(', ') || null
  // Which image it was is nothing that people recognize.
  return field === 'logo' ? audit.image : JSON.stringify(value)
}
