import type { DashboardLocale } from '../../../views/dashboard/locale.ts'
import type { Refusal } from '../../domain/errors.ts'
import { findLastChange } from '../../operations/audit/read.ts'
import type { ShopVisit } from './visit.ts'

/**
 * What a form says when somebody else has changed the same since it was opened: who it was, and when. Null
 * for any other refusal.
 */
export async function staleText(
  { context, merchant }: Pick<ShopVisit, 'context' | 'merchant'>,
  subject: string,
  refusal: Refusal | null,
): Promise<((locale: DashboardLocale) => string) | null> {
  if (refusal?.reason?.kind !== 'stale_form') return null
  const change = await findLastChange(context, merchant.id, subject)
  return locale => {
    const { errors } = locale.texts
    if (!change) return errors.changed
    const who = change.email ?? (change.actor.startsWith('key:') ? errors.someKey : errors.somebody)
    return errors.changedBy({ who, time: locale.dateTime(change.at) })
  }
}

/** The version of a row that a form shows; undefined if the form does not say. */
export const versionIn = ({ version }: Record<string, string>): number | undefined =>
  version !== undefined && /^\d{1,15}$/.test(version) ? Number(version) : undefined
