import type { DashboardLocale } from '../../views/dashboard/locale.ts'
import { filled } from '../../views/texts/message.ts'
import type { UpstreamName } from '../domain/notification-facts.ts'
import type { UpstreamProblem } from '../domain/upstream-fault.ts'
import type { FactsOf, Messages } from './notification-message.ts'

type BackupProblem = Pick<FactsOf<'backup_failed'>, 'reason' | 'fault'>

/**
 * Faults whose texts lack details, such as the block. The upstream's own message has them, so it is quoted.
 */
const quotedFaults: UpstreamProblem['fault'][] = ['wrongChain', 'behind', 'malformed', 'failing']

/**
 * Explains a failure. The reason is complete, but in English. Other languages name the fault, and quote the
 * reason if the fault lacks details.
 */
function explained(
  { tag, texts }: DashboardLocale,
  reason: string,
  fault: { text: string; isQuoted: boolean } | null,
): string {
  if (tag === 'en') return reason
  const quoted = texts.serviceMessages.quoted({ reason: reason.replace(/[.]$/, '') })
  if (fault === null) return quoted
  return fault.isQuoted ? `${fault.text} ${quoted}` : fault.text
}

const upstreamReason = (locale: DashboardLocale, reason: string, fault: UpstreamProblem['fault']): string =>
  explained(
    locale,
    reason,
    fault && { text: locale.texts.upstreamFaults[fault], isQuoted: quotedFaults.includes(fault) },
  )

/**
 * Explains why a backup failed. The reason is quoted for its file names and numbers, which the fault lacks.
 */
const backupReason = (locale: DashboardLocale, { reason, fault }: BackupProblem): string =>
  explained(
    locale,
    reason,
    fault && { text: locale.texts.serviceMessages.backupFaults[fault], isQuoted: fault !== 'interrupted' },
  )

function upstreamText({ texts }: DashboardLocale, { upstream, name, chain }: UpstreamName): string {
  return filled(texts.serviceMessages.upstreams[upstream], { name, chain })
}

type OfServices = Pick<
  Messages,
  | 'upstream_down'
  | 'upstream_works'
  | 'backup_failed'
  | 'backup_unusable'
  | 'replica_behind'
  | 'files_low'
  | 'certificate_missing'
  | 'certificate_expiring'
  | 'service_unknown'
>

export const serviceTexts = (locale: DashboardLocale): OfServices => {
  const { upstream_down, upstream_works, backup_failed, backup_unusable, replica_behind, files_low } =
    locale.texts.serviceMessages
  const { service_unknown, certificate_missing, certificate_expiring } = locale.texts.serviceMessages
  const because = (unexplained: string) => (facts: { reason: string | null }) =>
    facts.reason === null ? unexplained : explained(locale, facts.reason, null)
  return {
    upstream_down: {
      text({ reason, fault, ...facts }) {
        const ended = reason.replace(/[.]?$/, '.')
        return upstream_down.text({
          name: upstreamText(locale, facts),
          reason: upstreamReason(locale, ended, fault),
        })
      },
      advice: ({ upstream }) => upstream_down.effects[upstream],
    },
    upstream_works: { text: facts => upstream_works.text({ name: upstreamText(locale, facts) }) },
    backup_failed: { text: facts => backup_failed.text({ reason: backupReason(locale, facts) }) },
    backup_unusable: { text: facts => backup_unusable.text({ reason: backupReason(locale, facts) }) },
    replica_behind: {
      text: ({ lagMinutes }) =>
        lagMinutes === null ? replica_behind.never : replica_behind.late({ lagMinutes }),
      advice: because(replica_behind.unexplained),
    },
    files_low: {
      advice: files_low.advice,
      text: ({ used, limit }) =>
        used === null ? files_low.few({ limit }) : files_low.nearly({ used, limit }),
    },
    certificate_missing: {
      text: certificate_missing.text,
      advice: because(certificate_missing.unexplained),
    },
    certificate_expiring: {
      text: certificate_expiring.text,
      advice: because(certificate_expiring.unexplained),
    },
    service_unknown: {
      text: ({ reason, fault }) => service_unknown.text({ reason: upstreamReason(locale, reason, fault) }),
    },
  }
}
