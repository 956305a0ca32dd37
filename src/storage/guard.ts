import { AsyncLocalStorage } from 'node:async_hooks'
import { LostRace } from '../domain/errors.ts'

type Access = 'read' | 'write'

export interface SlowWork {
  access: Access
  /** the function that called `read` or `write` */
  operation: string
  ms: number
}

const SLOW_MS = 50
/** Max runs of a write that loses races against other writes. */
const RUNS_MAX = 5

/** Returns what to do instead of a forbidden call. */
const remedyOf = (action: string): string =>
  /^A (read|write)$/.test(action)
    ? 'use the tables that the work was given'
    : 'do it before or after, since everybody else would wait for it'

interface Work {
  access: Access
  isRunning: boolean
  /** first forbidden call; makes the work fail even if the work catches the error */
  misuse: Error | null
}

/**
 * Keeps track of which code runs inside a read or a write, across every `await`. Engines run all work through
 * a guard.
 */
export class StorageGuard {
  readonly #current = new AsyncLocalStorage<Work>()
  #isClosed = false

  constructor(
    private readonly onSlow: (work: SlowWork) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Refuses new work from now on, because it would delay the closing of the database. */
  close(): void {
    this.#isClosed = true
  }

  /** Throws if called by the work of a read or a write, or after `close`. */
  assertMayBegin(action: string): void {
    this.assertOutside(action)
    if (this.#isClosed) throw new Error('The database has been closed')
  }

  /** Throws if called by the work of a read or a write. */
  assertOutside(action: string): void {
    const work = this.#current.getStore()
    if (!work?.isRunning) return
    const misuse = new Error(`${action} inside a storage ${work.access} is a bug: ${remedyOf(action)}`)
    work.misuse ??= misuse
    throw misuse
  }

  /**
   * Runs work, and passes it a check that throws once the work has ended. `calledFrom` is the call site that
   * `read` or `write` took: it names the operation in reports of slow work.
   */
  async run<T>(access: Access, calledFrom: Error, start: (check: () => void) => Promise<T>): Promise<T> {
    const work: Work = { access, isRunning: true, misuse: null }
    const check = () => {
      if (!work.isRunning)
        throw new Error(
          `The tables of a storage ${access} were used after it ended. Is an await missing in its work?`,
        )
    }
    const startedAt = this.now()
    try {
      const value = await this.#current.run(work, () => start(check))
      if (work.misuse) throw work.misuse
      return value
    } catch (error) {
      throw work.misuse ?? error
    } finally {
      work.isRunning = false
      const ms = Math.round(this.now() - startedAt)
      if (ms > SLOW_MS) this.onSlow({ access, operation: callerOf(calledFrom), ms })
    }
  }
}

/** Runs a write again if it lost a race. Throws LostRace if it loses every time. */
export async function retryLostRaces<T>(write: () => Promise<T>): Promise<T> {
  for (let run = 1; ; run++) {
    try {
      return await write()
    } catch (error) {
      if (!(error instanceof LostRace) || run === RUNS_MAX) throw error
    }
  }
}

/**
 * Returns an error for `callerOf`. Its stack is short, because collecting a whole one takes a twentieth of
 * the time of a short request.
 */
export function callSite(): Error {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 3
  const error = new Error()
  Error.stackTraceLimit = limit
  return error
}

/** Returns the name of the function that called `read` or `write`; its file and line if it has no name. */
function callerOf({ stack = '' }: Error): string {
  const frame = stack.split('\n')[3] ?? ''
  const name = /^\s+at (?:async )?([^\s(/<]+) \(/.exec(frame)?.[1]
  return name ?? /([^/\s(]+:\d+):\d+\)?$/.exec(frame)?.[1] ?? 'unknown'
}
