import type { AddressSource, SourceAddress } from '../../domain/address-source.ts'
import type { WalletNetwork } from '../../domain/asset.ts'
import { invalid } from '../../domain/errors.ts'
import type { Tables } from '../../storage/port.ts'
import { sourceSubject } from '../audit/audited-source.ts'
import { type AuditContext, recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { getMerchant } from '../merchants/read.ts'
import { findPool } from './read-pool.ts'
import { type PoolLine, type PoolPlan, planLines, readLines } from './steps/pool-lines.ts'
import { noticePoolChange, noticeRefill } from './steps/pool-notices.ts'

interface PoolResult {
  added: number
  /** number of addresses that were already in the pool */
  known: number
  free: number
}

type FillContext = AuditContext & Pick<Context, 'storage' | 'networks' | 'log'>

async function read(
  context: FillContext,
  merchantId: string,
  network: WalletNetwork,
  lines: readonly string[],
): Promise<PoolLine[]> {
  await getMerchant(context, merchantId)
  if (!context.networks.acceptsSource(network, 'pool')) {
    throw invalid(
      'network',
      `${network} cannot use a pool. Use a view key instead: florin wallet viewkey --help`,
    )
  }
  return readLines(context, network, lines)
}

/**
 * Returns what `fillPool` would add, with the same refusals. Saves nothing. The refusal names every line that
 * cannot be used.
 */
export async function previewPool(
  context: FillContext,
  merchantId: string,
  network: WalletNetwork,
  lines: readonly string[],
): Promise<PoolPlan> {
  const entered = await read(context, merchantId, network, lines)
  return context.storage.read(async tables => {
    const pool = await findPool(tables, merchantId, network)
    return planLines(context, tables, { merchantId, network, sourceId: pool?.id ?? null }, entered)
  })
}

/**
 * Adds addresses to a merchant's pool, one on each line; # starts a comment. Each address serves one attempt.
 * Adds all or none: an invalid address, the payout wallet, or an address that a buyer was given before
 * rejects the whole list.
 */
export async function fillPool(
  context: FillContext,
  merchantId: string,
  network: WalletNetwork,
  lines: readonly string[],
): Promise<PoolResult> {
  const entered = await read(context, merchantId, network, lines)
  return context.storage.write(tables => fill(context, tables, merchantId, network, entered))
}

async function fill(
  context: FillContext,
  tables: Tables,
  merchantId: string,
  network: WalletNetwork,
  lines: PoolLine[],
): Promise<PoolResult> {
  const { source, isNew } = await openPool(context, tables, merchantId, network)
  const before = await tables.sources.countAddresses(source.id)
  const { fresh, known } = await planLines(
    context,
    tables,
    { merchantId, network, sourceId: source.id },
    lines,
  )
  const start = (before.last ?? -1) + 1
  for (const [at, { address }] of fresh.entries()) {
    const row: SourceAddress = {
      network,
      address,
      sourceId: source.id,
      merchantId,
      position: start + at,
      attemptId: null,
      allocatedAt: null,
    }
    await tables.sources.insertAddress(row)
  }
  const added = fresh.length
  await recordAudit(context, tables, {
    merchantId,
    action: 'address_source.filled',
    subject: sourceSubject(source),
    before: { addresses: before.all },
    after: { addresses: before.all + added },
  })
  if (added > 0 || isNew) await noticePoolChange(context, tables, source, { added })
  await noticeRefill(context, tables, source, before)
  const { free } = await tables.sources.countAddresses(source.id)
  return { added, known: known.length, free }
}

/** Finds or creates the merchant's pool, and makes it active. */
async function openPool(
  context: Pick<Context, 'clock' | 'ids'>,
  tables: Tables,
  merchantId: string,
  network: WalletNetwork,
): Promise<{ source: AddressSource; isNew: boolean }> {
  const now = context.clock()
  const found = await findPool(tables, merchantId, network)
  if (found?.active) return { source: found, isNew: false }
  if (found) {
    await tables.sources.update(found.id, { active: true, updatedAt: now })
    return { source: found, isNew: true }
  }
  const source: AddressSource = {
    id: context.ids.uuid(),
    merchantId,
    network,
    kind: 'pool',
    key: null,
    script: null,
    payoutAddress: null,
    nextIndex: 0,
    skippedAt: null,
    active: true,
    createdAt: now,
    updatedAt: now,
  }
  await tables.sources.insert(source)
  return { source, isNew: true }
}
