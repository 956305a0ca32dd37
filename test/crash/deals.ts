import type { RunningProcess } from '../support/process.ts'
import { FIRST_VERSION, type Installation, versionOf } from './server.ts'

/** An order in an API response. */
export interface Order {
  [field: string]: unknown
  orderUUID: string
  externalId: string
  status: string
}

/** A change that a client requested. */
export interface Fact {
  askedAt: number
  /** when a client got the confirmation; null if the server was killed before it answered */
  confirmedAt: number | null
}

/** Everything that the clients requested for one order, and what the server answered. */
export interface Deal {
  externalId: string
  body: object
  idempotencyKey: string | null
  aim: 'keep' | 'cancel' | 'crypto' | 'card'
  made: Fact
  cancelled?: Fact
  paid?: Fact
  /** the response to the creation of the order */
  order: Order | null
  /** the response to the cancellation or the payment of the order */
  ended: Order | null
  /** true if the order was missing after a restart */
  isGone: boolean
  /** the provider's page that the buyer was redirected to */
  page?: string
  /** the crypto payment that the checkout page showed */
  attempt?: Record<string, unknown>
  /** whether the buyer has paid; a killed server may or may not have processed a requested payment */
  money: 'unsent' | 'requested' | 'sent'
  isAnnounced: boolean
}

export interface Books {
  deals: Deal[]
  wallet: Record<string, unknown>
  walletChanges: (Fact & { version: number })[]
  /** number of successful responses */
  answers: number
  unanswered: number
  /** true if a server may answer 503, because its database is killed */
  mayLoseDatabase: boolean
  /** responses that no client should ever get */
  unexpected: string[]
}

/** A server's data of the merchant. */
export interface ServerState {
  orders: Order[]
  wallet: Record<string, unknown>
}

export const openBooks = (installation: Installation, mayLoseDatabase = false): Books => ({
  deals: [],
  mayLoseDatabase,
  wallet: installation.wallet,
  walletChanges: [{ version: FIRST_VERSION, askedAt: 0, confirmedAt: 0 }],
  answers: 0,
  unanswered: 0,
  unexpected: [],
})

export const ask = (): Fact => ({ askedAt: performance.now(), confirmedAt: null })
export const confirm = (fact: Fact | undefined): void => {
  if (fact) fact.confirmedAt ??= performance.now()
}

export const confirmedDeals = ({ deals }: Books, ...aims: Deal['aim'][]): Deal[] =>
  deals.filter(deal => aims.includes(deal.aim) && deal.order !== null)

export async function readServerState(server: RunningProcess, key: string): Promise<ServerState> {
  const orders: Order[] = []
  let token = ''
  do {
    const page = (await server.call('GET', `/v1/orders?pageSize=100${token}`, { key })).json.data
    orders.push(...page.items)
    token = page.nextPageToken ? `&pageToken=${page.nextPageToken}` : ''
  } while (token)
  return { orders, wallet: (await server.call('GET', '/v1/wallet', { key })).json.data }
}

/** The fields of an order that a payment never changes. */
const IMMUTABLE_FIELDS = ['orderUUID', 'externalId', 'merchantId', 'amount', 'currency', 'receivingWallet']
IMMUTABLE_FIELDS.push(
  ...['expiresAt', 'customerId', 'customerEmail', 'customerFullName', 'feePercent', 'createdAt'],
)
IMMUTABLE_FIELDS.push(
  ...['platformFeeAmount', 'netAmount', 'paymentMethodsKeys', 'source', 'checkoutUrl', 'metadata'],
)
IMMUTABLE_FIELDS.push('directPaymentLink', 'description')

const immutablePart = (order: Order) => IMMUTABLE_FIELDS.map(member => order[member])

function allowedStatuses(deal: Deal): string[] {
  if (deal.cancelled) return deal.cancelled.confirmedAt === null ? ['UNPAID', 'CANCELLED'] : ['CANCELLED']
  if (deal.paid) return deal.paid.confirmedAt === null ? ['UNPAID', 'PAID'] : ['PAID']
  return ['UNPAID']
}

/** Compares an order with what its clients know from responses. */
function dealProblems(deal: Deal, found: Order[]): string[] {
  const [order, second] = found
  const name = `${deal.externalId} (${deal.order?.orderUUID ?? 'never answered'})`
  if (second) return [`${name} exists ${found.length} times`]
  if (!order) return deal.order ? [`${name} was confirmed, but does not exist`] : []
  if (deal.isGone) return [`${name} was missing after a restart, but exists now`]
  if (!allowedStatuses(deal).includes(order.status))
    return [`${name} is ${order.status}, and should be ${allowedStatuses(deal).join(' or ')}`]
  const expected = deal.ended ?? (deal.aim === 'keep' ? deal.order : null)
  if (expected && !Bun.deepEquals(order, expected, true))
    return [`${name} is ${JSON.stringify(order)}, and should be ${JSON.stringify(expected)}`]
  if (deal.order && !Bun.deepEquals(immutablePart(order), immutablePart(deal.order)))
    return [`${name} is ${JSON.stringify(order)}, and was created as ${JSON.stringify(deal.order)}`]
  return []
}

function walletProblems({ wallet: expected, walletChanges }: Books, { wallet }: ServerState): string[] {
  if (Bun.deepEquals(wallet, expected, true)) return []
  const last = walletChanges.at(-1)
  const isLast = last?.confirmedAt === null && versionOf(String(wallet.payoutWallet)) === last.version
  return isLast ? [] : [`the wallet is ${JSON.stringify(wallet)}, and should be ${JSON.stringify(expected)}`]
}

/** Everything that was confirmed but is missing or different. */
export function stateProblems(books: Books, state: ServerState): string[] {
  const found = Map.groupBy(state.orders, order => order.externalId)
  const known = new Set(books.deals.map(deal => deal.externalId))
  const unknownOrders = [...found.keys()].filter(id => !known.has(id))
  return [
    ...unknownOrders.map(id => `order ${id} was never requested`),
    ...books.deals.flatMap(deal => dealProblems(deal, found.get(deal.externalId) ?? [])),
    ...walletProblems(books, state),
    ...books.unexpected,
  ]
}

/** Takes the state of a restarted server as confirmed. */
export function acceptState(books: Books, state: ServerState): void {
  const found = new Map(state.orders.map(order => [order.externalId, order]))
  for (const deal of books.deals) {
    const order = found.get(deal.externalId)
    if (!order) {
      // A client with an idempotency key sends its request again.
      if (deal.idempotencyKey === null) deal.isGone = true
      continue
    }
    deal.order ??= order
    confirm(deal.made)
    if (order.status === 'UNPAID') continue
    deal.ended ??= order
    confirm(deal.paid ?? deal.cancelled)
  }
  books.wallet = state.wallet
  const last = books.walletChanges.at(-1)
  if (last?.version === versionOf(String(state.wallet.payoutWallet))) confirm(last)
  else if (last?.confirmedAt === null) books.walletChanges.pop()
}

/** Every requested change, and whether the server has recorded it. */
function paymentsOf(books: Books, state: ServerState): { name: string; fact: Fact; holds: boolean }[] {
  const found = new Map(state.orders.map(order => [order.externalId, order]))
  const version = versionOf(String(state.wallet.payoutWallet))
  const changes = books.walletChanges.map(change => ({
    name: `wallet ${change.version}`,
    fact: change,
    holds: change.version <= version,
  }))
  const facts = books.deals.flatMap(({ externalId, made, cancelled, paid }) => {
    const status = found.get(externalId)?.status
    return [
      { name: `${externalId} made`, fact: made, holds: status !== undefined },
      ...(cancelled
        ? [{ name: `${externalId} cancelled`, fact: cancelled, holds: status === 'CANCELLED' }]
        : []),
      ...(paid ? [{ name: `${externalId} paid`, fact: paid, holds: status === 'PAID' }] : []),
    ]
  })
  return [...facts, ...changes]
}

/** The number of missing confirmed changes, and those of them that are older than an existing change. */
export function lostHistory(books: Books, state: ServerState): { lost: number; problems: string[] } {
  const facts = paymentsOf(books, state)
  const latest = Math.max(...facts.filter(({ holds }) => holds).map(({ fact }) => fact.askedAt))
  const lost = facts.filter(({ fact, holds }) => !holds && fact.confirmedAt !== null)
  const version = versionOf(String(state.wallet.payoutWallet))
  const ahead = state.orders.filter(order => versionOf(String(order.receivingWallet)) > version)
  return {
    lost: lost.length,
    problems: [
      ...lost
        .filter(({ fact }) => fact.confirmedAt! < latest)
        .map(({ name }) => `${name} is missing although a later change exists`),
      ...ahead.map(order => `${order.externalId} is paid out to a wallet that does not exist yet`),
    ],
  }
}
