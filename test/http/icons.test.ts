import { expect, test } from 'bun:test'
import { setUpLightning } from '../../src/operations/addresses/lightning.ts'
import { givenOrder, givenShop, openCrypto } from '../support/given.ts'
import { suite } from '../support/suite.ts'

const { app, once } = suite()
const shop = once(async () => {
  const found = await givenShop(app)
  const node = '02'.padEnd(66, 'a')
  const account = { kind: 'address', account: 'shop@wallet.example', host: 'wallet.example', node } as const
  await setUpLightning(app.context, found.id, { account, secret: null })
  return found
})

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

test('the stylesheet draws every icon of a page, so that no page repeats a drawing', async () => {
  const pages = {
    'everything that is offered': await order({}),
    'cards and banks': await order({ paymentMethodsKeys: ['moonpay', 'stripe', 'transak'] }),
    'one provider': await order({ paymentMethodsKeys: ['moonpay'] }),
    'coins only': await order({ paymentMethodsKeys: ['crypto'] }),
    'an amount with few methods': await order({ amount: '2.00' }),
    'an open payment': await order({}, 'btc'),
    'an open invoice': await order({}, 'lightning'),
    'an open payment with a token': await order({}, 'polygon/usdc'),
    'a product': await product(),
  }
  const icons = new Set<string>()
  for (const [name, path] of Object.entries(pages)) {
    const { text, status } = await app.call('GET', path, { headers: { accept: 'text/html' } })
    expect([name, status]).toEqual([name, 200])
    expect([name, text.includes('<symbol')]).toEqual([name, false])
    for (const [, icon = ''] of text.matchAll(/class="(?:chip|icon) ([^"]+)"/g)) icons.add(icon)
    const [, css = ''] = /href="(\/assets\/florin-[0-9a-f]+[.]css)"/.exec(text) ?? []
    const sheet = await app.call('GET', css)
    for (const icon of icons)
      expect([name, icon, sheet.text.includes(`.${icon} {`)]).toEqual([name, icon, true])
  }
  const [chips, marks] = ['i-', 'm-'].map(start => [...icons].filter(icon => icon.startsWith(start)))
  expect(chips?.length).toBeGreaterThan(5)
  expect(marks?.length).toBeGreaterThan(5)
})
