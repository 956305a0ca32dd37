import { Command } from 'commander'
import { fromUnitsShort } from '../domain/money.ts'
import { transactionIdOf } from '../domain/payment.ts'
import type { SkippedPayment } from '../domain/skipped-payment.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import type { Context } from '../operations/context.ts'
import { merchantOfUnmatched } from '../operations/merchants/find.ts'
import { acceptUnmatched } from '../operations/payments/accept-unmatched.ts'
import { refundUnmatched } from '../operations/payments/refund-unmatched.ts'
import { listSkippedPayments, listUnmatched, resolveUnmatched } from '../operations/payments/unmatched.ts'
import { presentOrder } from '../present/order.ts'
import { amountIn } from '../present/payment-amounts.ts'
import type { UnmatchedRow } from '../storage/port.ts'
import { type Cli, command, MERCHANT_ID, tableOf } from './cli.ts'

const present = (context: Context, row: UnmatchedRow) => ({
  id: row.payment.id,
  orderUUID: row.payment.orderId,
  attemptId: row.payment.attemptId,
  reason: row.payment.reason,
  status: row.payment.status,
  assetId: row.incoming.assetId,
  amount: amountIn({ asset: id => context.networks.asset(id) }, row.asked, row.incoming),
  value: row.payment.value,
  currency: row.currency,
  shortfall: row.payment.shortfall,
  txId: row.incoming.txIn ?? row.incoming.txOut ?? transactionIdOf(row.incoming),
  refundAddress: row.refundAddress,
  createdAt: formatTimestamp(row.payment.createdAt),
})

const presentSkipped = (payment: SkippedPayment) => ({
  id: payment.id,
  status: payment.status,
  assetId: payment.assetId,
  amount: fromUnitsShort(payment.amountAtomic, payment.decimals),
  address: payment.address,
  index: payment.position,
  createdAt: formatTimestamp(payment.createdAt),
})

/** Money that arrived for orders that a restore lost; nothing if there is none. */
function skippedText(items: ReturnType<typeof presentSkipped>[]): string[] {
  if (items.length === 0) return []
  const rows = items.map(({ id, status, amount, assetId, address }) => [
    id,
    status,
    `${amount} ${assetId}`,
    address,
  ])
  return [
    'Received at addresses that a restore skipped. Their orders are lost: find the payments in your wallet.',
    tableOf([['id', 'status', 'amount', 'address'], ...rows]),
  ]
}

const list = (cli: Cli) =>
  command(
    'list',
    'list payments that did not complete an order: second payments, underpayments, wrong assets, ' +
      'payments of closed orders, and late payments',
  )
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .action(
      cli.withContext(async (context, { merchant }: { merchant: string }) => {
        const shown = (await listUnmatched(context, merchant)).map(row => present(context, row))
        const rows = shown.map(row => [
          row.id,
          row.status,
          row.reason,
          `${row.amount} ${row.assetId}`,
          row.value === null ? 'unknown' : `${row.value} ${row.currency}`,
          row.orderUUID,
          row.refundAddress ?? '-',
        ])
        const skipped = (await listSkippedPayments(context, merchant)).map(presentSkipped)
        const head = ['id', 'status', 'reason', 'amount', 'value', 'orderUUID', 'refund address']
        return {
          json: { items: shown, skipped },
          text: [
            rows.length > 0 ? tableOf([head, ...rows]) : 'No unmatched payments.',
            ...skippedText(skipped),
          ].join('\n\n'),
        }
      }),
    )

const resolve = (cli: Cli) =>
  command(
    'resolve',
    'close an unmatched payment without paying its order, such as after a refund; moves no money',
  )
    .argument('<id>', 'the ID shown by florin unmatched list')
    .option('--note <text>', 'what was done about it, at most 500 characters')
    .action(
      cli.withContext(async (context, id: string, { note }: { note?: string }) => {
        await resolveUnmatched(context, await merchantOfUnmatched(context, id), id, note)
        return { json: { id, status: 'resolved' }, text: `Resolved ${id}` }
      }),
    )

const refund = (cli: Cli) =>
  command(
    'refund',
    "send an unmatched payment back through the shop's own account that took it, and resolve it",
  )
    .argument('<id>', 'the ID shown by florin unmatched list')
    .action(
      cli.withContext(async (context, id: string) => {
        const sum = await refundUnmatched(context, await merchantOfUnmatched(context, id), id)
        return { json: { id, status: 'resolved' }, text: `Sent back ${sum} of ${id}` }
      }),
    )

interface Accept {
  by: string
  reason?: string
}

const accept = (cli: Cli) =>
  command(
    'accept',
    'mark an UNPAID or EXPIRED order as paid with its unmatched payments, even if they are short or late',
  )
    .argument('<ids...>', 'IDs shown by florin unmatched list, all of one order')
    .requiredOption('--by <name>', 'name of the person who decided')
    .option('--reason <text>', 'reason for the decision, at most 500 characters')
    .action(
      cli.withContext(async (context, ids: string[], { by, reason }: Accept) => {
        const merchantId = await merchantOfUnmatched(context, ids[0] ?? '')
        const view = await acceptUnmatched(context, merchantId, ids, { by, reason: reason ?? null })
        const json = presentOrder(view, context.policy.checkoutUrl)
        const { orderUUID, amount, currency, receivedAmount, receivedCurrency } = json
        const received = `${receivedAmount} ${receivedCurrency}`
        return {
          json,
          text: `Order ${orderUUID} (${amount} ${currency}) is now PAID with ${received}, accepted by ${by}`,
        }
      }),
    )

export const unmatched = (cli: Cli): Command =>
  new Command('unmatched')
    .description('review payments that did not complete an order')
    .addCommand(list(cli))
    .addCommand(accept(cli))
    .addCommand(resolve(cli))
    .addCommand(refund(cli))
