import { describe, expect, test } from 'bun:test'
import { CATALOGUE_FRESH_MS } from '../../src/domain/catalogue.ts'
import { START } from '../support/app.ts'
import { check, givenOrder, givenShop, openCrypto, simulate } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { changeRows } from './rows.ts'

const { app, each } = suite()
const shop = each(() => givenShop(app))

const given = async (): Promise<string> => (await givenOrder(app, shop)).orderUUID

/** With SQLite, a write that starts now waits for the one that a page started. */
async function stored(id: string) {
  const found = await app.context.storage.write(tables => tables.orders.find(id))
  return found!.order
}

/** The order, once the write of a page is stored. With PostgreSQL, that write runs beside others. */
async function storedAsOpened(id: string) {
  let order = await stored(id)
  while (order.openedAt === null) {
    await Bun.sleep(1)
    order = await stored(id)
  }
  return order
}

describe('an order', () => {
  test('stores when a buyer first opened its page, and the page is the same', async () => {
    const id = await given()
    const page = `/pay/${id}`
    app.time.now += 1000
    await app.call('HEAD', page)
    await app.call('GET', page, { headers: { 'sec-purpose': 'prefetch;prerender' } })
    await app.call('GET', `${page}/status`)
    await app.call('GET', `/v1/orders/${id}`, { key: shop.live })
    expect((await stored(id)).openedAt).toBeNull()
    const { updatedAt } = await stored(id)
    expect((await app.call('GET', page)).status).toBe(200)
    expect(await storedAsOpened(id)).toMatchObject({ openedAt: START + 1000, updatedAt })
    app.time.now += 1000
    expect((await app.call('GET', page)).status).toBe(200)
    expect((await stored(id)).openedAt).toBe(START + 1000)
  })

  test('shows its page even if the time of its first opening cannot be stored', async () => {
    const id = await given()
    const { storage } = app.context
    const { write } = storage
    storage.write = () => Promise.reject(new Error('disk full'))
    expect((await app.call('GET', `/pay/${id}`)).status).toBe(200)
    await Bun.sleep(0)
    storage.write = write
    expect(app.logged.map(({ sentence }) => sentence)).toContain('order.opening.lost')
    expect((await stored(id)).openedAt).toBeNull()
  })

  test('shows its page even if the current methods of a provider cannot be stored', async () => {
    const id = await given()
    const { storage } = app.context
    const { write } = storage
    app.time.now += CATALOGUE_FRESH_MS + 1000
    storage.write = () => Promise.reject(new Error('disk full'))
    const { status, text } = await app.call('GET', `/pay/${id}`)
    await Bun.sleep(0)
    storage.write = write
    expect([status, text.includes('class="method"')]).toEqual([200, true])
    expect(app.logged.map(({ sentence }) => sentence)).toContain('provider.catalogue.not_stored')
  })

  test('that is no longer open does not store when its page was opened', async () => {
    const id = await given()
    await app.call('POST', `/v1/orders/${id}/cancel`, { key: shop.live, body: {} })
    expect((await app.call('GET', `/pay/${id}`)).status).toBe(200)
    expect((await stored(id)).openedAt).toBeNull()
  })

  test('stores the method that its buyer chose last, and the one that paid it', async () => {
    const id = await given()
    const chosen = async () => {
      const { chosenMethod, chosenAsset } = await stored(id)
      return [chosenMethod, chosenAsset]
    }
    expect(await chosen()).toEqual([null, null])
    await openCrypto(app, id, 'polygon/usdc')
    expect(await chosen()).toEqual(['crypto', 'polygon/usdc'])
    const opened = await app.call('GET', `/payment/process/${id}?method=stripe`)
    expect([opened.status, await chosen()]).toEqual([303, ['stripe', 'polygon/usdc']])
    await openCrypto(app, id, 'btc')
    expect(await chosen()).toEqual(['crypto', 'btc'])
    changeRows(app, 'UPDATE orders SET chosen_method = NULL, chosen_asset = NULL WHERE id = ?', id)
    await simulate(app, id, 'paid')
    await check(app, id)
    expect((await stored(id)).status).toBe('PAID')
    expect(await chosen()).toEqual(['crypto', 'btc'])
  })
})
