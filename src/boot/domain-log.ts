import type { Attempt } from '../domain/attempt.ts'
import type { Log } from '../domain/log.ts'
import type { Chosen, Opening } from '../domain/opening.ts'
import type { Order } from '../domain/order.ts'
import type { IncomingPayment } from '../domain/payment.ts'
import type { WriteObserver } from '../storage/index.ts'
import type { Tables } from '../storage/port.ts'

type Line = [event: string, fields: object]
type Overrides = { [Name in keyof Tables]?: (tables: Tables, write: CurrentWrite) => Partial<Tables[Name]> }

const aboutOrder = ({ id, merchantId }: Order) => ({ orderUUID: id, merchantId })
const aboutAttempt = (attempt: Chosen) => ({
  orderUUID: attempt.orderId,
  attemptId: attempt.id,
  merchantId: attempt.merchantId,
  methodKey: attempt.methodKey,
  ...(attempt.kind !== 'opening' && { assetId: attempt.assetId }),
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

/** The rows that the write has read, as they were before it changed them. */
class FormerRows<Row extends { id: string }> {
  readonly #rows = new Map<string, Row>()

  keep<Read extends Row | Row[] | null>(read: Read): Read {
    for (const row of Array.isArray(read) ? read : [read]) if (row) this.#rows.set(row.id, row as Row)
    return read
  }

  /** Returns the previous row if the change gives `field` another value; otherwise null. */
  before(id: string, change: Partial<Row>, field: keyof Row): Row | null {
    const row = this.#rows.get(id)
    if (!row || change[field] === undefined || change[field] === row[field]) return null
    this.#rows.set(id, { ...row, ...change })
    return row
  }

  clear(): void {
    this.#rows.clear()
  }
}

/** State of the running write. There is only one, because writes run one after another. */
class CurrentWrite {
  lines: Line[] = []
  readonly attempts = new FormerRows<Attempt>()
  readonly openings = new FormerRows<Opening>()
  readonly incomingPayments = new FormerRows<IncomingPayment>()

  begin(): void {
    this.lines = []
    this.attempts.clear()
    this.openings.clear()
    this.incomingPayments.clear()
  }

  add(...line: Line): void {
    this.lines.push(line)
  }
}

const overrides: Overrides = {
  orders: ({ orders }, write) => ({
    async insert(order, session) {
      await orders.insert(order, session)
      const { amount, currency, source } = order
      write.add('order.created', { ...aboutOrder(order), amount, currency, source })
    },
    async move(id, from, change) {
      const isMoved = await orders.move(id, from, change)
      const event = change.status && (change.forcedAt ? 'order.forced' : statusEvents[change.status])
      if (isMoved && event) write.add(event, { orderUUID: id, from })
      return isMoved
    },
  }),
  attempts: ({ attempts }, write) => {
    const { attempts: known, openings } = write
    return {
      find: async id => known.keep(await attempts.find(id)),
      listOf: async orderId => known.keep(await attempts.listOf(orderId)),
      async insert(attempt) {
        await attempts.insert(known.keep(attempt))
        write.add('attempt.opened', aboutAttempt(attempt))
      },
      async update(id, change) {
        await attempts.update(id, change)
        const before = known.before(id, change, 'state')
        if (before) write.add(`attempt.${change.state}`, { ...aboutAttempt(before), from: before.state })
      },
      async listStarted(orderId) {
        const started = await attempts.listStarted(orderId)
        return { attempts: known.keep(started.attempts), openings: openings.keep(started.openings) }
      },
      findOpening: async id => openings.keep(await attempts.findOpening(id)),
      async insertOpening(opening) {
        await attempts.insertOpening(openings.keep(opening))
        write.add('attempt.opened', aboutAttempt(opening))
      },
      async updateOpening(id, change) {
        await attempts.updateOpening(id, change)
        const before = openings.before(id, change, 'state')
        if (before) write.add(`attempt.${change.state}`, { ...aboutAttempt(before), from: before.state })
      },
    }
  },
  incomingPayments: ({ incomingPayments }, write) => {
    const known = write.incomingPayments
    return {
      listOf: async attemptId => known.keep(await incomingPayments.listOf(attemptId)),
      listOfOrder: async orderId => known.keep(await incomingPayments.listOfOrder(orderId)),
      async insert(incoming) {
        await incomingPayments.insert(known.keep(incoming))
        write.add('payment.seen', aboutPayment(incoming))
        if (incoming.state === 'final') write.add('payment.confirmed', aboutPayment(incoming))
      },
      async update(id, change) {
        await incomingPayments.update(id, change)
        const before = known.before(id, change, 'state')
        if (before && change.state) write.add(paymentEvents[change.state], aboutPayment(before))
      },
    }
  },
  unmatched: ({ unmatched }, write) => ({
    async insert(payment) {
      const isNew = await unmatched.insert(payment)
      const { id, orderId, attemptId, merchantId, reason } = payment
      const fields = { orderUUID: orderId, attemptId, merchantId, unmatchedId: id, reason }
      if (isNew) write.add('payment.unmatched', fields)
      return isNew
    },
  }),
  transactions: ({ transactions }, write) => ({
    async insertSettlement(settlement) {
      await transactions.insertSettlement(settlement)
      const { orderId, attemptId, merchantId, transactionId, verdict } = settlement
      const fields = { orderUUID: orderId, attemptId, merchantId, transactionUUID: transactionId, verdict }
      write.add('order.settled', fields)
    },
  }),
  refunds: ({ refunds }, write) => ({
    async insert(refund) {
      await refunds.insert(refund)
      const { id, orderId, merchantId, amount, currency } = refund
      write.add('refund.recorded', { orderUUID: orderId, merchantId, refundId: id, amount, currency })
    },
  }),
  events: ({ events }, write) => ({
    async insert(event, delivery) {
      await events.insert(event, delivery)
      const { id, orderId, merchantId, type } = event
      write.add('event.recorded', { orderUUID: orderId, merchantId, eventId: id, type })
    },
  }),
  notifications: ({ notifications }, write) => ({
    async insert(notification) {
      await notifications.insert(notification)
      const { id, orderId, merchantId, kind } = notification
      const fields = { orderUUID: orderId ?? undefined, merchantId, notificationId: id, kind }
      write.add('notification.recorded', fields)
    },
  }),
  logins: ({ logins }, write) => ({
    async insert(login) {
      await logins.insert(login)
      write.add('sign_in.succeeded', { userId: login.userId, address: login.address })
    },
  }),
  audit: ({ audit }, write) => ({
    async insert(entry) {
      await audit.insert(entry)
      const { merchantId, action, subject, actor, requestId, client } = entry
      const orderUUID = subject.startsWith('order:') ? subject.slice('order:'.length) : undefined
      write.add('audit.recorded', { orderUUID, merchantId, action, subject, actor, requestId, client })
    },
  }),
}

/** Wraps tables so that they add a log line for each domain event. */
function observe(tables: Tables, write: CurrentWrite): Tables {
  const observed = Object.entries(overrides).map(([name, override]) => {
    const repository: object = tables[name as keyof Tables]
    return [name, { ...repository, ...override(tables, write) }]
  })
  return { ...tables, ...Object.fromEntries(observed) }
}

/**
 * Logs domain events, such as a created order or a seen payment, once their write is on disk. A failed write
 * logs nothing; a repeated one logs once.
 */
export const domainLog =
  (log: Log) =>
  (tables: Tables): WriteObserver => {
    const write = new CurrentWrite()
    return {
      tables: observe(tables, write),
      begin: () => write.begin(),
      end() {
        const { lines } = write
        return () => {
          for (const [event, fields] of lines) log.info(fields, event)
        }
      },
    }
  }
