import type { BooksSaying } from '../facts.ts'
import type { KnownOrder } from './book.ts'
import { minorOf } from './exact.ts'
import type { MakeRule } from './rule.ts'

/** Rule 12: the statistics of a shop equal the sums of its orders and refunds. */

type Row = { merchant: string; currency: string } & Record<string, string | number>

const NAMES = [
  'created_count',
  'paid_count',
  'cancelled_count',
  'forced_count',
  'pending_count',
  'refunded_count',
  'converted_count',
]
const AMOUNTS = ['gross', 'net', 'pending', 'cancelled', 'forced', 'refunded']

const FROM = 'JOIN merchants m ON m.number = s.merchant_number'
const STATISTICS = `SELECT m.id AS merchant, s.* FROM statistics s ${FROM}`
const BY_METHOD = `SELECT m.id AS merchant, s.* FROM method_statistics s ${FROM} WHERE s.minutes = 1440`
/** Sums that the statistics of methods have as well. */
const OF_METHODS = ['gross', 'net', 'refunded', 'paid_count', 'refunded_count']
const DAY = 1440

/** The amounts that an order adds to each sum. */
function partsOf({ last }: KnownOrder): Record<string, bigint> {
  const { amount, netAmount, currency, status, forced, refundedAmount = '0', refundCount = '0' } = last
  const [price, net] = [minorOf(amount, currency) ?? 0n, minorOf(netAmount, currency) ?? 0n]
  const refunded = minorOf(refundedAmount, currency) ?? 0n
  const when = (holds: boolean, value: bigint) => (holds ? value : 0n)
  const isForced = forced === true
  const isPaid = status === 'PAID' && !isForced
  return {
    ...{ converted_count: when(status === 'PAID', 1n) },
    ...{ created_count: 1n, refunded, refunded_count: BigInt(refundCount) },
    ...{ gross: when(isPaid, price), paid_count: when(isPaid, 1n), net: when(isPaid, net) - refunded },
    ...{ cancelled: when(status === 'CANCELLED', price), cancelled_count: when(status === 'CANCELLED', 1n) },
    ...{ forced: when(isForced, price), forced_count: when(isForced, 1n) },
    ...{ pending: when(status === 'UNPAID', price), pending_count: when(status === 'UNPAID', 1n) },
  }
}

export const makeSums: MakeRule = book => {
  let read: { days: Row[]; quarters: Row[]; methods: Row[] } | null = null

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

  function sumsOfRows(rows: Row[], names: readonly string[]): Map<string, bigint> {
    const sums = new Map<string, bigint>()
    for (const row of rows)
      for (const name of names) {
        const key = `${row.merchant} ${row.currency} ${name}`
        sums.set(key, (sums.get(key) ?? 0n) + BigInt(row[name] ?? 0))
      }
    return sums
  }

  /** The sums that differ between two tables, by key. */
  function differences(said: Map<string, bigint>, expected: Map<string, bigint>, what: string): string[] {
    return [...new Set([...said.keys(), ...expected.keys()])].flatMap(key => {
      const [told = 0n, is = 0n] = [said.get(key), expected.get(key)]
      return told === is ? [] : [`12: the statistics say ${told} for ${key}, but ${what} make ${is}`]
    })
  }

  return {
    hear(saying) {
      if (saying.says !== 'books') return []
      const { rows } = saying satisfies BooksSaying
      const all = rows<Row>(STATISTICS)
      const [days, quarters] = [true, false].map(isDay =>
        all.filter(({ minutes }) => (minutes === DAY) === isDay),
      ) as [Row[], Row[]]
      read = { days, quarters, methods: rows<Row>(BY_METHOD) }
      return []
    },
    end() {
      if (read === null) return []
      const all = [...NAMES, ...AMOUNTS]
      const days = sumsOfRows(read.days, all)
      return [
        ...differences(days, sumsOfOrders(), 'its orders'),
        ...differences(sumsOfRows(read.quarters, all), days, 'its days'),
        ...differences(sumsOfRows(read.methods, OF_METHODS), sumsOfRows(read.days, OF_METHODS), 'its days'),
      ]
    },
  }
}
