import { boundedFetch } from '../../boot/fetch.ts'
import { Refusal } from '../../domain/errors.ts'
import { type Delivered, deliver, type Signing } from '../developer/deliver.ts'
import { reasonOf } from '../developer/reason.ts'
import type { Sandbox } from '../developer/sandbox.ts'
import type { ShopServer } from '../developer/server.ts'

const TIMEOUT_MS = 15_000

/** The state of one of the shop's orders, as its test endpoint reports it. */
interface ShopOrder {
  isPaid: boolean
  /** number of times that the goods were handed out */
  shipments: number
  /** the refunded amount, a decimal string in the order's currency */
  refunded: string
}

/**
 * The test endpoint of a shop: a URL that exists only while the shop is tested.
 *
 * - `POST URL` makes an order as for a buyer, and returns `{"orderUUID": "…"}`.
 * - `GET URL/ORDER` returns a ShopOrder.
 * - `POST URL/ORDER/refund` with `{"amount": "5.00"}` refunds, as the shop's staff would. It may be missing.
 */
interface Door {
  newOrder(): Promise<string>
  read(orderUUID: string): Promise<ShopOrder>
  /** Returns the status of the response. */
  refund(orderUUID: string, amount: string): Promise<number>
}

/** The shop under test: its orders on the server, and its test endpoint and webhook. */
export interface Shop {
  server: ShopServer
  sandbox: Sandbox
  /**
   * the shop's test endpoint; null if it has none, so that only the responses of the webhook can be checked
   */
  door: Door | null
  /** Sends an event to the shop's webhook. */
  send(message: SentEvent, signing?: Partial<Signing>): Promise<Delivered>
}

export interface SentEvent {
  type: string
  body: { id: string; [field: string]: unknown }
  /** the event type in the header, which is not signed; by default the type of the event */
  header?: string
}

const isOrder = (read: unknown): read is ShopOrder => {
  const { isPaid, shipments, refunded } = (read ?? {}) as Partial<ShopOrder>
  return typeof isPaid === 'boolean' && typeof shipments === 'number' && typeof refunded === 'string'
}

export function doorOf(url: string): Door {
  const call = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const limits = { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) } as const
    try {
      return await boundedFetch(url + path, { ...init, ...limits })
    } catch (error) {
      throw new Refusal('conflict', `The test endpoint ${url} did not respond: ${reasonOf(error)}`)
    }
  }
  const read = async (response: Response): Promise<unknown> => {
    const text = await response.text()
    try {
      return JSON.parse(text)
    } catch {
      throw new Refusal('conflict', `The test endpoint responded with status ${response.status} and no JSON.`)
    }
  }
  return {
    async newOrder() {
      const { orderUUID } = ((await read(await call('', { method: 'POST' }))) ?? {}) as {
        orderUUID?: unknown
      }
      if (typeof orderUUID === 'string') return orderUUID
      throw new Refusal('conflict', 'The test endpoint must respond to POST with {"orderUUID": "…"}.')
    },
    async read(orderUUID) {
      const order = await read(await call(`/${orderUUID}`))
      if (isOrder(order)) return order
      const form = '{"isPaid": false, "shipments": 0, "refunded": "0.00"}'
      throw new Refusal('conflict', `The test endpoint must respond to GET /${orderUUID} with ${form}.`)
    },
    async refund(orderUUID, amount) {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ amount })
      const response = await call(`/${orderUUID}/refund`, { method: 'POST', headers, body })
      await response.body?.cancel()
      return response.status
    },
  }
}

export const sendTo =
  (url: string, secret: string): Shop['send'] =>
  ({ type, body, header = type }, signing = {}) =>
    deliver(url, { id: body.id, type: header, body: JSON.stringify(body) }, { secret, ...signing })
