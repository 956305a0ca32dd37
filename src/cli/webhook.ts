import { Command } from 'commander'
import { eventTypes } from '../domain/webhook.ts'
import { readMerchant } from '../operations/merchants/read.ts'
import { chooseEvents, readWebhook } from '../operations/webhooks/change.ts'
import { presentWebhook } from '../present/webhook.ts'
import { type Cli, command } from './cli.ts'

const told = (shown: ReturnType<typeof presentWebhook>) => ({
  json: shown,
  text: shown.url
    ? `${shown.url} is ${shown.status}\nevents  ${shown.events.join(', ')}`
    : 'No webhook is configured.',
})

const show = (cli: Cli) =>
  command('show', "show a merchant's webhook; its secret is never shown again")
    .requiredOption('--merchant <id>', 'merchantId')
    .action(
      cli.inWorld(async (world, { merchant }: { merchant: string }) => {
        await readMerchant(world, merchant)
        return told(presentWebhook(await readWebhook(world, merchant)))
      }),
    )

const events = (cli: Cli) =>
  command('events', 'choose which events are sent')
    .requiredOption('--merchant <id>', 'merchantId')
    .requiredOption('--events <events>', `comma-separated, of ${eventTypes.join(', ')}`)
    .action(
      cli.inWorld(async (world, { merchant, events: wanted }: { merchant: string; events: string }) => {
        await readMerchant(world, merchant)
        const names = wanted.split(',').map(name => name.trim())
        return told(presentWebhook(await chooseEvents(world, merchant, names)))
      }),
    )

export const webhook = (cli: Cli): Command =>
  new Command('webhook')
    .description('the webhook of a merchant')
    .addCommand(show(cli))
    .addCommand(events(cli))
