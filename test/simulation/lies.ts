export const families = ['evm', 'bitcoin', 'blockbook', 'core', 'tron', 'solana', 'monero'] as const
export type Family = (typeof families)[number]

export interface Lie {
  name: string
  families: readonly Family[]
  /** the lie in words, for a printed history */
  what: string
  /** the smallest and the largest value of `amount` */
  amount: readonly [number, number]
  /** the known fault that makes the current code fail; missing if the code handles the lie */
  fault?: string
  /** the families for which the fault is not fixed yet; missing for all families of the lie */
  openIn?: readonly Family[]
}

const all = families
/** Esplora and Blockbook, which list the payments of an address. */
const indexes: readonly Family[] = ['bitcoin', 'blockbook']
const evmLike: readonly Family[] = ['evm', 'tron']

const lie = (name: string, of: Lie['families'], what: string, amount: Lie['amount'] = [0, 0]): Lie => ({
  name,
  families: of,
  what,
  amount,
})

/** All lies of endpoints, and all disturbances of a chain by strangers. */
export const lies: readonly Lie[] = [
  // The code handles these lies, so a failure is a new fault.
  lie('throttle', all, 'answers 429', [1, 30]),
  lie('fail', all, 'answers 500'),
  lie('hang', all, 'does not answer in time'),
  lie('page', all, 'answers with an HTML page'),
  lie('truncate', all, 'cuts its answers short'),
  lie('lag', all, 'is some blocks behind', [1, 40]),
  lie('repeat', all, 'repeats what it reports'),
  lie('reorder', all, 'reports in reverse order'),
  lie('invent', all, 'invents a payment', [0, 60]),
  lie('lateIndex', [...indexes, 'solana'], 'lists payments late', [1, 5]),
  lie('lateLists', ['tron'], 'lists payments late', [1, 180]),
  lie('unknown', ['tron', 'solana', 'monero'], 'does not know transactions'),
  lie('unhealthy', ['solana', 'monero'], 'says that it is behind'),
  lie('missing', ['tron'], 'answers 404'),
  lie(
    'lostTip',
    all.filter(family => family !== 'solana'),
    'has no block at its own height',
    [1, 30],
  ),
  lie('ahead', ['evm', 'tron', 'monero'], 'invents blocks above the head', [1, 30]),
  lie('refuseLogs', evmLike, 'refuses to report logs'),
  lie('farTip', all, 'invents a far height', [1e6, 1e6]),
  lie('dust', all, 'a stranger pays tiny amounts', [1, 12]),
  lie('forge', ['evm', 'tron', 'solana'], 'forges a final payment'),

  // Enough transfers for one page of an index, or for several.
  lie('pagesFlood', ['tron'], 'a stranger sends zero', [150, 450]),

  // Faults with these lies were fixed. A known fault is added below, with its number.
  lie('omit', all, 'omits what it should report'),
  // Never chosen at random: if all endpoints use this lie, no payment is ever found.
  lie('blank', [], 'knows no transfer'),
  // Never chosen at random: another lie to choose from would change the history of every seed.
  lie('short', [], 'knows another, far shorter chain with a recent block'),
  // Never chosen at random: it ends the other lies.
  lie('honest', [], 'is honest from now on'),
  // Never chosen at random: only a second endpoint can detect this lie.
  lie('inflate', [], 'multiplies amounts'),
  lie('hide', indexes, 'leaves the greatest payment out of its lists'),
  lie('crowd', [...indexes, 'core'], 'strangers pay', [26, 60]),
  lie('splitLag', ['evm', 'tron', 'solana', 'monero'], 'has a backend that is behind', [3, 40]),
  lie('zeroFlood', ['evm'], 'a stranger sends zero', [10_500, 14_000]),
  lie('tokenFee', ['evm'], 'the buyer pays, and the token keeps this percentage without a log', [1, 30]),
  lie('farHead', evmLike, 'invents a far head', [0, 2]),
]

/** Disturbances by strangers on the chain itself, which do not depend on endpoints. */
export const onChain: ReadonlySet<string> = new Set(['dust', 'crowd', 'tokenFee', 'zeroFlood', 'pagesFlood'])

export const lieNamed = (name: string): Lie => {
  const found = lies.find(lie => lie.name === name)
  if (!found) throw new Error(`There is no lie ${name}. Use one of: ${lies.map(lie => lie.name).join(', ')}.`)
  return found
}

const isOpen = ({ fault, openIn = families }: Lie, family: Family): boolean =>
  fault !== undefined && openIn.includes(family)

/**
 * Returns the lies for a choice: "holding" (those that the code handles), "all", "none", or names separated
 * by commas.
 */
export function chooseLies(family: Family, choice: string): Lie[] {
  const own = lies.filter(lie => lie.families.includes(family))
  if (choice === 'all') return own
  if (choice === 'holding') return own.filter(lie => !isOpen(lie, family))
  if (choice === 'none') return []
  return choice
    .split(',')
    .map(lieNamed)
    .filter(lie => lie.families.includes(family))
}
