import { type Family, type Lie, lieNamed, onChain } from './lies.ts'
import { type Random, seededRandom } from './random.ts'
import { tronInterfaces } from './tron-front.ts'

export interface Setup {
  family: Family
  seed: number
  endpoints: number
  /** number of blocks from the newest finalized block of an EVM chain to its head */
  finalityLag: number
  /** payments of orders above this many dollars must be confirmed by two endpoints; null for never */
  quorumAbove: number | null
  /** true if addresses come from the merchant's account or pool, and not from the payout wallet */
  hasAccount: boolean
  /** the interfaces of each endpoint, if the endpoints of the chain differ */
  interfaces: readonly string[]
}

/** A step of a history. A step about an order that was not opened does nothing. */
export type Step =
  | { do: 'open'; order: number; asset: number }
  | { do: 'pay'; order: number; percent: number; asset: number }
  | { do: 'wait'; minutes: number }
  | { do: 'visit'; order: number }
  /** by now, the server must have found a payment for the order */
  | { do: 'expect'; order: number }
  | { do: 'sweep'; order: number }
  | { do: 'reorganise'; depth: number; loses?: boolean }
  | { do: 'restart' }
  /** sets the server's clock forward, or back */
  | { do: 'clock'; minutes: number }
  | { do: 'lie'; endpoint: number; lie: string; times: number; amount: number }
  | { do: 'disturb'; order: number; lie: string; amount: number }

export interface History {
  setup: Setup
  steps: Step[]
}

/** Families whose addresses always come from an account or a pool of the merchant. */
const alwaysAccount: ReadonlySet<Family> = new Set(['bitcoin', 'blockbook', 'core', 'tron', 'monero'])
const percents = [100, 100, 100, 50, 50, 60, 99, 120, 3] as const

/**
 * The kinds of servers for chains like Bitcoin. A family is named after the kind of its first endpoint; the
 * others can be of any kind.
 */
const bitcoinServers = ['esplora', 'blockbook', 'core'] as const

function interfacesOf(family: Family, random: Random): string[] {
  if (family === 'tron') return [1, 2, 3].map(() => random.pick(tronInterfaces))
  if (family !== 'blockbook' && family !== 'core') return []
  return [family, random.pick(bitcoinServers), random.pick(bitcoinServers)]
}

export function makeHistory(family: Family, seed: number, lies: readonly Lie[]): History {
  const random = seededRandom(seed)
  const endpoints = random.between(1, 3)
  const quorumAbove = endpoints > 1 && random.chance(0.4) ? 10 : null
  const setup: Setup = {
    family,
    seed,
    endpoints,
    finalityLag: random.pick([3, 5, 12, 40]),
    quorumAbove,
    hasAccount: alwaysAccount.has(family) || random.chance(family === 'solana' ? 0.6 : 0.3),
    interfaces: interfacesOf(family, random),
  }
  // If one endpoint is enough, it is trusted and can forge payments, as the documentation says. Such lies are
  // left out.
  const usable = lies.filter(({ name }) => name !== 'forge' || quorumAbove !== null)
  const steps: Step[] = [{ do: 'open', order: 1, asset: random.int(3) }]
  let opened = 1
  const count = random.between(6, 24)
  while (steps.length < count) {
    if (random.chance(0.15) && opened < 5) {
      opened += 1
      steps.push({ do: 'open', order: opened, asset: random.int(3) })
    } else steps.push(anyStep(random, setup, usable, opened))
  }
  return { setup, steps }
}

function anyStep(random: Random, setup: Setup, lies: readonly Lie[], opened: number): Step {
  const order = random.between(1, opened)
  const roll = random.int(100)
  if (roll < 22) return { do: 'pay', order, percent: random.pick(percents), asset: random.int(8) }
  if (roll < 52) return { do: 'wait', minutes: random.pick([1, 1, 2, 5, 12, 31, 70]) }
  if (roll < 64) return { do: 'visit', order }
  if (roll < 68) return { do: 'sweep', order }
  if (roll < 73) return { do: 'reorganise', depth: random.between(1, setup.finalityLag) }
  if (roll < 77) return { do: 'restart' }
  if (lies.length === 0) return { do: 'visit', order }
  const { name, amount: range } = random.pick(lies)
  const amount = random.between(...range)
  if (onChain.has(name)) return { do: 'disturb', order, lie: name, amount }
  const endpoint = name === 'forge' ? 0 : random.int(setup.endpoints)
  return { do: 'lie', endpoint, lie: name, times: random.pick([1, 1, 2, 3, 8]), amount }
}

export function describeStep(step: Step): string {
  switch (step.do) {
    case 'open':
      return `A buyer opens order ${step.order} in asset ${step.asset}.`
    case 'pay':
      return `The buyer of order ${step.order} pays ${step.percent} % in asset ${step.asset}.`
    case 'wait':
      return `${step.minutes} min pass.`
    case 'visit':
      return `The page of order ${step.order} checks its payment.`
    case 'expect':
      return `A payment of order ${step.order} is known by now.`
    case 'sweep':
      return `The merchant sweeps the address of order ${step.order}.`
    case 'reorganise':
      return `The chain replaces its newest blocks: ${step.depth}${step.loses ? ', and loses their transfers' : ''}.`
    case 'restart':
      return 'The server restarts.'
    case 'clock':
      return `The server's clock is set by ${step.minutes} min.`
    case 'lie': {
      const { what } = lieNamed(step.lie)
      return `Endpoint ${step.endpoint} ${what} (${step.lie} ${step.amount}), ${step.times} times.`
    }
    case 'disturb':
      return `To the address of order ${step.order}, ${lieNamed(step.lie).what} (${step.amount} times).`
  }
}

export const printHistory = ({ setup, steps }: History): string =>
  [
    Object.entries(setup)
      .map(([name, value]) => `${name} ${value}`)
      .join(', '),
    ...steps.map((step, index) => `${`${index + 1}`.padStart(3)}. ${describeStep(step)}`),
  ].join('\n')
