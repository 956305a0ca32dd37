import { Command } from 'commander'
import { formatTimestamp } from '../domain/timestamp.ts'
import { listNotifications } from '../operations/payments/unmatched.ts'
import { type Cli, command } from './cli.ts'

const list = (cli: Cli) =>
  command('list', 'what a merchant should know of, newest first')
    .requiredOption('--merchant <id>', 'merchantId')
    .action(
      cli.withContext(async (context, { merchant }: { merchant: string }) => {
        const shown = (await listNotifications(context, merchant)).map(
          ({ id, kind, orderId, text, createdAt }) => ({
            id,
            kind,
            orderUUID: orderId,
            text,
            createdAt: formatTimestamp(createdAt),
          }),
        )
        const lines = shown.map(
          row => `${row.createdAt}  ${row.text}${row.orderUUID ? `\n    order ${row.orderUUID}` : ''}`,
        )
        return { json: shown, text: lines.join('\n') || 'There is nothing to know.' }
      }),
    )

export const notification = (cli: Cli): Command =>
  new Command('notification').description('what merchants should know of').addCommand(list(cli))
