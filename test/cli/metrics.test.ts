import { afterAll, expect, test } from 'bun:test'
import { metricTable } from '../../src/boot/metrics/table.ts'
import { startDemo } from '../support/demo.ts'
import { pageOf } from '../support/docs.ts'
import { freePort } from '../support/free-port.ts'
import { callUrl, endProcesses, FLORIN, newFolder, runCli, startProcess } from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'

afterAll(endProcesses)

const table = Object.entries(metricTable)

/** The samples of an answer in Prometheus' text format, which must be well-formed. */
function samplesOf(text: string): Map<string, number> {
  const types = new Map<string, string>()
  const samples = new Map<string, number>()
  for (const line of text.trimEnd().split('\n')) {
    const [, name, type] = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line) ?? []
    if (name && type) types.set(name, type)
    if (line.startsWith('#')) continue
    const label = '[a-z_]+="(?:[^"\\\\\\n]|\\\\["\\\\n])*"'
    const sample = new RegExp(`^([a-z_]+)(\\{${label}(?:,${label})*\\})? ([0-9.e+-]+)$`).exec(line)
    expect([line, sample !== null]).toEqual([line, true])
    const family = sample![1]!.replace(/_(bucket|sum|count)$/, '')
    expect([line, types.has(family) || types.has(sample![1]!)]).toEqual([line, true])
    samples.set(`${sample![1]}${sample![2] ?? ''}`, Number(sample![3]))
  }
  return samples
}

test('metrics count requests, deliveries, look-ups, commits, jobs and sizes, and contain no secret', async () => {
  const port = freePort()
  const receiver = startReceiver()
  const node = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => new Response('busy', { status: 503 }),
  })
  const server = await startProcess(FLORIN, ['serve'], {
    FLORIN_METRICS: `127.0.0.1:${port}`,
    FLORIN_OUTBOUND_ALLOW: receiver.host,
    FLORIN_ETHEREUM_URL: `http://127.0.0.1:${node.port}/v3/verysecretkey?token=another`,
    FLORIN_LOG_LEVEL: 'silent',
  })
  const metrics = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/metrics`)
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ])
    return response.text()
  }
  try {
    const settings = { FLORIN_DATA_DIR: server.dataDir }
    const cli = async (...args: string[]) => JSON.parse((await runCli([...args, '--json'], settings)).stdout)
    const { merchantId } = await cli('merchant', 'create', '--email', 'a@shop.example', '--name', 'A')
    const { key } = await cli('key', 'create', '--merchant', merchantId, '--mode', 'live')
    const wallet = { cryptoWallets: { evm: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' } }
    await server.call('PUT', '/v1/wallet', { key, body: wallet })
    await server.call('PUT', '/v1/webhook', { key, body: { url: receiver.url } })
    const body = {
      amount: '5.00',
      currency: 'USD',
      paymentMethodsKeys: ['*'],
      customer: { email: 'buyer@example.com' },
    }
    const { orderUUID } = (await server.call('POST', '/v1/orders', { key, body })).json.data
    await server.call('GET', '/v1/nothing', { key })
    const order = ['--merchant', merchantId, '--order', orderUUID]
    await cli('order', 'force', ...order, '--by', 'Ann', '--reason', 'paid in cash')
    for (let tries = 0; tries < 100 && receiver.received.length === 0; tries++) await Bun.sleep(50)
    await Bun.sleep(200)

    const text = await metrics()
    const samples = samplesOf(text)
    expect(samples.get('florin_requests_total{method="POST",route="/v1/orders",status="2xx"}')).toBe(1)
    const isRefusal = ([name, value]: [string, number]) =>
      /requests_total.*status="4xx"/.test(name) && value > 0
    expect([...samples].filter(isRefusal)).toHaveLength(1)
    expect(samples.get('florin_orders_total{event="created"}')).toBe(1)
    expect(samples.get('florin_request_seconds_count')).toBeGreaterThanOrEqual(4)
    expect(samples.get('florin_deliveries_total{outcome="delivered"}')).toBe(1)
    expect(samples.get('florin_delivery_seconds_count')).toBe(1)
    const endpoint = `upstream="ethereum",endpoint="127.0.0.1:${node.port}"`
    expect(samples.get(`florin_lookups_total{${endpoint},outcome="failed"}`)).toBeGreaterThan(0)
    expect(samples.get(`florin_lookup_seconds_bucket{${endpoint},le="+Inf"}`)).toBeGreaterThan(0)
    expect(samples.get('florin_commit_seconds_count')).toBeGreaterThan(3)
    expect(samples.get('florin_database_bytes')).toBeGreaterThan(100_000)
    expect(samples.get('florin_wal_bytes')).toBeGreaterThan(0)
    expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
    expect(samples.get('florin_log_lines_total{level="info"}')).toBeGreaterThan(3)
    for (const secret of ['verysecretkey', 'another', key, orderUUID, 'buyer@example.com', merchantId]) {
      expect([secret, text.includes(secret)]).toEqual([secret, false])
    }
    expect((await fetch(`http://127.0.0.1:${port}/v1/orders`)).status).toBe(404)
    expect((await server.call('GET', '/metrics')).status).toBe(404)
  } finally {
    await server.stop()
    await receiver.stop()
    node.stop(true)
  }
  await expect(callUrl(`http://127.0.0.1:${port}/metrics`, 'GET')).rejects.toThrow()
})

test('a listener that cannot be opened is an error message, and nothing is started', async () => {
  const other = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
  try {
    const used = await runCli(['serve'], {
      FLORIN_DATA_DIR: newFolder(),
      FLORIN_PORT: '0',
      FLORIN_METRICS: `127.0.0.1:${other.port}`,
    })
    const sentence = `Cannot listen on 127.0.0.1:${other.port}: the port is already in use. Set FLORIN_METRICS to another port.`
    expect([used.exitCode, used.stderr.trim(), used.stdout]).toEqual([1, sentence, ''])
    for (const value of ['9464', 'localhost', 'localhost:0', 'a:1,b:2']) {
      const serve = await runCli(['serve'], { FLORIN_DATA_DIR: newFolder(), FLORIN_METRICS: value })
      expect([serve.exitCode, serve.stderr]).toEqual([1, expect.stringContaining('FLORIN_METRICS ')])
    }
  } finally {
    other.stop(true)
  }
})

test('operations.md lists every metric with its labels', () => {
  const rows = table.map(([name, { type, meaning, labels }]) => {
    const names = labels.map(label => `\`${label}\``).join(', ')
    return `| \`${name}\` | ${type} | ${names} | ${meaning} |`
  })
  const page = pageOf('.github/docs/operations.md')
  expect(
    page
      .split('\n')
      .filter(line => /^\| `(florin|process)_[a-z_]+` \| (counter|gauge|histogram) \|/.test(line)),
  ).toEqual(rows)
})

test('metrics count the steps of a payment in the sandbox', async () => {
  const port = freePort()
  const server = await startDemo({
    FLORIN_METRICS: `127.0.0.1:${port}`,
    FLORIN_LOG_LEVEL: 'silent',
  })
  try {
    const { liveKey: key } = server.output
    const read = async () => samplesOf(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text())
    const before = await read()
    const customer = { email: 'buyer@example.com' }
    const body = { amount: '25.00', currency: 'USD', paymentMethodsKeys: ['*'], customer }
    const { orderUUID } = (await server.call('POST', '/v1/orders', { key, body })).json.data
    await server.call('POST', `/pay/${orderUUID}/crypto`, { form: { asset: 'btc' } })
    await server.call('POST', '/sandbox/simulate', { body: { orderUUID, outcome: 'paid' } })
    await server.call('POST', '/sandbox/clock', { body: { advanceSeconds: 10 } })
    await server.call('POST', `/pay/${orderUUID}/check`)
    const after = await read()
    // The demo created orders itself.
    const counted = (name: string) => after.get(name)! - (before.get(name) ?? 0)
    expect(counted('florin_attempts_total{asset="btc"}')).toBe(1)
    expect(counted('florin_payments_total{event="seen"}')).toBe(1)
    expect(counted('florin_payments_total{event="confirmed"}')).toBe(1)
    expect(counted('florin_orders_total{event="paid"}')).toBe(1)
  } finally {
    await server.stop()
  }
})
