import type { Attempt } from '../../domain/attempt.ts'
import type { Outflow } from '../../networks/port.ts'
import type { Tables } from '../../storage/port.ts'

/**
 * Records which transaction moved each payment on to the payout wallet: the first one after it in its asset.
 * The order and its transaction show that of the payment that settled them.
 */
export async function recordOutflows(
  tables: Tables,
  attempt: Attempt,
  outflows: readonly Outflow[],
  now: number,
): Promise<void> {
  const sorted = outflows.toSorted((a, b) => a.height - b.height)
  for (const incoming of await tables.incomingPayments.listOf(attempt.id)) {
    const { height, assetId } = incoming
    if (incoming.txOut !== null || incoming.state !== 'final' || height === null) continue
    const outflow = sorted.find(one => one.assetId === assetId && one.height >= height)
    if (!outflow) continue
    await tables.incomingPayments.update(incoming.id, { txOut: outflow.txId, updatedAt: now })
    if (incoming.settles) await showOnOrder(tables, attempt.orderId, outflow.txId, now)
  }
}

async function showOnOrder(tables: Tables, orderId: string, txOut: string, now: number): Promise<void> {
  const { order } = (await tables.orders.find(orderId)) ?? {}
  if (!order?.transactionId || order.providerTxOut !== null) return
  await tables.orders.update(orderId, { providerTxOut: txOut, updatedAt: now })
  await tables.transactions.setTxOut(order.transactionId, txOut, now)
}
