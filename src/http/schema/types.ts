import { Kind, type TSchema, type TUnsafe, Type, TypeRegistry } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

interface TextRules {
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  description?: string
  examples?: string[]
  /** the name of the schema in the OpenAPI document */
  title?: string
  readOnly?: boolean
}

/**
 * A text as JSON Schema means it: lengths count characters, not UTF-16 units; and one that the database can
 * hold, which lone surrogates and NUL are not.
 */
export const Text = (rules: TextRules = {}): TUnsafe<string> =>
  ({ ...Type.Unsafe<string>({ type: 'string', ...rules }), [Kind]: 'Text' }) as TUnsafe<string>

const formats: Record<string, (text: string) => boolean> = {}

/** Teaches the validator a format of JSON Schema. */
export function defineFormat(name: string, isValid: (text: string) => boolean): void {
  formats[name] = isValid
}

const patterns = new Map<string, RegExp>()

function matches(pattern: string, text: string): boolean {
  const known = patterns.get(pattern) ?? new RegExp(pattern)
  patterns.set(pattern, known)
  return known.test(text)
}

/** The first rule that a value breaks, in words; null for a value that keeps all. The value is never told. */
export function brokenRule(rules: TextRules, value: unknown): string | null {
  if (typeof value !== 'string') return 'must be a text'
  if (!value.isWellFormed() || value.includes('\0')) return 'must be well-formed Unicode without NUL'
  // Counting is needed only where UTF-16 units and characters can differ in the answer.
  const length = value.length
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format } = rules
  if (length < minLength || (length > maxLength && [...value].length > maxLength)) {
    return `must have ${minLength} to ${maxLength} characters`
  }
  if (minLength > 1 && [...value].length < minLength) return `must have at least ${minLength} characters`
  if (pattern !== undefined && !matches(pattern, value)) return `must match ${pattern}`
  if (format !== undefined && !formats[format]?.(value)) return `must be a valid ${format}`
  return null
}

TypeRegistry.Set<TextRules & TSchema>('Text', (schema, value) => brokenRule(schema, value) === null)

interface CountRules {
  minimum: number
  maximum: number
  description?: string
  /** told by the document alone: what the operation takes where nothing is said */
  'x-default'?: number
}

/** A whole number of a query: digits as they come, without sign, places or exponent. Read it by `Number`. */
export const QueryCount = (rules: CountRules): TUnsafe<string> =>
  ({ ...Type.Unsafe<string>({ type: 'integer', ...rules }), [Kind]: 'QueryCount' }) as TUnsafe<string>

function brokenCount({ minimum, maximum }: CountRules, value: unknown): string | null {
  const isCount = typeof value === 'string' && /^[0-9]{1,9}$/.test(value)
  if (isCount && minimum <= Number(value) && Number(value) <= maximum) return null
  return `must be a whole number from ${minimum} to ${maximum}`
}

TypeRegistry.Set<CountRules & TSchema>('QueryCount', (schema, value) => brokenCount(schema, value) === null)

/** Yes or no of a query, as text: "true" or "false". */
export const QueryFlag = (
  rules: { description?: string; 'x-default'?: boolean } = {},
): TUnsafe<'true' | 'false'> =>
  ({ ...Type.Unsafe({ type: 'boolean', ...rules }), [Kind]: 'QueryFlag' }) as TUnsafe<'true' | 'false'>

const isFlag = (value: unknown): boolean => value === 'true' || value === 'false'

TypeRegistry.Set('QueryFlag', (_, value) => isFlag(value))

/** Where a value breaks a shape: the path of each member that does. */
export const faultyPaths = (shape: TSchema, value: unknown): string[] =>
  [...Value.Errors(shape, value)].map(({ path }) => path)

/** The rule that a value breaks, in words; undefined for what the validator says well itself. */
export function ruleOf(schema: TSchema, value: unknown): string | undefined {
  if (schema[Kind] === 'QueryCount') return brokenCount(schema as unknown as CountRules, value) ?? undefined
  if (schema[Kind] === 'QueryFlag') return 'must be true or false'
  if (schema[Kind] !== 'Text') return undefined
  return value === undefined ? 'is required' : (brokenRule(schema, value) ?? undefined)
}

/** An object that takes no other members than these. */
export const Closed = <T extends Parameters<typeof Type.Object>[0]>(members: T, options: object = {}) =>
  Type.Object(members, { ...options, additionalProperties: false })

export const Optional = Type.Optional
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
export const OneOf = <const T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>(Type.Union(values.map(value => Type.Literal(value))))
