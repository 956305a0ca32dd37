import { Command, Option } from 'commander'
import { type DeliveryStatus, deliveryStatuses, type EventType, eventTypes } from '../domain/webhook.ts'
import { getMerchant } from '../operations/merchants/read.ts'
import { listEvents } from '../operations/webhooks/read-events.ts'
import { redeliverEvents, redeliverFailed } from '../operations/webhooks/redeliver.ts'
import { presentEvent } from '../present/event.ts'
import { type Cli, command, MERCHANT_ID, tableOf } from './cli.ts'

const LIST_MAX = 500

interface List {
  merchant: string
  status?: DeliveryStatus
  type?: EventType
}

const list = (cli: Cli) =>
  command('list', `list a merchant's webhook events, newest first (at most ${LIST_MAX})`)
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .addOption(new Option('--status <status>', 'status of the delivery').choices(deliveryStatuses))
    .addOption(new Option('--type <type>', 'type of the event').choices(eventTypes))
    .action(
      cli.withContext(async (context, { merchant: merchantId, status, type }: List) => {
        await getMerchant(context, merchantId)
        const page = await listEvents(context, { merchantId, status, type }, LIST_MAX, null)
        const items = page.items.map(presentEvent)
        const head = ['id', 'type', 'status', 'attempts', 'createdAt', 'orderUUID']
        const rows = items.map(item => [
          item.id,
          item.type,
          item.status,
          String(item.attempts.length),
          item.createdAt,
          item.orderUUID,
        ])
        return { json: { items }, text: rows.length > 0 ? tableOf([head, ...rows]) : 'No events.' }
      }),
    )

interface Redeliver {
  merchant: string
  failed?: boolean
}

function redeliver(cli: Cli): Command {
  const self = command('redeliver', 'send events again now; their retry schedule restarts')
    .argument('[event-id...]', 'IDs shown by florin event list (required unless --failed is given)')
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .option('--failed', 'send every failed or pending event, whatever its age')
  // The options are checked before the action opens the database.
  self.hook('preAction', () => {
    const { failed = false } = self.opts<Redeliver>()
    if (failed === self.args.length > 0) self.error('error: give either event IDs or --failed')
  })
  return self.action(
    cli.withContext(async (context, ids: string[], { merchant, failed = false }: Redeliver) => {
      await getMerchant(context, merchant)
      const redelivered = failed
        ? await redeliverFailed(context, merchant)
        : await redeliverEvents(context, merchant, ids)
      return {
        json: { redelivered },
        text: redelivered === 1 ? '1 event is sent again.' : `${redelivered} events are sent again.`,
      }
    }),
  )
}

export const event = (cli: Cli): Command =>
  new Command('event')
    .description("list a merchant's webhook events and send them again")
    .addCommand(list(cli))
    .addCommand(redeliver(cli))
