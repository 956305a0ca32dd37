import { serverCheckBody } from '../../../../views/dashboard/server-check.ts'
import type { Refusal } from '../../../domain/errors.ts'
import type { Finding } from '../../../domain/upkeep.ts'
import { form, page, type Route } from '../kit.ts'
import type { View } from '../page.ts'
import { problemText } from '../problem.ts'

const PATH = '/dashboard/server/check'

function checkView(findings: readonly Finding[] | null, refusal: Refusal | null = null): View {
  const of = (severity: Finding['severity']) =>
    (findings ?? []).filter(finding => !finding.ok && (finding.severity ?? 'fault') === severity)
  const reason = refusal?.reason ?? null
  return locale => ({
    title: locale.texts.server.tabs.check,
    body: serverCheckBody(locale, {
      found: findings && {
        faults: of('fault'),
        warnings: of('warning'),
        good: findings.filter(({ ok }) => ok),
      },
      problem: refusal && {
        text: problemText(locale, refusal),
        detail: reason?.kind === 'check_failed' ? reason.detail : null,
      },
    }),
  })
}

/**
 * The page with the findings of `florin doctor`, for operators. The check changes nothing, so it asks for no
 * proof.
 */
export const serverCheckRoutes: readonly Route[] = [
  page({ path: PATH, access: 'operator', show: () => checkView(null) }),
  form({
    path: PATH,
    access: 'operator',
    run: ({ context }) => context.upkeep.check(),
    done: findings => checkView(findings),
    refused: refusal => checkView(null, refusal),
  }),
]
