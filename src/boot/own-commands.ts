import { setPriority } from 'node:os'
import { join } from 'node:path'
import type { Log } from '../domain/log.ts'

const LOOK_MS = 60_000
const LOW_PRIORITY = 10

/** The file of Florin's executable; null if this process runs the source. */
export const ownExecutable = (): string | null =>
  /^(\/\$bunfs|[A-Z]:[\\/]~BUN)[\\/]/i.test(import.meta.dir) ? process.execPath : null

/** The command line that runs this program as another process: the executable, or Bun with the source. */
const ownCommand = (): string[] =>
  ownExecutable() === null ? [process.execPath, join(import.meta.dir, '../main.ts')] : [process.execPath]

interface OwnCommand {
  args: string[]
  environment: Record<string, string>
  /** events of the log */
  done: string
  failed: string
  log: Log
  isDue(): Promise<boolean>
  /** called after each run */
  ended?(): void
  /** how often to check if it is due */
  lookMs?: number | undefined
}

/**
 * Runs a command of this program whenever it is due, in a process of its own, because it would make buyers
 * wait. Returns a function that stops it.
 */
export function runWhenDue(command: OwnCommand): () => Promise<void> {
  const { args, environment, done, failed, log, isDue, ended, lookMs = LOOK_MS } = command
  let child: Bun.Subprocess<'ignore', 'pipe', 'pipe'> | null = null
  async function run(): Promise<void> {
    const startedAt = performance.now()
    child = Bun.spawn([...ownCommand(), ...args], {
      env: environment,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    // Not every system lets a process lower another one's priority.
    try {
      setPriority(child.pid, LOW_PRIORITY)
    } catch {}
    const texts = [child.stdout, child.stderr].map(stream => new Response(stream).text())
    const [output, errors, exitCode] = await Promise.all([...texts, child.exited])
    const ms = Math.round(performance.now() - startedAt)
    if (exitCode === 0) log.info({ ms }, done)
    else log.error({ ms, exitCode, reason: `${errors}`.trim() || `${output}`.trim() }, failed)
    ended?.()
  }
  let running: Promise<void> | null = null
  async function look(): Promise<void> {
    try {
      if (await isDue()) await run()
    } catch (error) {
      log.error({ reason: String(error) }, failed)
    } finally {
      running = null
    }
  }
  const timer = setInterval(() => {
    running ??= look()
  }, lookMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    child?.kill()
    await running
  }
}
