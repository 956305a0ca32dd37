/** Intervals only repeat what has not changed: in a world it is enough to do so this often. */
const OFTEN_MS = 10 * 60_000

/** A timer of less is only a way to let other work run first. */
const AT_ONCE_MS = 1

interface Waiting {
  dueAt: number
  /** of an interval */
  everyMs: number | null
  run(): void
}

/** A handle, as Bun's timers return it. */
const handleOf = (waiting: Waiting) => {
  const handle = {
    waiting,
    ref: () => handle,
    unref: () => handle,
    hasRef: () => false,
    [Symbol.toPrimitive]: () => 0,
  }
  return handle
}

type Handle = Timer | ReturnType<typeof handleOf> | undefined

/**
 * The timers of this process, by the clock of a world: a timer that fires by the real clock would make each run
 * different.
 */
export class Timers {
  readonly #now: () => number
  #waiting: Waiting[] = []

  constructor(now: () => number) {
    this.#now = now
  }

  #start(run: () => void, ms: number, everyMs: number | null) {
    const waiting = { dueAt: this.#now() + ms, everyMs, run }
    this.#waiting.push(waiting)
    return handleOf(waiting)
  }

  /** Ends one of these; false for a real timer. */
  #end(handle: Handle): boolean {
    if (!(handle instanceof Object && 'waiting' in handle)) return false
    this.#waiting = this.#waiting.filter(one => one !== handle.waiting)
    return true
  }

  /** Runs those that are due: an interval once, however long ago it was due. */
  runDue(): void {
    const now = this.#now()
    const due = this.#waiting.filter(({ dueAt }) => dueAt <= now)
    this.#waiting = this.#waiting.filter(({ dueAt }) => dueAt > now)
    for (const waiting of due) {
      if (waiting.everyMs !== null) {
        waiting.dueAt = now + Math.max(OFTEN_MS, waiting.everyMs)
        this.#waiting.push(waiting)
      }
      waiting.run()
    }
  }

  /** Forgets those of a server that is gone. */
  forget(): void {
    this.#waiting = []
  }

  /** Replaces the timers of this process while something runs. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis
    const own = {
      setTimeout: (run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) =>
        ms <= AT_ONCE_MS ? setTimeout(run, ms, ...given) : this.#start(() => run(...given), ms, null),
      setInterval: (run: (...given: unknown[]) => void, ms: number, ...given: unknown[]) =>
        this.#start(() => run(...given), ms, ms),
      clearTimeout: (handle: Handle) => this.#end(handle) || clearTimeout(handle as Timer),
      clearInterval: (handle: Handle) => this.#end(handle) || clearInterval(handle as Timer),
    }
    Object.assign(globalThis, own)
    try {
      return await work()
    } finally {
      Object.assign(globalThis, { setTimeout, setInterval, clearTimeout, clearInterval })
    }
  }
}
