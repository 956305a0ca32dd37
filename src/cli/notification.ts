import { Command } from 'commander'
import { listNotifications } from '../operations/payments/unmatched.ts'
import { presentNotification } from '../present/notification.ts'
import { type Cli, command, MERCHANT_ID } from './cli.ts'

const list = (cli: Cli) =>
  command('list', "list a merchant's notifications, newest first")
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .action(
      cli.withContext(async (context, { merchant }: { merchant: string }) => {
        const shown = (await listNotifications(context, merchant)).map(presentNotification)
        const lines = shown.map(
          row => `${row.createdAt}  ${row.text}${row.orderUUID ? `\n    order ${row.orderUUID}` : ''}`,
        )
        return { json: { items: shown }, text: lines.join('\n') || 'No notifications.' }
      }),
    )

export const notification = (cli: Cli): Command =>
  new Command('notification').description("list a merchant's notifications").addCommand(list(cli))
