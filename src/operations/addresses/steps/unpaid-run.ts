import type { AddressSource } from '../../../domain/address-source.ts'
import type { Attempt } from '../../../domain/attempt.ts'
import {
  endsNoticedRun,
  gapLimitFor,
  gapLimitToSee,
  isNoticed,
  type UnpaidRun,
} from '../../../domain/unpaid-run.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import { notifyOf } from '../../notices/notify.ts'

/** Counts the addresses of an account or view key that were allocated after the last one that was paid. */
export async function unpaidRun(
  tables: Pick<Tables, 'sources'>,
  { id, nextIndex }: AddressSource,
): Promise<UnpaidRun> {
  const last = await tables.sources.lastPaid(id)
  const count = await tables.sources.countGiven(id, last ?? -1)
  return { count, gap: nextIndex - (last ?? -1) - 1 }
}

/** Notifies the merchant, a few times per run, of the gap limit that the wallet needs. */
export async function noticeRun(
  context: Pick<Context, 'clock' | 'ids' | 'policy'>,
  tables: Tables,
  source: AddressSource,
): Promise<void> {
  const run = await unpaidRun(tables, source)
  const max = context.policy.unpaidAddressesMax
  if (!isNoticed(run, max)) return
  const { merchantId, network } = source
  const gapLimit = gapLimitFor(run)
  const isOver = run.count >= max
  const facts = { about: 'gap_limit_low', network, unpaid: run.count, gapLimit, isOver } as const
  await notifyOf(context, tables, merchantId, facts)
}

interface SourceRun {
  source: AddressSource
  run: UnpaidRun
}

/**
 * The unpaid run of the account or view key that an attempt's address belongs to, before its first payment is
 * counted; null if this payment cannot end a run.
 */
export async function runBefore(
  { networks }: Pick<Context, 'networks'>,
  tables: Tables,
  { provider, address, assetId, merchantId, receivedAtomic }: Attempt,
): Promise<SourceRun | null> {
  if (provider !== null || receivedAtomic > 0n) return null
  const asset = networks.asset(assetId)
  const own = asset && (await tables.sources.findAddress(asset.network, address))
  if (!own) return null
  const source = (await tables.sources.listOf(merchantId)).find(({ id }) => id === own.sourceId)
  if (!source || source.kind === 'pool') return null
  return { source, run: await unpaidRun(tables, source) }
}

/** Notifies the merchant if a payment has ended a run that they were notified of. */
export async function noticeRunEnd(
  context: Pick<Context, 'clock' | 'ids'>,
  tables: Tables,
  before: SourceRun | null,
): Promise<void> {
  if (before === null) return
  const { source, run } = before
  const after = await unpaidRun(tables, source)
  if (!endsNoticedRun(run, after)) return
  const { merchantId, network } = source
  const unpaid = run.count - after.count - 1
  const gapLimit = gapLimitToSee(run, after)
  await notifyOf(context, tables, merchantId, { about: 'gap_limit_good', network, unpaid, gapLimit })
}
