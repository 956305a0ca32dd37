import { expect, test } from 'bun:test'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { check, givenOrder, openCrypto, simulate } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { givenCoinShop, incomingPaymentsOf } from './payments.ts'

const { app, once } = suite()
const shop = once(() => givenCoinShop(app))

const headers = { accept: 'text/html' }
const load = async (path: string) => (await app.call('GET', path, { headers })).text

/** The subject and text that a mail program reads from the links of a page. */
const mailsIn = (page: string) =>
  [...page.matchAll(/href="(mailto:[^"]+)"/g)].map(([, href]) => {
    const url = new URL(href!.replaceAll('&amp;', '&'))
    const [subject, body] = ['subject', 'body'].map(name =>
      decodeURIComponent(new RegExp(`[?&]${name}=([^&]*)`).exec(url.search)?.[1] ?? ''),
    )
    return { to: decodeURIComponent(url.pathname), subject, body: body!.split('\r\n').filter(Boolean) }
  })

test('a mail to the shop says which order, which coin and which transaction', async () => {
  await changeMerchant(app.context, shop.id, { supportEmail: 'help@shop.example' })
  const { orderUUID } = await givenOrder(app, shop, { externalId: 'SHOP-1004' })
  const path = `/pay/${orderUUID}`
  const urlIn = (tag: string) => `${app.context.policy.checkoutUrl}${path}?lang=${tag}`
  const to = 'help@shop.example'
  expect(mailsIn(await load(path))).toEqual([{ to, subject: 'Order SHOP-1004', body: [urlIn('en')] }])
  await openCrypto(app, orderUUID, 'polygon/usdc')
  expect(mailsIn(await load(`${path}?lang=de`))).toEqual([
    { to, subject: 'Bestellung SHOP-1004', body: [urlIn('de'), 'USDC auf Polygon'] },
  ])
  // Marks of direction appear on pages only, not in mails.
  expect(mailsIn(await load(`${path}?lang=ar`))[0]?.subject).toBe('الطلب SHOP-1004')
  await simulate(app, orderUUID, 'underpaid')
  await app.advance(3 * 3_600_000)
  await check(app, orderUUID)
  const [payment] = incomingPaymentsOf(app, orderUUID)
  const body = [urlIn('en'), 'USDC on Polygon', `Transaction: ${payment!.tx_id}`]
  const mails = mailsIn(await load(path))
  // The links are in the footer and in the notice.
  expect(mails).toEqual([{ to, subject: 'Order SHOP-1004', body }, mails[0]!])
})

test('a page for help asks for the number of the order, which can be copied', async () => {
  await changeMerchant(app.context, shop.id, { supportUrl: 'https://shop.example/help?a=1' })
  const { orderUUID } = await givenOrder(app, shop, { externalId: 'SHOP-1005' })
  const page = await load(`/pay/${orderUUID}`)
  expect(page).toContain('href="https://shop.example/help?a=1"')
  expect(page).toMatch(/Quote order <bdi class="code">SHOP-1005<\/bdi>/)
  expect(page).toContain('data-copy="SHOP-1005"')
  expect(mailsIn(page)).toEqual([])
})
