import { describe, expect, test } from 'bun:test'
import { countedLog } from '../../../src/boot/metrics/meter.ts'
import { Registry } from '../../../src/boot/metrics/registry.ts'
import type { Log } from '../../../src/domain/log.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} } as Log

describe('a registry', () => {
  test('prints counters, gauges and histograms as Prometheus reads them', () => {
    const registry = new Registry()
    registry.add('florin_orders_total', ['paid'])
    registry.add('florin_orders_total', ['paid'], 2)
    registry.set('florin_info', ['1.0 "a\\b"\n'], 1)
    for (const seconds of [0.001, 0.02, 0.03, 99]) registry.observe('florin_commit_seconds', [], seconds)
    const lines = registry.print().split('\n')
    expect(lines).toContain('florin_orders_total{event="paid"} 3')
    expect(lines).toContain('florin_info{version="1.0 \\"a\\\\b\\"\\n"} 1')
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

  test('counts new labels together once there are many', () => {
    const registry = new Registry()
    for (let i = 0; i < 2000; i++) registry.add('florin_requests_total', ['GET', `/${i}`, '2xx'])
    const lines = registry
      .print()
      .split('\n')
      .filter(line => line.startsWith('florin_requests_total'))
    expect(lines).toHaveLength(501)
    expect(lines.at(-1)).toBe('florin_requests_total{method="other",route="other",status="other"} 1500')
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
