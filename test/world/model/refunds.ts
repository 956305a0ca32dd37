import type { CallFact, DecisionFact, ListSaying } from '../facts.ts'
import { type KnownOrder, placedPrice } from './book.ts'
import { isSameJson, minorOf } from './exact.ts'
import { broken, dataOf, type MakeRule, nameOf, type Told } from './rule.ts'

/** Rule 8: refunds never exceed what was paid, each is recorded once, and the sums are exact. */

interface Refunds {
  /** recorded amounts in the smallest unit, by the refund's ID */
  recorded: Map<string, bigint>
  /** amounts of accepted forms of the dashboard, whose refund IDs are not known yet */
  unnamed: bigint[]
  /** number of requests without an answer, which may have been carried out */
  maybe: number
}

interface Keyed {
  order: string
  body: unknown
  refund: string | null
}

const pathPattern = /^[/]v1[/]orders[/]([0-9a-fA-F-]{36})[/]refunds$/

const isCarriedOut = ({ status, by }: DecisionFact): boolean =>
  (status === null || status === 303) && by.who === 'owner'

export const makeRefunds: MakeRule = book => {
  const byOrder = new Map<string, Refunds>()
  const byKey = new Map<string, Keyed>()

  const refundsOf = (id: string): Refunds => {
    const known = byOrder.get(id) ?? { recorded: new Map(), unnamed: [], maybe: 0 }
    byOrder.set(id, known)
    return known
  }

  const sumOf = ({ recorded, unnamed }: Refunds): bigint =>
    [...recorded.values(), ...unnamed].reduce((sum, amount) => sum + amount, 0n)

  /** Records a refund that an answer reports as new. */
  function recordedNow(order: KnownOrder, call: CallFact, known: Keyed | undefined): string[] {
    const name = nameOf(order)
    const { refund, transaction, order: told } = dataOf(call)
    const refunds = refundsOf(order.id)
    const price = placedPrice(order) ?? minorOf(told.amount, told.currency) ?? 0n
    const amount = minorOf(refund.amount, told.currency) ?? -1n
    const left = price - sumOf(refunds)
    const asked = call.body.amount === undefined ? null : minorOf(call.body.amount, told.currency)
    const isSure = refunds.maybe === 0 && call.together === null
    refunds.recorded.set(refund.refundId, amount)
    return broken([
      [!known?.refund, `8b: ${name}: the refund ${call.idempotencyKey} was recorded before`],
      [amount > 0n && amount === BigInt(refund.amountMinor), `8a: ${name}: a refund of ${refund.amount}`],
      [sumOf(refunds) <= price, `8a: ${name}: more is refunded than was paid`],
      [asked === null || asked === amount, `8a: ${name}: ${call.body.amount} were to be refunded`],
      [
        asked !== null || !isSure || amount === left,
        `8a: ${name}: all ${left} were to be refunded, not ${amount}`,
      ],
      [refund.orderUUID === order.id, `8a: ${name}: the refund is of ${refund.orderUUID}`],
      [told.status === 'PAID' && told.forced !== true, `8a: ${name} is refunded, but ${told.status}`],
      [transaction.transactionId === told.paidTransactionUUID, `8a: ${name}: of another transaction`],
      [refund.reason === call.body.reason && refund.status === 'RECORDED', `8a: ${name}: not as it was sent`],
    ])
  }

  function repeated(order: KnownOrder, call: CallFact, known: Keyed | undefined): string[] {
    const name = nameOf(order)
    const { refund, order: told } = dataOf(call)
    if (!known?.refund)
      refundsOf(order.id).recorded.set(refund.refundId, minorOf(refund.amount, told.currency) ?? 0n)
    return broken([
      [
        known !== undefined || call.together !== null,
        `8b: ${name}: a first refund is answered as a repeated one`,
      ],
      [!known?.refund || known.refund === refund.refundId, `8b: ${name}: a repeated refund has another ID`],
      [!known || known.order === order.id, `8b: ${name} is answered with a refund of another order`],
      [!known || isSameJson(known.body, call.body), `8b: ${name}: another refund passes as a repeated one`],
    ])
  }

  function refused(order: KnownOrder, call: CallFact): string[] {
    const refunds = refundsOf(order.id)
    const price = placedPrice(order)
    const isSure = refunds.maybe === 0 && call.together === null && price !== null
    if (call.answer?.error?.code !== 'refund_exceeds_remaining' || !isSure) return []
    const asked = minorOf(call.body?.amount ?? '', order.first.currency)
    const left = price - sumOf(refunds)
    return broken([
      [asked === null || asked > left, `8a: ${nameOf(order)}: ${asked} is refused, of ${left} left`],
    ])
  }

  function answered(order: KnownOrder, call: CallFact, key: string): string[] {
    const known = byKey.get(key)
    const { status } = call
    if (status === null) {
      refundsOf(order.id).maybe += 1
      byKey.set(key, known ?? { order: order.id, body: call.body, refund: null })
      return []
    }
    if (status !== 200 && status !== 201) return refused(order, call)
    const found = status === 201 ? recordedNow(order, call, known) : repeated(order, call, known)
    const refund = dataOf(call).refund.refundId
    byKey.set(key, known?.refund ? known : { order: order.id, body: call.body, refund })
    const mayRefund = call.by.shop === order.shop && /^(?:live|test)$/.test(call.by.key)
    return [...found, ...broken([[mayRefund, `8c: ${nameOf(order)} is refunded with a ${call.by.key} key`]])]
  }

  function called(call: CallFact): string[] {
    const id = call.method === 'POST' ? pathPattern.exec(call.path)?.[1]?.toLowerCase() : undefined
    const order = id === undefined ? undefined : book.orders.get(id)
    return order ? answered(order, call, `${call.by.shop} ${call.idempotencyKey}`) : []
  }

  /** Allows for a refund that the provider may refuse, or send later. Rule 17 checks what becomes of it. */
  function sent({ order }: DecisionFact): void {
    if (order !== null) refundsOf(order).maybe += 1
  }

  /** A form of the dashboard. If the same form is sent twice, there is one refund. */
  function decided({ what, order: id, form, status }: DecisionFact): void {
    const order = book.orders.get(id ?? '')
    if (what !== 'refund' || !order) return
    const key = `form ${order.shop} ${form.token}`
    const refunds = refundsOf(order.id)
    const amount = minorOf((form.amount ?? '').replace(',', '.'), order.first?.currency)
    if (status === null || amount === null) refunds.maybe += 1
    else if (!byKey.get(key)?.refund) refunds.unnamed.push(amount)
    byKey.set(key, { order: order.id, body: form, refund: status === null ? null : (form.token ?? '') })
  }

  /** 8d: the sum, number and status of the refunds of an order. */
  function toldProblems({ order, json, isConcurrent }: Told): string[] {
    const name = nameOf(order)
    const price = placedPrice(order)
    const said = json.refundedAmount === undefined ? 0n : (minorOf(json.refundedAmount, json.currency) ?? -1n)
    if (price === null) return []
    const status = said === 0n ? undefined : said === price ? 'FULL' : 'PARTIAL'
    return broken([
      [said <= price, `8a: ${name} of ${price} says that ${said} is refunded`],
      [json.refundStatus === status, `8d: ${name} is refunded ${json.refundStatus}`],
      ...(isConcurrent ? [] : sumConditions(name, refundsOf(order.id), said, Number(json.refundCount ?? 0))),
    ])
  }

  const sumConditions = (name: string, refunds: Refunds, said: bigint, saidCount: number) => {
    const sum = sumOf(refunds)
    const count = refunds.recorded.size + refunds.unnamed.length
    const isSure = refunds.maybe === 0
    return [
      [isSure ? said === sum : said >= sum, `8d: ${name} says that ${said} is refunded, not ${sum}`],
      [!isSure || saidCount === count, `8d: ${name} says ${saidCount} refunds, not ${count}`],
    ] as const
  }

  /** 8d: the list of an order's refunds. */
  function listed({ path, items }: ListSaying): string[] {
    const order = book.orders.get(pathPattern.exec(path)?.[1] ?? '')
    if (!order) return []
    const refunds = refundsOf(order.id)
    const ids = new Set(items.map(({ refundId }) => refundId))
    const missing = [...refunds.recorded.keys()].filter(id => !ids.has(id))
    const isSure = refunds.maybe === 0
    const count = refunds.recorded.size + refunds.unnamed.length
    return broken([
      [missing.length === 0, `8d: ${nameOf(order)}: the refunds ${missing.join(' ')} are not listed`],
      [ids.size === items.length, `8d: ${nameOf(order)}: a refund is listed twice`],
      [!isSure || items.length === count, `8d: ${nameOf(order)} lists ${items.length} refunds, not ${count}`],
    ])
  }

  return {
    note(fact) {
      if (fact.fact === 'call') return called(fact)
      if (fact.fact !== 'decision' || !isCarriedOut(fact)) return []
      if (fact.what === 'send-refund') sent(fact)
      else decided(fact)
      return []
    },
    told: toldProblems,
    hear: saying => (saying.says === 'list' ? listed(saying) : []),
  }
}
