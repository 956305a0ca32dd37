// The history of the operations of clients of two servers, with their answers, and the checks of it.

/** One operation on one thing: an order, a refund or a product. */
export interface Operation {
  client: number
  /** the idempotency key of an order or a refund, or the ID of what is read or changed */
  about: string
  kind: 'order' | 'refund' | 'pay' | 'write' | 'read'
  startedAt: number
  /**
   * when the answer arrived; null without an answer: then the operation may have happened, or may happen
   * later
   */
  endedAt: number | null
  /** the ID in the answer, or for a read or write, the version that was read or written */
  id?: string
  version?: number
}

/** The rows that exist in the database at the end of the run, to compare with the history. */
export interface Left {
  orders: { key: string; id: string; isPaid: boolean; payments: number }[]
  refunds: { key: string; id: string }[]
  products: { id: string; version: number }[]
  /** the events that the shop received, in their order */
  events: { id: string; type: string; orderId: string; body: string }[]
}

type Answered = Operation & { endedAt: number }
const isAnswered = (operation: Operation): operation is Answered => operation.endedAt !== null

/**
 * Finds faults of creations: everything acknowledged must exist, once, and all answers must have been the
 * same.
 */
function creationProblems(
  history: Operation[],
  kind: 'order' | 'refund',
  left: { key: string; id: string }[],
): string[] {
  const found = Map.groupBy(left, ({ key }) => key)
  const requested = Map.groupBy(
    history.filter(operation => operation.kind === kind),
    ({ about }) => about,
  )
  return [
    ...[...found.keys()].filter(key => !requested.has(key)).map(key => `${key} was never requested`),
    ...[...requested].flatMap(([key, operations]) => {
      const rows = found.get(key) ?? []
      const ids = new Set(operations.filter(isAnswered).map(({ id }) => id))
      const lost = [...ids].filter(id => !rows.some(row => row.id === id))
      return [
        ...(rows.length > 1 ? [`${key} is there ${rows.length} times`] : []),
        ...(ids.size > 1 ? [`${key} was answered with ${[...ids].join(' and ')}`] : []),
        ...lost.map(id => `${key} was acknowledged as ${id}, and is lost`),
      ]
    }),
  ]
}

/**
 * Finds faults of versions: a read must return the newest version that was acknowledged before it began, or a
 * later one that was requested before it ended; and no read may return an older version than one that ended
 * before it began.
 */
function versionProblems(history: Operation[], left: Left['products']): string[] {
  const about = Map.groupBy(
    history.filter(({ kind }) => kind === 'write' || kind === 'read'),
    operation => operation.about,
  )
  const last: Operation[] = left.map(({ id, version }) => {
    return { client: 0, kind: 'read', about: id, version, startedAt: Infinity, endedAt: Infinity }
  })
  return [...about].flatMap(([id, operations]) => {
    const all = [...operations, ...last.filter(read => read.about === id)]
    const known = all.filter(isAnswered)
    return known
      .filter(({ kind }) => kind === 'read')
      .flatMap(read => {
        const before = known.filter(({ endedAt }) => endedAt < read.startedAt)
        const least = before.reduce((most, { version = 0 }) => Math.max(most, version), 0)
        const most = all
          .filter(({ kind, startedAt }) => kind === 'write' && startedAt < read.endedAt)
          .reduce((highest, { version = 0 }) => Math.max(highest, version), 0)
        const { version = 0, client } = read
        if (version < least) return [`${id}: client ${client} read version ${version} after ${least}`]
        return version > most ? [`${id}: version ${version} was read, and never written`] : []
      })
  })
}

/** Finds faults of payments: none may be lost, and none may count twice. */
function paymentProblems(history: Operation[], { orders }: Left): string[] {
  const sent = new Set(history.filter(({ kind }) => kind === 'pay').map(({ about }) => about))
  return orders.flatMap(({ id, key, isPaid, payments }) => [
    ...(isPaid !== sent.has(id)
      ? [`${key}: paid is ${isPaid}, and its money was sent: ${sent.has(id)}`]
      : []),
    ...(payments > 1 ? [`${key} has ${payments} payments`] : []),
  ])
}

function eventProblems({ orders, events }: Left): string[] {
  const contents = Map.groupBy(events, ({ id }) => id)
  const paid = Map.groupBy(
    events.filter(({ type }) => type === 'order.paid'),
    ({ orderId }) => orderId,
  )
  const idsOf = (orderId: string): number => new Set(paid.get(orderId)?.map(({ id }) => id)).size
  return [
    ...[...contents]
      .filter(([, tries]) => new Set(tries.map(({ body }) => body)).size > 1)
      .map(([id]) => `event ${id} arrived with several contents`),
    ...orders
      .filter(({ id, isPaid }) => idsOf(id) !== (isPaid ? 1 : 0))
      .map(({ id, key, isPaid }) => `${key}: paid is ${isPaid}, and it has ${idsOf(id)} events`),
  ]
}

/** All contradictions between a history and the rows that exist at the end. */
export const historyProblems = (history: Operation[], left: Left): string[] => [
  ...creationProblems(history, 'order', left.orders),
  ...creationProblems(history, 'refund', left.refunds),
  ...versionProblems(history, left.products),
  ...paymentProblems(history, left),
  ...eventProblems(left),
]
