import type { Delivered } from '../developer/deliver.ts'
import type { Order } from './events.ts'
import type { Shop } from './shop.ts'

/** A slower answer is reported: under load, it would take longer than the ten seconds that a server waits. */
const SLOW_MS = 5000

/** A fault of the shop. The message says what is wrong, and what to do about it. */
export class Problem extends Error {}

export const isRefused = ({ status }: Delivered): boolean => status !== null && status >= 400 && status < 500

export const answerOf = ({ status, problem }: Delivered): string =>
  status === null ? `gave no response (${problem})` : `answered with status ${status}`

export function expectAccepted(delivered: Delivered, why: string): void {
  const { status } = delivered
  if (status !== null && status > 200 && status < 300) {
    throw new Problem(
      `The webhook ${answerOf(delivered)}. Answer with exactly 200: after any other status, the event is ` +
        'repeated for three days.',
    )
  }
  if (status !== 200) throw new Problem(`The webhook ${answerOf(delivered)}. ${why}`)
  if (delivered.ms > SLOW_MS) {
    const seconds = (delivered.ms / 1000).toFixed(1)
    throw new Problem(
      `The webhook took ${seconds} seconds. Store the event, answer, and do the work afterwards: after 10 ` +
        'seconds a delivery counts as failed and is repeated.',
    )
  }
}

export async function expectUnpaid({ door }: Shop, { orderUUID }: Order, why: string): Promise<void> {
  const read = await door?.read(orderUUID)
  if (read?.isPaid || (read && read.shipments > 0)) throw new Problem(why)
}

export async function expectShippedOnce({ door }: Shop, { orderUUID }: Order, why: string): Promise<void> {
  const read = await door?.read(orderUUID)
  if (!read) return
  if (!read.isPaid) throw new Problem(`The shop does not know that the order is paid. ${why}`)
  if (read.shipments !== 1) throw new Problem(`The goods were handed out ${read.shipments} times. ${why}`)
}
