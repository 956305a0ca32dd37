import type { Asset } from '../../../domain/asset.ts'
import type { Attempt } from '../../../domain/attempt.ts'
import { joinedId } from '../../../domain/payment.ts'
import type { DetectedPayment } from '../../../networks/port.ts'

/** A payment of less than this part of what is due is small. */
const PARTS = 1000n
/**
 * In another asset than the due one, a payment below 0.01 of a coin is small. If the coin has more decimals
 * than this, it is probably worth more, and the limit is 0.0001.
 */
const FEW_DECIMALS = 8
const TRANSACTIONS_MAX = 20

/**
 * Joins all small payments of one block into one, since anybody can send an address thousands of them. A
 * small payment that is in no block yet is left out. A joined payment has the same ID in every scan.
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
    txId: joinedId(id, height),
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
