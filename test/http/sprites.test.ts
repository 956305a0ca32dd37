import { expect, test } from 'bun:test'
import { givenOrder, givenShop, openCrypto } from '../support/given.ts'
import { suite } from '../support/suite.ts'

const SPRITE_BYTES = 3000

const { app, once } = suite()
const shop = once(() => givenShop(app))

const product = async (): Promise<string> => {
  const orderTemplate = { amount: '25.00', currency: 'USD', paymentMethodsKeys: ['*'] }
  const body = { name: 'House blend', imageDisplaySize: 256, orderTemplate }
  const { json } = await app.call('POST', '/v1/products', { key: shop.live, body })
  return `/checkout/${json.data.productUUID}`
}

const order = async (change: object, asset?: string): Promise<string> => {
  const { orderUUID } = await givenOrder(app, shop, change)
  if (asset !== undefined) await openCrypto(app, orderUUID, asset)
  return `/pay/${orderUUID}`
}

test('a page draws the marks that it shows, each once, and the stylesheet draws its other icons', async () => {
  const pages = {
    'everything that is offered': await order({}),
    'cards and banks': await order({ paymentMethodsKeys: ['moonpay', 'stripe', 'transak'] }),
    'one provider': await order({ paymentMethodsKeys: ['moonpay'] }),
    'coins only': await order({ paymentMethodsKeys: ['crypto'] }),
    'an amount with few methods': await order({ amount: '2.00' }),
    'an open payment': await order({}, 'btc'),
    'an open payment with a token': await order({}, 'polygon/usdc'),
    'a product': await product(),
  }
  const chips = new Set<string>()
  for (const [name, path] of Object.entries(pages)) {
    const { text, status } = await app.call('GET', path, { headers: { accept: 'text/html' } })
    expect([name, status]).toEqual([name, 200])
    const drawn = [...text.matchAll(/<symbol id="([^"]+)"/g)].map(([, id]) => id)
    const shown = [...text.matchAll(/<use href="#([^"]+)"/g)].map(([, id]) => id)
    expect([name, drawn.toSorted()]).toEqual([name, [...new Set(shown)].toSorted()])
    const sprites = (text.match(/<svg class="sprite".*?<\/svg>/gs) ?? []).join('')
    expect([name, Bun.gzipSync(sprites).length < SPRITE_BYTES]).toEqual([name, true])
    for (const [, icon = ''] of text.matchAll(/class="chip ([^"]+)"/g)) chips.add(icon)
    const [, css = ''] = /href="(\/assets\/florin-[0-9a-f]+[.]css)"/.exec(text) ?? []
    const sheet = await app.call('GET', css)
    for (const icon of chips)
      expect([name, icon, sheet.text.includes(`.${icon} {`)]).toEqual([name, icon, true])
  }
  expect(chips.size).toBeGreaterThan(5)
})
