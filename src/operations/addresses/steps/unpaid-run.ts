import type { AddressSource } from '../../../domain/address-source.ts'
import type { Attempt } from '../../../domain/attempt.ts'
import type { IncomingPayment } from '../../../domain/payment.ts'
import { gapLimitFor, gapLimitToSee, isNoticed, isOver, type UnpaidRun } from '../../../domain/unpaid-run.ts'
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
  const why = `the last ${run.count} addresses of ${network} were never paid.`
  const start = `Your wallet may not show new payments: ${why}`
  const gap = `Set its gap limit to at least ${gapLimitFor(run)}.`
  const end =
    run.count < max
      ? ''
      : ' No more addresses are given to buyers until one of them is paid, ' +
        'or FLORIN_UNPAID_ADDRESSES is raised.'
  await notifyOf(context, tables, merchantId, 'gap_limit_low', `${start} ${gap}${end}`)
}

interface SourceRun {
  source: AddressSource
  run: UnpaidRun
}

/**
 * The run of the account or view key that an attempt's address is from, before its first payment is counted;
 * null if no payment can end it.
 */
export async function runBefore(
  { networks }: Pick<Context, 'networks'>,
  tables: Tables,
  { address, assetId, merchantId, receivedAtomic }: Attempt,
  incomingPayments: readonly IncomingPayment[],
): Promise<SourceRun | null> {
  if (receivedAtomic > 0n || incomingPayments.length === 0) return null
  const asset = networks.asset(assetId)
  const own = asset && address !== null && (await tables.sources.findAddress(asset.network, address))
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
  if (!isOver(run, after)) return
  const { merchantId, network } = source
  const unpaid = run.count - after.count - 1
  const text =
    `New addresses of ${network} are paid again: one was paid after ${unpaid} that were not. If your ` +
    `wallet does not show this payment, set its gap limit to at least ${gapLimitToSee(run, after)}.`
  await notifyOf(context, tables, merchantId, 'gap_limit_low', text)
}
