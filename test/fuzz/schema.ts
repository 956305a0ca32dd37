import type { Random } from '../http/random.ts'

/** The parts of a JSON schema that routes use. */
export interface Schema {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  patternProperties?: Record<string, Schema>
  items?: Schema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  format?: string
  pattern?: string
  examples?: unknown[]
  default?: unknown
}

/** Texts that a page must escape and a query must not execute, among ordinary ones. */
export const MARKER = '<fuzz-mark>'
const words = [
  ...['1', '25.00', 'USD', 'EUR', 'crypto', 'btc', 'House blend', 'sam@buyer.example', '2026-03-01', 'yes'],
  'on',
  ...[`"'>${MARKER}`, `${MARKER}&amp;`, 'Zoë ☕ 李', '\u202eabc', 'a\0b', "'; --"],
  'https://shop.example/a?b=c',
]
const ITEMS_MAX = 3
const LENGTH_MAX = 5000
const DEPTH_MAX = 8

function textOf({ format, minLength = 0, maxLength = LENGTH_MAX }: Schema, random: Random): string {
  if (format === 'uuid') return crypto.randomUUID()
  const limit = Math.min(maxLength, LENGTH_MAX)
  const turn = random.below(8)
  if (turn === 0) return 'é'.repeat(limit)
  if (turn === 1) return 'a'.repeat(minLength)
  return random.pick(words).slice(0, limit).padEnd(minLength, 'x')
}

const numberOf = ({ minimum = 0, maximum = 1e9 }: Schema, random: Random): number =>
  random.pick([minimum, maximum, Math.floor((minimum + maximum) / 2)])

function objectOf(schema: Schema, random: Random, depth: number): Record<string, unknown> {
  const { properties = {}, required = [], patternProperties } = schema
  const names = Object.keys(properties).filter(name => required.includes(name) || random.chance(0.5))
  const more = patternProperties && random.chance(0.5) ? [random.pick(words)] : []
  const [ofMore = {}] = Object.values(patternProperties ?? {})
  return Object.fromEntries([
    ...names.map(name => [name, valueFor(properties[name]!, random, depth + 1)]),
    ...more.map(name => [name, valueFor(ofMore, random, depth + 1)]),
  ])
}

/** A value within the types, lengths and ranges of a schema, often at a boundary. */
export function valueFor(schema: Schema, random: Random, depth = 0): unknown {
  const { anyOf, allOf, examples, items = {}, minItems = 0, maxItems = ITEMS_MAX } = schema
  if (depth > DEPTH_MAX) return null
  if ('const' in schema) return schema.const
  if (schema.enum) return random.pick(schema.enum)
  if (examples?.length && random.chance(0.6)) return structuredClone(random.pick(examples))
  if (anyOf?.length) return valueFor(random.pick(anyOf), random, depth + 1)
  if (allOf?.length) return Object.assign({}, ...allOf.map(part => valueFor(part, random, depth + 1)))
  switch (schema.type) {
    case 'string':
      return textOf(schema, random)
    case 'integer':
    case 'number':
      return numberOf(schema, random)
    case 'boolean':
      return random.chance(0.5)
    case 'array': {
      const length = random.pick([minItems, Math.max(minItems, Math.min(maxItems, ITEMS_MAX))])
      return Array.from({ length }, () => valueFor(items, random, depth + 1))
    }
    case 'object':
      return objectOf(schema, random, depth)
    default:
      return random.pick<unknown>([...words, 0, true, null, { a: [1] }])
  }
}
