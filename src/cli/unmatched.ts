import { Command } from 'commander'
import { fromUnitsShort } from '../domain/money.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import type { Context } from '../operations/context.ts'
import { listUnmatched, resolveUnmatched } from '../operations/payments/unmatched.ts'
import type { UnmatchedRow } from '../storage/port.ts'
import { type Cli, command, tableOf } from './cli.ts'

/** Of an asset that has left the table nobody knows the decimals: its amount stays in its smallest unit. */
function amountOf({ networks }: Context, { payment, incoming, decimals }: UnmatchedRow): string {
  const known = payment.reason === 'wrong_asset' ? networks.asset(incoming.assetId)?.decimals : decimals
  return known === undefined ? `${incoming.amount} units` : fromUnitsShort(incoming.amount, known)
}

const present = (context: Context, row: UnmatchedRow) => ({
  id: row.payment.id,
  orderUUID: row.payment.orderId,
  reason: row.payment.reason,
  status: row.payment.status,
  assetId: row.incoming.assetId,
  amount: amountOf(context, row),
  txId: row.incoming.txIn ?? row.incoming.txOut ?? row.incoming.txId,
  createdAt: formatTimestamp(row.payment.createdAt),
})

const list = (cli: Cli) =>
  command('list', 'payments that settled no order: second, late, too small, or of a wrong asset')
    .requiredOption('--merchant <id>', 'merchantId')
    .action(
      cli.withContext(async (context, { merchant }: { merchant: string }) => {
        const shown = (await listUnmatched(context, merchant)).map(row => present(context, row))
        const rows = shown.map(row => [
          row.id,
          row.status,
          row.reason,
          `${row.amount} ${row.assetId}`,
          row.orderUUID,
        ])
        const head = ['id', 'status', 'reason', 'amount', 'orderUUID']
        return { json: shown, text: rows.length > 0 ? tableOf([head, ...rows]) : 'Every payment is matched.' }
      }),
    )

const resolve = (cli: Cli) =>
  command('resolve', 'note that you have dealt with it')
    .argument('<id>', 'the id that the list shows')
    .action(
      cli.withContext(async (context, id: string) => {
        await resolveUnmatched(context, id)
        return { json: { id, status: 'resolved' }, text: `Resolved ${id}` }
      }),
    )

export const unmatched = (cli: Cli): Command =>
  new Command('unmatched')
    .description('payments that settled nothing')
    .addCommand(list(cli))
    .addCommand(resolve(cli))
