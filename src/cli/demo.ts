import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { giveBackMemory } from '../boot/memory.ts'
import type { Platform } from '../boot/platform.ts'
import type { Running } from '../boot/serve.ts'
import { systemdOf } from '../boot/systemd.ts'
import type { Log } from '../domain/log.ts'
import type { Merchant } from '../domain/merchant.ts'
import type { Role } from '../domain/user.ts'
import type { Owner } from '../operations/channels/steps/require-channel.ts'
import type { Context } from '../operations/context.ts'
import { createKey, revokeKey } from '../operations/keys/manage.ts'
import { changeMerchant } from '../operations/merchants/change.ts'
import { createMerchant } from '../operations/merchants/create.ts'
import { listKeys, listMerchants } from '../operations/merchants/read.ts'
import { saveView } from '../operations/orders/saved-views.ts'
import { createUser } from '../operations/people/create-user.ts'
import { createEnterLink } from '../operations/people/links.ts'
import { createProducts } from '../operations/products/create.ts'
import { listProducts } from '../operations/products/read.ts'
import type { NewProduct } from '../operations/products/steps/parse-request.ts'
import { changeWebhook, getWebhook } from '../operations/webhooks/change.ts'
import { curlLine } from '../present/curl-line.ts'
import { productCheckoutUrl } from '../present/product-checkout.ts'
import { checkCombinations, SettingsError } from '../settings/read.ts'
import type { Settings } from '../settings/table.ts'
import { databaseOf } from '../storage/index.ts'
import { type Cli, command } from './cli.ts'
import { type DemoCards, openDemoCards } from './demo-cards.ts'
import { addDemoChannels, addDemoDigest, moveDemoChannels, printedMail } from './demo-channels.ts'
import { type DemoClock, demoClock, makeDemoHistory } from './demo-history.ts'
import { demoBag, demoLogo } from './demo-images.ts'
import { type DemoPage, openDemoOrders } from './demo-orders.ts'
import { DEMO_PAST_MS } from './demo-sales.ts'
import { setUpDemoWallets } from './demo-wallets.ts'
import { start, untilStopped } from './serve.ts'
import { linkUrl } from './user.ts'

const EMAIL = 'demo@florin.example'

const emails: Record<Role, string> = {
  owner: EMAIL,
  staff: 'staff@florin.example',
  viewer: 'viewer@florin.example',
}

const PASSWORD_BYTES = 12

/** A person who has not accepted their invitation. */
const INVITED = 'barista@florin.example'

/** Saved filters of the owner. */
const demoViews = [
  ['Refunded', 'refunded=yes'],
  ['Paid in euros', 'currency=EUR&status=PAID'],
] as const

/** One product with a fixed price, and one whose price buyers can change. */
const demoProducts: NewProduct[] = [
  {
    name: 'House blend, 1 kg',
    description: 'Whole bean, roasted on Tuesdays',
    imageBase64: demoBag,
    imageDisplaySize: 320,
    allowPriceOverride: false,
    orderTemplate: { amount: '24.00', currency: 'USD', paymentMethodsKeys: ['*'], metadata: { sku: 'HB-1' } },
  },
  {
    name: 'Tip jar',
    description: 'As much as you like, for the roasters',
    imageDisplaySize: 256,
    orderTemplate: { amount: '5.00', currency: 'USD', paymentMethodsKeys: ['*'] },
  },
]

const demoBrand = {
  color: '#7a3b1d',
  currency: 'USD',
  supportEmail: 'help@florin.example',
  termsUrl: 'https://florin.example/terms',
  privacyUrl: 'https://florin.example/privacy',
}

async function demoMerchant(context: Context): Promise<Merchant> {
  const known = (await listMerchants(context)).find(({ email }) => email === EMAIL)
  if (known) return known
  const merchant = await createMerchant(context, { email: EMAIL, name: 'Corner Coffee', feePercent: '1' })
  await setUpDemoWallets(context, merchant.id)
  await createProducts(context, merchant.id, demoProducts, index => `/${index}`)
  return changeMerchant(context, merchant.id, { ...demoBrand, logo: Buffer.from(demoLogo, 'base64') })
}

/** A key cannot be shown twice, so each start creates new keys and revokes the previous ones. */
async function demoKeys(context: Context, merchantId: string) {
  for (const key of await listKeys(context, merchantId)) {
    if (key.revokedAt === null) await revokeKey(context, merchantId, key.id)
  }
  const live = await createKey(context, { merchantId, mode: 'live' })
  const test = await createKey(context, { merchantId, mode: 'test' })
  return { liveKey: live.text, testKey: test.text }
}

/** The people of the shop, by role. Each start gives all of them the same new password. */
async function demoPeople(context: Context, merchantId: string) {
  const password = Buffer.from(context.ids.random(PASSWORD_BYTES)).toString('base64url')
  const passwordHash = await context.passwords.hash(password)
  const ids: [string, string][] = []
  for (const [role, email] of Object.entries(emails)) {
    const { user } = await createUser(context, { email, merchantId, role })
    ids.push([role, user.id])
    const change = { passwordHash, updatedAt: context.clock() }
    await context.storage.write(tables => tables.users.update(user.id, change))
  }
  return { people: Object.fromEntries(ids) as Record<Role, string>, password, passwordHash }
}

/** Gives the shop a past, so that every screen of its dashboard has something to show. */
async function letTimePass(
  running: Running,
  clock: DemoClock,
  merchantId: string,
  { owner, staff }: Record<Role, string>,
  hasReceiver: boolean,
): Promise<void> {
  const { context } = running.florin
  try {
    await addDemoChannels(running, { userId: owner, merchantId }, hasReceiver)
    for (const [name, query] of demoViews) {
      await saveView(context, { userId: owner, merchantId }, { page: 'orders', name, query })
    }
    await makeDemoHistory({ running, context, clock, merchantId, userId: owner, staffId: staff })
    await createUser(context, { email: INVITED, merchantId, role: 'staff' })
    await addDemoDigest(running, { userId: owner, merchantId })
  } catch (error) {
    clock.moveTo(clock.end())
    context.log.warn({ error: String(error) }, 'demo.history.failed')
  }
}

/** Links that open the dashboard as each person of the demo shop. Each start makes new ones. */
async function demoDashboardUrls(
  context: Context,
  people: Record<Role, string>,
): Promise<Record<Role, string>> {
  const urls: [string, string][] = []
  for (const [role, id] of Object.entries(people))
    urls.push([role, linkUrl(context, await createEnterLink(context, id))])
  return Object.fromEntries(urls) as Record<Role, string>
}

/** Sends events and notices to the sandbox. Called at each start, because the port may change. */
async function demoReceivers(running: Running, { merchantId, userId }: Owner): Promise<void> {
  const { florin, url } = running
  const receiver = `${url}/sandbox/webhook`
  const known = await getWebhook(florin.context, merchantId)
  if (known?.url !== receiver) await changeWebhook(florin.context, merchantId, receiver)
  await moveDemoChannels(running, { userId, merchantId })
}

async function demoProductUrls(context: Context, merchantId: string): Promise<string[]> {
  const { items } = await listProducts(context, merchantId, demoProducts.length, null)
  return items.map(({ product }) => productCheckoutUrl(product.id, context.policy.checkoutUrl))
}

/**
 * Makes a platform with the demo's clock, which sends no mail. Warnings about the demo's past are not logged.
 */
const inTime =
  ({ now, isPast }: DemoClock) =>
  (platform: Platform): Platform => {
    const warn: Log['warn'] = (fields, event) => {
      if (!isPast()) platform.log.warn(fields, event)
    }
    return { ...platform, isForShow: true, now, mail: printedMail, log: { ...platform.log, warn } }
  }

/** Starts the server; uses a free port if the default one is taken and FLORIN_PORT is not set. */
async function startSomewhere(cli: Cli, settings: Settings, clock: DemoClock): Promise<Running> {
  try {
    return await start(cli, settings, inTime(clock))
  } catch (error) {
    if (!(error instanceof SettingsError) || cli.environment.FLORIN_PORT) throw error
    return start(cli, { ...settings, port: 0 }, inTime(clock))
  }
}

export const demo = (cli: Cli) =>
  command(
    'demo',
    'start a sandbox server with a demo merchant, products and orders in every state; no real money moves',
    'print the URLs and keys as one JSON value when the server is ready',
  ).action(async ({ json }: { json?: boolean }) => {
    const base = cli.settings()
    const logLevel = cli.environment.FLORIN_LOG_LEVEL ? base.logLevel : 'warn'
    const sandbox = base.sandbox || 'loopback'
    const settings = {
      ...base,
      sandbox,
      logLevel,
      dataDir: join(base.dataDir, 'demo'),
      databaseUrl: null,
    } as const
    checkCombinations(settings)
    const isNew = !existsSync(databaseOf(settings).location)
    const clock = demoClock(isNew ? DEMO_PAST_MS : 0)
    const running = await startSomewhere(cli, settings, clock)
    const { context } = running.florin
    const merchant = await demoMerchant(context)
    const { people, password, passwordHash } = await demoPeople(context, merchant.id)
    // If strangers can reach the sandbox, no merchant may name this server.
    const hasReceiver = sandbox === 'loopback'
    if (hasReceiver) await demoReceivers(running, { merchantId: merchant.id, userId: people.owner })
    if (isNew) await letTimePass(running, clock, merchant.id, people, hasReceiver)
    const keys = await demoKeys(context, merchant.id)
    const productUrls = await demoProductUrls(context, merchant.id)
    const pages = await openDemoOrders(running, merchant.id)
    const cards = await openDemoCards(running, passwordHash)
    const orders = Object.fromEntries(pages.map(({ state, url }) => [state, url]))
    const dashboardUrls = await demoDashboardUrls(context, people)
    const dashboard = { dashboardUrl: dashboardUrls.owner, dashboardUrls, password }
    const shown = { checkoutUrl: orders.toPay ?? '', productUrls, ...dashboard }
    const answer = { url: running.url, merchantId: merchant.id, ...keys, ...shown, cards }
    if (json) cli.terminal.print(JSON.stringify({ ...answer, orders }))
    else introduce(cli, answer, pages)
    if (isNew) giveBackMemory()
    await untilStopped(running, systemdOf(cli.environment))
  })

interface DemoAnswer {
  url: string
  merchantId: string
  liveKey: string
  checkoutUrl: string
  productUrls: string[]
  /** opens the dashboard as the owner */
  dashboardUrl: string
  dashboardUrls: Record<Role, string>
  password: string
  /** a shop that takes cards into its own accounts; null if there is none */
  cards: DemoCards | null
}

/** Prints the pages to open, and from then on each mail. */
function introduce({ terminal }: Cli, answer: DemoAnswer, pages: DemoPage[]): void {
  terminal.print(text(answer, pages))
  printedMail.print = terminal.print
}

const LABEL_WIDTH = 22
const ROLE_WIDTH = 8

const cardLines = (cards: DemoCards | null): string =>
  cards === null
    ? ''
    : `Or pay by card at a shop with accounts of its own, on the provider's page.
Its dashboard has the same password:

  ${cards.checkoutUrl}
  ${cards.dashboardUrl}

`

const text = (answer: DemoAnswer, pages: DemoPage[]): string => `
Florin is running in sandbox mode: no real money moves.

Open this checkout and pay the demo order, by card or in crypto:

  ${answer.checkoutUrl}

Open the shop's dashboard, as one of its people (each link works once):

${Object.entries(answer.dashboardUrls)
  .map(([role, url]) => `  ${role.padEnd(ROLE_WIDTH)}${url}`)
  .join('\n')}

Their password is ${answer.password}. The dashboard asks for it before some changes.

${cardLines(answer.cards)}Or buy a product on its own page:

${answer.productUrls.map(url => `  ${url}`).join('\n')}

Or look at the pages of orders in every state:

${pages.map(({ label, url }) => `  ${label.padEnd(LABEL_WIDTH)}${url}`).join('\n')}

Create another order through the API, as your shop's server would:

${curlLine(answer.url, answer.liveKey)}

Merchant ID: ${answer.merchantId}. Mails are printed here. Press Ctrl-C to stop.`
