import { invalid } from '../../domain/errors.ts'
import { fromUnitsShort } from '../../domain/money.ts'
import type { PageStart } from '../../domain/page.ts'
import type { SweepTransaction } from '../../domain/waiting-funds.ts'
import { type MinedTransaction, type MovingFees, NetworkError, type Networks } from '../../networks/port.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { usualCurrencyOf } from '../merchants/usual-currency.ts'
import type { FoundMove } from './steps/list-unmoved.ts'
import { coinOfChain, worthOf } from './steps/price-funds.ts'

type SweepContext = Pick<Context, 'storage' | 'networks' | 'rates' | 'clock' | 'ids' | 'log'>

const READ_AT_ONCE = 20
const MORE_MS = 10_000
const AGAIN_MS = 60_000
/**
 * Time between reads of transactions that have not arrived within an hour, or of chains that cannot be read.
 */
const SLOW_MS = 10 * 60_000
/**
 * A transaction counts as missing if its chain does not know it after this time: a wallet sends what it
 * signed within a day, or never.
 */
const MISSING_MS = 24 * 3600_000
/**
 * A transaction counts as missing if its chain could not be read for this long: it has no endpoint any more.
 */
const GIVEN_UP_MS = 30 * 24 * 3600_000
/** Max time between a block and the rate that values its fee. */
const RATE_RANGE_MS = 3600_000
const ENTERED_MAX = 100
/**
 * Max transactions of a shop that wait to be read, so that no shop keeps the fees of others waiting. This is
 * more than one person signs in a day.
 */
const SENT_MAX = 500
const NEW_MS = 3600_000

const newTransaction = (
  { ids, clock }: Pick<Context, 'ids' | 'clock'>,
  { merchantId, chain, txId }: FoundMove,
  currency: string,
): SweepTransaction => ({
  id: ids.uuid(),
  merchantId,
  chain,
  txId,
  status: 'sent',
  moved: [],
  feeAssetId: null,
  feeAmount: null,
  feeValue: null,
  currency,
  createdAt: clock(),
  minedAt: null,
  updatedAt: clock(),
})

/** Schedules the reading of new transactions. Transactions that are stored together are read together. */
const scheduleReading = (tables: Tables, dueAt: number): Promise<void> =>
  tables.jobs.schedule({ kind: 'sweeps.read', subject: 'all', lane: 'funds', dueAt })

/** Stores transactions that scans found, and schedules their reading. */
export async function noteFound(
  context: Pick<Context, 'storage' | 'ids' | 'clock'>,
  found: readonly FoundMove[],
): Promise<void> {
  if (found.length === 0) return
  await context.storage.write(async tables => {
    for (const one of found) {
      const currency = await usualCurrencyOf(tables, one.merchantId)
      await tables.sweepTransactions.insert(newTransaction(context, one, currency))
    }
    await scheduleReading(tables, context.clock())
  })
}

/** The chains on which funds have to be moved, with the means to read their fees. */
export const movedChains = ({ assets, of }: Networks): { chain: string; fees: MovingFees }[] =>
  [...new Map(assets.map(({ chain, chainId }) => [chain, chainId]))].flatMap(([chain, chainId]) => {
    const fees = of(chain)?.movingFees?.(chainId)
    return fees ? [{ chain, fees }] : []
  })

/**
 * Stores transactions that a person entered because they moved funds, so that their fees are read from the
 * chain. Takes IDs or links of explorers. Transactions that are already known stay as they are. Returns the
 * number of new transactions.
 */
export async function noteSent(
  context: SweepContext,
  { merchantId, chain, text }: { merchantId: string; chain: string; text: string },
): Promise<number> {
  const fees = movedChains(context.networks).find(one => one.chain === chain)?.fees
  if (!fees) throw invalid('chain', 'must be a network whose funds have to be moved')
  const words = text.split(/[\s,;]+/).filter(word => word !== '')
  const txIds = [...new Set(words.map(word => transactionIdOf(fees, word)))]
  if (txIds.length === 0) throw invalid('transactions', 'must name at least one transaction')
  if (txIds.length > ENTERED_MAX) throw invalid('transactions', `must be at most ${ENTERED_MAX} transactions`)
  return context.storage.write(async tables => {
    const waiting = await tables.sweepTransactions.countSent(merchantId)
    if (waiting + txIds.length > SENT_MAX)
      throw invalid('transactions', `must wait: ${waiting} others are not confirmed yet`)
    const currency = await usualCurrencyOf(tables, merchantId)
    let count = 0
    for (const txId of txIds) {
      const isNew = await tables.sweepTransactions.insert(
        newTransaction(context, { merchantId, chain, txId }, currency),
      )
      if (isNew) count++
    }
    if (count > 0) await scheduleReading(tables, context.clock())
    return count
  })
}

/** The ID of a transaction, from the ID itself or from a link that contains it. */
function transactionIdOf(fees: MovingFees, word: string): string {
  const found = word.split(/[/?#=&]/).find(part => fees.isTransactionId(part))
  if (found === undefined) throw invalid('transactions', `"${word.slice(0, 80)}" is no transaction`)
  return found.startsWith('0x') ? found.toLowerCase() : found
}

/** The transactions by which a shop moved its funds, newest first. */
export const listSweepTransactions = (
  { storage }: Pick<Context, 'storage'>,
  merchantId: string,
  limit: number,
  after: PageStart | null = null,
): Promise<SweepTransaction[]> =>
  storage.read(tables => tables.sweepTransactions.list(merchantId, limit, after))

/**
 * True if a transaction has to be read again. Older transactions are read less often, so that made-up ones do
 * not use up requests that payments need.
 */
const isDue =
  (now: number) =>
  ({ createdAt, updatedAt }: SweepTransaction): boolean =>
    now - updatedAt >= (now - createdAt) / 3

/**
 * Reads from the chains what stored transactions moved and cost. Returns the time of the next read; null if
 * all are read.
 */
export async function readSweepTransactions(context: SweepContext): Promise<number | null> {
  const listSent = () => context.storage.read(tables => tables.sweepTransactions.listSent(SENT_MAX))
  const due = (await listSent()).filter(isDue(context.clock()))
  let count = 0
  for (const one of due.slice(0, READ_AT_ONCE)) if (await readOne(context, one)) count++
  const left = await listSent()
  if (left.length === 0) return null
  const now = context.clock()
  if (count > 0 && due.length > READ_AT_ONCE) return now + MORE_MS
  const newest = Math.max(...left.map(({ createdAt }) => createdAt))
  return now + (now - newest < NEW_MS ? AGAIN_MS : SLOW_MS)
}

/** Reads a transaction from its chain. Returns true if the transaction is in a final block. */
async function readOne(context: SweepContext, sent: SweepTransaction): Promise<boolean> {
  const { storage, networks, log, clock } = context
  const { chain, txId, id, createdAt } = sent
  let mined: MinedTransaction | null = null
  let isRead = true
  try {
    const fees = movedChains(networks).find(one => one.chain === chain)?.fees
    isRead = fees !== undefined
    mined = (await fees?.readTransaction(txId)) ?? null
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    isRead = false
    log.info({ chain, reason: error.message }, 'sweep.unreadable')
  }
  const updatedAt = clock()
  const isMissing = mined === null && updatedAt - createdAt > (isRead ? MISSING_MS : GIVEN_UP_MS)
  const change = mined
    ? await settledBy(context, sent, mined)
    : isMissing
      ? { status: 'missing' as const }
      : {}
  await storage.write(async tables => {
    const isSettled = await tables.sweepTransactions.settle(id, { ...change, updatedAt })
    // The transaction moved funds, so the stored sums of waiting funds are read again.
    if (isSettled && mined) {
      await tables.jobs.schedule({ kind: 'funds.watch', subject: 'all', lane: 'funds', dueAt: updatedAt })
    }
  })
  return mined !== null
}

/** The result of a transaction in a block, as far as it concerns the shop. */
async function settledBy(
  { storage, networks, rates, clock }: SweepContext,
  { merchantId, chain, currency }: SweepTransaction,
  mined: MinedTransaction,
): Promise<Partial<SweepTransaction>> {
  const { hasFailed, feeAtomic, minedAt, touched, moved } = mined
  const all = [...new Set(touched.map(address => address.toLowerCase()))]
  const own = new Set(await storage.read(tables => tables.funds.listGiven(merchantId, all)))
  if (own.size === 0) return { status: 'foreign' }
  const chainId = networks.assets.find(one => one.chain === chain)?.chainId ?? null
  const coin = coinOfChain(networks, chain, chainId)
  const isRecent = Math.abs(clock() - minedAt) <= RATE_RANGE_MS
  const rateOf = isRecent ? await rates.latest(true) : null
  const rate =
    coin &&
    (rateOf?.(coin.id, currency) ??
      (await storage.read(tables =>
        tables.rates.nearest({ assetId: coin.id, currency }, minedAt, RATE_RANGE_MS),
      )))
  return {
    status: hasFailed ? 'failed' : 'done',
    moved: sumsOf(
      networks,
      moved.filter(({ address }) => own.has(address.toLowerCase())),
    ),
    feeAssetId: coin?.id ?? null,
    feeAmount: fromUnitsShort(feeAtomic, coin?.decimals ?? 18),
    feeValue:
      coin && rate
        ? worthOf(() => rate, { assetId: coin.id, decimals: coin.decimals, atomic: feeAtomic }, currency)
        : null,
    minedAt,
  }
}

const sumsOf = ({ asset }: Networks, moved: MinedTransaction['moved']): SweepTransaction['moved'] =>
  [...Map.groupBy(moved, ({ assetId }) => assetId)].map(([assetId, all]) => {
    const atomic = all.reduce((sum, { amountAtomic }) => sum + amountAtomic, 0n)
    return { assetId, amount: fromUnitsShort(atomic, asset(assetId)?.decimals ?? 0) }
  })
