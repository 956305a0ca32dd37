import { Kind, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { InvalidField } from '../../domain/errors.ts'
import { type IntegerRules, type StringRules, violatedRule } from './types.ts'

interface ArrayRules extends TSchema {
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
}

interface ObjectRules extends TSchema {
  minProperties?: number
}

interface UnionRules extends TSchema {
  anyOf?: TSchema[]
}

function violatedArrayRule({ minItems = 0, maxItems, uniqueItems }: ArrayRules, value: unknown): string {
  if (!Array.isArray(value)) return 'must be an array'
  const isTooLong = maxItems !== undefined && value.length > maxItems
  if (value.length >= minItems && !isTooLong && uniqueItems) return 'must not contain duplicates'
  return maxItems === undefined
    ? `must have at least ${minItems} items`
    : `must have ${minItems} to ${maxItems} items`
}

function violatedObjectRule({ minProperties = 0 }: ObjectRules, value: unknown): string {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? `must have at least ${minProperties} field` : 'must be an object'
}

const range = ({ minimum, maximum }: Partial<IntegerRules>): string =>
  minimum === undefined || maximum === undefined ? '' : ` from ${minimum} to ${maximum}`

const mustBeOneOf = (values: unknown[]): string =>
  `must be one of ${values.map(value => JSON.stringify(value)).join(', ')}`

/** The rule of a union, which is a list of constants, or one schema or null. */
function violatedUnionRule({ anyOf = [] }: UnionRules, value: unknown): string {
  if (anyOf.every(part => part[Kind] === 'Literal')) {
    return mustBeOneOf(anyOf.map(part => part.const))
  }
  const rule = anyOf[0] && ruleOf(anyOf[0], value)
  return rule ? `${rule}, or be null` : 'is not valid'
}

const rules: Record<string, (schema: TSchema, value: unknown) => string> = {
  UnicodeString: (schema: StringRules, value) => violatedRule(schema, value) ?? 'is not valid',
  // The sandbox defines types of its own.
  SandboxInteger: schema => `must be an integer${range(schema)}`,
  SandboxBoolean: () => 'must be true or false',
  SandboxString: (schema: StringRules, value) => violatedRule(schema, value) ?? 'is not valid',
  UnionEnum: ({ enum: values }) => mustBeOneOf(values),
  QueryInteger: schema => `must be an integer${range(schema)}`,
  QueryBoolean: () => 'must be true or false',
  Boolean: () => 'must be true or false',
  Integer: schema => `must be an integer${range(schema)}`,
  Literal: schema => `must be ${JSON.stringify(schema.const)}`,
  Array: violatedArrayRule,
  Object: violatedObjectRule,
  Union: violatedUnionRule,
}

const ruleOf = (schema: TSchema, value: unknown): string =>
  rules[schema[Kind]]?.(schema, value) ?? 'is not valid'

interface Violation {
  message?: string
  schema?: TSchema
  value?: unknown
}

/** The rule that a value violates, in words that never repeat the value. */
export function describeViolation({ message, schema, value }: Violation): string {
  if (message === 'Unexpected property') return 'is not a known field'
  if (value === undefined) return 'is required'
  return schema ? ruleOf(schema, value) : 'is not valid'
}

/** The fields that violate a schema, each with the rule that it violates. */
export const invalidFields = (schema: TSchema, value: unknown): InvalidField[] =>
  [...Value.Errors(schema, value)].map(error => ({ path: error.path, rule: describeViolation(error) }))
