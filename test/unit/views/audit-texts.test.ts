import { expect, test } from 'bun:test'
import { type DashboardLocale, dashboardLanguages, dashboardLocale } from '../../../views/dashboard/locale.ts'

// The compiler demands a sentence for each `AuditAction`.
type Action = keyof DashboardLocale['texts']['audit']['actions']
const auditActions = Object.keys(dashboardLocale('en', 'UTC').texts.audit.actions) as Action[]

test.each(dashboardLanguages)('every entry of the audit log is a sentence of its own in %s', language => {
  const { actions } = dashboardLocale(language, 'UTC').texts.audit
  const sentences = auditActions.map(action => actions[action])
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].* .*[^.]$/)
  expect(new Set(sentences).size).toBe(auditActions.length)
})

test('the German text of each entry of the audit log differs from the English one', () => {
  const [english, german] = (['en', 'de'] as const).map(
    tag => dashboardLocale(tag, 'UTC').texts.audit.actions,
  )
  expect(auditActions.filter(action => english![action] === german![action])).toEqual([])
})
