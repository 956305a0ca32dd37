/** Intervals only repeat what has not changed, so in a world it is enough to run them this often. */
const OFTEN_MS = 10 * 60_000

/** A timer shorter than this only lets other work run first. */
const AT_ONCE_MS = 1

interface Waiting {
  dueAt: number
  /** the period of an interval; null for a timer that runs once */
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

/** Timers by the clock of a world: with the real clock, each run would be different. */
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

  /** Stops one of these timers. Returns false for a real timer. */
  #end(handle: Handle): boolean {
    if (!(handle instanceof Object && 'waiting' in handle)) return false
    this.#waiting = this.#waiting.filter(one => one !== handle.waiting)
    return true
  }

  /** Runs the timers that are due: an interval once, however often it was due. */
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

  /** Removes the timers of a server that no longer runs. */
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
