// Compares the processor time of requests in this source and another one, started from source, in short rounds
// in turn, so that a busy machine slows both:
//   git worktree add ../before REVISION && (cd ../before && npm ci)
//   npm run bench:pair -- ../before           all rows
//   npm run bench:pair -- ../before page open  some of them
// All rows take about seven minutes, and `pay` a few of them: it makes a shop for each round.
// Each row has the main thread's time for one request in the fastest round of each source, and the median of the
// ratios of all rounds. Reads the kernel's account of threads, so it needs Linux.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { client, type Load, send } from './load.ts'
import {
  compressed,
  createOrder,
  creation,
  headersOf,
  openAttempt,
  productPage,
  reading,
  type Server,
  startServer,
} from './server.ts'
import { newShop, orderAndPayment, type Shop } from './shop.ts'

/** A row is measured on several pairs of servers, because each server compiles its functions differently. */
const STARTS = 3
const ROUNDS = 4
/** wrk accepts whole seconds only. */
const SECONDS = 1
/** A new server compiles what its requests run. */
const WARM_SECONDS = 3
const CONNECTIONS = 16

/** A measured server, and a function that makes a merchant who has no open payments yet. */
interface Side {
  server: Server
  newShop(): Shop
}

/** Makes the load of a round. The row `pay` creates orders and opens their payments, in turn. */
const rows: Record<string, (side: Side) => Promise<Load>> = {
  create: async ({ server }) => creation(server),
  read: async ({ server }) =>
    reading(`${server.url}/v1/orders/${await createOrder(server)}`, headersOf(server)),
  status: async ({ server }) => reading(`${server.checkoutUrl}/status`, { Accept: 'application/json' }),
  page: async ({ server }) => reading(server.checkoutUrl, compressed),
  product: async ({ server }) => reading(await productPage(server), compressed),
  open: async ({ server }) => reading(await openAttempt(server)),
  pay: async ({ server, newShop }) => orderAndPayment(creation(server, newShop())),
}

/** The time that the main thread has run, in microseconds. Other threads compile and collect garbage. */
const mainThread = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1000

async function measure({ pid }: Server, load: Load): Promise<number> {
  const before = mainThread(pid)
  const { perSecond } = await send(pid, load, CONNECTIONS, SECONDS)
  return (mainThread(pid) - before) / (perSecond * SECONDS)
}

const middle = (figures: readonly number[]): number =>
  figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? Number.NaN

const [other, ...chosen] = process.argv.slice(2)
if (other === undefined) throw new Error('Name the folder of the other source.')
const names = chosen.length > 0 ? chosen : Object.keys(rows)
for (const name of names)
  if (!rows[name]) throw new Error(`There is no row ${name}, only ${Object.keys(rows).join(', ')}.`)

/** The time of one request to the other source and to this one, in each round. */
type Rounds = [before: number, now: number][]

async function measureRow(pair: readonly Side[], loadOf: (side: Side) => Promise<Load>): Promise<Rounds> {
  for (const side of pair) await send(side.server.pid, await loadOf(side), CONNECTIONS, WARM_SECONDS)
  const rounds: Rounds = []
  for (let round = 0; round < ROUNDS; round++) {
    const turn = round % 2 === 0 ? pair : pair.toReversed()
    const times = new Map<Side, number>()
    for (const side of turn) times.set(side, await measure(side.server, await loadOf(side)))
    const [before = Number.NaN, now = Number.NaN] = pair.map(side => times.get(side))
    rounds.push([before, now])
  }
  return rounds
}

/** Starts the demo of a source. */
async function startSide(root: string, folder: string): Promise<Side> {
  const florin = [process.execPath, resolve(root, 'src/main.ts')]
  const server = await startServer(folder, [...florin, 'demo', '--json'])
  return { server, newShop: () => newShop(florin, join(folder, 'data', 'demo')) }
}

process.stdout.write(`load ${loadavg()[0]?.toFixed(1)}, client ${client}\n`)
const all = new Map<string, Rounds>(names.map(name => [name, []]))
for (let start = 0; start < STARTS; start++) {
  const folders = [other, '.'].map(() => mkdtempSync(join(tmpdir(), 'florin-pair-')))
  const pair = await Promise.all([other, '.'].map((root, at) => startSide(root, folders[at] ?? '')))
  for (const name of names) {
    const loadOf = rows[name]
    if (loadOf) all.get(name)?.push(...(await measureRow(pair, loadOf)))
  }
  for (const { server } of pair) await server.stop()
  for (const folder of folders) rmSync(folder, { recursive: true })
}
for (const [name, rounds] of all) {
  const [before = Number.NaN, now = Number.NaN] = [0, 1].map(at =>
    Math.min(...rounds.map(round => round[at] ?? Number.NaN)),
  )
  const ratio = middle(rounds.map(([former, latter]) => latter / former))
  const figures = `${before.toFixed(0)} to ${now.toFixed(0)} µs, ratio ${(now / before).toFixed(2)}`
  process.stdout.write(`${name.padEnd(8)} fastest ${figures}; middle of the ratios ${ratio.toFixed(2)}\n`)
}
