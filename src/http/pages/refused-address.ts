import { addressReasons, type RefusedAddress } from '../../domain/errors.ts'
import type { AddressProblem } from '../../present/notices.ts'

const pattern = new RegExp(`^([0-9a-f-]{36})\\.(${addressReasons.join('|')})$`)

/** The parameter of a page that explains a refused refund address. Never contains the address. */
export const refusedParameter = (attemptId: string, { reason }: RefusedAddress): string =>
  `${attemptId}.${reason}`

/** Parses such a parameter; null for anything else. */
export function refusedIn(parameter: unknown, isNew: boolean): AddressProblem | null {
  const [, attemptId, named] = typeof parameter === 'string' ? (pattern.exec(parameter) ?? []) : []
  const reason = addressReasons.find(one => one === named)
  return attemptId === undefined || reason === undefined ? null : { attemptId, reason, isNew }
}
