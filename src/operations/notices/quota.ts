import { createHash } from 'node:crypto'
import { Refusal } from '../../domain/errors.ts'
import { type LimitName, limits } from '../../domain/quota.ts'
import type { Context, Tables } from '../context.ts'

/** A limit, and the person, destination or shop that it limits. */
type Quota = readonly [limit: LimitName, of: string]

/** The ID of a quota. It contains a hash, because the destination of a channel may be secret. */
const idOf = ([limit, of]: Quota): string => `${limit} ${createHash('sha256').update(of).digest('hex')}`

/** Counts a message against its limits. Returns null, or the time to try again if one of them was reached. */
export async function takeQuotas(
  { clock }: Pick<Context, 'clock'>,
  tables: Tables,
  quotas: readonly Quota[],
): Promise<number | null> {
  for (const quota of quotas) {
    const endsAt = await tables.quotas.take(idOf(quota), limits[quota[0]], clock())
    if (endsAt !== null) return endsAt
  }
  return null
}

/** Counts a message against its limits. Throws rate_limited if one of them was reached. */
export async function requireQuotas(
  context: Pick<Context, 'clock'>,
  tables: Tables,
  quotas: readonly Quota[],
): Promise<void> {
  const endsAt = await takeQuotas(context, tables, quotas)
  if (endsAt === null) return
  const retryAfterSeconds = Math.ceil((endsAt - context.clock()) / 1000)
  throw new Refusal('rate_limited', undefined, { retryAfterSeconds })
}
