import { type TLiteral, type TSchema, type TUnion, Type } from '@sinclair/typebox'
import { invalid, type Refusal } from '../../domain/errors.ts'
import type { Context } from '../../operations/context.ts'
import { invalidFields } from '../schema/violations.ts'

/** A text that is required. `optional` is a text that may be missing. */
export const text = (maxLength: number) => Type.String({ maxLength })
export const optional = (maxLength = 200) => Type.Optional(text(maxLength))

/** A value that must be one of these names. */
export const oneOf = <Name extends string>(names: readonly Name[]): TUnion<TLiteral<Name>[]> =>
  Type.Union(names.map(name => Type.Literal(name)))

/** A form whose fields are read one by one, because browsers do not send boxes that are not checked. */
export const FormFields = Type.Record(text(100), text(4000))

/** The names of the checked boxes of a group: "scope.api:read" is "api:read" of the group "scope". */
export const chosen = (body: Record<string, string>, group: string): string[] =>
  Object.keys(body).flatMap(name => (name.startsWith(`${group}.`) ? [name.slice(group.length + 1)] : []))

const HOUR_MS = 3600_000
const overlapsMs = { '0': 0, '1h': HOUR_MS, '1d': 24 * HOUR_MS, '7d': 168 * HOUR_MS, '30d': 720 * HOUR_MS }
type Overlap = keyof typeof overlapsMs

export const overlaps = Object.keys(overlapsMs) as Overlap[]

/** The milliseconds for which a former secret still works. */
export function overlapMs(text: string | undefined): number {
  if (text !== undefined && Object.hasOwn(overlapsMs, text)) return overlapsMs[text as Overlap]
  throw invalid('overlap', `must be one of ${overlaps.join(', ')}`)
}

/** Refuses values that the API would refuse too. The refusal names the first field that is not valid. */
export function checkForm(schema: TSchema, value: unknown): void {
  const [field] = invalidFields(schema, value)
  if (field !== undefined) throw invalid(field.path, 'is not valid')
}

/**
 * The token of a form that is shown again. If the token was used with other values, the form gets a new one:
 * what was created before stays, and the new values are sent as a form of their own.
 */
export const tokenAfter = ({ ids }: Pick<Context, 'ids'>, refusal: Refusal | null, token: string): string =>
  refusal?.code === 'idempotency_key_reused' ? ids.uuid() : token
