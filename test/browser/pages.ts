import { Database } from 'bun:sqlite'
import { databaseFile } from '../../src/storage/sqlite/open.ts'
import { runCli } from '../support/process.ts'
import { BACK, type Stand } from './server.ts'

/** A page that a buyer can meet. */
export interface Met {
  name: string
  path: string
  status: number
  /** what it has to say of what happened and what to do */
  says: RegExp
  /** the link that leads on: to the shop, or to the payment */
  leadsTo: string | null
}

const NOBODY = '01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55'

type Row = [name: string, path: string, says: RegExp, leadsTo?: string | null, status?: number]

/** What time makes of an order; made first, since the clock is everybody's. */
async function agedPages(stand: Stand): Promise<Row[]> {
  const soon = new Date(Date.now() + 1200_000).toISOString()
  const expired = await stand.order({ expiresAt: soon })
  const lapsed = await stand.order()
  const short = await stand.order()
  await stand.openCrypto(lapsed.id)
  await stand.openCrypto(short.id)
  await stand.simulate(short.id, 'underpaid')
  await stand.advance(1801)
  for (const { id } of [lapsed, short]) await stand.check(id)
  return [
    ['expired', expired.path, /expired.*order again/i, BACK],
    ['lapsed', lapsed.path, /time.*over.*new quote/i],
    ['lapsed with too little', short.path, /time.*over.*received.*contact the shop/i],
  ]
}

async function openPages(stand: Stand): Promise<Row[]> {
  const choose = await stand.order()
  const crypto = await stand.order()
  await stand.openCrypto(crypto.id, 'polygon/usdc')
  const underpaid = await stand.order()
  await stand.openCrypto(underpaid.id)
  await stand.simulate(underpaid.id, 'underpaid')
  const confirming = await stand.order()
  await stand.openCrypto(confirming.id)
  await stand.simulate(confirming.id, 'pending')
  for (const { id } of [underpaid, confirming]) await stand.check(id)
  const card = await stand.order()
  const bill = await stand.provision(card.id)
  const little = await stand.order()
  await stand.provision(little.id)
  await stand.simulate(little.id, 'underpaid')
  const none = await stand.order({ paymentMethodsKeys: ['simplex'] })
  return [
    ['choose', choose.path, /Card, bank or wallet.*Crypto/s],
    ['choose again', `${crypto.path}?choose=1`, /Back to the payment.*Crypto/s, crypto.path],
    ['nothing to choose', none.path, /No payment method.*try again/is],
    ['crypto', crypto.path, /Send exactly.*25 USDC/s],
    ['crypto, address only', `${crypto.path}?qr=address`, /address only/],
    ['underpaid', underpaid.path, /left to pay.*same address/s],
    ['confirming', confirming.path, /Payment detected.*close this page/s],
    ['card', card.path, /Waiting for MoonPay.*other tab/s],
    ['card, too little', little.path, /Payment incomplete.*contact the shop/is],
    ['sandbox: payment page', new URL(bill).pathname + new URL(bill).search, /MoonPay.*25/s],
  ]
}

async function endPages(stand: Stand): Promise<Row[]> {
  const paid = await stand.order()
  await stand.openCrypto(paid.id)
  await stand.simulate(paid.id, 'paid')
  await stand.check(paid.id)
  const byCard = await stand.order()
  await stand.provision(byCard.id)
  await stand.simulate(byCard.id, 'paid')
  const failed = await stand.order({ paymentMethodsKeys: ['stripe'] })
  await stand.provision(failed.id, 'stripe')
  await stand.simulate(failed.id, 'failed')
  const cancelled = await stand.order()
  const key = stand.demo.told.liveKey
  await stand.demo.call('POST', `/v1/orders/${cancelled.id}/cancel`, { key, body: { reason: 'sold out' } })
  const email = 'thief@buyer.example'
  const blocked = await stand.order({ customer: { email } })
  const merchant = ['--merchant', stand.demo.told.merchantId]
  const settings = { FLORIN_DATA_DIR: stand.demo.dataDir }
  await runCli(['customer', 'block', ...merchant, '--email', email], settings)
  const offered = await stand.order({ paymentMethodsKeys: ['moonpay'] })
  return [
    ['paid in crypto', paid.path, /Paid.*BTC/s, BACK],
    ['paid by card', byCard.path, /Paid.*MoonPay/s, BACK],
    ['failed', failed.path, /failed.*not charged.*order again/is, BACK],
    ['cancelled', cancelled.path, /cancelled.*not charged/is, BACK],
    ['blocked', blocked.path, /not possible.*contact/is, BACK],
    ['not found', `/pay/${NOBODY}`, /not found.*check the link/is, null, 404],
    ['no page at all', '/pay', /not found.*check the link/is, null, 404],
    ['no order id', '/pay/1234', /link|order/i, null, 400],
    ['not offered', `/payment/process/${offered.id}?method=wert`, /not available/i, offered.path, 422],
  ]
}

/** Every page that a buyer can meet, each of an order of its own. */
export async function makePages(stand: Stand): Promise<Met[]> {
  const merchant = ['merchant', 'set', stand.demo.told.merchantId, '--support-email', 'help@shop.example']
  await runCli(merchant, { FLORIN_DATA_DIR: stand.demo.dataDir })
  const rows = [...(await agedPages(stand)), ...(await openPages(stand)), ...(await endPages(stand))]
  return rows.map(([name, path, says, leadsTo = null, status = 200]) => ({
    name,
    path,
    says,
    leadsTo,
    status,
  }))
}

/** What is between the server and its upstreams: nothing of it may be in a page. */
export function secretsOf(stand: Stand): string[] {
  const database = new Database(databaseFile(stand.demo.dataDir), { readonly: true })
  const rows = database
    .query('SELECT redirect_url, callback_url, callback_secret, provider_ref FROM attempts WHERE kind = ?')
    .values('redirect')
  const keys = database.query('SELECT secret_hash FROM keys').values()
  database.close()
  const urls = ['/sandbox/gateway', 'process-payment', '/callback/', 'ipn_token', 'whsec_', 'florin_live_']
  return [
    ...[...rows, ...keys].flat().filter(value => typeof value === 'string' && value !== ''),
    ...urls,
  ] as string[]
}
