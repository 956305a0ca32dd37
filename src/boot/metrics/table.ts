import { registry } from '../../coins/registry.ts'
import { deliveryOutcomes } from '../../domain/webhook.ts'
import { GATEWAY } from '../../providers/paygate/id.ts'

/** The values of a label, if they are known before anything is counted; otherwise null. */
type LabelValues = readonly string[] | null

export interface MetricKind {
  type: 'counter' | 'gauge' | 'histogram'
  meaning: string
  labels: readonly string[]
  /** values of each label of a counter, in the order of `labels` */
  values?: readonly LabelValues[]
}

const counter = (meaning: string, labels: Record<string, LabelValues> = {}): MetricKind => ({
  type: 'counter',
  meaning,
  labels: Object.keys(labels),
  values: Object.values(labels),
})
const gauge = (meaning: string, ...labels: string[]): MetricKind => ({ type: 'gauge', meaning, labels })
const histogram = (meaning: string, ...labels: string[]): MetricKind => ({
  type: 'histogram',
  meaning,
  labels,
})

export const orderEvents = ['created', 'paid', 'forced', 'expired', 'cancelled', 'failed'] as const
export const paymentEvents = ['seen', 'confirmed', 'unmatched', 'gone'] as const

/** All metrics. The documentation and /metrics are made from this table. */
export const metricTable = {
  florin_info: gauge('1, with the version of Florin and the commit of its source', 'version', 'commit'),
  florin_requests_total: counter('HTTP requests, by route and class of status, such as 2xx', {
    method: null,
    route: null,
    status: ['2xx', '3xx', '4xx', '5xx'],
  }),
  florin_request_seconds: histogram('Time to answer an HTTP request'),
  florin_orders_total: counter(
    'Orders that were created, paid, forced, expired or cancelled, or that failed',
    { event: orderEvents },
  ),
  florin_attempts_total: counter('Payments that buyers started, by asset', {
    asset: registry.assets.map(({ id }) => id),
  }),
  florin_payments_total: counter('Payments that were seen, confirmed, unmatched or gone', {
    event: paymentEvents,
  }),
  florin_deliveries_total: counter('Tries to deliver an event, by outcome', { outcome: deliveryOutcomes }),
  florin_delivery_seconds: histogram('Time of a try to deliver an event'),
  florin_events_given_up_total: counter('Events that could not be delivered in 3 days'),
  florin_lookups_total: counter(
    'Requests to an endpoint of a chain, a rate source or a provider; failed includes status 400 and above',
    { upstream: null, endpoint: null, outcome: ['answered', 'failed'] },
  ),
  florin_lookup_seconds: histogram('Time until an endpoint answers', 'upstream', 'endpoint'),
  florin_upstream_unavailable_total: counter('Checks that no endpoint could answer, by chain or provider', {
    upstream: [...registry.chains.map(({ id }) => id), GATEWAY],
  }),
  florin_sign_ins_total: counter(
    'Tries to sign in: succeeded, failed (a wrong password or code), or slowed (too early after wrong ones)',
    { outcome: ['succeeded', 'failed', 'slowed'] },
  ),
  florin_log_lines_total: counter('Log lines, also those below FLORIN_LOG_LEVEL', {
    level: ['debug', 'info', 'warn', 'error'],
  }),
  florin_jobs_due: gauge('Jobs that are due and not running, by kind', 'kind'),
  florin_job_age_seconds: gauge('How long the oldest of these jobs has been due', 'kind'),
  florin_commit_seconds: histogram('Time of a commit, until it is on disk'),
  florin_database_available: gauge('1 if the database answers; otherwise 0'),
  florin_servers: gauge('Servers that use the database, as this one sees them'),
  florin_database_bytes: gauge('Size of the database'),
  florin_wal_bytes: gauge('Size of the write-ahead log of a database in a file'),
  florin_backup_age_seconds: gauge('How old the newest backup is, as far as Florin made it'),
  florin_replica_lag_seconds: gauge('How old the newest moment is that FLORIN_REPLICA_URL can restore'),
  florin_certificate_remaining_seconds: gauge('How long the certificate of FLORIN_DOMAIN is still valid'),
  process_resident_memory_bytes: gauge('Memory of the process'),
  process_cpu_seconds_total: counter('CPU time of the process'),
  process_start_time_seconds: gauge('When the process started, in Unix time'),
} satisfies Record<string, MetricKind>

export type MetricName = keyof typeof metricTable
