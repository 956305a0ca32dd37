import { expect, test } from 'bun:test'
import { HDKey } from '@scure/bip32'
import { previewAccount, setUpSource } from '../../src/operations/addresses/set-up-source.ts'
import { check, givenMerchant, givenOrder, givenProduct } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { attemptsOf, givenCoinShop, MINUTE_MS, openOnly, outage, wallets } from './payments.ts'

const { app, each } = suite({ isFresh: true })
const shop = each(() => givenCoinShop(app))

const accountKey = HDKey.fromMasterSeed(new Uint8Array(32).fill(7)).derive("m/84'/0'/0'").publicExtendedKey

const headers = { accept: 'text/html', 'accept-language': 'en' }
const pageAt = async (path: string): Promise<string> =>
  (await app.call('GET', path, { headers })).text.replaceAll(/\s+/g, ' ')
const choosing = (id: string, asset: string, more: Record<string, string> = headers) =>
  app.call('POST', `/pay/${id}/crypto`, { headers: more, form: { asset } })

const newOrder = async (): Promise<string> =>
  (await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })).orderUUID

/** The page to which a buyer who chooses this coin is redirected. */
async function ledTo(id: string, asset: string, more?: Record<string, string>): Promise<string> {
  const { status, headers: answered } = await choosing(id, asset, more)
  expect(status).toBe(303)
  return String(answered.get('location'))
}

const notice = 'We can’t reach Bitcoin right now. Choose another way to pay, or try again in a few minutes.'
const coin = (asset: string) => `name="asset" value="${asset}"`

/** A merchant whose bitcoin only the merchant's own account can receive. */
async function useAccount(cryptoWallets: object = {}): Promise<void> {
  Object.assign(shop, await givenMerchant(app))
  await setUpSource(app.context, await previewAccount(app.context, shop.id, 'btc', accountKey, null))
  const answer = await app.call('PUT', '/v1/wallet', { key: shop.live, body: { cryptoWallets } })
  expect(answer.status).toBe(200)
}

/** Makes the scans of a chain fail. */
async function blinded(): Promise<string> {
  const id = await newOrder()
  await openOnly(app, id, 'btc')
  await outage(app, 'chain', true)
  for (let looks = 0; looks < 3; looks++) await check(app, id)
  return id
}

test.each([headers, { ...headers, 'hx-request': 'true' }])(
  'a coin whose network is down redirects to the choice, which says so (%o)',
  async more => {
    const id = await newOrder()
    await outage(app, 'chain', true)
    const location = await ledTo(id, 'btc', more)
    const page = await pageAt(location)
    expect(page).toContain(`<p class="state warn">${notice}</p>`)
    expect(page).toContain(coin('ltc'))
    // The page can be loaded again, says the same in the part that updates itself, and stops in time.
    expect(await pageAt(location)).toContain(notice)
    const [, refresh = ''] = /hx-get="([^"]+)"/.exec(page) ?? []
    app.time.now += 3 * MINUTE_MS
    const part = await app.call('GET', refresh.replaceAll('&amp;', '&'), {
      headers: { ...headers, 'hx-request': 'true' },
    })
    expect(part.text).not.toContain('reach Bitcoin')
    await outage(app, 'chain', false)
    expect(await ledTo(id, 'btc')).toBe(`/pay/${id}`)
  },
)

test('a new price on a network that is down redirects to the choice, and back to the payment', async () => {
  const id = await newOrder()
  await openOnly(app, id, 'btc')
  await app.advance(45 * MINUTE_MS)
  await outage(app, 'chain', true)
  const page = await pageAt(await ledTo(id, 'btc'))
  expect(page).toContain(notice)
  expect(page).toContain('Back to the payment you started')
})

test('a request for JSON gets the error of a network that is down', async () => {
  const id = await newOrder()
  await outage(app, 'chain', true)
  const { status, json } = await choosing(id, 'btc', { accept: 'application/json' })
  expect([status, json.error.code]).toEqual([502, 'provider_unavailable'])
  expect(attemptsOf(app, id)).toEqual([])
})

test('a notice about a network is shown only for an existing coin, shortly after it was chosen', async () => {
  const id = await newOrder()
  const seconds = Math.floor(app.time.now / 1000)
  for (const unreached of [`${seconds - 200}.btc`, `${seconds}.nothing`, 'btc', '', '9999999999.btc']) {
    expect(await pageAt(`/pay/${id}?unreached=${unreached}`)).not.toContain('We can’t reach')
  }
})

test('a coin whose chain cannot be read is not offered, and the page names it', async () => {
  await useAccount({ ltc: wallets.ltc })
  const open = await blinded()
  const id = await newOrder()
  const page = await pageAt(`/pay/${id}`)
  expect(page).toContain(`<p class="hint">${notice}</p>`)
  expect(page).not.toContain(coin('btc'))
  expect(page).toContain(coin('ltc'))
  // A page that was opened before still has its button. It does not make the server read the chain again.
  await outage(app, 'chain', false)
  expect(await pageAt(await ledTo(id, 'btc'))).toContain(notice)
  expect((await choosing(id, 'btc', { accept: 'application/json' })).status).toBe(502)
  app.time.now += MINUTE_MS
  await check(app, open)
  expect(await pageAt(`/pay/${id}`)).toContain(coin('btc'))
})

test('an open payment can be chosen again while its chain cannot be read', async () => {
  const id = await blinded()
  await choosing(id, 'btc')
  expect(await pageAt(`/pay/${id}`)).toContain('We can’t reach the Bitcoin network right now')
})

test('a coin that a provider can take is still offered while its chain cannot be read', async () => {
  await blinded()
  const id = await newOrder()
  expect(await pageAt(`/pay/${id}`)).toContain(coin('btc'))
  expect(await ledTo(id, 'btc')).toBe(`/pay/${id}`)
})

test('if only networks that are down are left, the page says why there is no choice', async () => {
  await useAccount()
  await blinded()
  const product = await givenProduct(app, shop, { methodKeys: ['crypto'] })
  for (const path of [`/pay/${await newOrder()}`, `/checkout/${product.id}`]) {
    const page = await pageAt(path)
    expect(page).toContain('We can’t reach Bitcoin right now. Please try again in a few minutes.')
    expect(page).not.toContain('available for this amount')
  }
})

test('the failure of a chain that is no longer read is forgotten', async () => {
  await useAccount()
  await blinded()
  expect(await pageAt(`/pay/${await newOrder()}`)).not.toContain(coin('btc'))
  await app.jobs.stop()
  app.time.now += 4 * MINUTE_MS
  const id = await newOrder()
  expect(await pageAt(`/pay/${id}`)).toContain(coin('btc'))
})
