import type { DashboardLocale } from '../../../views/dashboard/locale.ts'
import type { Refusal } from '../../domain/errors.ts'
import { findLastChange } from '../../operations/audit/read.ts'
import type { ShopVisit } from './visit.ts'

/**
 * The message of a form if another person has changed the same data since it was opened: who changed them,
 * and when. Null for any other refusal.
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

/** The version of a row in a form that was sent; undefined if the form has no version. */
export const versionIn = ({ version }: Record<string, string>): number | undefined =>
  version !== undefined && /^\d{1,15}$/.test(version) ? Number(version) : undefined
