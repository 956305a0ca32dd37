import type { CallFact, Fact, Json, Judge, Saying } from '../facts.ts'
import { makeApart } from './apart.ts'
import { makeAudit } from './audit.ts'
import { Book } from './book.ts'
import { makeBooks } from './books.ts'
import { makeCards } from './cards.ts'
import { makeDecisions } from './decisions.ts'
import { makeEvents } from './events.ts'
import { makeLists } from './lists.ts'
import { makeOrders } from './orders.ts'
import { makePages } from './pages.ts'
import { makePaid } from './paid.ts'
import { makeProducts } from './products.ts'
import { makeQuotes } from './quotes.ts'
import { makeRefunds } from './refunds.ts'
import { makeReplays } from './replays.ts'
import { dataOf, type Rule, type Told } from './rule.ts'
import { makeSettlement } from './settlement.ts'
import { makeSums } from './sums.ts'
import { makeTries } from './tries.ts'

/**
 * In the order of README.md, except that quotes come first, because other rules need the amount that an
 * attempt was opened for.
 */
const makers = [
  ...[makeQuotes, makeOrders, makePaid, makeSettlement, makeBooks, makeAudit, makeDecisions, makeRefunds],
  ...[makeReplays, makeEvents, makeTries, makeLists, makeSums, makeApart, makePages, makeProducts, makeCards],
]

/**
 * Everything that must be true of a payments server, in code that shares nothing with the server. See
 * README.md.
 */
export class Model implements Judge {
  readonly #book = new Book()
  readonly #rules: Rule[] = makers.map(make => make(this.#book))
  #problems: string[] = []

  note(fact: Fact): void {
    this.#book.note(fact)
    this.#add(rule => rule.note?.(fact))
    if (fact.fact === 'call') this.#noteAnswer(fact)
  }

  hear(saying: Saying): void {
    const { at } = saying
    this.#book.passTo(saying.step)
    if (saying.says === 'status') this.#book.noteStatus(saying.order, saying.json, at)
    if (saying.says === 'order') this.#tell(saying.json, saying.shop, at, null)
    if (saying.says === 'list' && saying.path.split('?')[0] === '/v1/orders')
      for (const item of saying.items) this.#tell(item, saying.shop, at, null)
    this.#add(rule => rule.hear?.(saying))
  }

  judge(at: number): string[] {
    this.#book.noteOthers()
    const { touched } = this.#book
    for (const order of touched) this.#add(rule => rule.review?.(order, at))
    touched.clear()
    this.#add(rule => rule.step?.(at))
    return this.#taken()
  }

  judgeEnd(at: number): string[] {
    const found = this.judge(at)
    this.#add(rule => rule.end?.(at))
    return [...found, ...this.#taken()]
  }

  #taken(): string[] {
    const found = this.#problems
    this.#problems = []
    return found
  }

  #add(of: (rule: Rule) => string[] | undefined): void {
    for (const rule of this.#rules) {
      const found = of(rule)
      if (found) this.#problems.push(...found)
    }
  }

  /** Records the orders in answers of the API. */
  #noteAnswer(call: CallFact): void {
    const { shop } = call.by
    const data = dataOf(call)
    const order: Json | undefined = data?.order ?? data
    const isOrder =
      order?.orderUUID !== undefined && order.checkoutUrl !== undefined && order.createdAt !== undefined
    if (shop === null || (call.status !== null && call.status >= 300)) return
    const id = call.path.split('/')[3]?.toLowerCase() ?? ''
    if (call.method !== 'GET') this.#book.orders.get(id)?.calls.push(call)
    if (isOrder && data.transactionId === undefined) this.#tell(order, shop, call.at, call)
  }

  #tell(json: Json, shop: number, at: number, call: CallFact | null): void {
    const order = this.#book.orderOf(json.orderUUID, shop, at)
    const told: Told = { order, json, at, shop, call, isConcurrent: this.#book.isCrowded }
    this.#add(rule => rule.told?.(told))
    keep(told)
  }
}

/** Keeps the newest answer about an order. Of concurrent answers, that is the one with the last change. */
function keep({ order, json, isConcurrent }: Told): void {
  order.first ??= json
  const isNewer = () => Date.parse(json.updatedAt) >= Date.parse(order.last?.updatedAt)
  // The server's clock can go back, so a request that ran alone always has the newest state.
  if (!isConcurrent || order.last === null || isNewer()) order.last = json
}
