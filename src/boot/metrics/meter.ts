import type { Log } from '../../domain/log.ts'
import { isTestShop } from '../../domain/test-shop.ts'
import type { Fetch } from '../../networks/port.ts'
import type { Registry } from './registry.ts'
import { type MetricName, orderEvents, paymentEvents } from './table.ts'

/** Counts events. Each call is a few operations in memory. */
export interface Meter {
  /** Counts a commit and its time. Call it after each commit. */
  committed(ms: number): void
  /** Wraps `fetch` to count requests as look-ups of a chain, a rate source or a provider. */
  lookups(upstream: string, fetch: Fetch): Fetch
}

const seconds = (ms: number): number => ms / 1000

/** The host of a URL: the rest may contain a key. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'invalid')

export const makeMeter = (registry: Registry): Meter => ({
  committed: ms => registry.observe('florin_commit_seconds', [], seconds(ms)),
  lookups: (upstream, fetch) => async (url, init) => {
    const endpoint = hostOf(url)
    const startedAt = performance.now()
    let outcome = 'failed'
    try {
      const response = await fetch(url, init)
      if (response.status < 400) outcome = 'answered'
      return response
    } finally {
      registry.add('florin_lookups_total', [upstream, endpoint, outcome])
      const ms = performance.now() - startedAt
      registry.observe('florin_lookup_seconds', [upstream, endpoint], seconds(ms))
    }
  },
})

type Fields = Record<string, unknown>
type Count = (registry: Registry, fields: Fields) => void

const text = (value: unknown): string => (typeof value === 'string' && value !== '' ? value : 'none')

const counting =
  (name: MetricName, label: (fields: Fields) => string): Count =>
  (registry, fields) =>
    registry.add(name, [label(fields)])

/** Counts the log events of an object: for "order", those such as order.paid. */
const steps = (noun: string, name: MetricName, events: readonly string[]): [string, Count][] =>
  events.map(event => [`${noun}.${event}`, counting(name, () => event)])

const delivery = (registry: Registry, fields: Fields, outcome: string): void => {
  registry.add('florin_deliveries_total', [outcome])
  registry.observe('florin_delivery_seconds', [], seconds(Number(fields.durationMs)))
}

/** What each log event counts in the metrics, by its name. The names are stable. */
const counts = new Map<string, Count>([
  ...steps('order', 'florin_orders_total', orderEvents),
  ...steps('payment', 'florin_payments_total', paymentEvents),
  ['attempt.opened', counting('florin_attempts_total', ({ assetId }) => text(assetId))],
  ['webhook.delivered', (registry, fields) => delivery(registry, fields, 'delivered')],
  ['webhook.delivery.failed', (registry, fields) => delivery(registry, fields, text(fields.outcome))],
  ['event.given_up', registry => registry.add('florin_events_given_up_total')],
  ['upstream.unavailable', counting('florin_upstream_unavailable_total', ({ source }) => text(source))],
  ...['succeeded', 'failed', 'slowed'].map((outcome): [string, Count] => [
    `sign_in.${outcome}`,
    counting('florin_sign_ins_total', () => outcome),
  ]),
  [
    'request',
    (registry, { method, route, status, ms }) => {
      const statusClass = `${Math.floor(Number(status) / 100)}xx`
      // A request that matched no route, such as a malformed one, has no route label.
      registry.add('florin_requests_total', [text(method), text(route), statusClass])
      if (typeof ms === 'number') registry.observe('florin_request_seconds', [], seconds(ms))
    },
  ],
])

/** True for events of test orders, which are logged, but not counted in the metrics of the business. */
const isOfTests = ({ merchantId }: Fields): boolean =>
  typeof merchantId === 'string' && isTestShop(merchantId)

/** Wraps a log to count its lines. */
export function countedLog(log: Log, registry: Registry): Log {
  const counted =
    (level: keyof Log): Log[keyof Log] =>
    (fields, event) => {
      registry.add('florin_log_lines_total', [level])
      if (!isOfTests(fields as Fields)) counts.get(event)?.(registry, fields as Fields)
      log[level](fields, event)
    }
  return { debug: counted('debug'), info: counted('info'), warn: counted('warn'), error: counted('error') }
}
