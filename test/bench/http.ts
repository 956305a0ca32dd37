// Measures the executable beside a bare server that writes the same rows, in turn, on this computer.
//   npm run bench                         prints the table
//   npm run bench -- --save before.json   keeps the figures
//   npm run bench -- --check before.json  fails if something is slower than then, or needs more memory
//   npm run bench -- --against ../before  fails if something is slower than in the executable of that folder,
//                                         measured in turn with it instead of with the bare server
// Use --against where the machine's speed changes between two runs. It fails in any case if the memory that
// its requests needed is not given back. With --only NAME, it measures the rows whose names include NAME.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { client, type Result } from './load.ts'
import { growth, type Memory, measureMemory } from './memory.ts'
import { type Row, round, rows, type Subject } from './rows.ts'
import { type Server, startServer } from './server.ts'
import { printStarts, SETTLE_MS } from './start.ts'

const ROUNDS = 4
/** Each start of an executable compiles in its own way, so that two servers of one executable differ. */
const STARTS = 3
/** Runs on the same machine differ by about this much. */
const TOLERANCE = 1.25

const { values: options } = parseArgs({
  options: {
    save: { type: 'string' },
    check: { type: 'string' },
    against: { type: 'string' },
    only: { type: 'string' },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'florin-bench-'))

interface Measured {
  name: string
  connections: number
  florin: Result
  /** Florin's rate divided by the rate of the bare server in the same round */
  ratio: number | null
  /**
   * the time of Florin's main thread divided by that of the other executable in the same round: while a
   * server is new, its other threads are busy with compiling
   */
  times?: number
}

const middle = (numbers: number[]): number =>
  numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? Number.NaN

function medianOf(results: Result[]): Result {
  const of = (pick: (result: Result) => number) => middle(results.map(pick))
  return {
    perSecond: of(({ perSecond }) => perSecond),
    cpuMicroseconds: of(({ cpuMicroseconds }) => cpuMicroseconds ?? 0) || null,
    mainMicroseconds: of(({ mainMicroseconds }) => mainMicroseconds ?? 0) || null,
    p50Milliseconds: of(({ p50Milliseconds }) => p50Milliseconds),
    p99Milliseconds: of(({ p99Milliseconds }) => p99Milliseconds),
  }
}

type Cpu = 'cpuMicroseconds' | 'mainMicroseconds'

/** How many times as slow a round was as another: by its processor time, or by its rate without it. */
function timesAs(now: Result, before: Result, cpu: Cpu): number {
  const [late, early] = [now[cpu], before[cpu]]
  return late !== null && early !== null ? late / early : before.perSecond / now.perSecond
}

/** Measures a row in rounds, in turn with the bare server. */
async function measure(row: Row, subject: Subject, bare: Server): Promise<Measured> {
  const { name, connections } = row
  const [next, load] = [await row.prepare(subject), await row.bare?.(bare)]
  const results: Result[] = []
  const ratios: number[] = []
  for (let at = 0; at < ROUNDS; at++) {
    const result = await next()
    results.push(result)
    if (load) ratios.push(result.perSecond / (await round(bare, load, connections)).perSecond)
  }
  return { name, connections, florin: medianOf(results), ratio: ratios.length > 0 ? middle(ratios) : null }
}

/** Measures a row in turn with the other executable, in two rounds of each start: one of them first in each. */
async function compare(row: Row, starts: readonly (readonly [Subject, Subject])[]): Promise<Measured> {
  const { name, connections } = row
  const results: Result[] = []
  const times: number[] = []
  for (const [subject, other] of starts) {
    const [current, former] = [await row.prepare(subject), await row.prepare(other)]
    const one = [await current(), await former()] as const
    const late = await former()
    for (const [now, before] of [one, [await current(), late] as const]) {
      results.push(now)
      times.push(timesAs(now, before, 'mainMicroseconds'))
    }
  }
  return { name, connections, florin: medianOf(results), ratio: null, times: middle(times) }
}

function print({ name, connections, florin, ratio, times }: Measured): void {
  const cells = [
    `${name}${connections === 0 ? '' : `, ${connections} connection${connections === 1 ? '' : 's'}`}`.padEnd(
      52,
    ),
    `${Math.round(florin.perSecond)}/s`.padStart(9),
    (times ?? ratio)?.toFixed(2).padStart(6) ?? '     -',
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

/** The rows that have become slower than the other executable, or than in the run that was kept. */
function regressions(before: readonly Measured[], now: readonly Measured[]): string[] {
  return now.flatMap(({ name, connections, florin, ratio, times }) => {
    const former = before.find(row => row.name === name && row.connections === connections)
    const slower = former && former.ratio !== null && ratio !== null ? former.ratio / ratio : 0
    const factor = times ?? (former ? Math.max(timesAs(florin, former.florin, 'cpuMicroseconds'), slower) : 0)
    if (factor <= TOLERANCE) return []
    return [`${name}, ${connections} connections: ${factor.toFixed(2)} times as slow as before`]
  })
}

/** Starts the demo of an executable. */
async function startSubject(executable: string, name: string, receiver: string): Promise<Subject> {
  const home = join(folder, name)
  mkdirSync(home)
  const allowed = { FLORIN_OUTBOUND_ALLOW: new URL(receiver).host }
  const start = () => startServer(home, [executable, 'demo', '--json'], allowed)
  // The first start invents a year of orders, whose memory no merchant's server would have.
  await (await start()).stop()
  return { server: await start(), executable, dataDir: join(home, 'data', 'demo'), receiver }
}

const [processor] = cpus()
const gibibytes = Math.round(totalmem() / 1024 ** 3)
process.stdout.write(
  `${processor?.model ?? 'unknown processor'}, ${cpus().length} cores, ${gibibytes} GiB, ` +
    `load ${loadavg()[0]?.toFixed(1)}, client ${client}, executable\n` +
    `${' '.repeat(54)}requests  ${options.against ? 'times' : 'ratio'}      CPU       p50       p99\n`,
)
const executableIn = (root: string): string => resolve(root, 'dist/florin')
const current = executableIn('.')
const former = options.against === undefined ? null : executableIn(options.against)
const receiver = await startServer(folder, [process.execPath, join(import.meta.dir, 'receiver.ts')])
const bare = await startServer(folder, [process.execPath, join(import.meta.dir, 'ceiling.ts'), folder])
const subjects: Subject[] = []
const start = async (executable: string): Promise<Subject> => {
  const subject = await startSubject(executable, `demo-${subjects.length}`, receiver.url)
  subjects.push(subject)
  return subject
}
const pairs: (readonly [Subject, Subject])[] = []
while (former && pairs.length < STARTS) pairs.push([await start(current), await start(former)])
const alone = former ? null : await start(current)
await Bun.sleep(SETTLE_MS)
const measured: Measured[] = []
for (const row of rows) {
  if (options.only && !row.name.includes(options.only)) continue
  measured.push(await (alone ? measure(row, alone, bare) : compare(row, pairs)))
  measured.slice(-1).forEach(print)
}
for (const { server } of subjects) await server.stop()
await bare.stop()
const hasMemory = !options.only || options.only === 'memory'
const formerMemory = hasMemory && former ? await measureMemory(former, folder) : null
const memory = hasMemory ? await measureMemory(current, folder) : null
if (!options.only || 'first answer'.includes(options.only)) await printStarts(current)
await receiver.stop()
rmSync(folder, { recursive: true })

if (options.save) writeFileSync(options.save, `${JSON.stringify({ measured, memory }, null, 2)}\n`)
const before: Kept = options.check
  ? JSON.parse(readFileSync(options.check, 'utf8'))
  : { measured: [], memory: formerMemory }
const complaints = [
  ...regressions(before.measured, measured),
  ...(memory ? growth(before.memory, memory) : []),
]
for (const line of complaints) process.stdout.write(`${line}\n`)
if (complaints.length > 0) process.exit(1)
