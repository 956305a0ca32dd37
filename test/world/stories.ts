import type { Random } from '../simulation/random.ts'
import type { RequestMaker } from './generate-requests.ts'
import type { Mood } from './prices.ts'
import type { Request, Step } from './steps.ts'
import { storiesOfCards } from './stories-of-cards.ts'
import { storiesOfChains } from './stories-of-chains.ts'
import { storiesOfLightning } from './stories-of-lightning.ts'
import { storiesOfShops } from './stories-of-shops.ts'
import {
  check,
  DAY,
  honestly,
  open,
  opened,
  POLYGON,
  page,
  pay,
  type Story,
  soon,
  untilFinal,
  wait,
} from './story.ts'

/** A buyer pays an order, unless another step prevents it. */
function paid(random: Random, requests: RequestMaker) {
  const story = opened(random, requests)
  return { ...story, steps: [...story.steps, pay(story.order, 100), wait(random.pick([2, 3, 12]))] }
}

/** An order with an open payment page of the gateway. */
function atGateway(random: Random, requests: RequestMaker) {
  const { order, step } = requests.newOrder(['*'])
  return { order, steps: [step, { do: 'page', order, method: random.int(4) }] as Step[] }
}

const payGateway = (order: number, percent: number, batch = false): Step => ({
  ...{ do: 'pay-gateway', order, percent, batch },
  wrongCoin: false,
})
const callback = (order: number, proof: 'signed' | 'unsigned' = 'signed'): Request => ({
  do: 'callback',
  order,
  proof,
})

/** The buyer chooses a coin again after its time to pay is over. */
function chosenAgain(random: Random, requests: RequestMaker) {
  const { order, asset, steps } = opened(random, requests)
  const late = wait(random.pick([31, 45, 80]))
  return [...steps, late, open(order, asset), pay(order, 100), soon(random), page(order)]
}

/** The buyer opens a second coin, and pays the first one late, when its price has fallen. */
function olderLate(random: Random, requests: RequestMaker) {
  const { order, shop, asset, steps } = opened(random, requests)
  const fallen: Step = { do: 'price', ticker: requests.tickerOf(asset), percent: random.pick([60, 80]) }
  return [
    ...[
      ...steps,
      wait(1),
      open(order, asset + 1),
      wait(random.pick([20, 40])),
      fallen,
      wait(random.pick([20, 35])),
    ],
    ...[pay(order, 100, 1), untilFinal(requests, asset), check(order), { do: 'read', order, shop } as const],
  ]
}

/** Prices are only known from one source, which is false, while the buyer opens a payment. */
function onePrice(random: Random, requests: RequestMaker) {
  const { order, asset, steps } = opened(random, requests)
  const sources = (first: Mood, second: Mood, third: Mood): Step[] =>
    [first, second, third].map((mood, source) => ({ do: 'source', source, mood }))
  const away = [
    ...sources('away', 'away', 'false'),
    wait(6),
    ...steps,
    ...sources('honest', 'honest', 'honest'),
  ]
  return [away, wait(2), open(order, asset), pay(order, 100), soon(random), page(order)]
}

/**
 * Several or very many buyers check their payments at the same time, when the payments are final. Often, no
 * endpoint of the chain lies then.
 */
function manyLooks(random: Random, requests: RequestMaker) {
  const asset = random.pick([...requests.assetsOn('polygon', true), ...requests.assetsOn('polygon', false)])
  const buyers = Array.from({ length: random.pick([3, 14, 14]) }, () => opened(random, requests, asset))
  const steps = buyers.flatMap(one => one.steps)
  const payments = buyers.map(({ order }) => pay(order, 100))
  // A page or a status would make a look that was forgotten. What the shop reads does not.
  const reads = buyers.toReversed().map(({ order, shop }): Step => ({ do: 'read', order, shop }))
  const together: Step = { do: 'together', requests: buyers.map(({ order }) => check(order)) }
  const looks = [...payments, untilFinal(requests, asset), together, wait(3), ...reads]
  const isCalm = random.chance(0.6)
  return isCalm ? [[...honestly(requests, POLYGON), wait(1), ...steps, ...looks]] : [...steps, looks]
}

/** Stories about common actions and mistakes of people. Other steps happen between the steps of a story. */
const stories: readonly Story[] = [
  // The buyer pays the requested amount, and the order is read.
  (random, requests) => {
    const { order, shop, steps } = paid(random, requests)
    return [...steps, page(order), { do: 'read', order, shop }]
  },
  // The buyer pays in parts.
  (random, requests) => {
    const { order, steps } = opened(random, requests)
    const first = random.pick([3, 40, 50, 75, 99])
    const rest = random.pick([100 - first, 100 - first, 99 - first, 101 - first])
    return [
      ...steps,
      pay(order, first),
      check(order),
      soon(random),
      pay(order, rest),
      soon(random),
      page(order),
    ]
  },
  // The buyer pays after the lock, or after the grace, when the price has changed.
  (random, requests) => {
    const { order, shop, steps } = opened(random, requests)
    const price = {
      do: 'price',
      ticker: requests.ticker(),
      percent: random.pick([80, 97, 103, 130]),
    } as const
    const late = wait(random.pick([28, 29, 31, 60, 88, 92, 120]))
    const decision: Step = {
      do: random.pick(['accept', 'resolve']),
      order,
      by: 'owner',
      isStale: random.chance(0.3),
    }
    const after: Step[] = random.chance(0.5) ? [decision, { do: 'read', order, shop }] : []
    return [
      ...steps,
      late,
      price,
      pay(order, random.pick([100, 100, 60])),
      soon(random),
      page(order),
      ...after,
    ]
  },
  // The buyer pays parts in two coins, also in the one that was opened first.
  (random, requests) => {
    const { order, asset, steps } = opened(random, requests)
    const seen = random.chance(0.5) ? [untilFinal(requests, asset), check(order)] : []
    const second = [...seen, open(order, asset + 1), pay(order, random.pick([50, 60, 100]))]
    return [
      ...steps,
      pay(order, random.pick([40, 50]), 0),
      ...second,
      wait(5),
      pay(order, 30, 1),
      soon(random),
    ]
  },
  // The buyer tries one coin, another, and the first again.
  (random, requests) => {
    const { order, asset, steps } = opened(random, requests)
    const back = [open(order, asset + 1), open(order, asset), page(order)]
    return [...steps, ...back, pay(order, 100, random.int(2)), soon(random), page(order)]
  },
  // The buyer pays too much, or twice.
  (random, requests) => {
    const { order, steps } = paid(random, requests)
    const again = pay(order, random.pick([100, 30]))
    return [...steps, again, soon(random), { do: 'resolve', order, by: 'staff', isStale: false }]
  },
  // The buyer pays in Bitcoin with a transaction that waits, is replaced, or spends its money elsewhere.
  (random, requests) => {
    const { order, steps } = opened(random, requests, requests.bitcoin())
    const first = pay(order, random.pick([2, 50, 100]), 0, true)
    const replaced: Step = { do: 'replace', percent: random.pick([100, 130, 4000, 0]), order }
    const late = wait(random.pick([5, 31, 70, 120]))
    return [
      ...steps,
      first,
      check(order),
      late,
      replaced,
      check(order),
      page(order),
      soon(random),
      page(order),
      { do: 'mine' },
      wait(35),
    ]
  },
  // The buyer pays an order that is cancelled, ended or forced at the same time.
  (random, requests) => {
    const { order, shop, steps } = opened(random, requests)
    const ending: Request = random.pick<Request>([
      { do: 'cancel', order, shop, by: 'key' },
      { do: 'end', order, by: 'staff', isStale: false },
      { do: 'force', order, by: 'owner', isStale: false },
    ])
    const first = random.chance(0.5) ? [pay(order, 100), ending] : [ending, pay(order, 100)]
    const together: Step = { do: 'together', requests: [ending, check(order), open(order, random.int(9))] }
    return [...steps, ...first, together, soon(random), page(order)]
  },
  // The buyer pays just before a short order expires.
  (random, requests) => {
    const { order, step } = requests.newOrder(undefined, random.pick([20, 31, 45]))
    const late = wait(random.pick([15, 19, 28, 30, 44]))
    return [
      step,
      open(order, random.int(9)),
      late,
      pay(order, random.pick([100, 50])),
      soon(random),
      page(order),
    ]
  },
  // The buyer pays at the gateway, which calls back twice or not at all.
  (random, requests) => {
    const { order, steps } = atGateway(random, requests)
    const told = random.pick([[callback(order), callback(order)], [callback(order, 'unsigned')], []])
    const paid = payGateway(order, random.pick([100, 90, 85, 84, 50]))
    return [...steps, { ...paid, wrongCoin: random.chance(0.15) } as Step, ...told, soon(random), page(order)]
  },
  // Two orders are paid at the gateway by the same transactions.
  (random, requests) => {
    const [one, other] = [atGateway(random, requests), atGateway(random, requests)]
    const unpaid: Step = { do: 'gateway', mood: random.pick(['honest', 'unpaid']) }
    return [
      ...[...one.steps, ...other.steps, payGateway(one.order, 100), payGateway(other.order, 100, true)],
      ...[unpaid, callback(one.order), callback(other.order), soon(random)],
      { do: 'gateway', mood: 'honest' },
    ]
  },
  manyLooks,
  // A chain cannot be read while a buyer pays.
  (random, requests) => {
    const { order, steps } = opened(random, requests)
    const chain = random.int(3)
    const away: Step[] = [{ do: 'outage', chain, isOver: false }, wait(random.pick([5, 31, 70, 190]))]
    const back: Step[] = [{ do: 'outage', chain, isOver: true }, soon(random), page(order)]
    return random.chance(0.5)
      ? [...steps, ...away, pay(order, 100), ...back]
      : [...steps, pay(order, 100), check(order), ...away, ...back]
  },
  // The shop's webhook does not work for days.
  (random, requests) => {
    const { shop, steps } = paid(random, requests)
    if (!random.chance(0.2)) return steps
    const away: Step = { do: 'receiver', shop, mood: random.pick(['fails', 'refuses']) }
    return [away, ...steps, wait(4 * DAY), { do: 'receiver', shop, mood: 'ok' }, wait(2 * DAY)]
  },
  // The shop's webhook does not work for a long time.
  (random, requests) => {
    const { shop, steps } = paid(random, requests)
    const away: Step = { do: 'receiver', shop, mood: random.pick(['fails', 'hangs', 'refuses', 'dies']) }
    const back: Step = { do: 'receiver', shop, mood: 'ok' }
    const { order, step } = requests.newOrder(undefined, null, { shop })
    // The event of another payment shows that the endpoint works.
    const other = [step, open(order, random.int(9)), wait(12), page(order)]
    return [away, ...steps, wait(random.pick([3, 40, 70, 190])), back, ...other, wait(70)]
  },
  // A reorganisation drops a payment, before or after the payment is final.
  (random, requests) => {
    const { order, steps } = opened(random, requests)
    const lost: Step = {
      do: 'reorganise',
      chain: random.int(3),
      depth: random.between(1, 12),
      lostPercent: 100,
    }
    return [...steps, pay(order, 100), check(order), lost, soon(random), pay(order, 100), soon(random)]
  },
  ...[chosenAgain, olderLate, onePrice],
]

/** The number of stories that run at the same time: enough that most of them wait at some time. */
const AT_ONCE = 8
/**
 * A wait of this length, during which no other story continues. Otherwise the history would end before such a
 * wait.
 */
const LONG_MINUTES = 12 * 60

interface Running {
  steps: (Step | Step[])[]
  /** the minute of the history at which it continues */
  goesOnAt: number
}

/** Runs several stories at the same time, one step after another. Time passes only while all of them wait. */
export class Stories {
  readonly #random: Random
  readonly #requests: RequestMaker
  readonly #stories: readonly Story[]
  #running: Running[] = []
  #minute = 0

  /** `only` is the name of the function of one story, or its index. */
  constructor(random: Random, requests: RequestMaker, only: string | null) {
    this.#random = random
    this.#requests = requests
    const all = [
      ...[...stories, ...storiesOfShops(requests)],
      ...[...storiesOfChains(requests), ...storiesOfCards(requests)],
      ...storiesOfLightning(requests),
    ]
    const chosen = all.filter(({ name }, place) => only === null || name === only || `${place}` === only)
    // A story may not apply to this world, for example if it needs cards.
    this.#stories = chosen.length > 0 ? chosen : all.slice(0, 1)
  }

  /** The next step, or several steps between which nothing else happens. */
  next(): Step[] {
    const going = this.#running.filter(({ goesOnAt }) => goesOnAt <= this.#minute)
    const isNew = this.#running.length < AT_ONCE && (going.length === 0 || this.#random.chance(0.2))
    if (isNew) return this.#take(this.#start())
    if (going.length > 0) return this.#take(this.#random.pick(going))
    return [wait(Math.min(...this.#running.map(({ goesOnAt }) => goesOnAt)) - this.#minute)]
  }

  /** Call it with every step of the history. */
  follow(steps: readonly Step[]): void {
    for (const step of steps) if (step.do === 'wait') this.#minute += step.minutes
  }

  #start(): Running {
    const steps = this.#random.pick(this.#stories)(this.#random, this.#requests)
    const story = { steps, goesOnAt: this.#minute }
    this.#running.push(story)
    return story
  }

  #take(story: Running): Step[] {
    const [step, ...others] = story.steps
    story.steps = others
    if (others.length === 0) this.#running = this.#running.filter(one => one !== story)
    const next = step === undefined ? [] : [step].flat()
    const [first] = next
    if (next.length !== 1 || first?.do !== 'wait' || first.minutes >= LONG_MINUTES) return next
    story.goesOnAt = this.#minute + first.minutes
    return this.next()
  }
}
