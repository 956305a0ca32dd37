import type { Asset } from '../../domain/asset.ts'
import type { Json } from '../../domain/metadata.ts'
import { settledHeight, type Tip } from '../evm-like/tip.ts'
import type { DetectedPayment } from '../port.ts'
import { toAddress } from './account.ts'

/** A payment as it was read, from whichever interface. */
export interface Arrival {
  asset: Asset
  amount: bigint
  txId: string
  /** the account that received it */
  to: string
  height: number
  at: number
  /** the node tells of it among what cannot be replaced any more; or finality is judged by the tip alone */
  isSolid: boolean
  evidence: { [key: string]: Json }
}

/**
 * The interfaces count the logs of a transaction differently. So a payment is named by what it brought to
 * whom, and by its turn among the like of it, which are the same wherever it is read.
 */
function placeOf({ asset, to }: Arrival): string {
  return `${asset.contract === null ? 'trx' : toAddress(asset.contract)}:${toAddress(to)}`
}

/** The arrivals of one transaction come in the order in which they happened. */
export function toDetectedPayments(arrivals: Arrival[], chainId: number, tip: Tip): DetectedPayment[] {
  const turns = new Map<string, number>()
  return arrivals.map(arrival => {
    const { asset, amount, txId, height, at, isSolid, evidence } = arrival
    const place = placeOf(arrival)
    const turn = turns.get(`${txId} ${place}`) ?? 0
    turns.set(`${txId} ${place}`, turn + 1)
    return {
      txId,
      txIndex: `${place}:${turn}`,
      assetId: asset.id,
      amount,
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
