// Measures the executable beside a bare server that writes the same rows, alternating, on this computer.
//   npm run bench                         prints the table
//   npm run bench -- --save before.json   keeps the figures
//   npm run bench -- --check before.json  fails if something has become slower since then, or needs more memory
// It fails in any case if the memory that its requests needed is not given back.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { deliverAll, deliverDuring } from './events.ts'
import { client, type Load, type Result, send } from './load.ts'
import { growth, type Memory, measureMemory } from './memory.ts'
import {
  compressed,
  createOrder,
  creation,
  headersOf,
  openAttempt,
  openPayments,
  productPage,
  reading,
  type Server,
  startServer,
} from './server.ts'
import { newShop, orderAndPayment, runCommand } from './shop.ts'
import { printStarts, SETTLE_MS } from './start.ts'

const ROUNDS = 3
const SECONDS = 2
const EVENTS = 1000
/** More open payments than a cache holds. A merchant can have 2,000. */
const MANY = 1800
/** The time that the slow merchant's server takes for each event. */
const SLOW_MS = 200
/** Runs on the same machine differ by about this much. */
const TOLERANCE = 1.25

const { values: options } = parseArgs({
  options: { save: { type: 'string' }, check: { type: 'string' }, only: { type: 'string' } },
})
const executable = resolve('dist/florin')
const folder = mkdtempSync(join(tmpdir(), 'florin-bench-'))
const demoData = join(folder, 'data', 'demo')

interface Row {
  name: string
  connections: number
  /** a function is called before each round, if a round uses up its load */
  florin: Load | (() => Load)
  ceiling: Load | null
}

async function rowsOf(florin: Server, ceiling: Server): Promise<Row[]> {
  const headers = headersOf(florin)
  const plain = reading(`${florin.url}/v1/orders/${await createOrder(florin)}`, headers)
  const bare = reading(`${ceiling.url}/v1/orders/${await createOrder(ceiling)}`)
  const open = await openAttempt(florin)
  const many = await openPayments(florin, MANY)
  const status = reading(`${florin.checkoutUrl}/status`, { Accept: 'application/json' })
  const read = (name: string, load: Load) => ({ name, connections: 16, florin: load, ceiling: bare })
  return [
    ...[64, 16, 1].map(connections => ({
      name: 'create an order',
      connections,
      florin: creation(florin),
      ceiling: creation(ceiling),
    })),
    {
      name: 'create an order and open its payment',
      connections: 16,
      florin: () => orderAndPayment(creation(florin, newShop([executable], demoData))),
      ceiling: null,
    },
    read('read an order', plain),
    read('list 20 orders', reading(`${florin.url}/v1/orders?pageSize=20`, headers)),
    read('checkout status', status),
    read('checkout page, compressed', reading(florin.checkoutUrl, compressed)),
    read('product page, compressed', reading(await productPage(florin), compressed)),
    read('open payment with QR code', reading(open)),
    read('open payment, compressed', reading(open, compressed)),
    read(`open payment, ${MANY} in turn`, many.page),
    read(`poll of an open payment, ${MANY} in turn`, many.poll),
  ]
}

interface Measured {
  name: string
  connections: number
  florin: Result
  /** Florin's rate divided by the rate of the bare server in the same round. */
  ratio: number | null
}

const middle = (numbers: number[]): number =>
  numbers.sort((one, other) => one - other)[numbers.length >> 1] ?? 0

function medianOf(results: Result[]): Result {
  const of = (pick: (result: Result) => number) => middle(results.map(pick))
  return {
    perSecond: of(({ perSecond }) => perSecond),
    cpuMicroseconds: of(({ cpuMicroseconds }) => cpuMicroseconds ?? 0) || null,
    p50Milliseconds: of(({ p50Milliseconds }) => p50Milliseconds),
    p99Milliseconds: of(({ p99Milliseconds }) => p99Milliseconds),
  }
}

async function measure(row: Row, florin: Server, ceiling: Server): Promise<Measured> {
  const { name, connections } = row
  const results: Result[] = []
  const ratios: number[] = []
  const load = (): Load => (typeof row.florin === 'function' ? row.florin() : row.florin)
  await send(florin.pid, load(), connections, 1)
  for (let round = 0; round < ROUNDS; round++) {
    const result = await send(florin.pid, load(), connections, SECONDS)
    results.push(result)
    if (row.ceiling === null) continue
    const bare = await send(ceiling.pid, row.ceiling, connections, SECONDS)
    ratios.push(result.perSecond / bare.perSecond)
  }
  return { name, connections, florin: medianOf(results), ratio: ratios.length > 0 ? middle(ratios) : null }
}

/** Deliveries to a merchant's server that answers at once, and to a slow one. */
async function measureDeliveries(florin: Server, receiver: string): Promise<Measured[]> {
  const { merchantId } = florin
  const decision = ['--by', 'Ann', '--reason', 'paid in cash']
  const order = ['--order', await createOrder(florin)]
  runCommand([executable], demoData, 'order', 'force', '--merchant', merchantId, ...order, ...decision)
  const orders: string[] = []
  while (orders.length < EVENTS) orders.push(await createOrder(florin))
  const file = join(demoData, 'florin.sqlite')
  const deliveries = { server: florin, file, receiver, orders }
  const quick: Result[] = []
  for (let round = 0; round < ROUNDS; round++) quick.push(await deliverAll(deliveries, 0))
  const create = (seconds: number) => send(florin.pid, creation(florin), 16, seconds)
  const rounds: Record<'alone' | 'slow' | 'meanwhile', Result[]> = { alone: [], slow: [], meanwhile: [] }
  for (let round = 0; round < ROUNDS; round++) {
    rounds.alone.push(await create(SECONDS))
    const { slow, meanwhile } = await deliverDuring(deliveries, SLOW_MS, () => create(SECONDS))
    rounds.slow.push(slow)
    rounds.meanwhile.push(meanwhile)
  }
  const row = (name: string, result: Result) => ({ name, connections: 0, florin: result, ratio: null })
  return [
    row('deliver an event, quick endpoint', medianOf(quick)),
    // The processor time is left out, because it includes that of the orders.
    row(`deliver an event, endpoint of ${SLOW_MS} ms`, { ...medianOf(rounds.slow), cpuMicroseconds: null }),
    row('create an order, 16 connections, before', medianOf(rounds.alone)),
    row('the same during deliveries', { ...medianOf(rounds.meanwhile), cpuMicroseconds: null }),
  ]
}

function print({ name, connections, florin, ratio }: Measured): void {
  const cells = [
    `${name}${connections === 0 ? '' : `, ${connections} connection${connections === 1 ? '' : 's'}`}`.padEnd(
      52,
    ),
    `${Math.round(florin.perSecond)}/s`.padStart(9),
    (ratio === null ? '-' : ratio.toFixed(2)).padStart(6),
    (florin.cpuMicroseconds === null ? '-' : `${Math.round(florin.cpuMicroseconds)} us`).padStart(8),
    `${florin.p50Milliseconds.toFixed(1)} ms`.padStart(9),
    `${florin.p99Milliseconds.toFixed(1)} ms`.padStart(9),
  ]
  process.stdout.write(`${cells.join(' ')}\n`)
}

/** The figures of a run, as `--save` writes them. */
interface Kept {
  measured: Measured[]
  memory: Memory | null
}

/** The rows that have become slower: by processor time, or by the ratio where that is not reported. */
function regressions(before: Measured[], now: Measured[]): string[] {
  return now.flatMap(({ name, connections, florin, ratio }) => {
    const former = before.find(row => row.name === name && row.connections === connections)
    if (!former) return []
    const cpu = (florin.cpuMicroseconds ?? 0) / (former.florin.cpuMicroseconds ?? Number.POSITIVE_INFINITY)
    const slower = former.ratio === null || ratio === null ? 0 : former.ratio / ratio
    const factor = Math.max(cpu, slower)
    if (factor <= TOLERANCE) return []
    return [`${name}, ${connections} connections: ${factor.toFixed(2)} times as slow as before`]
  })
}

const [processor] = cpus()
const gibibytes = Math.round(totalmem() / 1024 ** 3)
process.stdout.write(
  `${processor?.model ?? 'unknown processor'}, ${cpus().length} cores, ${gibibytes} GiB, ` +
    `load ${loadavg()[0]?.toFixed(1)}, client ${client}, executable\n` +
    `${' '.repeat(52)} ${'requests'.padStart(9)}  ratio      CPU       p50       p99\n`,
)
const receiver = await startServer(folder, [process.execPath, join(import.meta.dir, 'receiver.ts')])
const allowed = { FLORIN_OUTBOUND_ALLOW: new URL(receiver.url).host }
const startDemo = () => startServer(folder, [executable, 'demo', '--json'], allowed)
// The first start invents a year of orders, whose memory no merchant's server would have.
await (await startDemo()).stop()
const florin = await startDemo()
const ceiling = await startServer(folder, [process.execPath, join(import.meta.dir, 'ceiling.ts'), folder])
await Bun.sleep(SETTLE_MS)
const measured: Measured[] = []
for (const row of await rowsOf(florin, ceiling)) {
  if (options.only && !row.name.includes(options.only)) continue
  const result = await measure(row, florin, ceiling)
  measured.push(result)
  print(result)
}
if (!options.only || options.only === 'deliver') {
  for (const result of await measureDeliveries(florin, receiver.url)) {
    measured.push(result)
    print(result)
  }
}
await florin.stop()
await ceiling.stop()
const memory = !options.only || options.only === 'memory' ? await measureMemory(executable, folder) : null
if (!options.only || 'first answer'.includes(options.only)) await printStarts(resolve('dist/florin'))
await receiver.stop()
rmSync(folder, { recursive: true })

const kept: Kept = { measured, memory }
if (options.save) writeFileSync(options.save, `${JSON.stringify(kept, null, 2)}\n`)
const before: Kept | null = options.check ? JSON.parse(readFileSync(options.check, 'utf8')) : null
const complaints = [
  ...(before ? regressions(before.measured, measured) : []),
  ...(memory ? growth(before?.memory ?? null, memory) : []),
]
for (const line of complaints) process.stdout.write(`${line}\n`)
if (complaints.length > 0) process.exit(1)
