import { Refusal } from '../../domain/errors.ts'
import type { Event } from '../../domain/webhook.ts'
import type { Context } from '../../operations/context.ts'
import { followEvents } from '../../operations/webhooks/follow-events.ts'
import { waitBriefly } from '../wait-briefly.ts'

const READ_EVERY_MS = 1000
/** The time between heartbeats, which is shorter than the idle limits of usual proxies. */
const HEARTBEAT_MS = 10_000
/** The time after which a stream ends. The key is checked again when the client connects again. */
const OPEN_MAX_MS = 5 * 60_000
const STREAMS_MAX = 100
const STREAMS_OF_MERCHANT_MAX = 10
const RETRY_SECONDS = 10

const pause = (signal: AbortSignal) => waitBriefly(new Promise(() => {}), READ_EVERY_MS, signal)

const frameOf = ({ id, type, body }: Event): string => `id: ${id}\nevent: ${type}\ndata: ${body}\n\n`

type EventContext = Pick<Context, 'storage' | 'clock' | 'stopping'>

/** Counts open streams by merchant, and limits them. */
function streamSlots() {
  const open = new Map<string, number>()
  let all = 0
  const change = (merchantId: string, by: 1 | -1) => {
    all += by
    const count = (open.get(merchantId) ?? 0) + by
    if (count > 0) open.set(merchantId, count)
    else open.delete(merchantId)
  }
  return {
    /** Counts a new stream of a merchant. Returns a function that uncounts it, but only once. */
    take(merchantId: string): () => void {
      if (all >= STREAMS_MAX || (open.get(merchantId) ?? 0) >= STREAMS_OF_MERCHANT_MAX) {
        const message = 'Too many event streams are open. Close one, or wait until one ends.'
        throw new Refusal('rate_limited', message, { retryAfterSeconds: RETRY_SECONDS })
      }
      change(merchantId, 1)
      let isTaken = true
      return () => {
        if (isTaken) change(merchantId, -1)
        isTaken = false
      }
    },
  }
}

/** Opens streams of server-sent events. Each stream reads the database once a second. */
export function eventStreams(context: EventContext) {
  const slots = streamSlots()
  return async (merchantId: string, afterId: string | null): Promise<Response> => {
    const release = slots.take(merchantId)
    try {
      return await open(context, merchantId, afterId, release)
    } catch (error) {
      release()
      throw error
    }
  }
}

async function open(
  context: EventContext,
  merchantId: string,
  afterId: string | null,
  release: () => void,
): Promise<Response> {
  const feed = await followEvents(context, merchantId, afterId)
  const closed = new AbortController()
  const ending = AbortSignal.any([context.stopping, closed.signal, AbortSignal.timeout(OPEN_MAX_MS)])
  let nextBeatAt = 0
  /** The next text to send; null at the end. */
  const read = async (): Promise<string | null> => {
    for (;;) {
      await pause(ending)
      if (ending.aborted) return null
      const text = (await feed.next()).map(frameOf).join('')
      const now = performance.now()
      if (text === '' && now < nextBeatAt) continue
      nextBeatAt = now + HEARTBEAT_MS
      return text || ': waiting\n\n'
    }
  }
  const utf8 = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start: controller => {
      controller.enqueue(utf8.encode(`retry: 1000\n${feed.lastId ? `id: ${feed.lastId}\n` : ''}\n`))
    },
    // Called when the client has read what was sent, so that nothing is kept in memory for a slow client.
    async pull(controller) {
      const text = await read().catch(error => {
        release()
        throw error
      })
      if (text !== null) return controller.enqueue(utf8.encode(text))
      release()
      // A stream that the client has left is closed already.
      if (!closed.signal.aborted) controller.close()
    },
    cancel() {
      closed.abort()
      release()
    },
  })
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' },
  })
}
