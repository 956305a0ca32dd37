import { write } from 'node:fs'

const STDERR = 2
const RETRY_MS = 50
/** Max bytes that wait for a slow reader. Above this, new lines are dropped. */
const WAITING_MAX = 1024 * 1024
const FLUSH_MS = 2000
/**
 * Busy servers gather lines for this time and write them together: a write wakes another thread, which takes
 * longer than some requests.
 */
const GATHER_MS = 10

type WriteOnce = (bytes: Buffer, done: (error: NodeJS.ErrnoException | null, written: number) => void) => void

const writeOnce: WriteOnce = (bytes, done) => write(STDERR, bytes, done)

/**
 * Writes lines in order without blocking. Drops what cannot be written: a full log disk or a closed pipe must
 * not stop payments. Later lines are tried again, so the log continues once the problem is solved.
 */
export class LineWriter {
  #waiting: string[] = []
  #length = 0
  #running: Promise<void> | null = null
  #lost = 0
  #isFailing = false
  #endRest = () => {}
  #flushes = 0

  constructor(
    private readonly attempt: WriteOnce = writeOnce,
    private readonly gatherMs = GATHER_MS,
  ) {}

  write(line: string): void {
    if (this.#length + line.length > WAITING_MAX) {
      this.#fail(1)
      return
    }
    this.#waiting.push(line)
    this.#length += line.length
    this.#running ??= this.#drain()
  }

  /** Waits until everything is written, for up to two seconds. */
  async flush(): Promise<void> {
    this.#flushes++
    this.#endRest()
    await Promise.race([this.#running, Bun.sleep(FLUSH_MS)])
    this.#flushes--
  }

  /** Number of lost lines if the last line could not be written; null if it could. */
  get lost(): number | null {
    return this.#isFailing ? this.#lost : null
  }

  #fail(lines: number): void {
    this.#isFailing = true
    this.#lost += lines
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Lines of the same turn of the event loop are written together.
      await new Promise(setImmediate)
      const lines = this.#waiting
      this.#waiting = []
      if (await this.#writeAll(Buffer.from(lines.join('')))) this.#isFailing = false
      else this.#fail(lines.length)
      this.#length = this.#waiting.reduce((sum, line) => sum + line.length, 0)
      await this.#rest()
    }
    this.#running = null
  }

  /** Waits between writes, except for the first line after a quiet time. */
  async #rest(): Promise<void> {
    if (this.#flushes > 0) return
    let timer: ReturnType<typeof setTimeout> | undefined
    await new Promise<void>(resolve => {
      this.#endRest = resolve
      timer = setTimeout(resolve, this.gatherMs)
    })
    clearTimeout(timer)
  }

  /** Returns false if the bytes were dropped. */
  async #writeAll(bytes: Buffer): Promise<boolean> {
    let rest = bytes
    while (rest.length > 0) {
      const written = await this.#writePart(rest)
      if (written === 'dropped') return false
      if (written === 0) await Bun.sleep(RETRY_MS)
      rest = rest.subarray(written)
    }
    return true
  }

  #writePart(bytes: Buffer): Promise<number | 'dropped'> {
    return new Promise(resolve =>
      this.attempt(bytes, (error, written) => {
        if (!error) resolve(written)
        // The reader of the pipe is slow: try again.
        else resolve(error.code === 'EAGAIN' ? 0 : 'dropped')
      }),
    )
  }
}

/** Standard error of this process, for log lines and messages of commands. */
export const stderr = new LineWriter()
