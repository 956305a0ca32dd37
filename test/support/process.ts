import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Answer, CallOptions } from './app.ts'

type Environment = Record<string, string>

export const ROOT = join(import.meta.dir, '../..')
/** The program in src, run with the Bun of the tests. */
export const SOURCE = [process.execPath, join(ROOT, 'src/main.ts')]
const { FLORIN_EXECUTABLE } = process.env
/** The executable that FLORIN_EXECUTABLE names, as in `npm test`; otherwise the source. */
export const FLORIN = FLORIN_EXECUTABLE ? [resolve(ROOT, FLORIN_EXECUTABLE)] : SOURCE

/** Long enough for a busy computer, which takes many times as long as an idle one. */
const START_MS = 60_000
const STOP_MS = 15_000
const RUN_MS = 60_000

export interface Ended {
  exitCode: number | null
  signal: string | null
  ms: number
}

export interface Ran {
  exitCode: number | null
  stdout: string
  stderr: string
}

/** A server in its own process. */
export interface RunningProcess {
  url: string
  pid: number
  dataDir: string
  // biome-ignore lint/suspicious/noExplicitAny: the tests check its shape
  output: any
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  /** Sends the signal and waits for the process to end. Kills it and throws if it does not end. */
  stop(signal?: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<Ended>
  stdout(): string
  stderr(): string
}

const running = new Set<{ kill(signal: 'SIGKILL'): void; exited: Promise<unknown> }>()
const folders = new Set<string>()

/** Creates a directory that is removed after the tests. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'florin-'))
  folders.add(folder)
  return folder
}

export function removeFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  folders.clear()
}

/** Call it in `afterAll` of every file that starts processes, so that none is left even after a failure. */
export async function endProcesses(): Promise<void> {
  const left = [...running]
  for (const process of left) process.kill('SIGKILL')
  await Promise.all(left.map(process => process.exited))
  removeFolders()
}

/** Most processes end before optimized code pays off: without it, they cost a fifth less. */
const SHORT_RUN = { BUN_JSC_useDFGJIT: '0' }

/** The environment of the tests, without FLORIN_ settings of the developer. */
export const cleanEnvironment = (): Environment => ({
  ...SHORT_RUN,
  ...Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || name.startsWith('FLORIN_') ? [] : [[name, value]],
    ),
  ),
})

function spawn(command: string[], environment: Environment, cwd: string) {
  const child = Bun.spawn(command, {
    cwd,
    env: { ...cleanEnvironment(), ...environment },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  running.add(child)
  child.exited.finally(() => running.delete(child))
  return { child, out: collect(child.stdout), err: collect(child.stderr) }
}

/** The text that was written to a stream so far, and a promise of its first line. */
function collect(stream: ReadableStream<Uint8Array>) {
  let text = ''
  let resolveFirstLine: (line: string | null) => void = () => {}
  const firstLine = new Promise<string | null>(resolve => {
    resolveFirstLine = resolve
  })
  const decoder = new TextDecoder()
  const whole = (async () => {
    for await (const part of stream) {
      text += decoder.decode(part, { stream: true })
      if (text.includes('\n')) resolveFirstLine(text.slice(0, text.indexOf('\n')))
    }
    resolveFirstLine(null)
    return text
  })()
  return { text: () => text, firstLine, whole }
}

const within = <T>(ms: number, work: Promise<T>): Promise<T | 'too late'> =>
  Promise.race([work, Bun.sleep(ms).then(() => 'too late' as const)])

const readAnswer = async (response: Response): Promise<Answer> => {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : null }
}

/** Sends a request over a real socket. Does not follow redirects. */
export async function callUrl(
  url: string,
  method: string,
  { key, body, form, headers: more }: CallOptions = {},
): Promise<Answer> {
  const headers = new Headers(more)
  if (key) headers.set('x-api-key', key)
  let text: string | URLSearchParams | undefined = form && new URLSearchParams(form)
  if (body !== undefined) {
    text = typeof body === 'string' ? body : JSON.stringify(body)
    if (!headers.has('content-type')) headers.set('content-type', 'application/json')
  }
  // Without a pool, because an idle connection that the server closed would look like a lost answer.
  const init = { method, headers, redirect: 'manual', keepalive: false } as const
  return readAnswer(await fetch(url, { ...init, ...(text !== undefined && { body: text }) }))
}

/**
 * Starts `serve` or `demo` on a free port, in a new data directory unless the environment names one. Resolves
 * when it has printed its URL.
 */
export async function startProcess(
  command: string[],
  args: string[],
  environment: Environment = {},
): Promise<RunningProcess> {
  const folder = environment.FLORIN_DATA_DIR ?? newFolder()
  const settings = { FLORIN_PORT: '0', ...environment, FLORIN_DATA_DIR: folder }
  const { child, out, err } = spawn([...command, ...args, '--json'], settings, newFolder())
  const line = await within(START_MS, out.firstLine)
  if (line === null || line === 'too late') {
    child.kill('SIGKILL')
    await child.exited
    throw new Error(`${args.join(' ')} did not start: ${err.text()}`)
  }
  const output = JSON.parse(line)
  const { url } = output

  async function stop(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL' = 'SIGTERM'): Promise<Ended> {
    const since = performance.now()
    child.kill(signal)
    if ((await within(STOP_MS, child.exited)) === 'too late') {
      child.kill('SIGKILL')
      await child.exited
      throw new Error(`${signal} did not stop the server within ${STOP_MS} ms: ${err.text()}`)
    }
    await Promise.all([out.whole, err.whole])
    return {
      exitCode: child.exitCode,
      signal: child.signalCode === null ? null : String(child.signalCode),
      ms: performance.now() - since,
    }
  }

  return {
    url,
    pid: child.pid,
    dataDir: args[0] === 'demo' ? join(folder, 'demo') : folder,
    output,
    call: (method, path, options) => callUrl(`${url}${path}`, method, options),
    stop,
    stdout: out.text,
    stderr: err.text,
  }
}

/** Runs a command to its end. A command that does not end is killed and has no exit code. */
export async function runCli(
  args: string[],
  environment: Environment,
  command: string[] = FLORIN,
  cwd = newFolder(),
): Promise<Ran> {
  const { child, out, err } = spawn([...command, ...args], environment, cwd)
  if ((await within(RUN_MS, child.exited)) === 'too late') child.kill('SIGKILL')
  const [stdout, stderr] = await Promise.all([out.whole, err.whole])
  await child.exited
  return { exitCode: child.signalCode ? null : child.exitCode, stdout, stderr }
}

/** Runs a server until its output contains the text and `check` is done, then stops it. */
export async function runUntil(
  args: string[],
  environment: Environment,
  text: string,
  check: (stdout: string) => Promise<void> = async () => {},
  cwd = newFolder(),
): Promise<Ran> {
  const { child, out, err } = spawn([...FLORIN, ...args], { FLORIN_PORT: '0', ...environment }, cwd)
  const until = performance.now() + START_MS
  while (!out.text().includes(text) && child.exitCode === null && performance.now() < until)
    await Bun.sleep(20)
  try {
    await check(out.text())
  } finally {
    child.kill('SIGTERM')
    if ((await within(STOP_MS, child.exited)) === 'too late') child.kill('SIGKILL')
  }
  const [stdout, stderr] = await Promise.all([out.whole, err.whole])
  return { exitCode: child.exitCode, stdout, stderr }
}
