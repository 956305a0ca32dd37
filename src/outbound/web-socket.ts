import { createHash, randomBytes } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import { checkUrl, isAllowed, type ReachableHost } from './destinations.ts'
import type { Lookup } from './dns.ts'
import { resolving } from './fetch.ts'

interface WebSocketOptions {
  allow: readonly ReachableHost[]
  lookup: Lookup
  /** trusted certificates instead of the system's; PEM */
  ca?: string | undefined
  /** throws inside a write, where network calls are forbidden */
  assertOutside(action: string): void
}

/** An open connection that carries texts. */
interface TextSocket {
  send(text: string): void
  /** The next text. Rejects when the connection has ended, or its signal is aborted. */
  next(): Promise<string>
  close(): void
}

/** Max bytes of messages that wait to be read. If a server sends more, the connection is ended. */
const WAITING_BYTES_MAX = 512 * 1024
/** The bytes that are counted for a message beside its text, so that empty messages count too. */
const MESSAGE_BYTES = 64
const MASK_BYTES = 4
const LENGTH_16 = 126
const LENGTH_64 = 127
const FINAL = 0x80
const opcode = { continued: 0, text: 1, close: 8, ping: 9, pong: 10 }
/** The constant of RFC 6455 for the response that shows that a server speaks the protocol. */
const ACCEPT = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

type Opener = (url: string, signal: AbortSignal) => Promise<TextSocket>

/**
 * Opens connections to URLs that users of the dashboard enter. They reach only public addresses, unless the
 * settings allow the host, and follow no redirects.
 */
export function makeWebSockets({ allow, lookup, ca, assertOutside }: WebSocketOptions): Opener {
  return async (text, signal) => {
    assertOutside('A network call')
    const url = checkUrl(text.replace(/^ws/, 'http'), '/url', { allow })
    const key = randomBytes(16).toString('base64')
    const { promise, resolve, reject } = Promise.withResolvers<TextSocket>()
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      agent: false,
      headers: {
        ...{ Connection: 'Upgrade', Upgrade: 'websocket' },
        ...{ 'Sec-WebSocket-Key': key, 'Sec-WebSocket-Version': '13' },
      },
      rejectUnauthorized: true,
      lookup: resolving(lookup, isAllowed(url, allow)),
      ...(ca !== undefined && { ca }),
    } as https.RequestOptions)
    const abort = () => {
      reject(signal.reason)
      request.destroy()
    }
    signal.addEventListener('abort', abort, { once: true })
    request.on('upgrade', (response, socket, head) => {
      const accepted = createHash('sha1').update(`${key}${ACCEPT}`).digest('base64')
      if (response.headers['sec-websocket-accept'] === accepted) {
        resolve(new Connection(socket as Socket, head, signal))
      } else {
        socket.destroy()
        reject(new Error('the server does not speak WebSocket'))
      }
    })
    request.on('response', response => {
      response.destroy()
      reject(new Error(`the server answered with status ${response.statusCode}`))
    })
    request.on('error', reject)
    request.on('close', () => reject(new Error('the server ended the connection')))
    request.end()
    return promise
  }
}

class Connection implements TextSocket {
  readonly #texts: string[] = []
  #waiting: PromiseWithResolvers<string> | null = null
  #ended: Error | null = null
  /** the part of the next frame that has arrived, and the parts of a message with several frames */
  #bytes: Buffer = Buffer.alloc(0)
  #parts: Buffer[] = []

  constructor(
    private readonly socket: Socket,
    head: Buffer,
    signal: AbortSignal,
  ) {
    socket.on('data', chunk => this.#receive(Buffer.from(chunk)))
    socket.on('error', error => this.#end(error))
    socket.on('close', () => this.#end(new Error('the server ended the connection')))
    signal.addEventListener('abort', () => this.#end(signal.reason), { once: true })
    this.#receive(head)
  }

  send(text: string): void {
    this.#write(opcode.text, Buffer.from(text))
  }

  next(): Promise<string> {
    const text = this.#texts.shift()
    if (text !== undefined) return Promise.resolve(text)
    if (this.#ended) return Promise.reject(this.#ended)
    this.#waiting = Promise.withResolvers()
    return this.#waiting.promise
  }

  close(): void {
    if (this.#ended === null) this.#write(opcode.close, Buffer.alloc(0))
    this.#end(new Error('the connection was closed'))
  }

  #end(reason: Error): void {
    if (this.#ended) return
    this.#ended = reason
    this.#waiting?.reject(reason)
    this.socket.destroy()
  }

  /** Writes a frame. It is masked, because this side is the client. */
  #write(code: number, payload: Buffer): void {
    if (this.#ended) return
    const { length } = payload
    const isShort = length < LENGTH_16
    const head = Buffer.from([FINAL | code, FINAL | (isShort ? length : LENGTH_64)])
    const size = Buffer.alloc(isShort ? 0 : 8)
    if (!isShort) size.writeBigUInt64BE(BigInt(length))
    const mask = randomBytes(MASK_BYTES)
    const masked = payload.map((byte, at) => byte ^ (mask[at % MASK_BYTES] ?? 0))
    this.socket.write(Buffer.concat([head, size, mask, masked]))
  }

  #receive(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk])
    for (let frame = this.#takeFrame(); frame !== null; frame = this.#takeFrame()) this.#read(frame)
    const waiting = [this.#bytes, ...this.#parts, ...this.#texts]
    const size = waiting.reduce((sum, { length }) => sum + length + MESSAGE_BYTES, 0)
    if (size > WAITING_BYTES_MAX) this.#end(new Error('the server sends too much'))
  }

  /** The next frame; null until the whole frame has arrived. */
  #takeFrame(): { code: number; isFinal: boolean; payload: Buffer } | null {
    const bytes = this.#bytes
    const [first = 0, second = 0] = bytes
    const short = second & LENGTH_64
    const extra = short === LENGTH_16 ? 2 : short === LENGTH_64 ? 8 : 0
    const start = 2 + extra
    if (bytes.length < start) return null
    const long = extra === 2 ? bytes.readUInt16BE(2) : Number(extra === 8 ? bytes.readBigUInt64BE(2) : 0)
    const end = start + (extra === 0 ? short : long)
    if (second & FINAL) this.#end(new Error('the server masks its frames'))
    if (bytes.length < end) return null
    this.#bytes = bytes.subarray(end)
    return { code: first & 15, isFinal: (first & FINAL) !== 0, payload: bytes.subarray(start, end) }
  }

  #read({ code, isFinal, payload }: { code: number; isFinal: boolean; payload: Buffer }): void {
    if (code === opcode.ping) this.#write(opcode.pong, payload)
    if (code === opcode.close) this.#end(new Error('the server ended the connection'))
    if (code !== opcode.text && code !== opcode.continued) return
    this.#parts.push(payload)
    if (!isFinal) return
    const text = Buffer.concat(this.#parts).toString('utf8')
    this.#parts = []
    if (this.#waiting) this.#waiting.resolve(text)
    else this.#texts.push(text)
    this.#waiting = null
  }
}
