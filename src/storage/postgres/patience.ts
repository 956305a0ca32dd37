import type { Socket } from 'node:net'
import { openSocket } from './socket.ts'

/** How a machine that vanished is distinguished from a statement that takes long. */
export interface Silence {
  /** after this time without a byte, the server is asked whether it is there */
  silentMs: number
  /** how long it may take to answer that */
  knockMs: number
}

/** Together less than 15 seconds. */
export const silence: Silence = { silentMs: 4000, knockMs: 4000 }

const KNOCKS = 2
const LOOK_MS = 1000
/** Asks whether connections can be encrypted. The server answers with one byte before it knows who asks. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

/** Whether a new connection to the server gets an answer. */
async function answers(host: string, port: number, ms: number): Promise<boolean> {
  const since = performance.now()
  const socket = await openSocket(host, port, ms).catch(() => null)
  if (!socket) return false
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), Math.max(1, ms - (performance.now() - since)))
  socket.once('data', () => resolve(true))
  socket.once('error', () => resolve(false))
  socket.once('close', () => resolve(false))
  socket.write(SSL_REQUEST)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    socket.destroy()
  }
}

/**
 * Counts what waits for an answer, and ends a connection whose server is gone: if it answers nothing for a
 * long time, or neither this connection nor a new one for a short time. Otherwise a machine that is gone
 * would be waited for until the system gives up, which takes many minutes.
 */
export class Patience {
  #waiting = 0
  #since = 0
  #seenBytes = 0
  #receivedAt = 0
  #isKnocking = false
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(
    private readonly socket: Socket,
    private readonly server: { host: string; port: number },
    private readonly limits: Silence & { answerMs: number },
  ) {}

  begin(): void {
    if (this.#waiting++ === 0) this.#since = performance.now()
    const { answerMs, silentMs } = this.limits
    this.#timer ??= setInterval(() => this.#look(), Math.min(LOOK_MS, answerMs, silentMs)).unref()
  }

  end(): void {
    this.#waiting--
    this.#since = performance.now()
  }

  #look(): void {
    if (this.#waiting === 0) return
    const now = performance.now()
    if (now - this.#since > this.limits.answerMs) this.socket.destroy()
    else if (!this.#isKnocking && now - this.#lastSign(now) > this.limits.silentMs) void this.#knock()
  }

  /** When the server last sent something, or was asked. */
  #lastSign(now: number): number {
    if (this.socket.bytesRead !== this.#seenBytes) {
      this.#seenBytes = this.socket.bytesRead
      this.#receivedAt = now
    }
    return Math.max(this.#receivedAt, this.#since)
  }

  async #knock(): Promise<void> {
    const { host, port } = this.server
    this.#isKnocking = true
    const since = this.#since
    for (let knocks = 0; knocks < KNOCKS; knocks++) {
      const isThere = await answers(host, port, this.limits.knockMs)
      const now = performance.now()
      if (isThere) this.#receivedAt = now
      const isSame = this.#waiting > 0 && this.#since === since && this.#lastSign(now) < now
      if (isThere || !isSame) {
        this.#isKnocking = false
        return
      }
    }
    this.socket.destroy()
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
