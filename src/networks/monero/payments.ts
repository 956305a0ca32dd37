import type { Asset } from '../../domain/asset.ts'
import type { DetectedPayment } from '../port.ts'
import type { Header } from './daemon.ts'
import type { MatchedOutput } from './match-outputs.ts'

/** An output to a watched address, and its block; null while the output is in the pool. */
export interface ReceivedOutput<Block extends Header | null = Header | null> {
  output: MatchedOutput
  block: Block
}

/** Makes a detected payment, as of the tip of its scan. */
export function toDetectedPayment(
  asset: Asset,
  { output, block }: ReceivedOutput,
  tip: Header,
  now: number,
): DetectedPayment {
  const confirmations = block ? tip.height - block.height + 1 : 0
  const { transaction, index, key, amount, commitment } = output
  return {
    txId: transaction,
    txIndex: `${index}`,
    assetId: asset.id,
    amountAtomic: amount,
    confirmations,
    final: confirmations >= Math.max(asset.confirmations, 1),
    height: block?.height ?? null,
    txIn: transaction,
    paidAt: block?.at ?? now,
    evidence: {
      kind: 'output',
      transactionHash: transaction,
      outputIndex: index,
      outputKey: key,
      amount: amount.toString(),
      commitment,
      unlockTime: 0,
      blockHash: block?.hash ?? null,
      blockNumber: block?.height ?? null,
      headNumber: tip.height,
      headHash: tip.hash,
    },
  }
}
