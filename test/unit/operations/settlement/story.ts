import type { Attempt, Progress } from '../../../../src/domain/attempt.ts'
import { amountOf, minorOf, toUnits } from '../../../../src/domain/money.ts'
import type { IncomingPayment } from '../../../../src/domain/payment.ts'
import { MINED_SOON_MS, MINED_WITHIN_MS, shareOf, VALUE_UNIT } from '../../../../src/domain/quote.ts'
import { allowanceOf } from '../../../../src/domain/tolerance.ts'
import type { Case, Change, Occasion } from '../../../../src/operations/settlement/case.ts'
import { payment } from '../../domain/given.ts'
import {
  DECIMALS,
  decided,
  emptyCase,
  GRACE,
  HOUR,
  LOCK,
  leftOf,
  MINUTE,
  moved,
  openedAs,
  WATCH,
  withPayments,
} from './model.ts'
import { textOf } from './story-text.ts'

const pages = ['card', 'bank']
/** a coin at an address that a provider allocated */
const GATEWAY = 'gate'
const units = { min: MINUTE, h: HOUR, d: 24 * HOUR }
/** Amounts on pages have cents. */
const decimalsOf = (assetId: string): number => (assetId === 'fiat/usd' ? 2 : DECIMALS)
const atomicOf = (amount: string, assetId = ''): bigint => toUnits(amount, decimalsOf(assetId))!

type Terms = Pick<Attempt, 'dueAtomic' | 'thresholdAtomic' | 'tolerance' | 'dust'>

interface Step {
  occasion?: Occasion
}
type Verb = [pattern: RegExp, act: (story: Story, ...words: (string | undefined)[]) => Step | undefined]

/** An order and its events, read from sentences: "btc asks 25 > gets 12 > at 40 min > gets 13". */
export class Story {
  of: Case
  /** the changes after the last sentence */
  changes: readonly Change[] = []
  /** the attempt and the payment of the last sentence */
  #subject = ''
  #last = ''
  /** the attempts whose chain cannot be read */
  readonly unread = new Set<string>()
  readonly #rates = new Map<string, string | null>()

  constructor(
    price: string,
    readonly tolerance = '0.5',
  ) {
    this.of = emptyCase(
      { amount: price, netAmount: price, currency: 'USD' },
      { rateOf: ({ id }) => this.#rates.get(id) ?? null },
    )
  }

  /** Returns the decision after the last sentence. */
  read(text: string): string {
    let last = ''
    for (const sentence of text.split('>').map(part => part.trim())) {
      const { occasion = {} } = this.#perform(sentence)
      const before = this.of
      const { of, decision } = decided(before, occasion)
      this.of = of
      this.changes = decision.changes
      last = textOf(before, of, decision.changes)
    }
    return last
  }

  #perform(sentence: string): Step {
    for (const [pattern, act] of verbs) {
      const match = pattern.exec(sentence)
      if (match) return act(this, ...match.slice(1)) ?? {}
    }
    throw new Error(`"${sentence}" is no sentence of a story`)
  }

  get order() {
    return this.of.order
  }

  subject(id?: string): Attempt {
    this.#subject = id ?? this.#subject
    return this.of.attempts.find(({ attempt }) => attempt.id === this.#subject)!.attempt
  }

  /** Moves the time, and reads every chain that can be read. */
  at(now: number): void {
    const checkedAt = now
    this.of = {
      ...this.of,
      now,
      attempts: this.of.attempts.map(({ attempt, payments }) => ({
        attempt:
          attempt.kind === 'address' && !this.unread.has(attempt.id) ? { ...attempt, checkedAt } : attempt,
        payments,
      })),
    }
  }

  change(id: string, change: Partial<Progress & Terms>): void {
    this.of = {
      ...this.of,
      attempts: this.of.attempts.map(one =>
        one.attempt.id === id ? { ...one, attempt: { ...one.attempt, ...change } } : one,
      ),
    }
  }

  open(id: string, wanted: string): void {
    const { now, order } = this.of
    const allowance = allowanceOf(order, this.tolerance, { own: '1', other: '1' })
    const priced = wanted === 'the rest' ? leftOf(this.of) : amountOf(minorOf(`${+wanted}`, 'USD'), 'USD')
    const isPage = pages.includes(id)
    const assetId = isPage ? 'fiat/usd' : id.replace(/\d$/, '')
    const isGateway = id.startsWith(GATEWAY)
    const attempt = openedAs(isPage ? 'page' : isGateway ? 'gateway' : 'own', {
      id,
      methodKey: isPage ? id : 'crypto',
      methodName: id,
      assetId,
      decimals: decimalsOf(assetId),
      priced,
      dueAtomic: atomicOf(priced, assetId),
      tolerance: allowance.tolerance,
      dust: allowance.dust,
      minedWithinMs: allowance.isLarge ? MINED_SOON_MS : MINED_WITHIN_MS,
      lockedUntil: isPage ? order.expiresAt : now + LOCK,
      graceLimit: isPage ? order.expiresAt : now + LOCK + (isGateway ? 3 * HOUR : GRACE),
      watchUntil: now + LOCK + WATCH,
      checkedAt: isPage ? null : now,
      createdAt: now,
    })
    this.of = { ...this.of, attempts: [...this.of.attempts, { attempt, payments: [] }] }
    this.subject(id)
  }

  /** Adds a payment to the attempt. `rate` is that of its block. */
  arrive(amount: string, change: Partial<IncomingPayment> = {}, rate: string | null = '1'): void {
    const { now } = this.of
    const { id: attemptId, assetId } = this.subject()
    const state = change.state ?? 'final'
    const added = payment(state, atomicOf(amount, change.assetId ?? assetId), {
      attemptId,
      assetId,
      paidAt: now,
      createdAt: now,
      minedAt: state === 'final' ? now : null,
      height: state === 'final' ? 1 : null,
      ...change,
    })
    if (added.inputs.length === 0) added.inputs = [`input of ${added.id}`]
    this.#last = added.id
    this.#rates.set(added.id, rate)
    this.of = {
      ...this.of,
      attempts: this.of.attempts.map(one =>
        one.attempt.id === attemptId ? { ...one, payments: [...one.payments, added] } : one,
      ),
    }
  }

  /** The payment of the last sentence. */
  get last(): IncomingPayment {
    return this.of.attempts.flatMap(({ payments }) => payments).find(({ id }) => id === this.#last)!
  }

  changeLast(change: Partial<IncomingPayment>, rate?: string | null): void {
    if (rate !== undefined) this.#rates.set(this.#last, rate)
    this.of = withPayments(this.of, new Set([this.#last]), change)
  }

  /** Selects the payment for the next sentence by its amount. */
  choose(amount: string): void {
    const all = this.of.attempts.flatMap(({ payments }) => payments)
    const found = all.find(one => one.amountAtomic === atomicOf(amount, one.assetId) && one.state !== 'gone')!
    this.#last = found.id
    this.#subject = found.attemptId
  }

  /** The rows of unmatched payments with these amounts, such as "12 and 5", or all open ones. */
  rows(amounts: string): string[] {
    const all = this.of.attempts.flatMap(({ payments }) => payments)
    const chosen = all.filter(
      ({ amountAtomic, assetId }) =>
        amounts === 'all' ||
        amounts.split(' and ').some(amount => atomicOf(amount, assetId) === amountAtomic),
    )
    const ids = new Set(chosen.map(({ id }) => id))
    return this.of.unmatched
      .filter(row => row.status === 'open' && ids.has(row.incomingPaymentId))
      .map(({ id }) => id)
  }
}

/** "at 0.8", "without a rate", or nothing for the rate at which the coin was quoted. */
const RATE = '(?: at ([0-9.]+)| (without a rate))?'
const rateOf = (rate: string | undefined, none: string | undefined): string | null =>
  none ? null : (rate ?? '1')
const AMOUNT = '([0-9.]+)'
const verb = (pattern: string, act: Verb[1]): Verb => [new RegExp(`^${pattern}$`), act]

const verbs: Verb[] = [
  verb('(\\w+) asks ([0-9.]+|the rest)', (story, id, wanted) => void story.open(id!, wanted!)),
  verb(`(?:(\\w+) )?gets ${AMOUNT}${RATE}`, (story, id, amount, rate, none) => {
    const { id: reported } = story.subject(id)
    story.arrive(amount!, {}, rateOf(rate, none))
    return { occasion: { reported } }
  }),
  verb(`(?:(\\w+) )?gets ${AMOUNT} (\\w+)${RATE}`, (story, id, amount, assetId, rate, none) => {
    story.subject(id)
    story.arrive(amount!, { assetId: assetId! }, rateOf(rate, none))
    return undefined
  }),
  verb(`(?:(\\w+) )?gets ${AMOUNT} of another order`, (story, id, amount) => {
    story.subject(id)
    story.arrive(amount!)
    const { isClaimed } = story.of
    const claimed = story.last.id
    story.of = { ...story.of, isClaimed: one => one.id === claimed || isClaimed(one) }
    return undefined
  }),
  verb(`(?:(\\w+) )?reports a total of ${AMOUNT}`, (story, id, amount) => {
    story.subject(id)
    story.arrive(amount!, { txIn: null })
    return undefined
  }),
  verb(`(?:(\\w+) )?sees ${AMOUNT}${RATE}`, (story, id, amount, rate, none) => {
    story.subject(id)
    story.arrive(amount!, { state: 'seen' }, rateOf(rate, none))
    return undefined
  }),
  // The replacement spends the same inputs as the former payment.
  verb(`it is replaced with ${AMOUNT}`, (story, amount) => {
    const { inputs, seen, paidAt, attemptId } = story.last
    story.changeLast({ state: 'gone', updatedAt: story.of.now })
    story.subject(attemptId)
    const atomic = atomicOf(amount!)
    const known = seen.map(one => (BigInt(one.atomic) < atomic ? one : { ...one, atomic: `${atomic}` }))
    const most = BigInt(known.at(-1)!.atomic)
    const more = most < atomic ? [{ at: story.of.now, atomic: `${atomic}` }] : []
    story.arrive(amount!, { state: 'seen', inputs, paidAt, seen: [...known, ...more] })
    return undefined
  }),
  verb(`it is mined${RATE}`, (story, rate, none) => {
    story.changeLast(
      { state: 'final', minedAt: story.of.now, height: 1 },
      rate || none ? rateOf(rate, none) : undefined,
    )
    return { occasion: { reported: story.last.attemptId } }
  }),
  verb('it is in a block', story => void story.changeLast({ minedAt: story.of.now, height: 1 })),
  verb('it vanishes', story => void story.changeLast({ state: 'gone', updatedAt: story.of.now })),
  verb('it is back', story => void story.changeLast({ state: 'seen', updatedAt: story.of.now })),
  verb(`the ${AMOUNT}`, (story, amount) => void story.choose(amount!)),
  verb('(\\w+) fails', (_story, reported) => ({ occasion: { reported: reported!, hasFailed: true } })),
  verb('(\\w+) is over', (_story, reported) => ({ occasion: { reported: reported!, isPageOver: true } })),
  verb('at (\\d+) (min|h|d)', (story, count, unit) => void story.at(Number(count) * units[unit as 'h'])),
  verb('(\\w+) is not read for (\\d+) min', (story, id, count) => {
    const { lockedUntil, graceLimit, graceUntil, blindMs } = story.subject(id)
    const more = Number(count) * MINUTE
    story.change(id!, {
      lockedUntil: lockedUntil + more,
      graceLimit: graceLimit + more,
      graceUntil: graceUntil + more,
      blindMs: blindMs + more,
    })
    return undefined
  }),
  verb('(\\w+) cannot be read', (story, id) => void story.unread.add(id!)),
  verb('(\\w+) is read', (story, id) => {
    story.unread.delete(id!)
    story.at(story.of.now)
    return undefined
  }),
  verb('resolve (.*)', (story, amounts) => {
    const ids = story.rows(amounts!)
    const unmatched = story.of.unmatched.map(row =>
      ids.includes(row.id) ? { ...row, status: 'resolved' as const, decidedBy: 'merchant' } : row,
    )
    story.of = { ...story.of, unmatched }
    return undefined
  }),
  verb('accept (.*)', (story, amounts) => {
    const accepted = { ids: new Set(story.rows(amounts!)), by: 'merchant', reason: null }
    return { occasion: { accepted } }
  }),
  verb('force', story => {
    story.of = moved(story.of, 'force', { forcedAt: story.of.now })
    return undefined
  }),
  verb('check', () => undefined),
  verb('cancel', story => {
    story.of = moved(story.of, 'cancel')
    return undefined
  }),
  verb('end', () => ({ occasion: { isEnded: true } })),
  verb('only (\\w+)', (story, method) => {
    story.of = { ...story.of, order: { ...story.order, methodKeys: [method!] } }
    return undefined
  }),
  verb('expires at (\\d+) (min|h)', (story, count, unit) => {
    const expiresAt = Number(count) * units[unit as 'h']
    story.of = { ...story.of, order: { ...story.order, expiresAt } }
    return undefined
  }),
  verb('late ask', story => {
    story.of = { ...story.of, asksLate: true }
    return undefined
  }),
  verb('no tolerance', story => {
    for (const { attempt } of story.of.attempts) story.change(attempt.id, { tolerance: 0n })
    return undefined
  }),
  verb('(\\w+) usually brings ([0-9]+) %', (story, id, percent) => {
    const { dueAtomic } = story.subject(id)
    story.change(id!, { thresholdAtomic: shareOf(dueAtomic, BigInt(percent!) * 10_000n) })
    return undefined
  }),
  verb('less than ([0-9.]+) cannot be paid', (story, amount) => {
    const dust = minorOf(amount!, 'USD') * VALUE_UNIT
    for (const { attempt } of story.of.attempts) story.change(attempt.id, { dust })
    return undefined
  }),
  verb('(\\w+) counts anywhere', (story, assetId) => {
    story.of = { ...story.of, countsOther: (_attempt, id) => id === assetId }
    return undefined
  }),
]

/** A table with two lines for each row: the events, and the decision. A row may start with its price. */
export function stories(table: string): { price: string; story: string; decision: string }[] {
  const lines = table
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
  return Array.from({ length: lines.length / 2 }, (_, at) => {
    const [, price = '25.00', story = ''] = /^(?:\$(\S+): )?(.*)$/.exec(lines[2 * at]!)!
    return { price, story, decision: lines[2 * at + 1]! }
  })
}
