import { Command } from 'commander'
import { printInstant } from '../domain/instant.ts'
import { fromUnitsShort } from '../domain/money.ts'
import { merchantOfUnmatched } from '../operations/find-merchant.ts'
import { listUnmatched, resolveUnmatched } from '../operations/read-unmatched.ts'
import type { World } from '../operations/world.ts'
import type { UnmatchedRow } from '../storage/port.ts'
import { type Cli, command, tableOf } from './cli.ts'

/** Of an asset that has left the table nobody knows the decimals: its amount stays in its smallest unit. */
function amountOf({ networks }: World, { payment, receipt, decimals }: UnmatchedRow): string {
  const known = payment.reason === 'wrong_asset' ? networks.asset(receipt.assetId)?.decimals : decimals
  return known === undefined ? `${receipt.amount} units` : fromUnitsShort(receipt.amount, known)
}

const present = (world: World, row: UnmatchedRow) => ({
  id: row.payment.id,
  orderUUID: row.payment.orderId,
  reason: row.payment.reason,
  status: row.payment.status,
  assetId: row.receipt.assetId,
  amount: amountOf(world, row),
  txId: row.receipt.txIn ?? row.receipt.txOut ?? row.receipt.txId,
  createdAt: printInstant(row.payment.createdAt),
})

const list = (cli: Cli) =>
  command('list', 'payments that settled no order: second, late, too small, or of a wrong asset')
    .requiredOption('--merchant <id>', 'merchantId')
    .action(
      cli.inWorld(async (world, { merchant }: { merchant: string }) => {
        const shown = (await listUnmatched(world, merchant)).map(row => present(world, row))
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
      cli.inWorld(async (world, id: string) => {
        await resolveUnmatched(world, await merchantOfUnmatched(world, id), id)
        return { json: { id, status: 'resolved' }, text: `Resolved ${id}` }
      }),
    )

export const unmatched = (cli: Cli): Command =>
  new Command('unmatched')
    .description('payments that settled nothing')
    .addCommand(list(cli))
    .addCommand(resolve(cli))
