// Sends requests with wrk if it is installed, otherwise with a small client of our own.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Load {
  url: string
  /** paths to request in turn, instead of the path of `url` */
  paths?: string[]
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body: string | null
  /** A second request about the order that the first one created. */
  followUp?: { path: string; headers: Record<string, string>; body: string }
  /** the most requests that the server accepts */
  limit?: number
}

/** The placeholder for the ID of the order in a path. */
export const ORDER = 'ORDER'

export interface Result {
  perSecond: number
  /** User and system time of the server for a request, in microseconds; null if it is not reported. */
  cpuMicroseconds: number | null
  /** the part of it on the main thread: other threads compile, and collect garbage */
  mainMicroseconds: number | null
  p50Milliseconds: number
  p99Milliseconds: number
}

export const client = Bun.which('wrk') ? 'wrk' : 'fetch'

/** The processor time of a process and of its main thread so far, in microseconds. */
export interface CpuTime {
  all: number
  main: number
}

export function cpuTime(pid: number): CpuTime | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    const [main] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')
    // utime and stime, in hundredths of a second
    return { all: (Number(fields[11]) + Number(fields[12])) * 10_000, main: Number(main) / 1000 }
  } catch {
    return null
  }
}

/** The processor time of each of some requests; null where the system does not report it. */
export function cpuOfEach(pid: number, before: CpuTime | null, count: number) {
  const after = cpuTime(pid)
  const since = (name: keyof CpuTime) => (before && after ? (after[name] - before[name]) / count : null)
  return { cpuMicroseconds: since('all'), mainMicroseconds: since('main') }
}

interface Counted {
  requests: number
  failed: number
  seconds: number
  p50: number
  p99: number
}

const quote = (text: string): string => JSON.stringify(text)

/** Lua that sends the second request for each order that a response names. */
function followUpLines({ path, headers, body }: NonNullable<Load['followUp']>): string[] {
  const [before = '', after = ''] = path.split(ORDER)
  const fields = Object.entries(headers).map(([name, value]) => `[${quote(name)}] = ${quote(value)}`)
  return [
    'local orders = {}',
    `local headers = { ${fields.join(', ')} }`,
    'local function take(body)',
    '  local order = string.match(body, \'"orderUUID":"([%x-]+)"\')',
    '  if order then orders[#orders + 1] = order end',
    'end',
    'function request()',
    '  local order = table.remove(orders)',
    '  if not order then return wrk.format() end',
    `  local path = ${quote(before)} .. order .. ${quote(after)}`,
    `  return wrk.format("POST", path, headers, ${quote(body)})`,
    'end',
  ]
}

/** Lua that reads responses; empty if nothing needs to be known of them. */
const onResponse = ({ followUp, limit }: Load): string[] =>
  followUp === undefined
    ? []
    : [
        ...followUpLines(followUp),
        'local count = 0',
        'function response(status, headers, body)',
        '  take(body)',
        '  count = count + 1',
        `  if count >= ${limit ?? 1e9} then wrk.thread:stop() end`,
        'end',
      ]

/** Lua that requests one path after the other. */
const inTurn = ({ paths }: Load): string[] =>
  paths === undefined
    ? []
    : [
        `local paths = { ${paths.map(quote).join(', ')} }`,
        'local at = 0',
        'function request()',
        '  at = at % #paths + 1',
        '  return wrk.format(nil, paths[at])',
        'end',
      ]

function script(load: Load): string {
  const { method, headers, body } = load
  const lines = Object.entries(headers).map(
    ([name, value]) => `wrk.headers[${quote(name)}] = ${quote(value)}`,
  )
  return [
    `wrk.method = ${quote(method)}`,
    ...(body === null ? [] : [`wrk.body = ${quote(body)}`]),
    ...lines,
    ...inTurn(load),
    ...onResponse(load),
    'done = function(summary, latency)',
    '  local errors = summary.errors',
    '  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout',
    '  io.write(string.format("RESULT %d %d %d %d %d\\n", summary.requests, failed,',
    '    summary.duration, latency:percentile(50), latency:percentile(99)))',
    'end',
  ].join('\n')
}

async function sendByWrk(load: Load, connections: number, seconds: number): Promise<Counted> {
  const folder = mkdtempSync(join(tmpdir(), 'florin-wrk-'))
  const file = join(folder, 'load.lua')
  writeFileSync(file, script(load))
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', file]
  const child = Bun.spawn(['wrk', ...options, load.url], { stdout: 'pipe' })
  const output = await new Response(child.stdout).text()
  rmSync(folder, { recursive: true })
  const numbers = /RESULT (\d+) (\d+) (\d+) (\d+) (\d+)/.exec(output)?.slice(1).map(Number)
  if (!numbers) throw new Error(`wrk did not report a result:\n${output}`)
  const [requests = 0, failed = 0, duration = 0, p50 = 0, p99 = 0] = numbers
  return { requests, failed, seconds: duration / 1e6, p50: p50 / 1000, p99: p99 / 1000 }
}

async function sendByFetch(load: Load, connections: number, seconds: number): Promise<Counted> {
  const started = performance.now()
  const times: number[] = []
  let failed = 0
  const { url, method, headers, body, followUp, limit = Number.POSITIVE_INFINITY } = load
  const { paths = [url] } = load
  let asked = 0
  const one = async (to: string, init: RequestInit): Promise<string> => {
    const at = performance.now()
    const response = await fetch(to, { ...init, redirect: 'manual', decompress: false })
    const text = await response.text()
    if (response.status >= 400) failed++
    times.push(performance.now() - at)
    return text
  }
  const connection = async () => {
    while (performance.now() < started + seconds * 1000 && times.length < limit) {
      const next = new URL(paths[asked++ % paths.length] ?? url, url).href
      const text = await one(next, { method, headers, body })
      const order = followUp && /"orderUUID":"([^"]+)"/.exec(text)?.[1]
      if (!order) continue
      const path = new URL(followUp.path.replace(ORDER, order), url)
      await one(path.href, { method: 'POST', headers: followUp.headers, body: followUp.body })
    }
  }
  await Promise.all(Array.from({ length: connections }, connection))
  times.sort((one, other) => one - other)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
  const elapsed = (performance.now() - started) / 1000
  return { requests: times.length, failed, seconds: elapsed, p50: at(0.5), p99: at(0.99) }
}

/**
 * Sends the same request over several connections, or requests for several paths in turn. Throws if the server refused any. Two requests about one
 * order count as one, but the times are those of single requests.
 */
export async function send(pid: number, load: Load, connections: number, seconds: number): Promise<Result> {
  const before = cpuTime(pid)
  const run = client === 'wrk' ? sendByWrk : sendByFetch
  const { requests, failed, seconds: elapsed, p50, p99 } = await run(load, connections, seconds)
  if (failed > 0 || requests === 0) throw new Error(`${load.method} ${load.url}: ${failed} requests failed`)
  const count = load.followUp ? requests / 2 : requests
  return {
    perSecond: count / elapsed,
    ...cpuOfEach(pid, before, count),
    p50Milliseconds: p50,
    p99Milliseconds: p99,
  }
}
