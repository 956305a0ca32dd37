import { onlyCode } from '../support/code-words.ts'

/** One small fault that can be put into a file: the text between two positions is replaced. */
export interface Mutant {
  file: string
  line: number
  from: number
  to: number
  replacement: string
  /** the fault in words, if a person wrote the mutant */
  fault?: string
}

type Change = Omit<Mutant, 'file' | 'line'>
/** Finds changes of one kind. `code` is the source without comments, texts and regular expressions. */
type Mutator = (code: string, source: string) => Change[]

/** Every mutant of a file, in the order of their positions. Relies on the code style that Biome enforces. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const code = onlyCode(source)
  const types = typesOf(code)
  return mutators
    .flatMap(mutator => mutator(code, source))
    .filter(change => !types.some(([from, to]) => change.from >= from && change.from < to))
    .sort((one, other) => one.from - other.from || one.to - other.to)
    .map(change => ({ file, line: source.slice(0, change.from).split('\n').length, ...change }))
}

/** Finds declarations of types: tests cannot see a change there. */
const TYPE = /^(?:export )?(?:interface \w[^{]*\{|type \w[\s\S]*?\n(?=[^\s})\]]|$))/gm
const typesOf = (code: string): [from: number, to: number][] =>
  [...code.matchAll(TYPE)].map(({ 0: text, index }) => {
    const end = index + text.length
    return [index, text.endsWith('{') ? closing(code, end - 1) : end]
  })

export function mutated(source: string, { from, to, replacement }: Change): string {
  const changed = source.slice(0, from) + replacement + source.slice(to)
  return [...replacement.matchAll(/(?<![.\w$])(?:eq|ne|[gl]te?|isNull|isNotNull|asc|desc)(?=\()/g)].reduce(
    (text, [name]) => withImport(text, name),
    changed,
  )
}

/** Adds the import of a drizzle function that a mutant calls: a missing name would fail any test. */
const withImport = (source: string, name: string): string =>
  new RegExp(`^import \\{[^}]*\\b${name}\\b`, 'm').test(source)
    ? source
    : source.replace(/^import \{(?=[^}]*\} from 'drizzle-orm')/m, `import { ${name},`)

/** Describes a mutant for people: the code before and after. */
export function describeMutant(source: string, { line, from, to, replacement, fault }: Mutant): string {
  if (fault !== undefined) return `${line}: ${fault}`
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
  'Math.ceil(': ['Math.floor('],
  'Math.floor(': ['Math.ceil('],
  'Math.round(': ['Math.floor('],
  'eq(': ['ne('],
  'ne(': ['eq('],
  'gt(': ['gte('],
  'gte(': ['gt('],
  'lt(': ['lte('],
  'lte(': ['lt('],
  'isNull(': ['isNotNull('],
  'isNotNull(': ['isNull('],
  'asc(': ['desc('],
  'desc(': ['asc('],
  ' = ': [' <> '],
  ' AND ': [' OR '],
  ' OR ': [' AND '],
  ' IS NULL': [' IS NOT NULL'],
  ' IS NOT NULL': [' IS NULL'],
}

const swapped =
  (pattern: RegExp): Mutator =>
  (code, source) =>
    [...code.matchAll(pattern)].flatMap(({ 0: text, index: from }) => {
      // A space in the code may be the end of a string that precedes the operator.
      const isApart = code[from - 1] === source[from - 1]
      const replacements = isApart ? (swaps[text] ?? []) : []
      return replacements.map(replacement => ({ from, to: from + text.length, replacement }))
    })

/** Operators have spaces around them, unlike type arguments and unions of types. */
const OPERATOR = /(?<=(?<!\b(?:import|export|type)) )(?:[!=]==|[<>]=?|&&|\|\||[+-]=?|[*/%])(?=\s)/g
const WORD = /(?<![.\w$])(?:true|false)\b|\.(?:some|every)\(|\bMath\.(?:min|max|ceil|floor|round)\(/g
/** Functions of drizzle that compare or sort. */
const CONDITION = /(?<![.\w$])(?:eq|ne|[gl]te?|isNull|isNotNull|asc|desc)\(/g

/** Numbers below this become one more and one less. Larger numbers double, since few limits are exact. */
const LARGE = 100
const NUMBER = /(?<![\w.$-])(\d[\d_]*(?:\.\d+)?)(n?)(?![\w.])/g
const numbers: Mutator = code =>
  [...code.matchAll(NUMBER)].flatMap(({ 0: text, 1: digits = '', 2: suffix, index: from }) => {
    const value = Number(digits.replaceAll('_', ''))
    const isSmall = Number.isInteger(value) && value < LARGE
    const others = isSmall ? [value + 1, ...(value > 0 ? [value - 1] : [])] : [value * 2]
    return others.map(other => ({ from, to: from + text.length, replacement: `${other}${suffix}` }))
  })

/** Matches a negation, which a mutant leaves out. */
const NEGATION = /(?<=[\s(])!(?=[\w(])/g
const negations: Mutator = code =>
  [...code.matchAll(NEGATION)].map(({ index: from }) => ({ from, to: from + 1, replacement: '' }))

/** Finds operands and conditions whose names say that they are booleans, to negate them. */
const TRUTH = /(?<![\w.$!])(?:\w+\??\.)*(?:is|has|may|can|was|are|keeps|counts|covers|holds)[A-Z]\w*/g
const truths: Mutator = code =>
  [...code.matchAll(TRUTH)].flatMap(({ 0: name, index: from }) => {
    const end = from + name.length
    const to = code[end] === '(' ? closing(code, end) : end
    return /^\s(?:\?|&&|\|\|)\s/.test(code.slice(to)) ? [{ from, to: from, replacement: '!' }] : []
  })

/** Makes a condition always true, and always false. */
const conditions: Mutator = code =>
  [...code.matchAll(/\bif \(/g)].flatMap(({ 0: text, index }) => {
    const from = index + text.length
    const to = closing(code, from - 1) - 1
    return ['true', 'false'].map(replacement => ({ from, to, replacement }))
  })

/** SQL operators in template strings. SQL words are in capitals, so comments have none of them. */
const SQL_OPERATOR = / (?:<=?|>=?|=|AND|OR)(?= )| IS (?:NOT )?NULL\b/g
const COMMENT = /^\s*(?:\/\/|\/?\*)/
const queries: Mutator = (code, source) =>
  [...source.matchAll(SQL_OPERATOR)].flatMap(({ 0: text, index: from }) => {
    const to = from + text.length
    const line = source.slice(source.lastIndexOf('\n', from) + 1, from)
    const isText = code.slice(from, to).trim() === '' && !COMMENT.test(line) && !line.includes(' // ')
    if (!isText || !/\bsql\b/.test(source)) return []
    const [word, spaced] = [text.trimStart(), `${text} `]
    const others = swaps[text] ?? swaps[spaced]?.map(other => other.trimEnd())
    const replacements = others ?? (swaps[word] ?? []).map(other => ` ${other}`)
    return replacements.map(replacement => ({ from, to, replacement }))
  })

/** Leaves out one of the conditions of a query. */
const allOf: Mutator = code =>
  [...code.matchAll(/(?<![.\w$])(?:and|or)\(/g)].flatMap(({ 0: text, index }) => {
    const operands = argumentsAt(code, index + text.length)
    return operands.length < 2 ? [] : operands.map(([from, to]) => ({ from, to, replacement: 'undefined' }))
  })

/** Divides without rounding up. */
const roundings: Mutator = (code, source) =>
  [...code.matchAll(/(?<![.\w$]|function )ceilDiv\(/g)].map(({ 0: text, index: from }) => {
    const [dividend, divisor] = argumentsAt(code, from + text.length).map(([a, b]) => source.slice(a, b))
    const to = closing(code, from + text.length - 1)
    return { from, to, replacement: `((${dividend}) / (${divisor}))` }
  })

/** Leaves out a step of a chain of calls. */
const STEP = /\.(?:filter|slice|toSorted|sort|toReversed|reverse|where|limit|orderBy)\(/g
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

/** The end of a statement: before the next line that is indented no more and continues nothing. */
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

/** The positions of a call's arguments. `start` is the position after its opening bracket. */
function argumentsAt(code: string, start: number): [from: number, to: number][] {
  const end = closing(code, start - 1) - 1
  const found: [number, number][] = []
  for (let from = start; from < end; ) {
    let to = from
    while (to < end && code[to] !== ',') to = '([{'.includes(code[to]!) ? closing(code, to) : to + 1
    const blank = code.slice(from, to).search(/\S/)
    if (blank >= 0) found.push([from + blank, from + code.slice(from, to).trimEnd().length])
    from = to + 1
  }
  return found
}

const mutators: Mutator[] = [
  swapped(OPERATOR),
  swapped(WORD),
  swapped(CONDITION),
  queries,
  allOf,
  roundings,
  numbers,
  negations,
  truths,
  conditions,
  steps,
  lists,
  statements,
]
