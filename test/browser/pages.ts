import { Database } from 'bun:sqlite'
import { databaseFile } from '../../src/storage/sqlite/open.ts'
import { runCli } from '../support/process.ts'
import { BACK, type Site } from './server.ts'

/** A page that a buyer can see. */
export interface BuyerPage {
  name: string
  path: string
  status: number
  /** the text about what happened and what to do that it must show */
  expectedText: RegExp
  /** the link onward: to the shop or to the payment */
  linksTo: string | null
}

const NOBODY = '01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55'

type Row = [name: string, path: string, expectedText: RegExp, linksTo?: string | null, status?: number]

/** Pages of orders that have expired. They come first, because all pages share one clock. */
async function agedPages(site: Site): Promise<Row[]> {
  const soon = new Date(Date.now() + 1200_000).toISOString()
  const expired = await site.order({ expiresAt: soon })
  const part = await site.order({ expiresAt: soon })
  await site.provision(part.id)
  await site.simulate(part.id, 'underpaid')
  const lapsed = await site.order()
  const short = await site.order()
  await site.openCrypto(lapsed.id)
  await site.openCrypto(short.id)
  await site.simulate(short.id, 'underpaid')
  await site.advance(1801)
  for (const { id } of [lapsed, short]) await site.check(id)
  return [
    ['expired', expired.path, /expired.*order again/i, BACK],
    ['expired, partly paid', part.path, /Received \$12\.50 of \$25\.00.*before you pay again/s, BACK],
    ['lapsed', lapsed.path, /time.*run out.*close this page.*new price/i],
    ['lapsed, partly paid', short.path, /Received \$12\.\d\d of \$25\.00.*left to pay/is],
  ]
}

const tenCoins = [
  ...['btc', 'ltc', 'doge', 'ethereum/eth', 'ethereum/usdc', 'polygon/usdc', 'polygon/usdt'],
  ...['base/usdc', 'solana/sol', 'solana/usdc'],
]

async function openPages(site: Site): Promise<Row[]> {
  const choose = await site.order()
  const crypto = await site.order()
  await site.openCrypto(crypto.id, 'polygon/usdc')
  const underpaid = await site.order()
  await site.openCrypto(underpaid.id)
  await site.simulate(underpaid.id, 'underpaid')
  const confirming = await site.order()
  await site.openCrypto(confirming.id)
  await site.simulate(confirming.id, 'pending')
  const vanished = await site.order()
  await site.openCrypto(vanished.id)
  await site.simulate(vanished.id, 'pending')
  for (const { id } of [underpaid, confirming, vanished]) await site.check(id)
  await site.simulate(vanished.id, 'vanished')
  await site.advance(6)
  await site.check(vanished.id)
  const card = await site.order()
  const bill = await site.provision(card.id)
  const little = await site.order()
  await site.provision(little.id)
  await site.simulate(little.id, 'underpaid')
  const none = await site.order({ paymentMethodsKeys: ['simplex'] })
  const many = await site.order()
  for (const asset of tenCoins) await site.openCrypto(many.id, asset)
  const tested = await site.order({}, true)
  await site.demo.call('POST', `${tested.path}/test`, { form: { outcome: 'underpaid' } })
  return [
    ['test order', `${tested.path}/test`, /no money is charged.*Paid in part.*Pay half/s, BACK],
    ['choose', choose.path, /Card, bank transfer or digital wallet.*Crypto/s],
    ['choose again', `${crypto.path}?choose=1`, /Back to the payment.*Crypto/s, crypto.path],
    ['ten payments', `${many.path}?choose=10`, /opened ten payments.*Continue with Bitcoin/s],
    ['nothing to choose', none.path, /No payment method.*try again/is],
    ['crypto', crypto.path, /Send exactly.*25 USDC/s],
    ['crypto, address only', `${crypto.path}?qr=address`, /only the address/],
    ['underpaid', underpaid.path, /left to pay.*same address/s],
    ['confirming', confirming.path, /Payment detected.*close this page/s],
    ['vanished', vanished.path, /no longer shows your payment.*Send exactly/s],
    ['card', card.path, /Waiting for MoonPay.*other tab/s],
    ['card, underpaid', little.path, /Received \$12\.50 of \$25\.00 · \$12\.50 left.*Card/is],
    ['sandbox: payment page', new URL(bill).pathname + new URL(bill).search, /MoonPay.*25/s],
  ]
}

async function endPages(site: Site): Promise<Row[]> {
  const paid = await site.order()
  await site.openCrypto(paid.id)
  await site.simulate(paid.id, 'paid')
  await site.check(paid.id)
  const byCard = await site.order()
  await site.provision(byCard.id)
  await site.simulate(byCard.id, 'paid')
  const parts = await site.order()
  for (const [asset, outcome] of [
    ['btc', 'underpaid'],
    ['polygon/usdc', 'paid'],
  ] as const) {
    await site.openCrypto(parts.id, asset)
    await site.simulate(parts.id, outcome)
    await site.check(parts.id)
  }
  const failed = await site.order({ paymentMethodsKeys: ['stripe'] })
  await site.provision(failed.id, 'stripe')
  await site.simulate(failed.id, 'failed')
  const cancelled = await site.order()
  const key = site.demo.output.liveKey
  await site.demo.call('POST', `/v1/orders/${cancelled.id}/cancel`, { key, body: { reason: 'sold out' } })
  const email = 'thief@buyer.example'
  const blocked = await site.order({ customer: { email } })
  const merchant = ['--merchant', site.demo.output.merchantId]
  const settings = { FLORIN_DATA_DIR: site.demo.dataDir }
  await runCli(['customer', 'block', ...merchant, '--email', email], settings)
  const offered = await site.order({ paymentMethodsKeys: ['moonpay'] })
  const refunded = await site.order()
  await site.openCrypto(refunded.id)
  await site.simulate(refunded.id, 'paid')
  await site.check(refunded.id)
  const refund = await site.demo.call('POST', `/v1/orders/${refunded.id}/refunds`, {
    key,
    headers: { 'idempotency-key': 'refund-of-one-bag' },
    body: { amount: '10.00', reason: 'one bag' },
  })
  if (refund.status !== 201) throw new Error(refund.text)
  return [
    ['paid in crypto', paid.path, /Paid.*BTC/s, BACK],
    ['paid and partly refunded', refunded.path, /Paid.*BTC.*refunded \$10\.00/s, BACK],
    ['receipt', `${paid.path}/receipt`, /Receipt.*Paid with.*Bitcoin.*Transaction/s, paid.path],
    ['receipt of two parts', `${parts.path}/receipt`, /BTC.*Value.*USDC.*Value/s, parts.path],
    ['receipt with a refund', `${refunded.path}/receipt`, /Refunded on.*after refunds.*15/s, refunded.path],
    ['receipt of a card payment', `${byCard.path}/receipt`, /Receipt.*MoonPay/s, byCard.path],
    ['paid by card', byCard.path, /Paid.*MoonPay/s, BACK],
    ['failed', failed.path, /failed.*declined.*order again/is, BACK],
    ['cancelled', cancelled.path, /cancelled.*not charged/is, BACK],
    ['blocked', blocked.path, /not possible.*contact/is, BACK],
    ['card alone', offered.path, /MoonPay handles the payment.*ask for ID/s],
    ['home', '/', /takes payments.*API reference/s, '/swagger'],
    ['not found', `/pay/${NOBODY}`, /not found.*check the link/is, null, 404],
    ['unknown path', '/pay', /not found.*check the link/is, null, 404],
    ['no order id', '/pay/1234', /link|order/i, null, 400],
    ['not offered', `/payment/process/${offered.id}?method=wert`, /not available/i, offered.path, 422],
  ]
}

/** Every page that a buyer can see, each with its own order. */
export async function makePages(site: Site): Promise<BuyerPage[]> {
  const merchant = ['merchant', 'set', site.demo.output.merchantId, '--support-email', 'help@shop.example']
  await runCli(merchant, { FLORIN_DATA_DIR: site.demo.dataDir })
  const rows = [...(await agedPages(site)), ...(await openPages(site)), ...(await endPages(site))]
  return rows.map(([name, path, expectedText, linksTo = null, status = 200]) => ({
    name,
    path,
    expectedText,
    linksTo,
    status,
  }))
}

/** The secrets that the server shares with its providers. No page may contain them. */
export function secretsOf(site: Site): string[] {
  const database = new Database(databaseFile(site.demo.dataDir), { readonly: true })
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
