import type { AddressSource } from '../../domain/address-source.ts'
import type { WalletNetwork } from '../../domain/asset.ts'
import { asserted } from '../../domain/errors.ts'
import { fromUnitsShort } from '../../domain/money.ts'
import { SKIPPED_WATCH_MS, type SkippedPayment } from '../../domain/skipped-payment.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { notifyOf } from '../notices/notify.ts'
import { lookAtSkipped, type SkippedAddress, type SkippedLook, skippedIndices } from './skipped.ts'

type WatchContext = Pick<Context, 'storage' | 'networks' | 'clock' | 'ids' | 'log'>

const EVERY_MS = 10 * 60_000
/** Addresses per network in each check: the likeliest ones, and some of the others in turn. */
const FIRST_COUNT = 50
const TURN_COUNT = 50

/** An address before its derivation. */
interface SkippedIndex {
  source: AddressSource
  index: number
}

type FoundBalance = SkippedLook['found'][number]

/**
 * Checks some of the addresses that a restore skipped, and records what arrived there. The orders are lost,
 * so only the merchant knows what the money was for. Returns the time of the next check; null if nothing is
 * left.
 */
export async function watchSkipped(context: WatchContext): Promise<number | null> {
  const now = context.clock()
  const all = await context.storage.read(tables => listWatched(tables, now))
  if (all.length === 0) return null
  const turn = Math.floor(now / EVERY_MS)
  const chosen = [...Map.groupBy(all, ({ source }) => source.network).values()].flatMap(own =>
    choose(own, turn),
  )
  const merchants = new Map<string, string>()
  const addresses = chosen.map(({ source, index }): SkippedAddress => {
    const address = context.networks.derive(source, index)
    merchants.set(keyOf(source.network, address), source.merchantId)
    return { network: source.network, index, address }
  })
  const { found, faults } = await lookAtSkipped(context, addresses)
  for (const reason of faults) context.log.info({ reason }, 'skipped.unreadable')
  if (found.length > 0) {
    await context.storage.write(async tables => {
      for (const one of found)
        await record(
          context,
          tables,
          asserted(merchants.get(keyOf(one.network, one.address)), 'each address has a merchant'),
          one,
        )
    })
  }
  return now + EVERY_MS
}

const keyOf = (network: WalletNetwork, address: string): string => `${network} ${address}`

/** The indices to watch, in the order in which their sources would have allocated them. */
async function listWatched(tables: Tables, now: number): Promise<SkippedIndex[]> {
  const places: (SkippedIndex & { place: number })[] = []
  for (const source of await tables.sources.listSkipped(now - SKIPPED_WATCH_MS)) {
    const indices = await skippedIndices(tables, source)
    places.push(...indices.map((index, place) => ({ source, index, place })))
  }
  return places.sort((one, other) => one.place - other.place)
}

function choose(all: SkippedIndex[], turn: number): SkippedIndex[] {
  const rest = all.slice(FIRST_COUNT)
  const start = (turn % Math.max(1, Math.ceil(rest.length / TURN_COUNT))) * TURN_COUNT
  return [...all.slice(0, FIRST_COUNT), ...rest.slice(start, start + TURN_COUNT)]
}

/**
 * Records a balance. Notifies the merchant once, and again when more arrives. A lower balance is ignored,
 * because the merchant may have moved the money.
 */
async function record(
  context: WatchContext,
  tables: Tables,
  merchantId: string,
  { network, index, address, asset, amountAtomic }: FoundBalance,
): Promise<void> {
  const now = context.clock()
  const known = await tables.skippedPayments.findAt(address, asset.id)
  if (known !== null && known.amountAtomic >= amountAtomic) return
  if (known) await tables.skippedPayments.raise(known.id, amountAtomic, now)
  else {
    const payment: SkippedPayment = {
      id: context.ids.uuid(),
      merchantId,
      network,
      position: index,
      address,
      assetId: asset.id,
      decimals: asset.decimals,
      amountAtomic,
      status: 'open',
      note: null,
      decidedBy: null,
      createdAt: now,
      updatedAt: now,
    }
    await tables.skippedPayments.insert(payment)
  }
  const amount = `${fromUnitsShort(amountAtomic, asset.decimals)} ${asset.ticker}`
  const facts = { address, amount, assetId: asset.id, isMore: known !== null }
  await notifyOf(context, tables, merchantId, { about: 'skipped_payment', ...facts })
  context.log.info({ merchantId, assetId: asset.id, index }, 'skipped_payment.found')
}
