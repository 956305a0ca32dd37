import { setPriority } from 'node:os'
import { join } from 'node:path'
import type { Log } from '../domain/log.ts'
import type { OwnJobState } from '../domain/upkeep.ts'
import type { Environment } from '../settings/read.ts'

const LOOK_MS = 60_000
const LOW_PRIORITY = 10

/** The file of Florin's executable; null if this process runs the source. */
export const ownExecutable = (): string | null =>
  /^(\/\$bunfs|[A-Z]:[\\/]~BUN)[\\/]/i.test(import.meta.dir) ? process.execPath : null

/** The command line that runs this program as another process: the executable, or Bun with the source. */
const ownCommand = (): string[] =>
  ownExecutable() === null ? [process.execPath, join(import.meta.dir, '../main.ts')] : [process.execPath]

/** The result of a command of this program. */
interface OwnRun {
  exitCode: number
  output: string
  errors: string
}

/** Runs a command of this program, and ends it if `signal` is aborted. */
export type RunOwn = (
  args: readonly string[],
  environment: Environment,
  signal: AbortSignal,
) => Promise<OwnRun>

/** Runs a command in another process, because in this one it would make buyers wait. */
export const runOwn: RunOwn = async (args, environment, signal) => {
  const child = Bun.spawn([...ownCommand(), ...args], {
    env: environment,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    signal,
  })
  // Not every system lets a process lower another one's priority.
  try {
    setPriority(child.pid, LOW_PRIORITY)
  } catch {}
  const texts = [child.stdout, child.stderr].map(stream => new Response(stream).text())
  const [output = '', errors = ''] = await Promise.all(texts)
  return { exitCode: await child.exited, output, errors }
}

interface OwnCommand {
  args: string[]
  environment: Environment
  /** log events of a run that succeeded, and of one that failed */
  done: string
  failed: string
  now(): number
  log: Log
  isDue(): Promise<boolean>
  /** called after each run */
  ended?(): void
  /** how often to check if the command is due */
  lookMs?: number | undefined
  /** runs the command; by default in another process */
  run?: RunOwn | undefined
}

/** A command that runs whenever it is due, or on demand. */
export interface OwnJob {
  /** Runs the command now, with more arguments, unless it is running already. */
  start(...more: string[]): void
  state(): OwnJobState
  stop(): Promise<void>
}

/** Runs a command of this program whenever it is due. */
export function runWhenDue(command: OwnCommand): OwnJob {
  const { args, environment, done, failed, now, log, isDue, ended, lookMs = LOOK_MS } = command
  const stopped = new AbortController()
  const state: OwnJobState = { since: null, failed: null }
  async function run(more: string[]): Promise<void> {
    const startedAt = performance.now()
    state.since = now()
    const { exitCode, output, errors } = await (command.run ?? runOwn)(
      [...args, ...more],
      environment,
      stopped.signal,
    )
    const ms = Math.round(performance.now() - startedAt)
    const reason = errors.trim() || output.trim()
    state.failed = exitCode === 0 ? null : { at: now(), reason }
    if (exitCode === 0) log.info({ ms }, done)
    else log.error({ ms, exitCode, reason }, failed)
    ended?.()
  }
  let running: Promise<void> | null = null
  /** the arguments of a run on demand */
  let asked: string[] | null = null
  async function look(): Promise<void> {
    try {
      do {
        const more = asked
        asked = null
        if (more || (await isDue())) await run(more ?? [])
      } while (asked)
    } catch (error) {
      state.failed = { at: now(), reason: String(error) }
      log.error({ reason: String(error) }, failed)
    } finally {
      state.since = null
      running = null
    }
  }
  const timer = setInterval(() => {
    running ??= look()
  }, lookMs)
  timer.unref()
  return {
    start(...more) {
      if (state.since !== null) return
      state.since = now()
      asked = more
      running ??= look()
    },
    state: () => state,
    async stop() {
      clearInterval(timer)
      stopped.abort()
      await running
    },
  }
}
