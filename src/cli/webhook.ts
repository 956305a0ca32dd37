import { Command } from 'commander'
import { eventTypes } from '../domain/webhook.ts'
import { getMerchant } from '../operations/merchants/read.ts'
import { chooseEvents, getWebhook } from '../operations/webhooks/change.ts'
import { presentWebhook } from '../present/webhook.ts'
import { type Cli, command, MERCHANT_ID } from './cli.ts'

const answerOf = (shown: ReturnType<typeof presentWebhook>) => ({
  json: shown,
  text: shown.url
    ? `${shown.url} is ${shown.status}\nevents  ${shown.events.join(', ')}`
    : 'No webhook is configured.',
})

const show = (cli: Cli) =>
  command('show', "show a merchant's webhook, without its secret")
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .action(
      cli.withContext(async (context, { merchant }: { merchant: string }) => {
        await getMerchant(context, merchant)
        return answerOf(presentWebhook(await getWebhook(context, merchant)))
      }),
    )

const events = (cli: Cli) =>
  command('events', 'choose which events are delivered')
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .requiredOption('--events <events>', `comma-separated list of: ${eventTypes.join(', ')}`)
    .action(
      cli.withContext(async (context, { merchant, events: wanted }: { merchant: string; events: string }) => {
        await getMerchant(context, merchant)
        const names = wanted.split(',').map(name => name.trim())
        return answerOf(presentWebhook(await chooseEvents(context, merchant, names)))
      }),
    )

export const webhook = (cli: Cli): Command =>
  new Command('webhook')
    .description("manage a merchant's webhook")
    .addCommand(show(cli))
    .addCommand(events(cli))
