import { Command } from 'commander'
import { secretsFileOf } from '../boot/secrets-file.ts'
import { invalid } from '../domain/errors.ts'
import type { ProviderAccountFacts } from '../domain/provider-account.ts'
import {
  callbackUrlOf,
  connectAccount,
  connectable,
  hasClientId,
  listAccounts,
  testAccount,
} from '../operations/merchants/connect-account.ts'
import { getMerchant } from '../operations/merchants/read.ts'
import { rotateSecrets } from '../operations/merchants/rotate-secrets.ts'
import { disconnectAccount } from '../operations/payments/disconnect-account.ts'
import { type Answer, type Cli, command, MERCHANT_ID } from './cli.ts'
import { readKey, refuseArguments } from './wallet/prompts.ts'

const PROVIDER = 'stripe, mollie or paypal'

interface Options {
  merchant: string
  provider: string
  keyFile?: string
  webhookSecretFile?: string
}

const jsonOf = (provider: string, { id, name, mode, webhook }: ProviderAccountFacts) => ({
  provider,
  account: id,
  name,
  mode,
  webhook,
})

const sentenceOf = ({ id, name, mode }: ProviderAccountFacts): string =>
  `${name} (${id}), ${mode === 'live' ? 'live: real money' : 'test: no money moves'}`

const provided = (name: string, description: string) =>
  command(name, description)
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .requiredOption('--provider <name>', PROVIDER)

const set = (cli: Cli) =>
  refuseArguments(
    provided('set', "connect a shop's own account with a payment provider, after trying its key"),
  )
    .option(
      '--key-file <file>',
      'file with the key (PayPal: client ID, then secret); otherwise it is read from standard input',
    )
    .option('--webhook-secret-file <file>', 'file with the secret of a webhook that you made yourself')
    .action(
      cli.withContext(async (context, options: Options): Promise<Answer> => {
        const { merchant, provider, keyFile, webhookSecretFile } = options
        if (!connectable(context).includes(provider)) {
          throw invalid('provider', `must be one of ${connectable(context).join(', ')}`)
        }
        const parts = hasClientId(context, provider)
          ? ['client ID', 'secret']
          : ['secret, restricted or API key']
        const [key = '', clientId = null] = (await readKey(keyFile, parts)).reverse()
        const [webhookSecret = null] = webhookSecretFile
          ? await readKey(webhookSecretFile, ['webhook secret'])
          : []
        const connection = { merchantId: merchant, providerId: provider, key, clientId, webhookSecret }
        const account = await connectAccount(context, connection)
        const lines = [`Connected ${sentenceOf(account)}`]
        if (account.webhook === 'missing') {
          lines.push(
            'The key may not set up a webhook. Payments are found when the buyer returns, or within ten ' +
              `minutes. To know them at once, make one for ${callbackUrlOf(context, provider)} at the ` +
              'provider, and run this again with --webhook-secret-file.',
          )
        }
        return { json: jsonOf(provider, account), text: lines.join('\n') }
      }),
    )

const list = (cli: Cli) =>
  command('list', "list a shop's own accounts with payment providers")
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .action(
      cli.withContext(async (context, { merchant }: { merchant: string }): Promise<Answer> => {
        await getMerchant(context, merchant)
        const accounts = await listAccounts(context, merchant)
        const json = accounts.map(({ provider, account }) =>
          account ? jsonOf(provider, account) : { provider, account: null },
        )
        const lines = accounts.map(({ provider, account }) =>
          account
            ? `${provider}  ${sentenceOf(account)}, webhook ${account.webhook}`
            : `${provider}  cannot be decrypted: enter its key again`,
        )
        return { json: { items: json }, text: lines.join('\n') || 'No account is connected.' }
      }),
    )

const test = (cli: Cli) =>
  provided('test', 'ask the provider whether an account still works').action(
    cli.withContext(async (context, { merchant, provider }: Options): Promise<Answer> => {
      const account = await testAccount(context, merchant, provider)
      return { json: jsonOf(provider, account), text: `Works: ${sentenceOf(account)}` }
    }),
  )

const remove = (cli: Cli) =>
  provided('remove', 'close the payment pages that buyers have open at an account, and forget it').action(
    cli.withContext(async (context, { merchant, provider }: Options): Promise<Answer> => {
      const { closed, open } = await disconnectAccount(context, merchant, provider)
      const left =
        open.length === 0
          ? []
          : [
              'The payment pages of these orders could not be closed. Buyers may still pay there, and ' +
                'Florin would not see it:',
              ...open,
            ]
      const text = [`Removed. Payment pages that were closed: ${closed}.`, ...left].join('\n')
      return { json: { provider, removed: true, closed, open }, text }
    }),
  )

const rotate = (cli: Cli) =>
  command(
    'rotate-key',
    'encrypt all stored credentials of providers with a new key; the server may keep running',
  )
    .addHelpText(
      'after',
      '\nFLORIN_SECRETS_FILE gets the new key. Backups from before open only with the former one. An ' +
        'interrupted change is completed by running the command again.',
    )
    .action(
      cli.withContext(async (context): Promise<Answer> => {
        const { rotated, unreadable } = await rotateSecrets(context)
        const lines = [
          `Accounts that were encrypted with a new key: ${rotated}. Copy the file again to where you keep ` +
            `a copy of it: ${secretsFileOf(cli.settings())}`,
          ...(unreadable > 0
            ? [`Accounts that no key opens, and that have to be entered again: ${unreadable}.`]
            : []),
        ]
        return { json: { rotated, unreadable }, text: lines.join('\n') }
      }),
    )

export const provider = (cli: Cli): Command =>
  new Command('provider')
    .description("manage shops' own accounts with payment providers")
    .addCommand(set(cli))
    .addCommand(list(cli))
    .addCommand(test(cli))
    .addCommand(remove(cli))
    .addCommand(rotate(cli))
