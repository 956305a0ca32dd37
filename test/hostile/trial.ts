import type { Liar } from './liars.ts'
import { HONEST } from './liars.ts'
import type { Stand } from './stand.ts'
import type { Opened, OrderState, Subject } from './subject.ts'

/** The lying endpoint is the only one, or the first of two. */
export const settings = ['alone', 'beside an honest one'] as const
export type Setting = (typeof settings)[number]

export interface TrialOptions {
  setting: Setting
  /** the longest time between a payment's block and the order being paid */
  patienceMs: number
  largeFrom: number
}

/** The observations about one endpoint that lies. */
export interface Trial {
  family: string
  lie: string
  what: string
  setting: Setting
  /** the number of requests that the endpoint received during the trial */
  asked: number
  /** the rules that the server broke; empty if it broke none */
  faults: string[]
  /** the observations, in words */
  seen: string[]
}

const LOOK_MS = 2000
const TRIES_MAX = 3
/** The server leaves a failed endpoint alone for two minutes at most. */
const ASKED_AGAIN_MS = 150_000
/** The time after which the server must have noticed that it cannot read the chain. */
const KNOWN_MS = 45_000
const SMALL = 25
const DUE_PART = 100n

/** A payment that was sent, and has to pay its order. */
interface Due extends Opened {
  /** the moment when it was opened, in the words of a report */
  when: string
}

/** Lies that make an unpaid order look paid. */
const moreOrNothing: ReadonlySet<string> = new Set(['forge', 'invent', 'more'])

/** One server and one chain, whose first endpoint lies in one way after another. */
export class Trials {
  readonly #subject: Subject
  readonly #stand: Stand
  readonly #options: TrialOptions
  /** payments that were made while no endpoint reported them */
  readonly #missed: { lie: string; opened: Opened }[] = []

  constructor(subject: Subject, stand: Stand, options: TrialOptions) {
    this.#subject = subject
    this.#stand = stand
    this.#options = options
  }

  get #isAlone(): boolean {
    return this.#options.setting === 'alone'
  }

  /** Repeats a trial in which the lying endpoint was not asked, because it was the turn of the honest one. */
  async run(liar: Liar): Promise<Trial> {
    for (let left = TRIES_MAX - 1; ; left--) {
      const trial = await this.#try(liar)
      if (trial.asked > 0 || trial.faults.length > 0) return trial
      if (left > 0) continue
      trial.faults.push('the endpoint was never asked, so that nothing was tried')
      return trial
    }
  }

  async #try(liar: Liar): Promise<Trial> {
    const { family, liar: endpoint } = this.#stand
    const { setting } = this.#options
    const trial: Trial = { family, lie: liar.name, what: liar.what, setting, asked: 0, faults: [], seen: [] }
    const before = await this.#openBefore(trial)
    if (!before) return trial
    const [askedBefore, followedBefore] = [endpoint.asked, endpoint.followed]
    this.#stand.lieLike(liar.name)
    await this.#runLie(liar, before, trial).catch((error: unknown) => {
      trial.faults.push(`the server did not answer: ${error instanceof Error ? error.message : error}`)
    })
    this.#stand.lieLike(HONEST)
    trial.asked = endpoint.asked - askedBefore
    if (endpoint.followed > followedBefore) trial.faults.push('a redirect was followed')
    return trial
  }

  /** Once the endpoint is used first again, opens the order to pay, and one that is never paid. */
  async #openBefore(trial: Trial): Promise<[paid: Opened, unpaid: Opened] | null> {
    const end = Date.now() + ASKED_AGAIN_MS
    let refusal = ''
    while (Date.now() < end) {
      const { asked } = this.#stand.liar
      const opened = [await this.#open(SMALL), await this.#open(SMALL)]
      const [first, second] = opened
      refusal = opened.find(one => typeof one === 'string') ?? 'the endpoint is not asked'
      const isAsked = this.#stand.liar.asked > asked
      if (typeof first === 'object' && typeof second === 'object' && isAsked) return [first, second]
      await Bun.sleep(LOOK_MS)
    }
    trial.faults.push(`no payment can be opened while all endpoints are honest: ${refusal}`)
    return null
  }

  async #open(dollars: number): Promise<Opened | string> {
    const opened = await this.#subject.open(this.#stand.family, this.#stand.asset, dollars)
    if (typeof opened === 'object') this.#stand.expect(opened.address)
    return opened
  }

  #look = ({ id }: Opened): Promise<OrderState> => this.#subject.look(this.#stand.family, id)

  async #runLie(liar: Liar, [paid, unpaid]: [Opened, Opened], trial: Trial): Promise<void> {
    const during = await this.#open(SMALL)
    if (typeof during === 'string') this.#checkRefusal(during, trial)
    const large = moreOrNothing.has(liar.name) ? await this.#open(2 * this.#options.largeFrom) : 'not tried'
    const due = [
      { ...paid, when: 'before the lie' },
      ...(typeof during === 'object' ? [{ ...during, when: 'during it' }] : []),
    ]
    for (const { address, due: amount } of due) this.#stand.pay(address, amount)
    if (typeof large === 'object') this.#stand.pay(large.address, large.due / DUE_PART)
    this.#stand.confirm()
    const state = await this.#watch(due)
    this.#checkPaid(liar, state, trial)
    const isKnown = state.isPaid || state.isUnread || typeof during === 'string'
    if (this.#isAlone && liar.isApparent && !isKnown && !(await this.#isWarned()))
      trial.faults.push('nobody is warned that the chain cannot be read')
    if (!liar.isForger && (await this.#look(unpaid)).isPaid)
      trial.faults.push('an order is PAID that nobody paid')
    if (typeof large === 'object' && (await this.#look(large)).isPaid)
      trial.faults.push('a large order is PAID on the word of one endpoint')
    for (const { address } of [unpaid, ...due]) this.#stand.forget(address)
  }

  #checkRefusal(refusal: string, trial: Trial): void {
    trial.seen.push(`no payment could be opened (${refusal})`)
    if (/^5/.test(refusal) && !/^50[234]/.test(refusal)) trial.faults.push(`opening failed with ${refusal}`)
    if (!this.#isAlone) trial.faults.push(`no payment can be opened beside an honest endpoint: ${refusal}`)
  }

  #checkPaid(liar: Liar, { isPaid, isUnread, ms, missing }: Watched, trial: Trial): void {
    if (isPaid) trial.seen.push(`paid after ${(ms / 1000).toFixed(0)} s`)
    else trial.seen.push(isUnread ? 'not paid; the buyer sees that the chain is not read' : 'not paid')
    if (isPaid) return
    const whens = missing.map(({ when }) => when).join(' and ')
    if (this.#isAlone) this.#missed.push(...missing.map(opened => ({ lie: liar.name, opened })))
    else trial.faults.push(`what was opened ${whens} is not PAID within ${ms / 1000} s`)
  }

  /** Polls until all are paid, for a shorter time if the liar is the only endpoint. */
  async #watch(due: Due[]): Promise<Watched> {
    const startedAt = Date.now()
    const allowedMs = this.#isAlone ? KNOWN_MS : this.#options.patienceMs
    let [isUnread, missing] = [false, due]
    while (Date.now() - startedAt < allowedMs) {
      await Bun.sleep(LOOK_MS)
      const states = await Promise.all(due.map(this.#look))
      missing = due.filter((_, index) => !states[index]!.isPaid)
      if (missing.length === 0) return { isPaid: true, isUnread, missing, ms: Date.now() - startedAt }
      isUnread ||= states.some(one => one.isUnread)
      // If the only endpoint does not work, the page cannot show more.
      if (this.#isAlone && isUnread) break
    }
    return { isPaid: false, isUnread, missing, ms: allowedMs }
  }

  async #isWarned(): Promise<boolean> {
    return (await this.#subject.warnings(this.#stand.family)).length > 0
  }

  /** Expects that a payment which an endpoint concealed is found once the endpoint is honest. */
  async finish(): Promise<string[]> {
    let missing = this.#missed
    const end = Date.now() + ASKED_AGAIN_MS + this.#options.patienceMs
    while (missing.length > 0 && Date.now() < end) {
      await Bun.sleep(LOOK_MS)
      const states = await Promise.all(missing.map(({ opened }) => this.#look(opened)))
      missing = missing.filter((_, index) => !states[index]!.isPaid)
    }
    return missing.map(({ lie }) => `${lie}: its payment is not found after the endpoint became honest`)
  }
}

interface Watched extends OrderState {
  ms: number
  /** the payments that were made, and whose orders are not PAID */
  missing: Due[]
}
