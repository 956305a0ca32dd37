import type { TransactionModel } from '../../views/parts.ts'
import type { Asset, AssetLook } from '../domain/asset.ts'
import { type IncomingPayment, transactionIdOf } from '../domain/payment.ts'

export interface TransactionContext {
  asset(id: string): Asset | undefined
  look(asset: Asset): AssetLook
  /** true in the sandbox, whose transactions are in no explorer */
  isSandbox: boolean
}

/**
 * Link to the buyer's transaction, or else to the transaction that reached the merchant; null if neither is
 * known.
 */
export function presentTransactionLink(
  payment: Pick<IncomingPayment, 'assetId' | 'txId' | 'txIn'>,
  { asset: assetOf, look, isSandbox }: TransactionContext,
): TransactionModel | null {
  const id = transactionIdOf(payment)
  if (id === null) return null
  const asset = assetOf(payment.assetId)
  const template = asset && !isSandbox ? look(asset).transactionUrl : null
  return { id, url: template?.replace('{txId}', encodeURIComponent(id)) ?? null }
}
