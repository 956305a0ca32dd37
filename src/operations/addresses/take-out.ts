import type { AddressSource } from '../../domain/address-source.ts'
import type { WalletNetwork } from '../../domain/asset.ts'
import { Refusal } from '../../domain/errors.ts'
import type { LineFault } from '../../domain/wallet-fault.ts'
import { refusedLines } from '../../domain/wallet-refusal.ts'
import type { Tables } from '../../storage/port.ts'
import { sourceSubject } from '../audit/audited-source.ts'
import { type AuditContext, recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { getMerchant } from '../merchants/read.ts'
import { findPool } from './read-pool.ts'
import { writtenIn } from './steps/pool-lines.ts'
import { noticeDrain, noticePoolChange } from './steps/pool-notices.ts'

interface TakenOut {
  takenOut: number
  free: number
}

type TakeContext = AuditContext & Pick<Context, 'storage' | 'networks'>

/** The addresses that `takeOutOfPool` would take out. Changes nothing. */
export const previewTakeOut = (
  context: Pick<Context, 'storage' | 'networks'>,
  merchantId: string,
  network: WalletNetwork,
  lines: readonly string[],
): Promise<string[]> =>
  context.storage.read(async tables => {
    const pool = await findPool(tables, merchantId, network)
    if (!pool) throw noPool(network)
    return unusedOn(context, tables, pool, lines)
  })

const noPool = (network: string) => new Refusal('not_found', `The merchant has no pool on ${network}.`)

/**
 * Takes addresses that no buyer was given out of a merchant's pool: those on the lines, or all of them. If a
 * line is not an unused address of the pool, takes out none, and the refusal names each such line.
 */
export async function takeOutOfPool(
  context: TakeContext,
  merchantId: string,
  network: WalletNetwork,
  lines: readonly string[] | 'unused',
): Promise<TakenOut> {
  await getMerchant(context, merchantId)
  return context.storage.write(async tables => {
    const pool = await findPool(tables, merchantId, network)
    if (!pool) throw noPool(network)
    const before = await tables.sources.countAddresses(pool.id)
    const takenOut =
      lines === 'unused'
        ? await tables.sources.removeFree(pool.id, null)
        : await removeLines(context, tables, pool, lines)
    await recordAudit(context, tables, {
      merchantId,
      action: 'address_source.taken_out',
      subject: sourceSubject(pool),
      before: { addresses: before.all },
      after: { addresses: before.all - takenOut },
    })
    if (takenOut > 0) await noticePoolChange(context, tables, pool, { takenOut })
    await noticeDrain(context, tables, pool, before)
    return { takenOut, free: before.free - takenOut }
  })
}

async function removeLines(
  context: TakeContext,
  tables: Tables,
  pool: AddressSource,
  lines: readonly string[],
): Promise<number> {
  let removed = 0
  for (const address of await unusedOn(context, tables, pool, lines))
    removed += await tables.sources.removeFree(pool.id, address)
  return removed
}

/** The addresses of a list. Each of them must be an unused address of the pool. */
async function unusedOn(
  context: Pick<Context, 'networks'>,
  tables: Tables,
  pool: AddressSource,
  lines: readonly string[],
): Promise<string[]> {
  const faults: LineFault[] = []
  const wanted = new Set<string>()
  for (const { line, address } of writtenIn(context, pool.network, lines)) {
    const fault = await faultOf(context, tables, pool, address)
    if (fault) faults.push({ line, fault })
    else wanted.add(context.networks.canonical(pool.network, address))
  }
  if (faults.length > 0) throw refusedLines(faults)
  return [...wanted]
}

async function faultOf(
  { networks }: Pick<Context, 'networks'>,
  tables: Tables,
  { id, network }: AddressSource,
  entered: string,
): Promise<LineFault['fault'] | null> {
  if (!networks.isAddress(network, entered)) return { kind: 'otherAddress', network }
  const known = await tables.sources.findAddress(network, networks.canonical(network, entered))
  if (known?.sourceId !== id) return { kind: 'notListed' }
  return known.attemptId === null ? null : { kind: 'isGiven' }
}
