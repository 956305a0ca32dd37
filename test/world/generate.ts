import { lies } from '../simulation/lies.ts'
import { type Random, seededRandom } from '../simulation/random.ts'
import { tronInterfaces } from '../simulation/tron-front.ts'
import { type ChainName, type ChainSetup, chainNames } from './chains.ts'
import { forms } from './forms.ts'
import { type RequestMaker, requestMaker, settingsOf } from './generate-requests.ts'
import { moods, SOURCES, tickers } from './prices.ts'
import type { History, Setup, ShopSetup, Step } from './steps.ts'
import { Stories } from './stories.ts'

/** The length of a history: enough for orders to end, and few enough to be shortened after a failure. */
const STEPS = [300, 1500] as const
/** Shops take cards on their own accounts in the histories whose seed this number divides. */
const CARDS = 3
/** Shops have Lightning nodes if the seed, divided by `CARDS`, leaves this remainder. */
const LIGHTNING_SEED = 1
/** The share of the steps that belong to a story. */
const TOLD = 0.55
const bitcoinServers = ['esplora', 'blockbook', 'core'] as const
const percents = [100, 100, 100, 100, 50, 50, 40, 60, 99, 101, 120, 3, 250] as const
const minutes = [1, 1, 1, 1, 2, 3, 5, 12, 31, 70, 190] as const
const receiverMoods = ['ok', 'ok', 'ok', 'fails', 'redirects', 'hangs', 'refuses', 'dies', 'gone'] as const

function interfacesOf(name: ChainName, random: Random): string[] {
  if (name === 'trc20') return ['both', random.pick(tronInterfaces), random.pick(tronInterfaces)]
  if (name === 'btc' || name === 'ltc') return [1, 2, 3].map(() => random.pick(bitcoinServers))
  return []
}

const chainOf = (name: ChainName, random: Random): ChainSetup => ({
  name,
  endpoints: random.between(1, 3),
  finalityLag: random.pick([3, 5, 12, 40]),
  interfaces: interfacesOf(name, random),
})

const shopOf = (random: Random): ShopSetup => ({ ...settingsOf(random), hasAccount: random.chance(0.3) })

/**
 * Chooses a setup with few chains, because each chain adds to the cost of every check. Monero's cryptography
 * costs most.
 */
function setupOf(seed: number, random: Random): Setup {
  const others = chainNames.filter(name => name !== 'polygon' && (name !== 'xmr' || random.chance(0.3)))
  const names = new Set<ChainName>(['polygon', random.pick(others), random.pick(others)])
  return {
    seed,
    engine: 'sqlite',
    chains: [...names].map(name => chainOf(name, random)),
    quorumAbove: random.chance(0.2) ? 10 : null,
    shops: [shopOf(random), shopOf(random)],
    hasGateway: random.chance(0.5),
    hasCards: seed % CARDS === 0,
    hasLightning: seed % CARDS === LIGHTNING_SEED,
    earlier: null,
  }
}

/**
 * The endpoint of each chain that has no endless lie: through it, the server finds every payment. An endpoint
 * of TRON with JSON-RPC alone cannot list payments in TRX.
 */
const reliable = ({ chains }: Setup, random: Random): number[] =>
  chains.map(({ endpoints, interfaces }) =>
    random.pick(Array.from({ length: endpoints }, (_, at) => at).filter(at => interfaces[at] !== 'rpc')),
  )

/** A history of a seed; with `story`, of this story alone, given the name of its function or its index. */
export function makeHistory(seed: number, story: string | null = null): History {
  const random = seededRandom(seed)
  const setup = setupOf(seed, random)
  const honest = reliable(setup, random)
  const requests = requestMaker(setup, honest, random)
  const steps: Step[] = []
  const count = random.between(...STEPS)
  const stories = new Stories(random, requests, story)
  const share = story === null ? TOLD : 1
  while (steps.length < count) {
    const next = random.chance(share) ? stories.next() : [anyStep(random, setup, honest, requests)]
    stories.follow(next)
    steps.push(...next)
  }
  return { setup, steps }
}

type Requests = RequestMaker
type Make = (random: Random, setup: Setup, honest: number[], requests: Requests) => Step

const payment = (random: Random): number => random.pick([0, 0, 0, 0, 1, 2])

/** The kinds of steps, each with the number of times that it is chosen in a thousand. */
const kinds: [weight: number, make: Make][] = [
  [330, (_r, _s, _h, requests) => requests.any()],
  [70, (_r, _s, _h, requests) => requests.order()],
  [90, (_r, _s, _h, requests) => requests.open()],
  [60, (random, _s, _h, requests) => together(random, requests)],
  [80, random => ({ do: 'wait', minutes: random.pick(minutes) })],
  [140, (random, _s, _h, requests) => pay(random, requests.someOrder())],
  [20, (random, _s, _h, requests) => payWrong(random, requests.someOrder())],
  [
    12,
    (random, _s, _h, requests) => ({
      ...{ do: 'dust', order: requests.someOrder(), payment: payment(random) },
      count: random.between(1, 8),
    }),
  ],
  [25, random => ({ do: 'replace', percent: random.pick([100, 100, 130, 50, 2, 0]), order: null })],
  [35, () => ({ do: 'mine' })],
  [
    25,
    (random, _s, _h, requests) => ({
      ...{
        do: 'pay-gateway',
        order: requests.someOrder(),
        percent: random.pick([100, 100, 90, 84, 50, 110]),
      },
      ...{ batch: random.chance(0.3), wrongCoin: random.chance(0.1) },
    }),
  ],
  [5, random => ({ do: 'gateway', mood: random.pick(['honest', 'honest', 'down', 'unpaid']) })],
  [20, random => reorganise(random)],
  [60, (random, setup, honest) => lie(random, setup, honest)],
  [
    25,
    random => ({
      do: 'price',
      ticker: random.pick(tickers),
      percent: random.pick([60, 90, 97, 99, 101, 103, 110, 160]),
    }),
  ],
  [15, random => source(random)],
  [20, random => ({ do: 'receiver', shop: random.int(2), mood: random.pick(receiverMoods) })],
  [3, random => ({ do: random.chance(0.3) ? 'upgrade' : 'restart' })],
  [7, random => ({ do: 'crash', points: random.between(1, 40), torn: random.chance(0.4) })],
  [6, random => ({ do: 'clock', minutes: random.pick([0, 0, 0, -3, -20, 5, 90]) })],
]
const total = kinds.reduce((sum, [weight]) => sum + weight, 0)

function anyStep(random: Random, setup: Setup, honest: number[], requests: Requests): Step {
  let roll = random.int(total)
  for (const [weight, make] of kinds) {
    if (roll < weight) return make(random, setup, honest, requests)
    roll -= weight
  }
  return { do: 'mine' }
}

const together = (random: Random, requests: Requests): Step => ({
  do: 'together',
  requests: random.chance(0.5)
    ? requests.twice()
    : Array.from({ length: random.between(2, 5) }, () => requests.any()),
})

const pay = (random: Random, order: number): Step => ({
  ...{ do: 'pay', order, payment: payment(random), percent: random.pick(percents) },
  waits: random.chance(0.3),
  hiddenMinutes: random.chance(0.1) ? random.pick([5, 40, 120]) : 0,
  fee: random.chance(0.05) ? random.between(1, 30) : 0,
  form: random.chance(0.2) ? random.pick(forms) : 'plain',
})

const payWrong = (random: Random, order: number): Step => ({
  ...{ do: 'pay-wrong', order, payment: payment(random), chain: random.pick(['same', 'same', 'other']) },
  percent: random.pick([100, 2000, 2500]),
  asset: random.int(3),
})

const reorganise = (random: Random): Step => ({
  ...{ do: 'reorganise', chain: random.int(3), depth: random.between(1, 40) },
  lostPercent: random.pick([0, 0, 30, 100]),
})

function lie(random: Random, setup: Setup, honest: number[]): Step {
  const chain = random.int(setup.chains.length)
  const { name, endpoints, interfaces } = setup.chains[chain]!
  const family = {
    polygon: 'evm',
    base: 'evm',
    btc: interfaces[0] === 'esplora' ? 'bitcoin' : interfaces[0],
    ltc: interfaces[0] === 'esplora' ? 'bitcoin' : interfaces[0],
    trc20: 'tron',
    xmr: 'monero',
  }
  const own = lies.filter(
    one =>
      one.families.some(of => of === (family[name as keyof typeof family] ?? name)) &&
      !['dust', 'crowd', 'tokenFee', 'zeroFlood', 'pagesFlood', 'forge'].includes(one.name),
  )
  const found = random.pick(own.length > 0 ? own : lies.slice(0, 5))
  const endpoint = random.int(endpoints)
  const endless = endpoint !== honest[chain] && random.chance(0.2)
  return {
    ...{ do: 'lie', chain, endpoint, lie: found.name, amount: random.between(...found.amount) },
    times: endless ? null : random.pick([1, 1, 2, 3, 8]),
  }
}

const source = (random: Random): Step => {
  const chosen = random.int(SOURCES)
  // The server trusts two sources that agree, so only the last source reports false prices.
  return {
    do: 'source',
    source: chosen,
    mood: random.pick(chosen === SOURCES - 1 ? moods : moods.slice(0, 2)),
  }
}
