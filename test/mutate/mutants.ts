import { onlyCode } from '../support/code-words.ts'

/** One small fault that can be put into a file: the text between two positions is replaced. */
export interface Mutant {
  file: string
  line: number
  from: number
  to: number
  replacement: string
}

type Change = Omit<Mutant, 'file' | 'line'>
/** Finds changes of one kind in code that has spaces where the source has comments, texts and regular expressions. */
type Mutator = (code: string) => Change[]

/** Every mutant of a file, in the order of their positions. Relies on the code style that Biome enforces. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const code = onlyCode(source)
  return mutators
    .flatMap(mutator => mutator(code))
    .sort((one, other) => one.from - other.from || one.to - other.to)
    .map(change => ({ file, line: source.slice(0, change.from).split('\n').length, ...change }))
}

export const mutated = (source: string, { from, to, replacement }: Change): string =>
  source.slice(0, from) + replacement + source.slice(to)

/** What a mutant changes, for people: the code before and after. */
export function describeMutant(source: string, { line, from, to, replacement }: Mutant): string {
  const start = source.lastIndexOf('\n', from - 1) + 1
  const end = source.indexOf('\n', to)
  const shown = (text: string): string => text.replace(/\s+/g, ' ').trim()
  const after = source.slice(start, from) + replacement + source.slice(to, end)
  return `${line}: ${shown(source.slice(start, end))}  →  ${shown(after) || '(nothing)'}`
}

const swaps: Record<string, string[]> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '&&': ['||'],
  '||': ['&&'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '+=': ['-='],
  '-=': ['+='],
  true: ['false'],
  false: ['true'],
  '.some(': ['.every('],
  '.every(': ['.some('],
  'Math.min(': ['Math.max('],
  'Math.max(': ['Math.min('],
}

const swapped =
  (pattern: RegExp): Mutator =>
  code =>
    [...code.matchAll(pattern)].flatMap(({ 0: text, index: from }) =>
      (swaps[text] ?? []).map(replacement => ({ from, to: from + text.length, replacement })),
    )

/** Operators stand between spaces, which neither type arguments nor unions of types do. */
const OPERATOR = /(?<=(?<!\b(?:import|export|type)) )(?:[!=]==|[<>]=?|&&|\|\||[+-]=?|[*/%])(?=\s)/g
const WORD = /(?<![.\w$])(?:true|false)\b|\.(?:some|every)\(|\bMath\.(?:min|max)\(/g

/** Numbers below this become one more and one less. Larger ones double, since few limits are exact. */
const LARGE = 100
const NUMBER = /(?<![\w.$-])(\d[\d_]*(?:\.\d+)?)(n?)(?![\w.])/g
const numbers: Mutator = code =>
  [...code.matchAll(NUMBER)].flatMap(({ 0: text, 1: digits = '', 2: suffix, index: from }) => {
    const value = Number(digits.replaceAll('_', ''))
    const isSmall = Number.isInteger(value) && value < LARGE
    const others = isSmall ? [value + 1, ...(value > 0 ? [value - 1] : [])] : [value * 2]
    return others.map(other => ({ from, to: from + text.length, replacement: `${other}${suffix}` }))
  })

/** Removes a negation. */
const NEGATION = /(?<=[\s(])!(?=[\w(])/g
const negations: Mutator = code =>
  [...code.matchAll(NEGATION)].map(({ index: from }) => ({ from, to: from + 1, replacement: '' }))

/** Negates what has the name of a truth, as an operand or a condition. */
const TRUTH = /(?<![\w.$!])(?:\w+\??\.)*(?:is|has|may|can|was|are|keeps|counts|covers|holds)[A-Z]\w*/g
const truths: Mutator = code =>
  [...code.matchAll(TRUTH)].flatMap(({ 0: name, index: from }) => {
    const end = from + name.length
    const to = code[end] === '(' ? closing(code, end) : end
    return /^\s(?:\?|&&|\|\|)\s/.test(code.slice(to)) ? [{ from, to: from, replacement: '!' }] : []
  })

/** A condition that always holds, and one that never does. */
const conditions: Mutator = code =>
  [...code.matchAll(/\bif \(/g)].flatMap(({ 0: text, index }) => {
    const from = index + text.length
    const to = closing(code, from - 1) - 1
    return ['true', 'false'].map(replacement => ({ from, to, replacement }))
  })

/** Leaves out a step of a chain of calls. */
const STEP = /\.(?:filter|slice|toSorted|sort|toReversed|reverse)\(/g
const steps: Mutator = code =>
  [...code.matchAll(STEP)].map(({ 0: text, index: from }) => ({
    from,
    to: closing(code, from + text.length - 1),
    replacement: '',
  }))

/** Returns an empty list. */
const lists: Mutator = code =>
  [...code.matchAll(/(?:\breturn|=>) \[(?!\])/g)].map(({ 0: text, index }) => {
    const from = index + text.length
    return { from, to: closing(code, from - 1) - 1, replacement: '' }
  })

/** Leaves out a statement that does something. */
const STATEMENT = /(?<=\n) +(?:(?:await|throw|delete|yield) )?(?:[\w$#]+[.!?]*)+(?:\(| [-+*|&?]*= |\+\+|--)/g
const CONTINUES = /(?:[=>([,:?+*/&|<-]|\b(?:return|case|await|new|of|in))$/
const statements: Mutator = code =>
  [...code.matchAll(STATEMENT)].flatMap(({ 0: text, index }) => {
    const indent = text.search(/\S/)
    const from = index + indent
    const isPartOfMore = CONTINUES.test(code.slice(0, index).trimEnd())
    if (isPartOfMore || /^\s*(?:if|for|while|switch|return|constructor|super)\b/.test(text)) return []
    const to = statementEnd(code, from, indent)
    return code[to - 1] === ',' ? [] : [{ from, to, replacement: ';' }]
  })

/** Where a statement ends: before the next line that is indented as little and opens with no bracket or operator. */
function statementEnd(code: string, from: number, indent: number): number {
  const rest = code.slice(from)
  const next = new RegExp(
    `\\n(?:\\s*\\n)* {0,${indent}}(?![\\s.?:)\\]}&|]|\\}[,);.])|\\n {0,${indent - 1}}\\S|$`,
  )
  const end = rest.search(next)
  return from + rest.slice(0, end).trimEnd().length
}

/** The position behind the bracket that closes the one at `open`. */
function closing(code: string, open: number): number {
  let depth = 0
  for (let at = open; at < code.length; at++) {
    if ('([{'.includes(code[at]!)) depth++
    else if (')]}'.includes(code[at]!) && --depth === 0) return at + 1
  }
  return code.length
}

const mutators: Mutator[] = [
  swapped(OPERATOR),
  swapped(WORD),
  numbers,
  negations,
  truths,
  conditions,
  steps,
  lists,
  statements,
]
