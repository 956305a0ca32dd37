import type { Asset } from '../../domain/asset.ts'
import type { Json } from '../../domain/metadata.ts'
import { settledHeight, type Tip } from '../evm-like/tip.ts'
import type { DetectedPayment } from '../port.ts'
import { toTronAddress } from './address.ts'

/** A payment to one address, as JSON-RPC or REST reports it. */
export interface Deposit {
  asset: Asset
  amount: bigint
  txId: string
  /** the address that was paid, in the form of the EVM */
  to: string
  height: number
  at: number
  /**
   * true if the node reports the transaction as solid; always true where only the tip decides about finality
   */
  isSolid: boolean
  evidence: { [key: string]: Json }
}

/**
 * The part of a payment's index that names the asset and the receiver. It is followed by the number of the
 * payment among all such payments of the transaction. The number of the log is not used, since JSON-RPC and
 * REST count logs differently.
 */
const nameOf = ({ asset, to }: Deposit): string =>
  `${asset.contract === null ? 'trx' : toTronAddress(asset.contract)}:${toTronAddress(to)}`

/** Makes detected payments. The deposits of one transaction must be in the order in which they were made. */
export function toDetectedPayments(deposits: Deposit[], chainId: number, tip: Tip): DetectedPayment[] {
  const counts = new Map<string, number>()
  return deposits.map(deposit => {
    const { asset, amount, txId, height, at, isSolid, evidence } = deposit
    const name = nameOf(deposit)
    const count = counts.get(`${txId} ${name}`) ?? 0
    counts.set(`${txId} ${name}`, count + 1)
    return {
      txId,
      txIndex: `${name}:${count}`,
      assetId: asset.id,
      amountAtomic: amount,
      confirmations: tip.head.height - height + 1,
      final: height <= settledHeight(asset, tip) && (isSolid || !asset.finality),
      height,
      txIn: txId,
      paidAt: at,
      evidence: {
        chainId,
        transactionId: txId,
        blockNumber: height,
        headNumber: tip.head.height,
        headHash: tip.head.hash,
        solidNumber: tip.finalized?.height ?? null,
        ...evidence,
      },
    }
  })
}
