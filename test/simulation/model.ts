import { type Chain, creditOf, type Transfer } from './chain.ts'
import type { StoredRows } from './database.ts'

/** An order with an open payment, as its buyer knows it. */
export interface OpenedOrder {
  /** number of the order in the history */
  number: number
  id: string
  attemptId: string
  /** the address as endpoints of the chain write it */
  address: string
  asset: string
  due: bigint
  /** Returns the value of an amount of another asset, in the asset of the payment. */
  worth(asset: string, amount: bigint): bigint
  lockedUntil: number
  /** true if a stranger flooded its address: then no payment to it has to be found in time */
  isFlooded: boolean
}

const sumOf = (transfers: Transfer[]): bigint =>
  transfers.reduce((sum, transfer) => sum + creditOf(transfer), 0n)

/** The sum that arrived at the address of an order. */
const arrivedAt = (chain: Chain, { address }: OpenedOrder): Transfer[] =>
  chain.transfers.filter(({ to, height }) => to === address && height <= chain.head)

const mustBePaid = (chain: Chain, order: OpenedOrder): boolean => {
  const own = arrivedAt(chain, order).filter(({ asset }) => asset === order.asset)
  return sumOf(own.filter(({ height }) => chain.timeOf(height) <= order.lockedUntil)) >= order.due
}

/**
 * True if the payments may cover the order. Other assets that the shop accepts count at their value, up to
 * the tolerance.
 */
function mayBePaid(chain: Chain, order: OpenedOrder): boolean {
  const arrived = arrivedAt(chain, order)
  const own = sumOf(arrived.filter(({ asset }) => asset === order.asset))
  const others = arrived.filter(({ asset }) => asset !== order.asset)
  if (others.length === 0) return own >= order.due
  const more = others.reduce((sum, one) => sum + order.worth(one.asset, creditOf(one)), 0n)
  return (own + more) * 1000n >= order.due * 995n
}

/** The faults of orders some time after all endpoints became honest. */
export function checkOrders(chain: Chain, orders: OpenedOrder[], rows: StoredRows): string[] {
  const statusOf = new Map(rows.orders.map(({ id, status }) => [id, status]))
  return orders.flatMap(order => {
    const status = statusOf.get(order.id)
    const name = `order ${order.number}`
    if (status === 'PAID' && !mayBePaid(chain, order)) return [`${name} is PAID, but too little arrived`]
    if (order.isFlooded || status === 'PAID' || !mustBePaid(chain, order)) return []
    return [`${name} is ${status}, but ${order.due} ${order.asset} arrived in time`]
  })
}

/** The faults of stored payments when all watches have ended. */
export function checkPayments(chain: Chain, orders: OpenedOrder[], rows: StoredRows): string[] {
  return orders.flatMap(order => {
    if (order.isFlooded) return []
    const stored = rows.payments.filter(
      payment => payment.attempt_id === order.attemptId && payment.state !== 'gone',
    )
    const arrived = arrivedAt(chain, order)
    const assets = new Set([...stored.map(one => one.asset_id), ...arrived.map(one => one.asset)])
    const sums = [...assets].flatMap(asset => {
      const real = sumOf(arrived.filter(one => one.asset === asset))
      const own = stored.filter(one => one.asset_id === asset)
      const known = own.reduce((sum, one) => sum + BigInt(one.amount_atomic), 0n)
      if (known === real) return []
      return [`order ${order.number}: ${real} ${asset} arrived, but ${known} is recorded`]
    })
    return [...sums, ...stored.flatMap(payment => problemOf(order, payment))]
  })
}

/** Checks that a payment settles its order or is unmatched, so that the merchant can find all money. */
function problemOf({ number }: OpenedOrder, payment: StoredRows['payments'][number]): string[] {
  const { amount_atomic, asset_id, state, settles, is_unmatched } = payment
  const name = `order ${number}: the payment of ${amount_atomic} ${asset_id}`
  if (state !== 'final') return [`${name} is still ${state}`]
  if (settles === is_unmatched && settles === 1) return [`${name} settles the order and is unmatched`]
  if (settles === 0 && is_unmatched === 0) return [`${name} neither settles the order nor is unmatched`]
  return []
}
