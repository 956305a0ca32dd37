import type { Attempt } from '../domain/attempt.ts'
import type { Log } from '../domain/log.ts'
import type { Order } from '../domain/order.ts'
import type { IncomingPayment } from '../domain/payment.ts'
import type { Tables } from '../storage/port.ts'

type Lines = [event: string, fields: object][]
type Overrides = { [Name in keyof Tables]?: (tables: Tables, lines: Lines) => Partial<Tables[Name]> }

const aboutOrder = ({ id, merchantId }: Order) => ({ orderUUID: id, merchantId })
const aboutAttempt = ({ id, orderId, merchantId, methodKey, assetId }: Attempt) => ({
  orderUUID: orderId,
  attemptId: id,
  merchantId,
  methodKey,
  assetId,
})
const aboutPayment = (incoming: IncomingPayment) => ({
  orderUUID: incoming.orderId,
  attemptId: incoming.attemptId,
  merchantId: incoming.merchantId,
  source: incoming.source,
  txId: incoming.txId,
  assetId: incoming.assetId,
  amountAtomic: incoming.amountAtomic.toString(),
})

const statusEvents = {
  UNPAID: 'order.reopened',
  PAID: 'order.paid',
  FAILED: 'order.failed',
  EXPIRED: 'order.expired',
  CANCELLED: 'order.cancelled',
} as const satisfies Record<Order['status'], string>

const paymentEvents = {
  seen: 'payment.unconfirmed',
  final: 'payment.confirmed',
  gone: 'payment.gone',
} as const

/** What the rows were before the write changed them, as far as it has read them. */
class Known<Row extends { id: string }> {
  readonly #rows = new Map<string, Row>()

  keep<Read extends Row | Row[] | null>(read: Read): Read {
    for (const row of Array.isArray(read) ? read : [read]) if (row) this.#rows.set(row.id, row as Row)
    return read
  }

  /** The row as it was, if one of the fields really changes. */
  before(id: string, change: Partial<Row>, field: keyof Row): Row | null {
    const row = this.#rows.get(id)
    if (!row || change[field] === undefined || change[field] === row[field]) return null
    this.#rows.set(id, { ...row, ...change })
    return row
  }
}

const overrides: Overrides = {
  orders: ({ orders }, lines) => ({
    async insert(order) {
      await orders.insert(order)
      const { amount, currency, source } = order
      lines.push(['order.created', { ...aboutOrder(order), amount, currency, source }])
    },
    async move(id, from, change) {
      const isMoved = await orders.move(id, from, change)
      const event = change.status && (change.forcedAt ? 'order.forced' : statusEvents[change.status])
      if (isMoved && event) lines.push([event, { orderUUID: id, from }])
      return isMoved
    },
  }),
  attempts: ({ attempts }, lines) => {
    const known = new Known<Attempt>()
    return {
      find: async id => known.keep(await attempts.find(id)),
      listOf: async orderId => known.keep(await attempts.listOf(orderId)),
      async insert(attempt) {
        await attempts.insert(known.keep(attempt))
        lines.push(['attempt.opened', aboutAttempt(attempt)])
      },
      async update(id, change) {
        await attempts.update(id, change)
        const before = known.before(id, change, 'state')
        if (before) lines.push([`attempt.${change.state}`, { ...aboutAttempt(before), from: before.state }])
      },
    }
  },
  incomingPayments: ({ incomingPayments }, lines) => {
    const known = new Known<IncomingPayment>()
    return {
      listOf: async attemptId => known.keep(await incomingPayments.listOf(attemptId)),
      findByTx: async (...tx) => known.keep(await incomingPayments.findByTx(...tx)),
      async insert(incoming) {
        await incomingPayments.insert(known.keep(incoming))
        lines.push(['payment.seen', aboutPayment(incoming)])
        if (incoming.state === 'final') lines.push(['payment.confirmed', aboutPayment(incoming)])
      },
      async update(id, change) {
        await incomingPayments.update(id, change)
        const before = known.before(id, change, 'state')
        if (before && change.state) lines.push([paymentEvents[change.state], aboutPayment(before)])
      },
    }
  },
  unmatched: ({ unmatched }, lines) => ({
    async insert(payment) {
      const isNew = await unmatched.insert(payment)
      const { id, orderId, attemptId, merchantId, reason } = payment
      const fields = { orderUUID: orderId, attemptId, merchantId, unmatchedId: id, reason }
      if (isNew) lines.push(['payment.unmatched', fields])
      return isNew
    },
  }),
  transactions: ({ transactions }, lines) => ({
    async insertSettlement(settlement) {
      await transactions.insertSettlement(settlement)
      const { orderId, attemptId, merchantId, transactionId, verdict } = settlement
      const fields = { orderUUID: orderId, attemptId, merchantId, transactionUUID: transactionId, verdict }
      lines.push(['order.settled', fields])
    },
  }),
  refunds: ({ refunds }, lines) => ({
    async insert(refund) {
      await refunds.insert(refund)
      const { id, orderId, merchantId, amount, currency } = refund
      lines.push(['refund.recorded', { orderUUID: orderId, merchantId, refundId: id, amount, currency }])
    },
  }),
  events: ({ events }, lines) => ({
    async insert(event, delivery) {
      await events.insert(event, delivery)
      const { id, orderId, merchantId, type } = event
      lines.push(['event.recorded', { orderUUID: orderId, merchantId, eventId: id, type }])
    },
  }),
  notifications: ({ notifications }, lines) => ({
    async insert(notification) {
      await notifications.insert(notification)
      const { id, orderId, merchantId, kind } = notification
      const fields = { orderUUID: orderId ?? undefined, merchantId, notificationId: id, kind }
      lines.push(['notification.recorded', fields])
    },
  }),
  audit: ({ audit }, lines) => ({
    async insert(entry) {
      await audit.insert(entry)
      const { merchantId, action, subject, actor, requestId } = entry
      const orderUUID = subject.startsWith('order:') ? subject.slice('order:'.length) : undefined
      lines.push(['audit.recorded', { orderUUID, merchantId, action, subject, actor, requestId }])
    },
  }),
}

const observed = Object.entries(overrides) as [keyof Tables, (tables: Tables, lines: Lines) => object][]

/** Tables that add a line for each domain event. What is not overridden is inherited. */
function observe(tables: Tables, lines: Lines): Tables {
  const own = Object.create(tables) as Tables
  for (const [name, override] of observed) {
    let repository: object | undefined
    const get = () => {
      const methods = () => Object.getOwnPropertyDescriptors(override(tables, lines))
      repository ??= Object.create(tables[name], methods()) as object
      return repository
    }
    Object.defineProperty(own, name, { get })
  }
  return own
}

/**
 * Logs every domain event, such as a created order or a seen payment, once the write that made it is on disk.
 * A write that fails logs nothing, and one that is run again logs once.
 */
export const domainLog = (log: Log) => (tables: Tables) => {
  const lines: Lines = []
  return {
    tables: observe(tables, lines),
    onStored() {
      for (const [event, fields] of lines) log.info(fields, event)
    },
  }
}
