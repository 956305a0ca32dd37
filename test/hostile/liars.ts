import { type Family, families, lies, onChain } from '../simulation/lies.ts'
import { type Distortion, replacedEachSecond } from './driven-chain.ts'
import { type Spoil, spoils } from './wire.ts'

/** A way in which an endpoint misbehaves for a while. */
export interface Liar {
  name: string
  families: readonly Family[]
  /** the behaviour of the endpoint, in the words of a report */
  what: string
  /** the lie of the fault simulation, in the protocol of the endpoint */
  lie?: { name: string; amount: number }
  /** the changes that the endpoint makes to the chain that it reports */
  distortion?: Distortion
  /** the changes that the endpoint makes to its answers on their way */
  spoil?: Spoil
  /** alternates between an honest endpoint and one that knows no transfer */
  isDivided?: true
  /**
   * whether a client of this endpoint alone can detect that it cannot read the chain, and so must report it.
   * False but well-formed answers cannot be detected.
   */
  isApparent: boolean
  /** true if the endpoint makes small orders look paid, for which one endpoint is enough */
  isForger?: true
}

const wire = (name: keyof typeof spoils, what: string, change: Partial<Liar> = {}): Liar => ({
  name,
  families,
  what,
  spoil: spoils[name],
  isApparent: true,
  ...change,
})

const distorted = (name: string, what: string, distortion: Distortion, change: Partial<Liar> = {}): Liar => ({
  name,
  families,
  what,
  distortion,
  isApparent: false,
  ...change,
})

/** Lies of the fault simulation after which a client cannot mistake what it gets for an answer. */
const apparent: ReadonlySet<string> = new Set([
  ...['throttle', 'fail', 'page', 'truncate', 'missing', 'unhealthy'],
])
/**
 * Lies of the fault simulation that have another definition here: there, a silent endpoint throws an error;
 * here, a server never answers, and a blank endpoint reports an empty chain.
 */
const replaced: ReadonlySet<string> = new Set(['hang', 'blank'])
/** Lies for which the largest amount is not the most interesting one. */
const amounts: Record<string, number> = { throttle: 2, invent: 0 }
const MORE = 1000n
const at = (change: (amount: bigint) => bigint): Distortion => ({
  transfer: one => ({ ...one, amount: change(one.amount), credited: change(one.credited ?? one.amount) }),
})

const ofSimulation: Liar[] = lies
  .filter(({ name }) => !onChain.has(name) && !replaced.has(name))
  .map(({ name, families: of, what, amount: [, most] }) => ({
    name,
    families: of,
    what,
    lie: { name, amount: amounts[name] ?? most },
    isApparent: apparent.has(name),
    ...(name === 'forge' && { isForger: true as const }),
  }))

/** All ways in which an endpoint can misbehave in these tests. */
export const liars: readonly Liar[] = [
  wire('silent', 'takes requests and never answers'),
  wire('drip', 'sends two bytes a second'),
  wire('slow', 'takes four seconds for each answer', { isApparent: false }),
  wire('redirect', 'redirects each request to another URL'),
  wire('endless', 'sends half a gigabyte'),
  wire('inflate', 'sends half a gigabyte in half a megabyte'),
  wire('break', 'breaks the connection in the middle of each answer'),
  wire('deep', 'sends a million open brackets'),
  wire('empty', 'sends empty bodies'),
  wire('mistype', 'sends values of other types'),
  wire('otherChain', 'is of another chain'),
  ...ofSimulation,
  distorted('blank', 'knows no transfer', { transfer: () => null }),
  distorted(
    'less',
    'reports a thousandth of each amount',
    at(amount => amount / MORE),
  ),
  distorted(
    'more',
    'reports a thousand times each amount',
    at(amount => amount * MORE),
    { isForger: true },
  ),
  distorted('reorganise', 'replaces its newest blocks every second', { hash: replacedEachSecond }),
  {
    name: 'divided',
    families,
    what: 'knows transfers in every second answer',
    isDivided: true,
    isApparent: false,
  },
]

export const HONEST = 'honest'

export const liarsOf = (family: Family): Liar[] => liars.filter(liar => liar.families.includes(family))

/** The misbehavior with this name; null for an honest endpoint. */
export function liarNamed(family: Family, name: string): Liar | null {
  if (name === HONEST) return null
  const found = liarsOf(family).find(liar => liar.name === name)
  if (found) return found
  const names = [HONEST, ...liarsOf(family).map(liar => liar.name)]
  throw new Error(`No endpoint of ${family} lies like "${name}". Use one of: ${names.join(', ')}.`)
}
