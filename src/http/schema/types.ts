import { Kind, type TOptional, type TSchema, type TUnsafe, Type, TypeRegistry } from '@sinclair/typebox'

/**
 * Keywords of a schema that only the OpenAPI document has, because operations check these rules, with their
 * own sentences. In the document, `anyOf` of an object replaces its fields.
 */
export const DOCUMENTED = 'x-documented'

/**
 * The name of the property that says a string's pattern in words, for error messages. It is a symbol, because
 * the OpenAPI document leaves out symbols.
 */
export const inWords = Symbol('pattern in words')

export interface StringRules {
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  description?: string
  examples?: string[]
  /** name of the schema in the OpenAPI document */
  title?: string
  readOnly?: boolean
  [DOCUMENTED]?: object
  [inWords]?: string
}

/**
 * A string as JSON Schema defines it: lengths count characters, not UTF-16 units. Refuses lone surrogates and
 * NUL, which the database cannot store.
 */
export const UnicodeString = (rules: StringRules = {}): TUnsafe<string> =>
  ({ ...Type.Unsafe<string>({ type: 'string', ...rules }), [Kind]: 'UnicodeString' }) as TUnsafe<string>

const formats: Record<string, (value: string) => boolean> = {}

/** Adds a format of JSON Schema to the validator. */
export function defineFormat(name: string, isValid: (value: string) => boolean): void {
  formats[name] = isValid
}

const patterns = new Map<string, RegExp>()

function matchesPattern(pattern: string, value: string): boolean {
  const known = patterns.get(pattern) ?? new RegExp(pattern)
  patterns.set(pattern, known)
  return known.test(value)
}

const suchAs = ({ examples }: StringRules): string => (examples?.[0] ? `, such as ${examples[0]}` : '')

/** The first rule that a value violates, in words that never repeat the value; null if it is valid. */
export function violatedRule(rules: StringRules, value: unknown): string | null {
  if (typeof value !== 'string') return 'must be a string'
  if (!value.isWellFormed() || value.includes('\0')) return 'must be well-formed Unicode without NUL'
  // Counting characters is slow, so it is done only if the number of UTF-16 units does not decide.
  const length = value.length
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format } = rules
  if (length < minLength || (length > maxLength && [...value].length > maxLength)) {
    return `must have ${minLength} to ${maxLength} characters`
  }
  if (minLength > 1 && [...value].length < minLength) return `must have at least ${minLength} characters`
  if (pattern !== undefined && !matchesPattern(pattern, value))
    return rules[inWords] ?? `must match ${pattern}`
  if (format !== undefined && !formats[format]?.(value)) return `must be a valid ${format}${suchAs(rules)}`
  return null
}

TypeRegistry.Set<StringRules & TSchema>(
  'UnicodeString',
  (schema, value) => violatedRule(schema, value) === null,
)

export interface IntegerRules {
  minimum: number
  maximum: number
  description?: string
  [DOCUMENTED]?: object
}

/**
 * An integer in a query: digits without sign, decimals or exponent. Its value is a string, which `Number`
 * converts.
 */
export const QueryInteger = (rules: IntegerRules): TUnsafe<string> =>
  ({ ...Type.Unsafe<string>({ type: 'integer', ...rules }), [Kind]: 'QueryInteger' }) as TUnsafe<string>

function isQueryInteger({ minimum, maximum }: IntegerRules, value: unknown): boolean {
  if (typeof value !== 'string' || !/^[0-9]{1,9}$/.test(value)) return false
  return minimum <= Number(value) && Number(value) <= maximum
}

TypeRegistry.Set<IntegerRules & TSchema>('QueryInteger', isQueryInteger)

/** A boolean in a query: "true" or "false". */
export const QueryBoolean = (
  rules: { description?: string; [DOCUMENTED]?: object } = {},
): TUnsafe<'true' | 'false'> =>
  ({ ...Type.Unsafe({ type: 'boolean', ...rules }), [Kind]: 'QueryBoolean' }) as TUnsafe<'true' | 'false'>

TypeRegistry.Set('QueryBoolean', (_, value) => value === 'true' || value === 'false')

/** An object without additional properties. */
export const StrictObject = <T extends Parameters<typeof Type.Object>[0]>(fields: T, options: object = {}) =>
  Type.Object(fields, { ...options, additionalProperties: false })

/** The same schema with a description, for a parameter or field that has its own meaning. */
export const described = <T extends TSchema>(description: string, schema: T): T => ({
  ...schema,
  description,
})

export const Optional = Type.Optional
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
export const OneOf = <const T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>(Type.Union(values.map(value => Type.Literal(value))))

type IsOptional<T, K extends keyof T> = object extends Pick<T, K> ? true : false
type Field<Value> = TSchema & { static: Value }

/**
 * The fields that the schema of a type must have: one per property, optional if the property is, and no
 * others. `{…} satisfies FieldsOf<T>` does not compile if the schema and the type differ.
 */
export type FieldsOf<T> = {
  [K in keyof T]-?: IsOptional<T, K> extends true ? TOptional<Field<Exclude<T[K], undefined>>> : Field<T[K]>
}
