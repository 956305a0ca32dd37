// Compares the processor time of requests in this source and another one, started from source, in short rounds
// in turn, so that a busy machine slows both:
//   git worktree add ../before REVISION && (cd ../before && npm ci)
//   npm run bench:pair -- ../before           all rows
//   npm run bench:pair -- ../before page open  some of them
// A row has the main thread's time for one request in the fastest round of each, and the middle of the ratios of
// all rounds. Reads the kernel's account of threads, so it needs Linux.
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

const ROUNDS = 12
/** wrk accepts whole seconds only. */
const SECONDS = 1
/** A new server compiles what its requests run. */
const WARM_SECONDS = 3
const CONNECTIONS = 16

const rows: Record<string, (server: Server) => Promise<Load>> = {
  create: async server => creation(server),
  read: async server => reading(`${server.url}/v1/orders/${await createOrder(server)}`, headersOf(server)),
  status: async server => reading(`${server.checkoutUrl}/status`, { Accept: 'application/json' }),
  page: async server => reading(server.checkoutUrl, compressed),
  product: async server => reading(await productPage(server), compressed),
  open: async server => reading(await openAttempt(server)),
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
const folders = [other, '.'].map(() => mkdtempSync(join(tmpdir(), 'florin-pair-')))
const servers = await Promise.all(
  [other, '.'].map((root, at) =>
    startServer(folders[at] ?? '', [process.execPath, resolve(root, 'src/main.ts'), 'demo', '--json']),
  ),
)
process.stdout.write(`load ${loadavg()[0]?.toFixed(1)}, client ${client}\n`)
for (const name of chosen.length > 0 ? chosen : Object.keys(rows)) {
  const loadOf = rows[name]
  if (!loadOf) throw new Error(`There is no row ${name}, only ${Object.keys(rows).join(', ')}.`)
  const pair = await Promise.all(servers.map(async server => ({ server, load: await loadOf(server) })))
  for (const { server, load } of pair) await send(server.pid, load, CONNECTIONS, WARM_SECONDS)
  const rounds: [before: number, now: number][] = []
  for (let round = 0; round < ROUNDS; round++) {
    const turn = round % 2 === 0 ? pair : pair.toReversed()
    const times = new Map<Server, number>()
    for (const { server, load } of turn) times.set(server, await measure(server, load))
    const [before = Number.NaN, now = Number.NaN] = servers.map(server => times.get(server))
    rounds.push([before, now])
  }
  const least = [0, 1].map(at => Math.min(...rounds.map(round => round[at] ?? Number.NaN)))
  const ratio = middle(rounds.map(([before, now]) => now / before))
  const [before = Number.NaN, now = Number.NaN] = least
  const figures = `${before.toFixed(0)} to ${now.toFixed(0)} µs, ratio ${(now / before).toFixed(2)}`
  process.stdout.write(`${name.padEnd(8)} fastest ${figures}; middle of the ratios ${ratio.toFixed(2)}\n`)
}
for (const server of servers) await server.stop()
for (const folder of folders) rmSync(folder, { recursive: true })
