import { boundedFetch } from '../../boot/fetch.ts'
import { Refusal } from '../../domain/errors.ts'
import { reasonOf } from './reason.ts'
import type { ShopServer } from './server.ts'

/** An event as the server sends it. */
export interface StreamedEvent {
  id: string
  type: string
  /** exactly what the webhook receives */
  body: string
}

/** A connection counts as lost after this silence. The pauses of a server that works are shorter. */
const SILENCE_MS = 30_000
const PAUSES_MS = [1000, 2000, 5000, 10_000]
/** Max received events that are remembered, because the server may repeat them after a new connection. */
const SEEN_MAX = 20_000

interface Frame {
  id: string | null
  type: string
  data: string
}

function parse(block: string): Frame {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const at = line.indexOf(':')
    if (at > 0) fields.set(line.slice(0, at), line.slice(at + 1).replace(/^ /, ''))
  }
  return {
    id: fields.get('id') ?? null,
    type: fields.get('event') ?? 'message',
    data: fields.get('data') ?? '',
  }
}

/** The refusal of a server, with its sentence. Another request would be refused as well. */
async function refusalOf(response: Response): Promise<Refusal> {
  const text = await response.text().catch(() => '')
  const message = /"message":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1]
  if (response.status === 404 && !message?.includes('event')) {
    return new Refusal('not_found', 'This server has no event stream. Is it a Florin server of this version?')
  }
  return new Refusal('conflict', message ?? `The server answered with status ${response.status}.`)
}

async function* framesOf(response: Response, onData: () => void): AsyncGenerator<Frame> {
  const utf8 = new TextDecoder()
  let text = ''
  for await (const bytes of response.body ?? []) {
    onData()
    text += utf8.decode(bytes, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) yield parse(block)
  }
}

type Followed = ShopServer & { isOfTests?: boolean }

/** Reads one connection until it ends or is silent for too long. */
async function* connect(
  { url, apiKey, isOfTests }: Followed,
  { lastId }: { lastId: string | null },
  signal: AbortSignal,
  onOpen: () => void,
): AsyncGenerator<Frame> {
  const silent = new AbortController()
  let timer = setTimeout(() => silent.abort(), SILENCE_MS)
  const restart = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silent.abort(), SILENCE_MS)
  }
  try {
    const response = await boundedFetch(`${url}/v1/events/stream${isOfTests ? '?livemode=false' : ''}`, {
      headers: { 'x-api-key': apiKey, ...(lastId && { 'last-event-id': lastId }) },
      redirect: 'manual',
      signal: AbortSignal.any([signal, silent.signal]),
    })
    if (response.status >= 400 && response.status < 500 && response.status !== 429)
      throw await refusalOf(response)
    if (response.status !== 200) throw new Error(`The server answered with status ${response.status}.`)
    onOpen()
    yield* framesOf(response, restart)
  } finally {
    clearTimeout(timer)
  }
}

interface Connection {
  /** called when the connection opens or is lost; `reason` says why it was lost */
  onChange(state: 'open' | 'lost', reason: string): void
}

/** Remembers the ID of the last event, and the events that the server may repeat. */
class Received {
  lastId: string | null = null
  readonly #seen = new Set<string>()

  /** Returns the event of a frame; null if it has none, or was received before. */
  take({ id, type, data }: Frame): StreamedEvent | null {
    if (id === null) return null
    const isNew = data !== '' && !this.#seen.has(id)
    this.#seen.add(id)
    const [oldest] = this.#seen
    if (this.#seen.size > SEEN_MAX && oldest !== undefined) this.#seen.delete(oldest)
    this.lastId = id
    return isNew ? { id, type, body: data } : null
  }
}

/** Reports changes, and pauses longer after each failure in a row. */
function reportTo({ onChange }: Connection) {
  let isOpen = false
  let failures = 0
  return {
    open() {
      failures = 0
      if (!isOpen) onChange('open', '')
      isOpen = true
    },
    async lost(error: unknown): Promise<void> {
      if (isOpen || failures === 0) onChange('lost', reasonOf(error))
      isOpen = false
      await Bun.sleep(PAUSES_MS[Math.min(failures++, PAUSES_MS.length - 1)] ?? 0)
    },
  }
}

/**
 * Yields every event of the shop that the server records from now on, each once, also over lost connections.
 * Ends when the signal is aborted. Throws a Refusal if the server refuses the key.
 */
export async function* followServer(
  server: Followed,
  connection: Connection,
  signal: AbortSignal,
): AsyncGenerator<StreamedEvent> {
  const received = new Received()
  const { open, lost } = reportTo(connection)
  while (!signal.aborted) {
    try {
      for await (const frame of connect(server, received, signal, open)) {
        const event = received.take(frame)
        if (event) yield event
      }
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof Refusal) throw error
      await lost(error)
    }
  }
}
