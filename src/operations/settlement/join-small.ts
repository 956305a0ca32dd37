import type { Asset } from '../../domain/asset.ts'
import type { Attempt } from '../../domain/attempt.ts'
import type { IncomingPayment } from '../../domain/payment.ts'
import type { DetectedPayment } from '../../networks/port.ts'

/** A payment of less than this part of what is due is small. */
const PARTS = 1000n
/** In another asset, of which nothing is due, the unit decides: a coin with many decimals is worth more. */
const FEW_DECIMALS = 8
const TRANSACTIONS_MAX = 20

/**
 * Joins all small payments of one block into one, since anybody can send an address thousands of them. A
 * small payment that is in no block yet is left out. Each joined payment has the same id in every scan.
 */
export function joinSmall(
  attempt: Attempt,
  assetOf: (id: string) => Asset | undefined,
  payments: DetectedPayment[],
): DetectedPayment[] {
  const isSmall = ({ assetId, amountAtomic }: DetectedPayment): boolean => {
    if (assetId === attempt.assetId) return amountAtomic * PARTS < attempt.dueAtomic
    const decimals = assetOf(assetId)?.decimals ?? 0
    return amountAtomic * (decimals > FEW_DECIMALS ? 10_000n : 100n) < 10n ** BigInt(decimals)
  }
  const small = payments.filter(isSmall)
  if (small.length === 0) return payments
  const mined = small.filter(({ height }) => height !== null)
  const groups = Map.groupBy(mined, ({ height, assetId }) => `${height} ${assetId}`).values()
  return [...payments.filter(payment => !isSmall(payment)), ...groups.map(group => joined(attempt, group))]
}

function joined({ id }: Attempt, group: DetectedPayment[]): DetectedPayment {
  const [first] = group as [DetectedPayment]
  const { assetId, height } = first
  return {
    ...first,
    txId: `small:${id}:${height}`,
    txIndex: assetId,
    amountAtomic: group.reduce((sum, { amountAtomic }) => sum + amountAtomic, 0n),
    final: group.every(({ final }) => final),
    txIn: group.length === 1 ? first.txIn : null,
    inputs: [],
    evidence: {
      kind: 'small',
      count: group.length,
      transactions: group
        .slice(0, TRANSACTIONS_MAX)
        .map(({ txId, amountAtomic }) => [txId, amountAtomic.toString()]),
      first: first.evidence,
    },
  }
}

/** The same joined payment can be reported with more parts later. */
export const isJoined = (txId: string): boolean => txId.startsWith('small:')

/**
 * A joined payment that settled its order keeps its amount. What is reported beyond it, since a flood is read
 * over several scans, is another payment with an id of its own. `find` returns a payment that is stored.
 */
export function withRest<T extends DetectedPayment>(
  reported: T,
  find: (txId: string) => Pick<IncomingPayment, 'settles' | 'amountAtomic'> | undefined,
): T[] {
  if (!isJoined(reported.txId)) return [reported]
  const parts: T[] = []
  let { txId, amountAtomic: rest } = reported
  for (let known = find(txId); known?.settles; known = find(txId)) {
    parts.push({ ...reported, txId, amountAtomic: known.amountAtomic, txIn: null })
    rest -= known.amountAtomic
    txId = `${reported.txId}:${parts.length}`
  }
  if (rest > 0n)
    parts.push({ ...reported, txId, amountAtomic: rest, txIn: parts.length > 0 ? null : reported.txIn })
  return parts
}
