export const families = ['evm', 'bitcoin'] as const
export type Family = (typeof families)[number]

export interface Lie {
  name: string
  families: readonly Family[]
  /** as it is printed in a history */
  what: string
  /** the fault of the networks audit that the present code fails by; null for a lie that it withstands */
  fault: string | null
  /** what `amount` can be; both ends included */
  amount: readonly [number, number]
}

const both = families

/** Every way in which an endpoint can misbehave, or a stranger can disturb a chain. The one place to look. */
export const lies: readonly Lie[] = [
  // Withstood today. One that fails is a new fault.
  { name: 'throttle', families: both, what: 'answers 429', fault: null, amount: [1, 30] },
  { name: 'fail', families: both, what: 'answers 500', fault: null, amount: [0, 0] },
  { name: 'hang', families: both, what: 'does not answer in time', fault: null, amount: [0, 0] },
  { name: 'page', families: both, what: 'answers with an HTML page', fault: null, amount: [0, 0] },
  { name: 'truncate', families: both, what: 'cuts its answers short', fault: null, amount: [0, 0] },
  { name: 'lag', families: both, what: 'is some blocks behind', fault: null, amount: [1, 40] },
  { name: 'repeat', families: both, what: 'repeats what it reports', fault: null, amount: [0, 0] },
  { name: 'reorder', families: both, what: 'reports in reverse order', fault: null, amount: [0, 0] },
  { name: 'invent', families: both, what: 'invents a payment', fault: null, amount: [0, 60] },
  { name: 'lateIndex', families: ['bitcoin'], what: 'lists payments late', fault: null, amount: [1, 5] },
  { name: 'farTip', families: ['bitcoin'], what: 'invents a far height', fault: null, amount: [1e6, 1e6] },
  { name: 'lostTip', families: both, what: 'has no block at its own height', fault: null, amount: [1, 30] },
  { name: 'ahead', families: ['evm'], what: 'invents blocks above the head', fault: null, amount: [1, 30] },
  { name: 'refuseLogs', families: ['evm'], what: 'refuses to report logs', fault: null, amount: [0, 0] },
  { name: 'dust', families: both, what: 'a stranger pays tiny amounts', fault: null, amount: [1, 12] },
  { name: 'forge', families: ['evm'], what: 'forges a final payment', fault: null, amount: [0, 0] },

  { name: 'omitList', families: ['bitcoin'], what: 'lists nothing', fault: null, amount: [0, 0] },

  // Known faults. Move one up when it is fixed.
  { name: 'omit', families: ['evm'], what: 'omits what it should report', fault: '3', amount: [0, 0] },
  { name: 'splitLag', families: ['evm'], what: 'has a backend that is behind', fault: '3', amount: [3, 40] },
  {
    name: 'zeroFlood',
    families: ['evm'],
    what: 'a stranger sends zero',
    fault: '5',
    amount: [10_500, 14_000],
  },
  { name: 'farHead', families: ['evm'], what: 'invents a far head', fault: '7', amount: [0, 2] },
]

/** Those that a stranger causes on the chain itself, whatever the endpoints do. */
export const onChain: ReadonlySet<string> = new Set(['dust', 'zeroFlood'])

export const lieNamed = (name: string): Lie => {
  const found = lies.find(lie => lie.name === name)
  if (!found) throw new Error(`There is no lie ${name}. Use one of: ${lies.map(lie => lie.name).join(', ')}.`)
  return found
}

/** "holding", "all", "none", or names separated by commas. */
export function chooseLies(family: Family, choice: string): Lie[] {
  const own = lies.filter(lie => lie.families.includes(family))
  if (choice === 'all') return own
  if (choice === 'holding') return own.filter(({ fault }) => fault === null)
  if (choice === 'none') return []
  return choice
    .split(',')
    .map(lieNamed)
    .filter(lie => lie.families.includes(family))
}
