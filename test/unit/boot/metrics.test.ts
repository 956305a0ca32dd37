import { describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { countedLog } from '../../../src/boot/metrics/meter.ts'
import { Registry } from '../../../src/boot/metrics/registry.ts'
import { metricTable } from '../../../src/boot/metrics/table.ts'
import type { Log } from '../../../src/domain/log.ts'
import { testShopOf } from '../../../src/domain/test-shop.ts'
import { pageOf } from '../../support/docs.ts'
import { newFolder } from '../../support/process.ts'
import { isMissing, programOf } from '../../support/programs.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} } as Log

describe('a registry of metrics', () => {
  test('prints counters, gauges and histograms as Prometheus reads them', () => {
    const registry = new Registry()
    registry.add('florin_orders_total', ['paid'])
    registry.add('florin_orders_total', ['paid'], 2)
    registry.set('florin_info', ['1.0 "a\\b"\n', 'c0ffee'], 1)
    for (const seconds of [0.001, 0.02, 0.03, 99]) registry.observe('florin_commit_seconds', [], seconds)
    const lines = registry.print().split('\n')
    expect(lines).toContain('florin_orders_total{event="paid"} 3')
    expect(lines).toContain('florin_info{version="1.0 \\"a\\\\b\\"\\n",commit="c0ffee"} 1')
    expect(lines.filter(line => line.startsWith('florin_commit_seconds'))).toEqual([
      'florin_commit_seconds_bucket{le="0.001"} 1',
      'florin_commit_seconds_bucket{le="0.005"} 1',
      'florin_commit_seconds_bucket{le="0.01"} 1',
      'florin_commit_seconds_bucket{le="0.025"} 2',
      ...['0.05', '0.1', '0.25', '0.5', '1', '2.5', '5', '10'].map(
        bound => `florin_commit_seconds_bucket{le="${bound}"} 3`,
      ),
      'florin_commit_seconds_bucket{le="+Inf"} 4',
      'florin_commit_seconds_sum 99.051',
      'florin_commit_seconds_count 4',
    ])
  })

  test('counts new labels together if there are too many', () => {
    const registry = new Registry()
    for (let i = 0; i < 2000; i++) registry.add('florin_requests_total', ['GET', `/${i}`, '2xx'])
    const lines = registry
      .print()
      .split('\n')
      .filter(line => line.startsWith('florin_requests_total'))
    expect(lines).toHaveLength(2001)
    expect(lines.at(-1)).toBe('florin_requests_total{method="other",route="other",status="other"} 1500')
  })

  test('has each counter from the start, and every outcome once one is counted', () => {
    const registry = new Registry()
    const counters = Object.entries(metricTable).filter(([, { type }]) => type === 'counter')
    const unknown = ['florin_requests_total', 'florin_lookups_total']
    for (const [name] of counters) {
      expect([name, registry.print().includes(`# TYPE ${name} `)]).toEqual([name, !unknown.includes(name)])
    }
    registry.add('florin_lookups_total', ['btc', 'node.example', 'failed'])
    const answered = 'florin_lookups_total{upstream="btc",endpoint="node.example",outcome="answered"} 0'
    expect(registry.print().split('\n')).toContain(answered)
  })
})

test.each([
  ['order.created', {}, 'florin_orders_total{event="created"} 1'],
  ['order.paid', {}, 'florin_orders_total{event="paid"} 1'],
  ['attempt.opened', { assetId: 'btc' }, 'florin_attempts_total{asset="btc"} 1'],
  ['payment.seen', {}, 'florin_payments_total{event="seen"} 1'],
  ['payment.unmatched', {}, 'florin_payments_total{event="unmatched"} 1'],
  ['event.given_up', {}, 'florin_events_given_up_total 1'],
  ['upstream.unavailable', { source: 'btc' }, 'florin_upstream_unavailable_total{upstream="btc"} 1'],
  [
    'webhook.delivery.failed',
    { outcome: 'timed_out', durationMs: 9 },
    'florin_deliveries_total{outcome="timed_out"} 1',
  ],
])('a log line %s is counted, and logged', (event, fields, line) => {
  const registry = new Registry()
  const logged: unknown[] = []
  const log = countedLog({ ...silent, info: (...args) => logged.push(args) }, registry)
  log.info(fields, event)
  expect(registry.print().split('\n')).toContain(line)
  expect(registry.print()).toContain('florin_log_lines_total{level="info"} 1')
  expect(logged).toEqual([[fields, event]])
})

test('events of a test order are logged, but do not count in the metrics of the business', () => {
  const registry = new Registry()
  const merchantId = testShopOf('01981f5c-0a11-7b52-8c3d-4e5f60718293')
  countedLog(silent, registry).info({ merchantId }, 'order.paid')
  expect(registry.print()).toContain('florin_orders_total{event="paid"} 0')
  expect(registry.print()).toContain('florin_log_lines_total{level="info"} 1')
})

/** The cause that makes each expression of operations.md true. */
const causes: Record<string, (registry: Registry, log: Log) => void> = {
  'florin_job_age_seconds{kind="event.deliver"} > 600': registry =>
    registry.set('florin_job_age_seconds', ['event.deliver'], 601),
  'florin_job_age_seconds{kind="attempt.check"} > 600': registry =>
    registry.set('florin_job_age_seconds', ['attempt.check'], 601),
  'increase(florin_upstream_unavailable_total[15m]) > 10': (_, log) => {
    for (let times = 0; times < 11; times++) log.warn({ source: 'btc' }, 'upstream.unavailable')
  },
  'increase(florin_events_given_up_total[1h]) > 0': (_, log) => log.warn({}, 'event.given_up'),
  'increase(florin_payments_total{event="unmatched"}[1h]) > 0': (_, log) => log.warn({}, 'payment.unmatched'),
  'florin_wal_bytes > 1e9': registry => registry.set('florin_wal_bytes', [], 2e9),
  'florin_database_available == 0': registry => registry.set('florin_database_available', [], 0),
  'sum(increase(florin_requests_total{status="5xx"}[15m])) > 5': (_, log) => {
    for (let times = 0; times < 6; times++) log.info({ method: 'GET', route: '/v1', status: 500 }, 'request')
  },
  'histogram_quantile(0.95, sum by (le) (rate(florin_request_seconds_bucket[10m]))) > 1': registry =>
    registry.observe('florin_request_seconds', [], 3),
  'histogram_quantile(0.95, sum by (le) (rate(florin_commit_seconds_bucket[10m]))) > 0.5': registry =>
    registry.observe('florin_commit_seconds', [], 3),
  'increase(florin_log_lines_total{level="error"}[15m]) > 0': (_, log) => log.error({}, 'database.not_ready'),
  'florin_replica_lag_seconds > 300': registry => registry.set('florin_replica_lag_seconds', [], 301),
  'florin_backup_age_seconds > 691200': registry => registry.set('florin_backup_age_seconds', [], 700_000),
  'process_resident_memory_bytes{job="florin"} > 8e8': registry =>
    registry.set('process_resident_memory_bytes', [], 9e8),
}

const expressions = [...pageOf('.github/docs/operations.md').matchAll(/^\| `([^`]* [>=]+ [^`]*)` \|/gm)]
  .map(([, expression]) => expression!)
  // Prometheus itself makes the metric `up`, and a single start is not an event.
  .filter(expression => !/^(up|changes)\b/.test(expression))

const samplesOf = (registry: Registry): Map<string, string> =>
  new Map(
    registry
      .print()
      .split('\n')
      .filter(line => /^[a-z]/.test(line))
      .map(line => [line.slice(0, line.lastIndexOf(' ')), line.slice(line.lastIndexOf(' ') + 1)]),
  )

/** The samples that Prometheus scrapes from a server before and after an event, each for a while. */
function scraped(cause: (registry: Registry, log: Log) => void) {
  const registry = new Registry()
  // Before something fails, a shop has had visitors.
  registry.add('florin_requests_total', ['GET', '/v1', '2xx'])
  const before = samplesOf(registry)
  cause(registry, countedLog(silent, registry))
  return [...samplesOf(registry)].map(([series, value]) => {
    const first = before.get(series)
    const [, name, labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(series) ?? []
    const scrapedAs = `${name}{${labels}${labels && ','}job="florin"}`
    return { series: scrapedAs, values: `${first === undefined ? '_x20' : `${first}x19`} ${value}x20` }
  })
}

const hasPromtool = !isMissing('The tests of alerts', 'promtool')
test.if(hasPromtool)('each alert that operations.md recommends fires at the first event', () => {
  expect(Object.keys(causes).sort()).toEqual(expressions.toSorted())
  const folder = newFolder()
  const tests = Object.entries(causes).map(([expression, cause]) => ({
    name: expression,
    interval: '1m',
    input_series: scraped(cause),
    promql_expr_test: [10, 25].map(minute => ({
      expr: `count(${expression}) or vector(0)`,
      eval_time: `${minute}m`,
      exp_samples: [{ labels: '{}', value: minute > 20 ? 1 : 0 }],
    })),
  }))
  writeFileSync(join(folder, 'tests.yml'), JSON.stringify({ tests }))
  const { stdout, stderr } = spawnSync(programOf('promtool'), ['test', 'rules', 'tests.yml'], { cwd: folder })
  expect(`${stdout}${stderr}`).toMatch(/SUCCESS\s*$/)
})
