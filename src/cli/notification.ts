import { Command } from 'commander'
import { listNotifications } from '../operations/notices/list.ts'
import { testChannels } from '../operations/notices/send-test.ts'
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

const test = (cli: Cli) =>
  command('test', 'send a test notification by email and to FLORIN_NOTIFY_URL')
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .addHelpText('after', '\nExits with 1 unless every configured channel accepted it.')
    .action(
      cli.withContext(async (context, { merchant }: { merchant: string }) => {
        const items = (await testChannels(context, merchant)).map(({ channel, fault }) => ({
          channel,
          outcome: fault === null ? 'sent' : 'failed',
          reason: fault,
        }))
        const lines = items.map(({ channel, outcome, reason }) => `${channel}  ${outcome}  ${reason ?? ''}`)
        const exitCode = items.every(({ outcome }) => outcome === 'sent') ? 0 : 1
        return { json: { items }, text: lines.map(line => line.trimEnd()).join('\n'), exitCode }
      }),
    )

export const notification = (cli: Cli): Command =>
  new Command('notification')
    .description("list a merchant's notifications, and test how they are sent")
    .addCommand(list(cli))
    .addCommand(test(cli))
