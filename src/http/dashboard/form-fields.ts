import { Type } from '@sinclair/typebox'
import { invalid } from '../../domain/errors.ts'

/** A form whose fields the handler reads one by one: a box that is not checked is not sent. */
export const FormFields = Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 4000 }))

/** The names of the checked boxes of a group: "scope.api:read" is "api:read" of the group "scope". */
export const chosen = (body: Record<string, string>, group: string): string[] =>
  Object.keys(body).flatMap(name => (name.startsWith(`${group}.`) ? [name.slice(group.length + 1)] : []))

const HOUR_MS = 3600_000
const overlapsMs = { '0': 0, '1h': HOUR_MS, '1d': 24 * HOUR_MS, '7d': 168 * HOUR_MS, '30d': 720 * HOUR_MS }
type Overlap = keyof typeof overlapsMs

export const overlaps = Object.keys(overlapsMs) as Overlap[]

/** How long a former secret still works. */
export function overlapMs(text: string | undefined): number {
  if (text !== undefined && Object.hasOwn(overlapsMs, text)) return overlapsMs[text as Overlap]
  throw invalid('overlap', `must be one of ${overlaps.join(', ')}`)
}
