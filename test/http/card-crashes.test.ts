import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { connectAccount } from '../../src/operations/merchants/connect-account.ts'
import { executeRefund } from '../../src/operations/refunds/execute.ts'
import { type App, isInFile, OWN_URL, startApp } from '../support/app.ts'
import { givenMerchant, givenOrder, type Shop } from '../support/given.ts'
import { newFolder } from '../support/process.ts'
import { eventTypesOf, getOrder, HOUR_MS, MINUTE_MS } from './payments.ts'
import { keysOf } from './paypals.ts'
import { freshKey } from './refunding.ts'
import { countOf, rowsOf } from './rows.ts'

/** The way to use a provider's stand-in, and its tables of payments and refunds. */
interface Card {
  key: string
  clientId?: string
  /** the form on its page that pays */
  form: Record<string, string>
  payments: { kind: string; isPaid(payment: Record<string, unknown>): boolean }
  refunds: string
}

const cards: Record<string, Card> = {
  stripe: {
    key: 'rk_test_Crash_12345678',
    form: { by: 'card', card: '4242424242424242' },
    payments: { kind: 'stripe.session', isPaid: ({ payment_status: status }) => status === 'paid' },
    refunds: 'stripe.refund',
  },
  mollie: {
    key: `test_crashing${'a'.repeat(20)}`,
    form: { status: 'paid' },
    payments: { kind: 'mollie.payment', isPaid: ({ status }) => status === 'paid' },
    refunds: 'mollie.refund',
  },
  paypal: {
    ...keysOf('ACRASH1234567'),
    form: { do: 'balance' },
    payments: { kind: 'paypal.order', isPaid: ({ capture }) => capture !== null },
    refunds: 'paypal.refund',
  },
}

/** The data of a server and of the simulated provider at the moment when the server was killed. */
interface Wreck {
  /** the steps that left this data */
  names: string[]
  content: string
  folder: string
}

interface Sale {
  shop: Shop
  orderUUID: string
  refundKey: string
}

/** Starts a server. `onStep` is called before each request to the provider or from it, and after its effect. */
async function start(folder: string, onStep: (step: string) => void): Promise<App> {
  const app: App = await startApp(
    { FLORIN_DATA_DIR: folder },
    {
      async fetch(url, init = {}) {
        const { pathname } = new URL(url)
        const isStep = /^[/](sandbox[/](stripe|mollie|paypal)[/]v|callback[/])/.test(pathname)
        const name = `${init.method} ${pathname.replace(/[a-z]+_[A-Za-z0-9_]{6,}|[0-9A-F]{16}/, 'ID')}`
        if (isStep) onStep(`before ${name}`)
        const response = await (url.startsWith(OWN_URL)
          ? app.florin.http.handle(new Request(url, init))
          : fetch(url, init))
        if (isStep) onStep(`after ${name}`)
        return response
      },
    },
  )
  return app
}

/** Opens the provider's page of an order; null if nothing is left to pay. */
async function openPage(app: App, provider: string, { orderUUID }: Sale): Promise<string | null> {
  const { headers } = await app.call('GET', `/payment/process/${orderUUID}?method=${provider}`)
  const { pathname, search } = new URL(headers.get('location') ?? '/', OWN_URL)
  return pathname.startsWith('/sandbox/') ? pathname + search : null
}

const sendRefund = (app: App, { shop, orderUUID, refundKey }: Sale) =>
  executeRefund(app.context, {
    ...{ merchantId: shop.id, orderId: orderUUID, idempotencyKey: refundKey, by: 'Ann' },
    body: { amount: '10.00', reason: 'returned' },
  })

/** Sells something by card. */
async function sell(app: App, provider: string, onStep: (step: string) => void = () => {}): Promise<Sale> {
  const { key, clientId = null, form } = cards[provider]!
  const shop = await givenMerchant(app)
  await connectAccount(app.context, {
    merchantId: shop.id,
    providerId: provider,
    key,
    clientId,
    webhookSecret: null,
  })
  const { orderUUID } = await givenOrder(app, shop, {
    ...{ amount: '25.00', currency: 'EUR', paymentMethodsKeys: [provider] },
  })
  const sale = { shop, orderUUID, refundKey: freshKey() }
  onStep('')
  const page = await openPage(app, provider, sale)
  onStep('after the page was opened')
  await app.call('POST', page!, { form })
  onStep('after the payment')
  return sale
}

/** The actions of the buyer and the merchant after the restart: they repeat them until they succeed. */
async function goOn(app: App, provider: string, sale: Sale): Promise<void> {
  const page = await openPage(app, provider, sale)
  if (page) await app.call('POST', page, { form: cards[provider]!.form })
  await app.call('GET', `/pay/${sale.orderUUID}/return`)
  await app.advance(10 * MINUTE_MS)
  await sendRefund(app, sale)
  await app.advance(2 * HOUR_MS)
}

/** The rows of the simulated provider. */
function storedAt(folder: string, kind: string): Record<string, unknown>[] {
  const file = new Database(join(folder, 'sandbox.sqlite'), { readonly: true })
  const rows = file.query<{ value: string }, [string]>('SELECT value FROM state WHERE kind = ?').all(kind)
  file.close()
  return rows.map(({ value }) => JSON.parse(value))
}

const tried = isInFile('the data at each step is a copy of the file') ? Object.entries(cards) : []

describe.each(tried)('a kill while %s takes a payment', (provider, { payments, refunds }) => {
  const wrecks: Wreck[] = []
  let sale: Sale

  beforeAll(async () => {
    const folder = newFolder()
    const copy = (name: string) => {
      const files = readdirSync(folder).filter(file => !file.endsWith('.lock') && !file.endsWith('-shm'))
      const digest = createHash('sha256')
      for (const file of files) digest.update(readFileSync(join(folder, file)))
      const content = digest.digest('hex')
      const known = wrecks.find(wreck => wreck.content === content)
      // Many steps leave the data as they were before.
      if (known) return known.names.push(name)
      const copied = newFolder()
      for (const file of files) cpSync(join(folder, file), join(copied, file))
      return wrecks.push({ names: [name], content, folder: copied })
    }
    let isSelling = false
    const app = await start(folder, step => {
      if (isSelling) copy(step)
    })
    sale = await sell(app, provider, step => {
      if (step === '') isSelling = true
      else copy(step)
    })
    await sendRefund(app, sale)
    copy('after the refund')
    isSelling = false
    await app.close()
  })

  afterAll(() => {
    for (const { folder } of wrecks) rmSync(folder, { recursive: true, force: true })
  })

  test('loses no payment and counts none twice, at every step', async () => {
    const expected = ['POST /sandbox', 'GET /sandbox', 'POST /callback', '/refund', 'page was opened']
    const steps = wrecks.flatMap(({ names }) => names).join()
    for (const step of expected) expect(steps).toContain(step)
    for (const { names, folder } of wrecks) {
      const app = await start(folder, () => {})
      await goOn(app, provider, sale)
      const { status, refundedAmount } = await getOrder(app, sale.shop, sale.orderUUID)
      const events = eventTypesOf(app, sale.orderUUID)
      const outcome = {
        ...{ names, status, refundedAmount },
        payments: storedAt(folder, payments.kind).filter(payments.isPaid).length,
        refunds: storedAt(folder, refunds).length,
        transactions: countOf(app, 'transactions', sale.orderUUID),
        paid: events.filter(type => type === 'order.paid').length,
        recorded: rowsOf(app, 'SELECT status FROM reversals WHERE order_id = ?', sale.orderUUID),
        broken: app.audit(),
      }
      await app.close()
      expect(outcome).toEqual({
        ...{
          names,
          status: 'PAID',
          refundedAmount: '10.00',
          payments: 1,
          refunds: 1,
          transactions: 1,
          paid: 1,
        },
        ...{ recorded: [{ status: 'succeeded' }], broken: [] },
      })
    }
  })
})

test.each(tried)('of two equal refunds at once, %s carries out one', async (provider, { refunds }) => {
  const folder = newFolder()
  const app = await start(folder, () => {})
  const sale = await sell(app, provider)
  await Promise.all([sendRefund(app, sale), sendRefund(app, sale)])
  await app.advance(10 * MINUTE_MS)
  await app.advance(2 * HOUR_MS)
  const { refundedAmount } = await getOrder(app, sale.shop, sale.orderUUID)
  expect([refundedAmount, storedAt(folder, refunds).length]).toEqual(['10.00', 1])
  await app.close()
})
