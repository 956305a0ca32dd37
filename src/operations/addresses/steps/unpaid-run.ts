import type { AddressSource } from '../../../domain/address-source.ts'
import { gapLimitFor, isNoticed, type UnpaidRun } from '../../../domain/unpaid-run.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import { notifyOf } from '../../merchants/steps/notify.ts'

/** The addresses of an account or a view key that were given out since the last one that was paid. */
export async function unpaidRun(tables: Tables, { id, nextIndex }: AddressSource): Promise<UnpaidRun> {
  const last = await tables.sources.lastPaid(id)
  const count = await tables.sources.countGiven(id, last ?? -1)
  return { count, gap: nextIndex - (last ?? -1) - 1 }
}

/** Notifies the merchant, a few times in a run, of the gap limit that the wallet needs. */
export async function noticeRun(
  context: Pick<Context, 'clock' | 'ids' | 'policy'>,
  tables: Tables,
  source: AddressSource,
): Promise<void> {
  const run = await unpaidRun(tables, source)
  const max = context.policy.unpaidAddressesMax
  if (!isNoticed(run, max)) return
  const { merchantId, network } = source
  const start = `The last ${run.count} addresses of ${network} were never paid.`
  const gap = `Set the gap limit of your wallet to at least ${gapLimitFor(run)}, or it may not show payments.`
  const end =
    run.count < max
      ? ''
      : ' No more addresses are given to buyers until one of them is paid, ' +
        'or FLORIN_UNPAID_ADDRESSES is raised.'
  await notifyOf(context, tables, merchantId, 'gap_limit_low', `${start} ${gap}${end}`)
}
