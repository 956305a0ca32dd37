import type { Socket } from 'node:net'
import { openSocket } from './socket.ts'

/** Timeouts that distinguish a server that has vanished from a slow statement. */
export interface Silence {
  /** silence after which the server is probed with a new connection */
  silentMs: number
  /** max time for the answer to a probe */
  knockMs: number
}

export const silence: Silence = { silentMs: 4000, knockMs: 3000 }

const KNOCKS = 2
const LOOK_MS = 1000
/** Asks if connections can be encrypted. The server answers with one byte before it asks for a user. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

/** Returns true if the server answers a new connection within `ms`. */
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
 * Counts pending answers, and ends the connection if its server is gone: if it sends nothing for a long time,
 * or if neither this connection nor a new one gets an answer for a short time. Without this, the operating
 * system would wait for a vanished server for many minutes.
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
    /** called when the server is found to be gone */
    private readonly gone: () => void,
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

  /** Returns the time when the server last sent something, or when a query was last sent to it. */
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
    this.gone()
    this.socket.destroy()
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
