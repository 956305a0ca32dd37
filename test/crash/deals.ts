import type { RunningProcess } from '../support/process.ts'
import { FIRST_VERSION, type Stand, versionOf } from './server.ts'

/** An order as the API answers it. */
export interface Order {
  [member: string]: unknown
  orderUUID: string
  externalId: string
  status: string
}

/** Something that a client asked for and, unless the server died first, was told to be done. */
export interface Fact {
  askedAt: number
  toldAt: number | null
}

/** All that the clients asked for about one order, known by its externalId, and what they were told of it. */
export interface Deal {
  externalId: string
  body: object
  idempotencyKey: string | null
  aim: 'keep' | 'cancel' | 'crypto' | 'card'
  made: Fact
  cancelled?: Fact
  paid?: Fact
  /** as it was answered when it was made */
  order: Order | null
  /** as it was answered when it was cancelled or paid */
  ended: Order | null
  /** a restarted server did not have it */
  isGone: boolean
  /** the provider's page that the buyer was sent to */
  page?: string
  /** the crypto payment that the buyer was shown */
  attempt?: Record<string, unknown>
  /** how far the buyer's money is: a server that died may or may not have seen it */
  money: 'kept' | 'asked' | 'sent'
  isAnnounced: boolean
}

export interface Books {
  deals: Deal[]
  wallet: Record<string, unknown>
  walletChanges: (Fact & { version: number })[]
  /** acknowledged answers */
  answers: number
  unanswered: number
  /** answers that no client should ever get */
  oddities: string[]
}

/** What a server has. */
export interface Kept {
  orders: Order[]
  wallet: Record<string, unknown>
}

export const openBooks = (stand: Stand): Books => ({
  deals: [],
  wallet: stand.wallet,
  walletChanges: [{ version: FIRST_VERSION, askedAt: 0, toldAt: 0 }],
  answers: 0,
  unanswered: 0,
  oddities: [],
})

export const ask = (): Fact => ({ askedAt: performance.now(), toldAt: null })
export const tell = (fact: Fact | undefined): void => {
  if (fact) fact.toldAt ??= performance.now()
}

export const dealsTold = ({ deals }: Books, ...aims: Deal['aim'][]): Deal[] =>
  deals.filter(deal => aims.includes(deal.aim) && deal.order !== null)

export async function readKept(server: RunningProcess, key: string): Promise<Kept> {
  const orders: Order[] = []
  let token = ''
  do {
    const page = (await server.call('GET', `/v1/orders?pageSize=100${token}`, { key })).json.data
    orders.push(...page.items)
    token = page.nextPageToken ? `&pageToken=${page.nextPageToken}` : ''
  } while (token)
  return { orders, wallet: (await server.call('GET', '/v1/wallet', { key })).json.data }
}

/** What a payment or its attempt never changes in an order. */
const LASTING = ['orderUUID', 'externalId', 'merchantId', 'amount', 'currency', 'receivingWallet']
LASTING.push('expiresAt', 'customerId', 'customerEmail', 'customerFullName', 'feePercent', 'createdAt')
LASTING.push('platformFeeAmount', 'netAmount', 'paymentMethodsKeys', 'source', 'checkoutUrl', 'metadata')
LASTING.push('directPaymentLink', 'description')

const lasting = (order: Order) => LASTING.map(member => order[member])

function mayBe(deal: Deal): string[] {
  if (deal.cancelled) return deal.cancelled.toldAt === null ? ['UNPAID', 'CANCELLED'] : ['CANCELLED']
  if (deal.paid) return deal.paid.toldAt === null ? ['UNPAID', 'PAID'] : ['PAID']
  return ['UNPAID']
}

/** What became of one order, against what its clients were told. */
function dealFaults(deal: Deal, found: Order[]): string[] {
  const [order, second] = found
  const name = `${deal.externalId} (${deal.order?.orderUUID ?? 'never answered'})`
  if (second) return [`${name} exists ${found.length} times`]
  if (!order) return deal.order ? [`${name} was acknowledged, and is not there`] : []
  if (deal.isGone) return [`${name} was not there after a restart, and is there now`]
  if (!mayBe(deal).includes(order.status))
    return [`${name} is ${order.status}, and should be ${mayBe(deal).join(' or ')}`]
  const told = deal.ended ?? (deal.aim === 'keep' ? deal.order : null)
  if (told && !Bun.deepEquals(order, told, true))
    return [`${name} is ${JSON.stringify(order)}, and was told to be ${JSON.stringify(told)}`]
  if (deal.order && !Bun.deepEquals(lasting(order), lasting(deal.order)))
    return [`${name} is ${JSON.stringify(order)}, and was made as ${JSON.stringify(deal.order)}`]
  return []
}

function walletProblems({ wallet: told, walletChanges }: Books, { wallet }: Kept): string[] {
  if (Bun.deepEquals(wallet, told, true)) return []
  const last = walletChanges.at(-1)
  const isLast = last?.toldAt === null && versionOf(String(wallet.payoutWallet)) === last.version
  return isLast ? [] : [`the wallet is ${JSON.stringify(wallet)}, and was told to be ${JSON.stringify(told)}`]
}

/** Everything that was acknowledged and does not hold. */
export function keptFaults(books: Books, kept: Kept): string[] {
  const found = Map.groupBy(kept.orders, order => order.externalId)
  const known = new Set(books.deals.map(deal => deal.externalId))
  const strangers = [...found.keys()].filter(id => !known.has(id))
  return [
    ...strangers.map(id => `nobody asked for the order ${id}`),
    ...books.deals.flatMap(deal => dealFaults(deal, found.get(deal.externalId) ?? [])),
    ...walletProblems(books, kept),
    ...books.oddities,
  ]
}

/** What a restarted server shows counts from now on as told. */
export function adopt(books: Books, kept: Kept): void {
  const found = new Map(kept.orders.map(order => [order.externalId, order]))
  for (const deal of books.deals) {
    const order = found.get(deal.externalId)
    if (!order) {
      // Who asked with a key asks again.
      if (deal.idempotencyKey === null) deal.isGone = true
      continue
    }
    deal.order ??= order
    tell(deal.made)
    if (order.status === 'UNPAID') continue
    deal.ended ??= order
    tell(deal.paid ?? deal.cancelled)
  }
  books.wallet = kept.wallet
  const last = books.walletChanges.at(-1)
  if (last?.version === versionOf(String(kept.wallet.payoutWallet))) tell(last)
  else if (last?.toldAt === null) books.walletChanges.pop()
}

/** Each thing that was asked for and may stand, with the question whether it does. */
function paymentsOf(books: Books, kept: Kept): { name: string; fact: Fact; holds: boolean }[] {
  const found = new Map(kept.orders.map(order => [order.externalId, order]))
  const version = versionOf(String(kept.wallet.payoutWallet))
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

/** How many told facts are missing, and which of them although something stands that was asked for later. */
export function historyOf(books: Books, kept: Kept): { lost: number; faults: string[] } {
  const facts = paymentsOf(books, kept)
  const latest = Math.max(...facts.filter(({ holds }) => holds).map(({ fact }) => fact.askedAt))
  const lost = facts.filter(({ fact, holds }) => !holds && fact.toldAt !== null)
  const version = versionOf(String(kept.wallet.payoutWallet))
  const ahead = kept.orders.filter(order => versionOf(String(order.receivingWallet)) > version)
  return {
    lost: lost.length,
    faults: [
      ...lost.filter(({ fact }) => fact.toldAt! < latest).map(({ name }) => `${name} is missing in between`),
      ...ahead.map(order => `${order.externalId} is paid out to a wallet that is not there yet`),
    ],
  }
}
