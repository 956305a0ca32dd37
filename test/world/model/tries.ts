import type { CallFact, DeliverySaying, Fact, Json, ReceiverFact } from '../facts.ts'
import type { KnownOrder } from './book.ts'
import { broken, type MakeRule, nameOf } from './rule.ts'

/** Rule 10, times of events: an event is retried until it was accepted, in time, and not again afterwards. */

const MINUTE_MS = 60_000
/** A delivery that failed is repeated after 30 seconds at the earliest, less a tenth. */
const SOONEST_MS = 27_000
/** The pauses between the tries of a delivery. Each varies by a tenth. */
const PAUSES_MIN = [0.5, 2, 10, 30, 60, 180, 360, 720]
const TRIED_FOR_MS = 3 * 24 * 60 * MINUTE_MS
/** During a wait of days, the simulation runs the server's jobs only this often. */
const SELDOM_MS = 8 * 60 * MINUTE_MS
/** Time for a try, and for other tries that precede it. */
const TRY_SLACK_MS = 5 * MINUTE_MS
/** After a successful delivery, all events that wait for the same webhook are sent within this time. */
const RELEASED_WITHIN_MS = 5 * MINUTE_MS
/** A webhook without a successful delivery for this time is disabled. */
const DISABLED_AFTER_MS = 5 * 24 * 60 * MINUTE_MS
/** A failing webhook gets a test delivery once a day. */
const PROBED_WITHIN_MS = 26 * 60 * MINUTE_MS

/** The event for each way in which an order ends unpaid. */
const ENDS: Record<string, string> = {
  EXPIRED: 'order.expired',
  CANCELLED: 'order.cancelled',
  FAILED: 'order.failed',
}

interface Sent {
  body: string
  shop: number
  /** the earlier of its creation and its first try: tries at a webhook that refuses connections cannot be seen */
  beganAt: number
  firstAt: number
  lastAt: number
  tries: number
  /** true once the webhook has answered 200 */
  isKnown: boolean
  /** true if the shop requested it again */
  wasAsked: boolean
}

/**
 * A shop whose webhook may get events before they are due, because of a step of the history or a crash of the
 * server.
 */
interface Endpoint {
  mood: ReceiverFact['mood']
  since: number
  excusedAt: number
  lastSuccessAt: number | null
  /** time of its first event; null if it has none */
  beganAt: number | null
  /** events that were sent and not accepted yet */
  waiting: Set<string>
}

export const makeTries: MakeRule = book => {
  const sent = new Map<string, Sent>()
  const endpoints = new Map<number, Endpoint>()
  /** events that a working webhook must get, and until when */
  const owed = new Map<string, number>()
  /** events with tries that may not have reached the webhook, or with a problem that was already reported */
  const wasAway = new Set<string>()
  /** types of the events of each order */
  const counts = new Map<string, Set<string>>()

  function countEvent({ type, id, orderUUID }: Json): void {
    const key = `${type} ${orderUUID}`
    counts.set(key, (counts.get(key) ?? new Set()).add(id))
  }

  const countOf = (type: string, order: KnownOrder): number => counts.get(`${type} ${order.id}`)?.size ?? 0

  /**
   * 10g: at the end, there is an event for each opened payment, for the one that paid the order, for the
   * order's end and for its refunds.
   */
  function untold(order: KnownOrder): string[] {
    const types = book.shops.get(order.shop)?.webhook?.eventTypes ?? []
    const isPaid = order.last?.status === 'PAID' && order.last.forced !== true
    const opened = countOf('payment.created', order)
    const end = ENDS[order.last?.status]
    const refunds = Number(order.last?.refundCount ?? 0)
    return broken([
      [
        !types.includes('payment.created') || opened >= order.attempts.length,
        `10g: ${nameOf(order)} has ${order.attempts.length} payments, of which ${opened} were told`,
      ],
      [
        !types.includes('payment.paid') || !isPaid || countOf('payment.paid', order) === 1,
        `10g: ${nameOf(order)} is PAID, and payment.paid was told ${countOf('payment.paid', order)} times`,
      ],
      [
        end === undefined || !types.includes(end) || countOf(end, order) === 1,
        `10g: ${nameOf(order)} has ended, and ${end} was told ${countOf(end ?? '', order)} times`,
      ],
      [
        !types.includes('refund.recorded') || countOf('refund.recorded', order) >= refunds,
        `10g: ${nameOf(order)} has ${refunds} refunds, which were not all told`,
      ],
    ])
  }

  const endpointOf = (shop: number): Endpoint => {
    const never = { lastSuccessAt: null, beganAt: null }
    const known = endpoints.get(shop) ?? { mood: 'ok', since: 0, excusedAt: 0, ...never, waiting: new Set() }
    endpoints.set(shop, known)
    return known
  }

  /** Events that are requested now may arrive at once, and earlier ones may already have arrived. */
  function excuse(shops: Iterable<number>, at: number): void {
    for (const shop of shops) {
      endpointOf(shop).excusedAt = at
      for (const id of endpointOf(shop).waiting) owed.delete(id)
    }
  }

  /** True if the shop's newest settings have a different URL. */
  function hasMoved(shop: number): boolean {
    const [former, newest] = (book.shopHistory.get(shop) ?? []).slice(-2)
    return former?.webhook?.url !== newest?.webhook?.url
  }

  function note(fact: Fact): void {
    if (fact.fact === 'receiver') Object.assign(endpointOf(fact.shop), { mood: fact.mood, since: fact.at })
    if (fact.fact === 'stop' || fact.fact === 'clock') excuse(book.shops.keys(), fact.at)
    if (fact.fact === 'shop' && hasMoved(fact.shop)) excuse([fact.shop], fact.at)
    if (fact.fact === 'call' && fact.by.shop !== null) noteCall(fact, fact.by.shop)
    if (fact.fact === 'decision' && fact.by.shop !== null && /^(?:redeliver|webhook)$/.test(fact.what))
      excuse([fact.by.shop], fact.at)
  }

  /** An event that was requested again is retried until it is accepted again. */
  function noteCall({ path, method, at }: CallFact, shop: number): void {
    const [, id] = /^[/]v1[/]events[/]([^/]+)[/]redeliver$/.exec(path) ?? []
    const known = id === undefined ? undefined : sent.get(id)
    if (known?.shop === shop) known.wasAsked = true
    if (known !== undefined || (path === '/v1/webhook' && method === 'PUT')) excuse([shop], at)
  }

  /** 10c: an event is retried only until it is accepted, and not at once. */
  function repeatProblems(saying: DeliverySaying, id: string, before: Sent | undefined): string[] {
    if (!before) return []
    const { shop, at, body } = saying
    const { excusedAt, lastSuccessAt } = endpointOf(shop)
    const isExcused = excusedAt >= before.lastAt - MINUTE_MS
    const isReleased = lastSuccessAt !== null && lastSuccessAt >= before.lastAt
    return broken([
      [before.body === body, `10c: the event ${id} is sent with another body`],
      [before.shop === shop, `10c: the event ${id} is sent to shop ${before.shop} and shop ${shop}`],
      [
        !before.isKnown || before.wasAsked || isExcused,
        `10c: the event ${id} is sent again, after it was answered with 200`,
      ],
      [
        isExcused || isReleased || at - before.lastAt >= SOONEST_MS,
        `10c: the event ${id} is sent again after ${at - before.lastAt} ms`,
      ],
    ])
  }

  /**
   * 10d: when a webhook works again, all other events that waited for it are sent. Events that failed before
   * the shop set the URL again follow later, because such an event may be the cause of the failures.
   */
  function owe({ shop, at }: DeliverySaying): void {
    const endpoint = endpointOf(shop)
    endpoint.lastSuccessAt = at
    for (const id of endpoint.waiting) {
      const { beganAt, lastAt } = sent.get(id)!
      if (lastAt < at && beganAt > endpoint.excusedAt && !owed.has(id)) owed.set(id, at + RELEASED_WITHIN_MS)
    }
  }

  /** The time by which an event that was not accepted is tried again. */
  const dueBy = ({ lastAt, tries }: Sent): number =>
    lastAt + (PAUSES_MIN[tries - 1] ?? 720) * MINUTE_MS * 1.1 + TRY_SLACK_MS

  /**
   * True if an event has to be tried again in time: its webhook has failed since the last try, and was not
   * disabled. Tries at a webhook that refuses connections cannot be seen.
   */
  function isExpected(id: string, known: Sent): boolean {
    const { mood, since, excusedAt, lastSuccessAt, beganAt } = endpointOf(known.shop)
    const { firstAt, lastAt } = known
    const disabledAt = (lastSuccessAt ?? beganAt ?? 0) + DISABLED_AFTER_MS
    const isSteady = since <= lastAt && excusedAt <= lastAt && book.isClockRightSince(lastAt)
    const isOver = dueBy(known) > Math.min(firstAt + TRIED_FOR_MS, disabledAt) - SELDOM_MS
    return mood !== 'refuses' && isSteady && !wasAway.has(id) && !isOver
  }

  /** 10f: a try that comes long after it was due. */
  function lateProblems({ at }: DeliverySaying, id: string, before: Sent | undefined): string[] {
    if (!before || before.isKnown || !isExpected(id, before)) return []
    const lateMs = at - dueBy(before) - SELDOM_MS
    return broken([[lateMs <= 0, `10f: the event ${id} is tried again ${lateMs} ms too late`]])
  }

  /** 10f: an event that was not accepted is retried in time, unless the webhook was disabled before. */
  function untried(at: number): string[] {
    return [...endpoints].flatMap(([shop, { waiting }]) =>
      [...waiting].flatMap(id => {
        const known = sent.get(id)!
        if (!isExpected(id, known) || dueBy(known) > at) return []
        wasAway.add(id)
        return [`10f: the event ${id} of shop ${shop} was tried ${known.tries} times, and then no more`]
      }),
    )
  }

  /** 10h: a webhook that works again gets all events within a day, whatever was tried before. */
  function forgotten(at: number): string[] {
    if (!book.isClockRightSince(at - PROBED_WITHIN_MS)) return []
    return [...endpoints].flatMap(([shop, { waiting, since, mood, excusedAt }]) => {
      const isLong = mood === 'ok' && at > Math.max(since, excusedAt) + PROBED_WITHIN_MS
      if (!isLong) return []
      return [...waiting].flatMap(id => {
        if (sent.get(id)!.lastAt >= since || told.has(id)) return []
        told.add(id)
        return [`10h: the endpoint of shop ${shop} works for a day, but the event ${id} was not sent again`]
      })
    })
  }

  /** events for which rule 10h has reported a problem */
  const told = new Set<string>()

  /** Events that are overdue at a working webhook. */
  function overdue(at: number): string[] {
    const late = [...owed].filter(([, until]) => at > until + MINUTE_MS)
    return late.flatMap(([id]) => {
      owed.delete(id)
      const { shop } = sent.get(id)!
      const { mood, since } = endpointOf(shop)
      const isSteady = mood === 'ok' && since + 2 * RELEASED_WITHIN_MS < at
      return isSteady
        ? [`10d: the endpoint of shop ${shop} works again, but the event ${id} still waits`]
        : []
    })
  }

  function remember({ shop, at, body, answered }: DeliverySaying, id: string): void {
    const before = sent.get(id)
    const isKnown = answered === 200 || before?.isKnown === true
    const tries = (before?.tries ?? 0) + 1
    const wasAsked = before?.wasAsked ?? false
    const beganAt = before?.beganAt ?? Math.min(Date.parse(JSON.parse(body).createdAt), at)
    const firstAt = before?.firstAt ?? at
    sent.set(id, { body, shop, beganAt, firstAt, lastAt: at, tries, isKnown, wasAsked })
    const endpoint = endpointOf(shop)
    endpoint.beganAt ??= at
    const { waiting } = endpoint
    if (isKnown) waiting.delete(id)
    else waiting.add(id)
    owed.delete(id)
  }

  function heard(saying: DeliverySaying): string[] {
    const json: Json = JSON.parse(saying.body)
    if (json.type === 'webhook.test') return []
    const before = sent.get(json.id)
    const problems = [...repeatProblems(saying, json.id, before), ...lateProblems(saying, json.id, before)]
    // Tries at a webhook that refused connections were not seen. The event has the time of the server's clock.
    const { since } = endpointOf(saying.shop)
    const isOlder = Date.parse(json.createdAt) - book.skewIn(since, saying.at) <= since
    if (isOlder && !sent.has(json.id)) wasAway.add(json.id)
    remember(saying, json.id)
    countEvent(json)
    if (saying.answered === 200) owe(saying)
    return problems
  }

  function unheard(order: KnownOrder): string[] {
    const { webhook } = book.shops.get(order.shop) ?? {}
    if (order.last?.status !== 'PAID' || !webhook?.eventTypes.includes('order.paid')) return untold(order)
    const ids = [...(counts.get(`order.paid ${order.id}`) ?? [])]
    const isKnown = ids.some(id => sent.get(id)?.isKnown === true)
    return isKnown ? untold(order) : [`10d: ${nameOf(order)} is PAID, but its shop has not heard of it`]
  }

  return {
    note(fact) {
      note(fact)
      if (fact.fact === 'receiver') for (const id of endpointOf(fact.shop).waiting) wasAway.add(id)
      return []
    },
    hear: saying => (saying.says === 'delivery' ? heard(saying) : []),
    step: at => [...untried(at), ...overdue(at), ...forgotten(at)],
    end: () => [...book.orders.values()].flatMap(unheard),
  }
}
