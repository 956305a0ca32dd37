import { Command } from 'commander'
import { eventTypes } from '../domain/webhook.ts'
import { getMerchant } from '../operations/merchants/read.ts'
import { changeWebhook, chooseEvents, getWebhook, rotateSecret } from '../operations/webhooks/change.ts'
import { addWebhook, listWebhooks, removeWebhook } from '../operations/webhooks/further.ts'
import { testWebhook } from '../operations/webhooks/send-test.ts'
import { presentAddedWebhook, presentAnyWebhook, presentWebhook } from '../present/webhook.ts'
import { type Cli, command, MERCHANT_ID, parseOverlap } from './cli.ts'

const secretText = (secret: string): string =>
  `signingSecret  ${secret}\nStore it now; it cannot be shown again.`

const answerOf = (shown: ReturnType<typeof presentWebhook>) => ({
  json: shown,
  text: shown.url
    ? `${shown.url} is ${shown.status}\nevents  ${shown.events.join(', ')}`
    : 'No webhook is configured.',
})

const set = (cli: Cli) =>
  command('set', 'set the URL that receives events; the signing secret is shown only the first time')
    .argument('<url>', 'a public https URL')
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .action(
      cli.withContext(async (context, url: string, { merchant }: { merchant: string }) => {
        await getMerchant(context, merchant)
        const { webhook, created } = await changeWebhook(context, merchant, url)
        const json = { url: webhook.url, ...(created && { signingSecret: webhook.secret }) }
        const secret = created ? `\n\n${secretText(webhook.secret)}` : ''
        return { json, text: `Events are sent to ${webhook.url}${secret}` }
      }),
    )

const test = (cli: Cli) =>
  command(
    'test',
    'send a test event, even if the webhook is not subscribed to it; exit with 1 unless the ' +
      'response has status 200',
  )
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .action(
      cli.withContext(async (context, { merchant }: { merchant: string }) => {
        await getMerchant(context, merchant)
        const { httpStatus, outcome, durationMs } = await testWebhook(context, merchant)
        const status = httpStatus === null ? outcome : `${outcome} (status ${httpStatus})`
        return {
          json: { httpStatus, outcome, durationMs },
          text: `${status} after ${durationMs} ms`,
          exitCode: outcome === 'delivered' ? 0 : 1,
        }
      }),
    )

const rotate = (cli: Cli) =>
  command('rotate', 'replace the signing secret; the new one is shown only once')
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .option(
      '--overlap <duration>',
      'how long deliveries also carry X-Service-Signature-Previous, made with the previous secret',
      '24h',
    )
    .action(
      cli.withContext(async (context, { merchant, overlap }: { merchant: string; overlap: string }) => {
        await getMerchant(context, merchant)
        const signingSecret = await rotateSecret(context, merchant, parseOverlap(overlap))
        return { json: { signingSecret }, text: secretText(signingSecret) }
      }),
    )

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

type Presented = ReturnType<typeof presentAnyWebhook>

const lineOf = ({ endpointId, isFirst, url, status, events }: Presented): string => {
  const first = isFirst ? '  (set with florin webhook set)' : ''
  return `${endpointId}  ${status}  ${url}${first}\n  ${events.join(', ')}`
}

const add = (cli: Cli) =>
  command('add', 'add another webhook, with events and a secret of its own')
    .argument('<url>', 'a public https URL')
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .option('--events <events>', `comma-separated list of: ${eventTypes.join(', ')}`, 'order.paid')
    .action(
      cli.withContext(async (context, url: string, given: { merchant: string; events: string }) => {
        await getMerchant(context, given.merchant)
        const events = given.events.split(',').map(name => name.trim())
        const made = await addWebhook(context, given.merchant, { url, events })
        return {
          json: presentAddedWebhook(made),
          text: `${lineOf(presentAnyWebhook(made))}\n\n${secretText(made.secret)}`,
        }
      }),
    )

const list = (cli: Cli) =>
  command('list', "list a merchant's webhooks, without their secrets")
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .action(
      cli.withContext(async (context, { merchant }: { merchant: string }) => {
        await getMerchant(context, merchant)
        const items = (await listWebhooks(context, merchant)).map(presentAnyWebhook)
        const text = items.length === 0 ? 'No webhook is configured.' : items.map(lineOf).join('\n')
        return { json: { items }, text }
      }),
    )

const remove = (cli: Cli) =>
  command('remove', 'delete a webhook that was added; what waits for it is never sent')
    .argument('<id>', 'ID of the webhook, as florin webhook list prints it')
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .action(
      cli.withContext(async (context, id: string, { merchant }: { merchant: string }) => {
        await getMerchant(context, merchant)
        const removed = presentAnyWebhook(await removeWebhook(context, merchant, id))
        return { json: removed, text: `Events are no longer sent to ${removed.url}` }
      }),
    )

export const webhook = (cli: Cli): Command =>
  new Command('webhook')
    .description("manage a merchant's webhooks")
    .addCommand(set(cli))
    .addCommand(test(cli))
    .addCommand(rotate(cli))
    .addCommand(show(cli))
    .addCommand(events(cli))
    .addCommand(add(cli))
    .addCommand(list(cli))
    .addCommand(remove(cli))
