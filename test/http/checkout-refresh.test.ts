import { expect, test } from 'bun:test'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { check, givenOrder, simulate } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { until } from '../support/until.ts'
import { attemptsOf, DAY_MS, givenCoinShop, LOCK_MS, MINUTE_MS, openOnly, outage } from './payments.ts'

const { app, once } = suite()
const shop = once(() => givenCoinShop(app))

const headers = { accept: 'text/html', 'accept-language': 'en' }

/** The URL that a part of the page polls for a newer version, and how often; null if it does not poll. */
function refreshOf(text: string): { url: string; every: string } | null {
  const [, url = '', every = ''] = /id="checkout"[^>]*hx-get="([^"]+)" hx-trigger="([^"]+)"/.exec(text) ?? []
  return url === '' ? null : { url: url.replaceAll('&amp;', '&'), every }
}

const open = async (id: string): Promise<string> => (await app.call('GET', `/pay/${id}`, { headers })).text

/** The answer to the poll of an open page. */
const asks = (url: string) => app.call('GET', url, { headers: { ...headers, 'hx-request': 'true' } })

test('a page shows that another payment was started elsewhere, and keeps showing it', async () => {
  const { orderUUID } = await givenOrder(app, shop)
  await openOnly(app, orderUUID, 'btc')
  const { url } = refreshOf(await open(orderUUID))!
  expect((await asks(url)).status).toBe(204)
  await openOnly(app, orderUUID, 'ltc')
  const turned = await asks(url)
  expect(turned.text).toContain('Another payment was chosen in another window: Litecoin.')
  app.time.now += MINUTE_MS
  expect((await asks(refreshOf(turned.text)!.url)).status).toBe(204)
  // A page that is opened now has nothing to announce.
  const fresh = await open(orderUUID)
  expect(fresh).not.toContain('in another window')
  expect((await asks(refreshOf(fresh)!.url)).status).toBe(204)
  // The ID of a payment of another order is ignored.
  const strange = await asks(refreshOf(fresh)!.url.replace(/first=[^&]+/, `first=${orderUUID}`))
  expect(strange.text).not.toContain('in another window')
  await simulate(app, orderUUID, 'paid')
  app.time.now += MINUTE_MS
  const paid = await asks(url)
  expect(paid.text).toContain('✓ Paid')
  expect(paid.text).not.toContain('in another window')
})

test('a page without JavaScript shows it too, however it is loaded again', async () => {
  const { orderUUID } = await givenOrder(app, shop)
  await openOnly(app, orderUUID, 'btc')
  const linksIn = (text: string) => {
    const find = (pattern: RegExp) => pattern.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    return {
      refresh: find(/<noscript><meta http-equiv="refresh" content="15; url=([^"]+)">/),
      address: find(/href="([^"]+qr=address[^"]*)"/),
      german: find(/href="([^"]+)"[^>]* hreflang="de"/),
      check: find(/<form method="post" action="([^"]+check[^"]*)"/),
      checkPart: find(/hx-post="([^"]+)"/),
    }
  }
  const links = linksIn(await open(orderUUID))
  const load = async (url: string) => (await app.call('GET', url, { headers })).text
  const warning = 'Another payment was chosen in another window: Litecoin.'
  expect(await load(links.refresh)).not.toContain('in another window')
  await openOnly(app, orderUUID, 'ltc')
  const turned = await load(links.refresh)
  expect(turned).toContain(warning)
  expect(await load(linksIn(turned).refresh)).toContain(warning)
  expect(await load(links.address)).toContain(warning)
  expect(await load(links.german)).toContain('Litecoin')
  expect(await load(links.german)).toContain('In einem anderen Fenster')
  expect(await load(linksIn(await load(`${links.refresh}&lang=de`)).refresh)).toContain('In einem anderen')
  const pressed = await app.call('POST', links.check, { headers })
  expect(pressed.status).toBe(303)
  expect(await load(pressed.headers.get('location')!)).toContain(warning)
  const part = await app.call('POST', links.checkPart, { headers: { ...headers, 'hx-request': 'true' } })
  expect(part.text).toContain(warning)
  // A parameter that is not the page's own is left alone.
  const odd = await app.call('GET', `/pay/${orderUUID}?first=click&first=2`, { headers })
  expect([odd.status, odd.text.includes('in another window')]).toEqual([200, false])
})

test('a buyer who checks an expired order sees the late payment at once', async () => {
  const terms = { expiresAt: new Date(app.time.now + 10 * MINUTE_MS).toISOString() }
  const { orderUUID } = await givenOrder(app, shop, terms)
  await openOnly(app, orderUUID, 'ltc')
  await app.advance(LOCK_MS + 10 * MINUTE_MS)
  const page = await open(orderUUID)
  const form = /<form method="post" action="([^"]+check[^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&')
  const press = async () => {
    app.time.now += MINUTE_MS
    const pressed = await app.call('POST', form!, { headers })
    return (await app.call('GET', pressed.headers.get('location')!, { headers })).text
  }
  expect(await press()).toContain('received the full amount yet')
  await simulate(app, orderUUID, 'paid')
  const paid = await press()
  expect(paid).toContain('✓ Paid')
  expect(paid).not.toContain('Check now')
})

test('the page of an expired order looks for a late payment while it can pay the order', async () => {
  const terms = { expiresAt: new Date(app.time.now + 10 * MINUTE_MS).toISOString() }
  const [started, untouched] = [await givenOrder(app, shop, terms), await givenOrder(app, shop, terms)]
  await openOnly(app, started.orderUUID, 'btc')
  await app.advance(LOCK_MS + 10 * MINUTE_MS)
  const page = await open(started.orderUUID)
  expect(page).toContain('This order has expired')
  const { url, every } = refreshOf(page)!
  expect(every).toBe('every 5200ms')
  expect((await asks(url)).status).toBe(204)
  expect(refreshOf(await open(untouched.orderUUID))).toBeNull()
  await simulate(app, started.orderUUID, 'paid')
  // A scan that is shared by open pages may have begun before the payment.
  let text = ''
  await until(
    async () => {
      app.time.now += 6000
      text = (await asks(url)).text
      return text !== ''
    },
    'a scan for the page',
    30_000,
  )
  expect(text).toContain('✓ Paid')
  expect(refreshOf(text)).toBeNull()

  const late = await givenOrder(app, shop)
  await openOnly(app, late.orderUUID, 'btc')
  await app.advance(8 * DAY_MS)
  expect(refreshOf(await open(late.orderUUID))).toBeNull()
})

test('an unchanged page changes as soon as its time is over, and soon after its shop changes', async () => {
  const { orderUUID } = await givenOrder(app, shop)
  await openOnly(app, orderUUID, 'btc')
  const { url } = refreshOf(await open(orderUUID))!
  for (let polls = 0; polls < 3; polls++) expect((await asks(url)).status).toBe(204)
  await changeMerchant(app.context, shop.id, { name: 'Corner Tea' })
  app.time.now += MINUTE_MS / 2
  const renamed = await asks(url)
  expect(renamed.text).toContain('Corner Tea')
  const next = refreshOf(renamed.text)!.url
  const { locked_until } = attemptsOf(app, orderUUID).at(-1)!
  app.time.now = Number(locked_until) - 1000
  for (let polls = 0; polls < 3; polls++) expect((await asks(next)).status).toBe(204)
  app.time.now += 1000
  expect((await asks(next)).text).toContain('The time to pay has run out')
})

test('an unchanged page changes as soon as its network cannot be read', async () => {
  const { orderUUID } = await givenOrder(app, shop)
  await openOnly(app, orderUUID, 'btc')
  const { url } = refreshOf(await open(orderUUID))!
  for (let polls = 0; polls < 3; polls++) expect((await asks(url)).status).toBe(204)
  await outage(app, 'chain', true)
  app.time.now += 10_000
  for (let looks = 0; looks < 3; looks++) await check(app, orderUUID)
  expect((await asks(url)).text).toContain('reach the Bitcoin network')
  await outage(app, 'chain', false)
})
