import type { Answer, CallOptions } from '../support/app.ts'
import type { RunningProcess } from '../support/process.ts'
import { ask, type Books, confirm, confirmedDeals, type Deal, type Order } from './deals.ts'
import type { Chance } from './random.ts'
import { type Installation, versionOf, walletOf } from './server.ts'

const CLIENTS = 6
const WALLET_PAUSE_MS = 8
const CARD = 'moonpay'
const assets = ['btc', 'ethereum/usdc', 'polygon/usdc', 'solana/sol', 'base/eth']

/** The pause between requests while the server cannot answer because its database is gone. */
const PAUSE_MS = 150

/** Errors of a connection that was closed before the response arrived, and of a database that was gone. */
/** A request without an answer, or one that the server was too busy for: it may have been carried out. */
export class Unanswered extends Error {}

let deals = 0

function newDeal(chance: Chance, aim: Deal['aim'], isKeyed: boolean): Deal {
  const externalId = `DEAL-${++deals}`
  const methods = { keep: ['*'], cancel: ['crypto', CARD], crypto: ['crypto'], card: [CARD] }
  return {
    externalId,
    body: {
      externalId,
      amount: `${30 + chance.below(900)}.${10 + chance.below(90)}`,
      currency: chance.pick(['USD', 'EUR']),
      paymentMethodsKeys: methods[aim],
      customer: { email: `buyer${chance.below(20)}@buyer.example`, fullName: 'Sam Buyer' },
      metadata: { table: chance.below(40), asset: chance.pick(assets) },
    },
    idempotencyKey: isKeyed ? `key-of-${externalId}` : null,
    aim,
    made: ask(),
    order: null,
    ended: null,
    isGone: false,
    money: 'unsent',
    isAnnounced: false,
  }
}

/** True for an answer of a busy machine: too late, or a check of a payment that is left for later. */
const isLate = ({ status, text }: Answer): boolean =>
  status === 429 || text.includes('too busy to answer in time')

/** Sends requests and counts their answers. Throws Unanswered without a good answer. */
export function callsOf(server: RunningProcess, books: Books) {
  return async (method: string, path: string, options: CallOptions, ...good: number[]): Promise<Answer> => {
    const startedAt = performance.now()
    let fault = ''
    const answer = await server.call(method, path, options).catch(error => {
      fault = `no answer after ${Math.round(performance.now() - startedAt)} ms (${error})`
      return null
    })
    const isUnknown = !answer || isLate(answer) || (answer.status === 503 && books.mayLoseDatabase)
    if (isUnknown) books.unanswered++
    else if (good.includes(answer.status)) books.answers++
    else books.unexpected.push(`${method} ${path} returned ${answer.status} ${answer.text}`)
    if (!answer || !good.includes(answer.status))
      throw new Unanswered(`${method} ${path}: ${answer ? `${answer.status} ${answer.text}` : fault}`)
    return answer
  }
}

/** The actions of clients. Each is recorded before it is requested and after it is answered. */
export function clientOf(server: RunningProcess, installation: Installation, books: Books) {
  const call = callsOf(server, books)

  /** Creates the order of a deal, or repeats the request if the deal has an idempotency key. */
  async function make(deal: Deal): Promise<number> {
    const headers = deal.idempotencyKey ? { 'idempotency-key': deal.idempotencyKey } : {}
    const good = deal.idempotencyKey ? [200, 201] : [201]
    const options = { key: installation.key, body: deal.body, headers }
    const { status, json } = await call('POST', '/v1/orders', options, ...good)
    const order: Order = json.data
    confirm(deal.made)
    deal.order ??= order
    if (!Bun.deepEquals(order, deal.ended ?? deal.order, true))
      books.unexpected.push(`${deal.idempotencyKey} gave ${JSON.stringify(order)} instead of the first order`)
    return status
  }

  /** Sends the same request twice at the same time. */
  async function makeTwice(deal: Deal): Promise<number[]> {
    const made = await Promise.allSettled([make(deal), make(deal)])
    const lost = made.find(result => result.status === 'rejected')
    if (lost) throw lost.reason
    return made.flatMap(result => (result.status === 'fulfilled' ? [result.value] : [])).sort()
  }

  async function cancel(deal: Deal): Promise<void> {
    deal.cancelled ??= ask()
    const options = { key: installation.key, body: { reason: 'sold out' } }
    const path = `/v1/orders/${deal.order!.orderUUID}/cancel`
    const { json } = await call('POST', path, options, 200)
    deal.ended = json.data.order
    confirm(deal.cancelled)
  }

  async function read(deal: Deal): Promise<Order> {
    const path = `/v1/orders/${deal.order!.orderUUID}`
    const order: Order = (await call('GET', path, { key: installation.key }, 200)).json.data
    if (order.status !== 'PAID') return order
    confirm(deal.paid)
    deal.ended ??= order
    return order
  }

  async function check(deal: Deal): Promise<boolean> {
    await call('POST', `/pay/${deal.order!.orderUUID}/check`, {}, 303)
    return (await read(deal)).status === 'PAID'
  }

  /** Opens the payment. However often this is repeated, it is the same payment. */
  async function enter(deal: Deal): Promise<void> {
    const { orderUUID, metadata } = deal.order!
    // If the order may have been paid in the meantime, a refusal is right too.
    const good = deal.money === 'unsent' && !deal.isAnnounced ? [303] : [303, 409]
    if (deal.aim === 'crypto') {
      const { asset } = metadata as { asset: string }
      await call('POST', `/pay/${orderUUID}/crypto`, { form: { asset } }, ...good)
      return
    }
    const path = `/payment/process/${orderUUID}?method=${CARD}`
    const page = (await call('GET', path, {}, ...good)).headers.get('location')
    if (page === null || page.startsWith('/pay/')) return
    deal.page ??= page
    if (page !== deal.page)
      books.unexpected.push(`${deal.externalId} has two pages: ${deal.page} and ${page}`)
  }

  async function simulate(deal: Deal, outcome: string): Promise<void> {
    const body = { orderUUID: deal.order!.orderUUID, outcome }
    const { callbacks } = (await call('POST', '/sandbox/simulate', { body }, 202)).json.data
    if (outcome === 'paid' && callbacks[0]?.status === 200) confirm(deal.paid)
  }

  async function announce(deal: Deal): Promise<void> {
    deal.isAnnounced = true
    deal.paid ??= ask()
    await simulate(deal, 'pending')
    await check(deal)
  }

  /** Checks that the page shows the same address and amount as when it was first opened. */
  async function checkPage(deal: Deal): Promise<void> {
    const headers = { accept: 'application/json' }
    const path = `/pay/${deal.order!.orderUUID}/status`
    const { attempt } = (await call('GET', path, { headers }, 200)).json.data
    const { assetId, address, amount, lockedUntil, uri } = attempt ?? {}
    const seen = { assetId, address, amount, lockedUntil, uri }
    deal.attempt ??= seen
    if (Bun.deepEquals(seen, deal.attempt) && address) return
    books.unexpected.push(`${deal.externalId}: ${JSON.stringify(seen)} was ${JSON.stringify(deal.attempt)}`)
  }

  /** Continues the payment where it stopped, and sends the money once. */
  async function pay(deal: Deal): Promise<void> {
    await enter(deal)
    deal.paid ??= ask()
    if (deal.money === 'requested' && (await check(deal))) return
    if (deal.money !== 'sent') {
      deal.money = 'requested'
      await simulate(deal, 'paid')
      deal.money = 'sent'
    }
    await check(deal)
  }

  async function changeWallet(): Promise<void> {
    const last = books.walletChanges.at(-1)!
    const change = { ...ask(), version: last.version + 1 }
    books.walletChanges.push(change)
    const options = { key: installation.key, body: { cryptoWallets: walletOf(change.version) } }
    const wallet = (await call('PUT', '/v1/wallet', options, 200)).json.data
    if (versionOf(wallet.payoutWallet) !== change.version) books.unexpected.push(JSON.stringify(wallet))
    books.wallet = wallet
    confirm(change)
  }

  return { make, makeTwice, cancel, enter, announce, checkPage, pay, changeWallet }
}

type Client = ReturnType<typeof clientOf>

/** The orders whose clients were interrupted by a kill. */
export const unfinished = (books: Books): Deal[] =>
  confirmedDeals(books, 'cancel', 'crypto', 'card').filter(deal => deal.ended === null)

function actsOf(client: Client, books: Books, chance: Chance, unfinishedDeals: Deal[]) {
  const begin = async (aim: Deal['aim'], isKeyed = chance.percent(50)): Promise<Deal> => {
    const deal = newDeal(chance, aim, isKeyed)
    books.deals.push(deal)
    if (isKeyed && chance.percent(30)) await client.makeTwice(deal)
    else await client.make(deal)
    return deal
  }
  async function pay(aim: 'crypto' | 'card'): Promise<void> {
    const deal = await begin(aim)
    const choice = chance.below(10)
    if (aim === 'card' || choice > 4) return client.pay(deal)
    await client.enter(deal)
    if (choice > 2) await client.announce(deal)
    else await client.checkPage(deal)
  }
  async function repeat(): Promise<void> {
    const before = confirmedDeals(books, 'keep').filter(deal => deal.idempotencyKey !== null)
    if (before.length > 0) await client.make(chance.pick(before))
  }
  async function finishDeal(): Promise<void> {
    const deal = unfinishedDeals.shift()
    if (deal) await (deal.aim === 'cancel' ? client.cancel(deal) : client.pay(deal))
  }
  return [
    { share: 25, act: () => begin('keep') },
    { share: 15, act: repeat },
    { share: 15, act: async () => client.cancel(await begin('cancel')) },
    { share: 20, act: () => pay('crypto') },
    { share: 15, act: () => pay('card') },
    { share: 10, act: finishDeal },
  ]
}

/** Repeats turns until `isOver`. Without `isOver`, the first request that is not answered ends it. */
export async function repeatTurns(turn: () => Promise<unknown>, isOver?: () => boolean): Promise<void> {
  while (!isOver?.()) {
    try {
      await turn()
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error
      if (!isOver) return
      await Bun.sleep(PAUSE_MS)
    }
  }
}

/**
 * Runs concurrent clients until the server is killed and every client has noticed. With `isOver`, they
 * continue after unanswered requests, until it returns true.
 */
export async function load(
  server: RunningProcess,
  installation: Installation,
  books: Books,
  chance: Chance,
  isOver?: () => boolean,
): Promise<void> {
  const client = clientOf(server, installation, books)
  const unfinishedDeals = unfinished(books)
  const runClient = (own: Chance): Promise<void> => {
    const acts = actsOf(client, books, own, unfinishedDeals)
    const weightedActs = acts.flatMap(({ share, act }) => Array.from({ length: share }, () => act))
    return repeatTurns(() => own.pick(weightedActs)(), isOver)
  }
  const changes = repeatTurns(async () => {
    await client.changeWallet()
    await Bun.sleep(WALLET_PAUSE_MS)
  }, isOver)
  await Promise.all([changes, ...Array.from({ length: CLIENTS }, () => runClient(chance.fork()))])
}
