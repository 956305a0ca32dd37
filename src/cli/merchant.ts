import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { invalid } from '../domain/errors.ts'
import { type CryptoFirst, type LatePolicy, latePolicies, type Merchant } from '../domain/merchant.ts'
import { type SecondFactorPolicy, secondFactorPolicies } from '../domain/user.ts'
import type { Context } from '../operations/context.ts'
import { createMerchant } from '../operations/merchants/create.ts'
import { getMerchant, listMerchants } from '../operations/merchants/read.ts'
import { changeShop } from '../operations/operator/change-shop.ts'
import { type Cli, command, MERCHANT_ID, tableOf } from './cli.ts'
import { readInvoices, readSeller, readTax, withInvoiceOptions } from './merchant-invoices.ts'

/** The names of the choices in the option and the output, where a provider is called "gateway". */
const cryptoFirstNames = { own: 'own', provider: 'gateway' } as const satisfies Record<CryptoFirst, string>

function readCryptoFirst(name: string): CryptoFirst {
  const choices: CryptoFirst[] = ['own', 'provider']
  const choice = choices.find(one => cryptoFirstNames[one] === name)
  if (choice === undefined) throw invalid('crypto-first', 'must be one of own, gateway')
  return choice
}

function readSecondFactor(name: string): SecondFactorPolicy {
  const policy = secondFactorPolicies.find(one => one === name)
  if (policy === undefined) throw invalid('second-factor', `must be ${secondFactorPolicies.join(' or ')}`)
  return policy
}

function readLate(name: string): LatePolicy {
  const policy = latePolicies.find(one => one === name)
  if (policy === undefined) throw invalid('late', `must be one of ${latePolicies.join(', ')}`)
  return policy
}

const present = ({ id, createdAt: _, updatedAt: __, invoicing, fundsReminder, ...merchant }: Merchant) => {
  const { cryptoFirst, logo } = merchant
  return {
    merchantId: id,
    ...merchant,
    cryptoFirst: cryptoFirstNames[cryptoFirst],
    logo: logo && { path: `/images/${logo.id}`, width: logo.width, height: logo.height },
    invoices: invoicing?.policy ?? 'off',
    fundsReminder: fundsReminder && `${fundsReminder.amount} ${fundsReminder.currency}`,
  }
}

const NO_MAIL_SERVER =
  'Buyers get no email yet, because no mail server is configured. Enter one in the dashboard, under ' +
  'Server, Email; or set FLORIN_SMTP_URL and FLORIN_MAIL_FROM where the server runs, and restart it.'

const answerOf = (merchant: Merchant, what: string) => ({
  json: present(merchant),
  text: [
    `${what} ${merchant.name} (${merchant.email})`,
    `merchantId  ${merchant.id}`,
    `feePercent  ${merchant.feePercent}`,
  ].join('\n'),
})

interface Create {
  email: string
  name: string
  feePercent?: string
  currency?: string
}

interface Change {
  name?: string
  returnUrl?: string
  supportEmail?: string
  feePercent?: string
  cryptoFirst?: string
  tolerance?: string
  late?: string
  timeZone?: string
  currency?: string
  language?: string
  secondFactor?: string
  logo?: string
  color?: string
  supportUrl?: string
  termsUrl?: string
  privacyUrl?: string
  searchable?: string
  receipts?: string
  paymentMails?: string
  embedOrigins?: string
  staffPrices?: string
  invoices?: string
  fundsReminder?: string
  seller?: string
  tax?: string
}

/** Returns true for the word `yes`, false for the word `no`, and undefined if the option is missing. */
function readWord(option: string, word: string | undefined, yes: string, no: string): boolean | undefined {
  if (word === undefined) return undefined
  if (word !== yes && word !== no) throw invalid(option, `must be ${yes} or ${no}`)
  return word === yes
}

/** Reads --payment-mails. An empty word gives null: such mails are then sent wherever receipts are sent. */
const readPaymentMails = (word: string | undefined): boolean | null | undefined =>
  word === '' ? null : readWord('payment-mails', word, 'on', 'off')

/** Reads the file of a logo. An empty name gives an empty content. */
function readLogo(file: string): Uint8Array {
  if (file === '') return new Uint8Array()
  try {
    return readFileSync(file)
  } catch (error) {
    throw invalid('logo', `must be a readable file (${(error as { code?: string }).code ?? 'unknown error'})`)
  }
}

const readChange = (change: Change) => ({
  ...change,
  cryptoFirst: change.cryptoFirst === undefined ? undefined : readCryptoFirst(change.cryptoFirst),
  secondFactor: change.secondFactor === undefined ? undefined : readSecondFactor(change.secondFactor),
  late: change.late === undefined ? undefined : readLate(change.late),
  logo: change.logo === undefined ? undefined : readLogo(change.logo),
  searchable: readWord('searchable', change.searchable, 'yes', 'no'),
  receipts: readWord('receipts', change.receipts, 'on', 'off'),
  paymentMails: readPaymentMails(change.paymentMails),
  staffPrices: readWord('staff-prices', change.staffPrices, 'on', 'off'),
  invoices: change.invoices === undefined ? undefined : readInvoices(change.invoices),
  tax: change.tax === undefined ? undefined : readTax(change.tax),
  seller: change.seller === undefined ? undefined : readSeller(change.seller),
})

const create = (cli: Cli) =>
  command('create', 'create a merchant')
    .requiredOption('--email <email>', "the merchant's email address")
    .requiredOption('--name <name>', 'name shown to buyers')
    .option(
      '--fee-percent <percent>',
      "platform fee: the server operator's share of each order, in percent (default: 0)",
    )
    .option(
      '--currency <code>',
      'currency that new orders and products in the dashboard start with, such as EUR',
    )
    .action(
      cli.withContext(
        async (context, { email, name, feePercent, currency }: Create) => {
          const merchant = await createMerchant(context, { email, name, feePercent, currency })
          const { merchantId: id, email: address, name: known, feePercent: fee } = present(merchant)
          return {
            ...answerOf(merchant, 'Created'),
            json: { merchantId: id, email: address, name: known, feePercent: fee },
          }
        },
        { mayCreate: true },
      ),
    )

async function changeAndAnswer(context: Context, id: string, change: Change) {
  const input = readChange(change)
  const changed = await changeShop(context, id, input)
  const { json, text } = answerOf(changed, 'Changed')
  const isMute = (input.receipts || input.paymentMails) === true && context.channels.mail === null
  return { json, text: isMute ? `${text}\n${NO_MAIL_SERVER}` : text }
}

/** Adds the options that decide how payments in coins count. */
const withCryptoOptions = (set: Command): Command =>
  set
    .option(
      '--tolerance <percent>',
      'how much of a crypto payment may be missing: 0 to 5 percent, and never more than 5 USD (default: 0.5)',
    )
    .option(
      '--late <settle|ask>',
      'crypto payments that arrive after the 30 minutes and FLORIN_LATE_GRACE: settle counts them at ' +
        'their value on arrival, ask lets the merchant decide (default: settle)',
    )
    .option(
      '--crypto-first <own|gateway>',
      "for coins that both can take: own (the merchant's addresses) or gateway (PayGate.to, which deducts " +
        'its fee); default: own',
    )

const settings = (cli: Cli) =>
  withCryptoOptions(command('set', "change a merchant's name, branding, links, fee or crypto settings"))
    .argument('<id>', MERCHANT_ID)
    .option('--name <name>', 'name shown to buyers')
    .option('--return-url <url>', 'URL that buyers return to when an order has no returnUrl; "" removes it')
    .option('--support-email <email>', 'contact email address shown to buyers; "" removes it')
    .option('--support-url <url>', 'page where buyers get help, instead of the email address; "" removes it')
    .option(
      '--logo <file>',
      'PNG, JPEG, WebP or SVG file up to 100 KB, 32 to 1024 pixels wide and high; "" removes it',
    )
    .option('--color <#rrggbb>', 'color of buttons and links on the pages that buyers see; "" removes it')
    .option('--terms-url <url>', 'terms of sale, linked on the pages that buyers see; "" removes it')
    .option('--privacy-url <url>', 'privacy policy, linked on the pages that buyers see; "" removes it')
    .option('--searchable <yes|no>', 'whether search engines may list the product pages (default: yes)')
    .option(
      '--receipts <on|off>',
      'whether buyers get a link to their order and a receipt by email (default: off)',
    )
    .option(
      '--payment-mails <on|off>',
      'whether buyers get an email when a part of the amount arrives, a payment is late or too much, a ' +
        'payment vanishes, or a refund is recorded; "" sends them where receipts are sent (default)',
    )
    .option(
      '--embed-origins <origins>',
      'origins whose pages may show the checkout in a frame with /florin.js, separated by commas, such as ' +
        'https://shop.example; "" removes them',
    )
    .option('--fee-percent <percent>', 'platform fee of future orders, in percent')
    .option('--time-zone <name>', 'time zone of reports, such as Europe/Berlin (default: UTC)')
    .option(
      '--currency <code>',
      'currency that new orders and products in the dashboard start with, such as EUR; "" removes it',
    )
    .option(
      '--language <en|de>',
      "language of messages to the merchant's address, and to people who have not chosen one (default: en)",
    )
    .option(
      '--second-factor <optional|required>',
      'required: people set up an authenticator app or a passkey as their second factor before they can ' +
        'work in the dashboard of the shop (default: optional)',
    )
    .option(
      '--funds-reminder <amount>',
      "in the shop's currency: people are notified when funds of at least this value wait to be moved; " +
        '"" removes it (default)',
    )
    .option(
      '--staff-prices <on|off>',
      'whether staff may change the prices of products, and allow orders at another price (default: off)',
    )
    .action(cli.withContext(changeAndAnswer))

function shown(value: unknown): string {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return String(value ?? '')
  return 'path' in value ? String(value.path) : JSON.stringify(value)
}

/** Prints every property of a merchant on its own line. */
const textOf = (merchant: ReturnType<typeof present>): string =>
  tableOf(Object.entries(merchant).map(([name, value]) => [name, shown(value)]))

const show = (cli: Cli) =>
  command('show', 'show a merchant with every setting')
    .argument('<id>', MERCHANT_ID)
    .action(
      cli.withContext(async (context, id: string) => {
        const merchant = present(await getMerchant(context, id))
        return { json: merchant, text: textOf(merchant) }
      }),
    )

const list = (cli: Cli) =>
  command('list', 'list all merchants').action(
    cli.withContext(async context => {
      const merchants = await listMerchants(context)
      const rows = merchants.map(({ id, email, name, status }) => [id, email, name, status])
      const text =
        rows.length === 0
          ? 'No merchants yet. Create one: florin merchant create --email EMAIL --name NAME'
          : tableOf([['merchantId', 'email', 'name', 'status'], ...rows])
      return { json: { items: merchants.map(present) }, text }
    }),
  )

const withStatus = (cli: Cli, name: string, description: string, status: Merchant['status'], done: string) =>
  command(name, description)
    .argument('<id>', MERCHANT_ID)
    .action(
      cli.withContext(async (context, id: string) =>
        answerOf(await changeShop(context, id, { status }), done),
      ),
    )

export const merchant = (cli: Cli): Command =>
  new Command('merchant')
    .description('manage merchants')
    .addCommand(create(cli))
    .addCommand(withInvoiceOptions(settings(cli)))
    .addCommand(show(cli))
    .addCommand(list(cli))
    .addCommand(
      withStatus(
        cli,
        'suspend',
        'suspend a merchant: reject its API keys and hide its pages',
        'suspended',
        'Suspended',
      ),
    )
    .addCommand(withStatus(cli, 'resume', 'end a suspension', 'active', 'Resumed'))
