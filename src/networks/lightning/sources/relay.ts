import { Refusal } from '../../../domain/errors.ts'
import { AccountError, NetworkError } from '../../port.ts'
import type { TextSocket, WebSocketOpener } from '../../web-socket-port.ts'
import { hostAndPort } from './http.ts'
import { type NostrEvent, readEvent } from './nostr.ts'

/** Max messages of a relay that are read while an answer is awaited. */
const MESSAGES_MAX = 100

/** Connects to a relay. Throws NetworkError. */
export async function openRelay(open: WebSocketOpener, url: string, signal: AbortSignal): Promise<Relay> {
  try {
    return new Relay(await open(url, signal))
  } catch (error) {
    if (!(error instanceof Refusal)) throw new NetworkError('the relay cannot be reached')
    const host = hostAndPort(url)
    throw new AccountError({ kind: 'lightningPrivate', host }, 'the relay is in a private network')
  }
}

/** A connection to a relay of Nostr, for one subscription after the other. Its methods throw NetworkError. */
export class Relay {
  #subscriptions = 0
  constructor(private readonly socket: TextSocket) {}

  close(): void {
    this.socket.close()
  }

  /** Returns the newest stored event that the filter asks for; null if the relay has none. */
  async find(filter: object, isWanted: (event: NostrEvent) => boolean): Promise<NostrEvent | null> {
    const id = this.#subscribe(filter)
    let found: NostrEvent | null = null
    for (let count = 0; count < MESSAGES_MAX; count++) {
      const [type, subscription, content] = await this.#next()
      if (subscription !== id) continue
      if (type === 'EOSE' || type === 'CLOSED') return found
      const event = type === 'EVENT' ? readEvent(content) : null
      if (event && isWanted(event) && event.created_at >= (found?.created_at ?? 0)) found = event
    }
    return found
  }

  /**
   * Publishes an event, and waits for the event that answers it. Other events, also forged ones, are ignored.
   */
  async ask(
    event: NostrEvent,
    filter: object,
    isAnswer: (event: NostrEvent) => boolean,
  ): Promise<NostrEvent> {
    const id = this.#subscribe(filter)
    this.socket.send(JSON.stringify(['EVENT', event]))
    for (let count = 0; count < MESSAGES_MAX; count++) {
      const [type, subject, content] = await this.#next()
      if (type === 'OK' && subject === event.id && content === false)
        throw new NetworkError('the relay refused the request')
      if (type === 'CLOSED' && subject === id) throw new NetworkError('the relay ended the subscription')
      const answer = type === 'EVENT' && subject === id ? readEvent(content) : null
      if (answer && isAnswer(answer)) return answer
    }
    throw new NetworkError('the relay sends too much else')
  }

  #subscribe(filter: object): string {
    const id = `florin${this.#subscriptions++}`
    this.socket.send(JSON.stringify(['REQ', id, filter]))
    return id
  }

  async #next(): Promise<unknown[]> {
    const text = await this.socket.next().catch(() => {
      throw new NetworkError('the relay or the wallet does not answer')
    })
    try {
      const message: unknown = JSON.parse(text)
      return Array.isArray(message) ? message : []
    } catch {
      return []
    }
  }
}
