import type { DetectedPayment, Watch } from '../port.ts'
import type { Payment, Reader, Tip } from './readers/reader.ts'

/**
 * Makes a detected payment, as of the tip of its scan. The payment is final in a block up to `finalHeight`.
 */
export function toDetectedPayment(
  { protocol, host }: Reader,
  { asset, address }: Watch,
  { txId, index, script, amount, inputs, block }: Payment,
  tip: Tip,
  finalHeight: number,
  now: number,
): DetectedPayment {
  return {
    txId,
    txIndex: `${index}`,
    assetId: asset.id,
    amountAtomic: amount,
    confirmations: block ? tip.height - block.height + 1 : 0,
    final: block !== null && block.height <= finalHeight,
    height: block?.height ?? null,
    txIn: txId,
    paidAt: block?.at ?? now,
    inputs,
    evidence: {
      protocol,
      host,
      txid: txId,
      vout: index,
      address,
      scriptPubKey: script,
      value: amount.toString(),
      blockHash: block?.hash ?? null,
      blockHeight: block?.height ?? null,
      tipHash: tip.hash,
      tipHeight: tip.height,
    },
  }
}
