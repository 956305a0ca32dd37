export const families = ['evm', 'bitcoin', 'blockbook', 'core', 'tron', 'solana', 'monero'] as const
export type Family = (typeof families)[number]

export interface Lie {
  name: string
  families: readonly Family[]
  /** as it is printed in a history */
  what: string
  /** the fault of the networks audit that the present code fails by; null for a lie that it withstands */
  fault: string | null
  /** the families where the fault is still open; all of the lie's where it is left out */
  openIn?: readonly Family[]
  /** what `amount` can be; both ends included */
  amount: readonly [number, number]
}

const all = families
/** Esplora and Blockbook, which list the payments of an address. */
const indexes: readonly Family[] = ['bitcoin', 'blockbook']
const evmLike: readonly Family[] = ['evm', 'tron']

/** Every way in which an endpoint can misbehave, or a stranger can disturb a chain. The one place to look. */
export const lies: readonly Lie[] = [
  // Withstood today. One that fails is a new fault.
  { name: 'throttle', families: all, what: 'answers 429', fault: null, amount: [1, 30] },
  { name: 'fail', families: all, what: 'answers 500', fault: null, amount: [0, 0] },
  { name: 'hang', families: all, what: 'does not answer in time', fault: null, amount: [0, 0] },
  { name: 'page', families: all, what: 'answers with an HTML page', fault: null, amount: [0, 0] },
  { name: 'truncate', families: all, what: 'cuts its answers short', fault: null, amount: [0, 0] },
  { name: 'lag', families: all, what: 'is some blocks behind', fault: null, amount: [1, 40] },
  { name: 'repeat', families: all, what: 'repeats what it reports', fault: null, amount: [0, 0] },
  { name: 'reorder', families: all, what: 'reports in reverse order', fault: null, amount: [0, 0] },
  {
    name: 'invent',
    families: all,
    what: 'invents a payment',
    fault: null,
    amount: [0, 60],
  },
  {
    name: 'lateIndex',
    families: [...indexes, 'solana'],
    what: 'lists payments late',
    fault: null,
    amount: [1, 5],
  },
  { name: 'lateLists', families: ['tron'], what: 'lists payments late', fault: null, amount: [1, 180] },
  {
    name: 'unknown',
    families: ['tron', 'solana', 'monero'],
    what: 'does not know transactions',
    fault: null,
    amount: [0, 0],
  },
  {
    name: 'unhealthy',
    families: ['solana', 'monero'],
    what: 'says that it is behind',
    fault: null,
    amount: [0, 0],
  },
  { name: 'missing', families: ['tron'], what: 'answers 404', fault: null, amount: [0, 0] },
  {
    name: 'lostTip',
    families: all.filter(family => family !== 'solana'),
    what: 'has no block at its own height',
    fault: null,
    amount: [1, 30],
  },
  {
    name: 'ahead',
    families: ['evm', 'tron', 'monero'],
    what: 'invents blocks above the head',
    fault: null,
    amount: [1, 30],
  },
  {
    name: 'refuseLogs',
    families: evmLike,
    what: 'refuses to report logs',
    fault: null,
    amount: [0, 0],
  },
  {
    name: 'farTip',
    families: all,
    what: 'invents a far height',
    fault: null,
    amount: [1e6, 1e6],
  },
  { name: 'dust', families: all, what: 'a stranger pays tiny amounts', fault: null, amount: [1, 12] },
  {
    name: 'forge',
    families: ['evm', 'tron', 'solana'],
    what: 'forges a final payment',
    fault: null,
    amount: [0, 0],
  },

  // One page of an index, and several.
  {
    name: 'pagesFlood',
    families: ['tron'],
    what: 'a stranger sends zero',
    fault: null,
    amount: [150, 450],
  },

  // Repaired. A known fault is added below, with its number.
  {
    name: 'omit',
    families: all,
    what: 'omits what it should report',
    fault: null,
    amount: [0, 0],
  },
  // Told without end, and not by chance: whoever knows an address only by such an endpoint never finds a payment.
  { name: 'blank', families: [], what: 'knows no transfer', fault: null, amount: [0, 0] },
  {
    name: 'hide',
    families: indexes,
    what: 'leaves the greatest payment out of its lists',
    fault: null,
    amount: [0, 0],
  },
  { name: 'crowd', families: [...indexes, 'core'], what: 'strangers pay', fault: null, amount: [26, 60] },
  {
    name: 'splitLag',
    families: ['evm', 'tron', 'solana', 'monero'],
    what: 'has a backend that is behind',
    fault: null,
    amount: [3, 40],
  },
  {
    name: 'zeroFlood',
    families: ['evm'],
    what: 'a stranger sends zero',
    fault: null,
    amount: [10_500, 14_000],
  },
  {
    name: 'tokenFee',
    families: ['evm'],
    what: 'the buyer pays, and the token keeps this percentage without a log',
    fault: null,
    amount: [1, 30],
  },
  {
    name: 'farHead',
    families: evmLike,
    what: 'invents a far head',
    fault: null,
    amount: [0, 2],
  },
]

/** Those that a stranger causes on the chain itself, whatever the endpoints do. */
export const onChain: ReadonlySet<string> = new Set(['dust', 'crowd', 'tokenFee', 'zeroFlood', 'pagesFlood'])

export const lieNamed = (name: string): Lie => {
  const found = lies.find(lie => lie.name === name)
  if (!found) throw new Error(`There is no lie ${name}. Use one of: ${lies.map(lie => lie.name).join(', ')}.`)
  return found
}

const isOpen = ({ fault, openIn = families }: Lie, family: Family): boolean =>
  fault !== null && openIn.includes(family)

/** "holding", "all", "none", or names separated by commas. */
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
