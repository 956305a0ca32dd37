import type { BooksSaying } from '../facts.ts'
import type { KnownOrder } from './book.ts'
import { minorOf } from './exact.ts'
import type { MakeRule } from './rule.ts'

/** Rule 12: the statistics of a shop are the sums of its orders and refunds. */

type Row = { merchant: string; currency: string } & Record<string, string | number>

const NAMES = [
  'created_count',
  'paid_count',
  'cancelled_count',
  'forced_count',
  'pending_count',
  'refunded_count',
]
const AMOUNTS = ['gross', 'net', 'pending', 'cancelled', 'forced', 'refunded']

const STATISTICS = `SELECT m.id AS merchant, s.* FROM statistics s JOIN merchants m ON m.number = s.merchant_number
  WHERE s.minutes = 1440`

/** What an order adds to each sum. */
function partsOf({ last }: KnownOrder): Record<string, bigint> {
  const { amount, netAmount, currency, status, forced, refundedAmount = '0', refundCount = '0' } = last
  const [price, net] = [minorOf(amount, currency) ?? 0n, minorOf(netAmount, currency) ?? 0n]
  const refunded = minorOf(refundedAmount, currency) ?? 0n
  const when = (holds: boolean, value: bigint) => (holds ? value : 0n)
  const isForced = forced === true
  const isPaid = status === 'PAID' && !isForced
  return {
    ...{ created_count: 1n, refunded, refunded_count: BigInt(refundCount) },
    ...{ gross: when(isPaid, price), paid_count: when(isPaid, 1n), net: when(isPaid, net) - refunded },
    ...{ cancelled: when(status === 'CANCELLED', price), cancelled_count: when(status === 'CANCELLED', 1n) },
    ...{ forced: when(isForced, price), forced_count: when(isForced, 1n) },
    ...{ pending: when(status === 'UNPAID', price), pending_count: when(status === 'UNPAID', 1n) },
  }
}

export const makeSums: MakeRule = book => {
  let read: Row[] | null = null

  function sumsOfOrders(): Map<string, bigint> {
    const sums = new Map<string, bigint>()
    for (const order of book.orders.values()) {
      if (order.last === null) continue
      for (const [name, value] of Object.entries(partsOf(order))) {
        const key = `${order.last.merchantId} ${order.last.currency} ${name}`
        sums.set(key, (sums.get(key) ?? 0n) + value)
      }
    }
    return sums
  }

  function sumsOfRows(rows: Row[]): Map<string, bigint> {
    const sums = new Map<string, bigint>()
    for (const row of rows)
      for (const name of [...NAMES, ...AMOUNTS]) {
        const key = `${row.merchant} ${row.currency} ${name}`
        sums.set(key, (sums.get(key) ?? 0n) + BigInt(row[name] ?? 0))
      }
    return sums
  }

  return {
    hear(saying) {
      if (saying.says === 'books') read = (saying satisfies BooksSaying).rows<Row>(STATISTICS)
      return []
    },
    end() {
      if (read === null) return []
      const [said, expected] = [sumsOfRows(read), sumsOfOrders()]
      return [...new Set([...said.keys(), ...expected.keys()])].flatMap(key => {
        const [told = 0n, is = 0n] = [said.get(key), expected.get(key)]
        return told === is ? [] : [`12: the statistics say ${told} for ${key}, but its orders make ${is}`]
      })
    },
  }
}
