import { readdirSync } from 'node:fs'
import { type Bytes, type Draft, requestOf } from '../http/mutate.ts'
import type { Random } from '../http/random.ts'
import { answerOf, faultsOf, HANG_MS, SLOW_MS } from './checks.ts'
import { bytesOf, drawnFrom } from './drafts.ts'
import { openScene, type Scene } from './scene.ts'

export interface Failure {
  /** the number with which `--only` sends it again */
  number: number
  request: string
  faults: string[]
}

export interface Report {
  sent: number
  /** the number of requests that a client refuses to send */
  unsendable: number
  statuses: Map<number, number>
  failures: Failure[]
  /** growth of the memory in use after the first requests, in MB */
  grownMb: number
  /** growth of the number of open files */
  grownFiles: number
  slowestMs: number
}

export interface FuzzOptions {
  seed: number
  /** the range of numbers of the requests */
  from: number
  count: number
  /** the number of failures after which the run stops */
  failuresMax: number
  say(line: string): void
}

const SIGN_IN_EVERY = 250
const SAY_EVERY = 5000
/** After this number of requests, the caches are full and the code is compiled. */
const WARM = 5000
const PRINTED = 1500
const MB = 1024 * 1024

const openFiles = (): number => {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return 0
  }
}

const heapMb = (): number => {
  Bun.gc(true)
  return process.memoryUsage().heapUsed / MB
}

/** A request as text for people. */
export const printBytes = ({ method, url, headers, body }: Bytes): string =>
  `${method} ${url}\n${headers.map(([name, value]) => `${name}: ${value}`).join('\n')}\n\n${Buffer.from(
    body ?? '',
  ).toString('latin1')}`.slice(0, PRINTED)

/** Sends one request and checks its answer. */
async function send(scene: Scene, bytes: Bytes, request: Request) {
  scene.errors.length = 0
  const since = performance.now()
  const cpu = process.cpuUsage()
  const answering = (async () => answerOf(await scene.app.florin.http.handle(request)))()
  const late = Bun.sleep(HANG_MS).then(() => null)
  const answer = await Promise.race([answering, late])
  if (answer === null) return { status: 0, ms: HANG_MS, faults: ['it was not answered'] }
  const { user, system } = process.cpuUsage(cpu)
  // On a busy machine, the rest of the time belongs to other processes.
  const ms = Math.min(performance.now() - since, (user + system) / 1000)
  const logged = scene.errors.map(({ event, fields }) => `${event} was logged: ${JSON.stringify(fields)}`)
  const slow = ms > SLOW_MS ? [`it took ${Math.round(ms)} ms`] : []
  return { status: answer.status, ms, faults: [...faultsOf(scene, bytes, answer), ...logged, ...slow] }
}

/** Sends the requests of a range of numbers, one after another. */
async function sendAll(scene: Scene, draw: (random: Random) => Draft, options: FuzzOptions): Promise<Report> {
  const { seed, from, count, failuresMax, say } = options
  const report: Report = {
    ...{ sent: 0, unsendable: 0, statuses: new Map(), failures: [] },
    ...{ grownMb: 0, grownFiles: 0, slowestMs: 0 },
  }
  let base = { mb: 0, files: 0 }
  for (let number = from; number < from + count && report.failures.length < failuresMax; number++) {
    const at = number - from
    if (at === Math.min(WARM, Math.floor(count / 2))) base = { mb: heapMb(), files: openFiles() }
    if (at > 0 && at % SIGN_IN_EVERY === 0) await scene.signInAgain()
    if (at > 0 && at % SAY_EVERY === 0) say(`${at} requests, ${report.failures.length} failures`)
    const bytes = bytesOf(draw, seed, number)
    const request = requestOf(bytes)
    if (!request) {
      report.unsendable += 1
      continue
    }
    const { status, ms, faults } = await send(scene, bytes, request)
    report.sent += 1
    report.statuses.set(status, (report.statuses.get(status) ?? 0) + 1)
    report.slowestMs = Math.max(report.slowestMs, ms)
    if (faults.length === 0) continue
    report.failures.push({ number, request: printBytes(bytes), faults })
    say(`${number}: ${faults.join('; ')}\n${printBytes(bytes)}\n`)
  }
  await scene.app.jobs.settle()
  report.grownMb = heapMb() - base.mb
  report.grownFiles = openFiles() - base.files
  return report
}

/** Sends generated requests to a server of its own. */
export async function fuzzRequests(options: FuzzOptions): Promise<Report> {
  const scene = await openScene()
  try {
    return await sendAll(scene, drawnFrom(scene), options)
  } finally {
    await scene.app.close()
  }
}
