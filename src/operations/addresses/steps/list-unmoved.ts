import type { OwnAddress } from '../../../networks/port.ts'
import type { HeldFunds, PaidAddress } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import { chainOfAsset } from './price-funds.ts'

/** An address at which something arrived that may still be there. */
export interface Unmoved extends OwnAddress {
  merchantId: string
  chain: string
  chainId: number | null
  /** funds of the address when its chain was last read; null if it was never read */
  known: HeldFunds | null
}

/** A transaction that moved a payment to the payout wallet, as a scan found it. */
export interface FoundMove {
  merchantId: string
  chain: string
  txId: string
}

/** Max payments per read, so that other reads can run in between. */
const PAYMENTS_AT_ONCE = 1000
const kinds: readonly unknown[] = ['create2', 'seed']

/** True for a final payment at a forwarder or seed address. */
const isMovable = (payment: PaidAddress): payment is PaidAddress & { address: string } => {
  const { state, address, addressSource } = payment
  const kind =
    addressSource && typeof addressSource === 'object' && 'kind' in addressSource && addressSource.kind
  return state === 'final' && address !== null && kinds.includes(kind)
}

/** A page of payments, with what is known about their addresses and transactions. */
async function readPage({ storage }: Pick<Context, 'storage'>, after: string) {
  return storage.read(async tables => {
    const payments = await tables.funds.listPayments(after, PAYMENTS_AT_ONCE)
    const own = payments.filter(isMovable)
    const attemptIds = [...new Set(own.map(({ attemptId }) => attemptId))]
    const txIds = [...new Set(own.flatMap(({ txOut }) => txOut ?? []))]
    const held = attemptIds.length > 0 ? await tables.funds.listHeld(attemptIds) : []
    const known = txIds.length > 0 ? await tables.sweepTransactions.listKnown(txIds) : []
    return {
      own,
      next: payments.length === PAYMENTS_AT_ONCE ? (payments.at(-1)?.id ?? null) : null,
      held: new Map(held.map(one => [`${one.attemptId} ${one.chain}`, one])),
      known: new Set(known.map(({ merchantId, txId }) => `${merchantId} ${txId}`)),
    }
  })
}

const isEmptied = (known: HeldFunds | null, { updatedAt }: PaidAddress): boolean =>
  known !== null && known.holdings.length === 0 && known.lookedAt > updatedAt

/**
 * Lists the forwarders and seed addresses of all merchants whose payments may still be there, and the
 * transactions by which payments were moved away, as scans found them. Leaves out addresses that were empty
 * when they were read after their last payment.
 */
export async function listUnmoved(
  context: Pick<Context, 'storage' | 'networks'>,
): Promise<{ unmoved: Unmoved[]; found: FoundMove[] }> {
  const unmoved = new Map<string, Unmoved>()
  const found = new Map<string, FoundMove>()
  for (let after: string | null = ''; after !== null; ) {
    const { own, next, held, known } = await readPage(context, after)
    for (const payment of own) {
      const { merchantId, attemptId, txOut, address, addressSource: source } = payment
      const on = chainOfAsset(context.networks, payment.assetId)
      if (!on) continue
      const move = `${merchantId} ${txOut}`
      if (txOut !== null && !known.has(move)) found.set(move, { merchantId, chain: on.chain, txId: txOut })
      const key = `${attemptId} ${on.chain}`
      const last = held.get(key) ?? null
      if (!isEmptied(last, payment))
        unmoved.set(key, { attemptId, merchantId, address, source, ...on, known: last })
    }
    after = next
  }
  return { unmoved: [...unmoved.values()], found: [...found.values()] }
}
