import { expect, test } from 'bun:test'
import { givenMerchant, givenOrder, openCrypto } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { wallets } from './payments.ts'
import { data } from './request.ts'

const { app } = suite()

/** On a phone, a code with 57 modules a side shows each with 3.9 pixels. */
const MODULES_MAX = 57
const BORDER = 8

const modulesOf = (page: string): number[] =>
  [...page.matchAll(/viewBox="0 0 (\d+) \1" shape-rendering/g)].map(([, size]) => Number(size) - BORDER)

const names = [
  ['Arabic', 'مقهى الزاوية لبيع القهوة الطازجة والحلويات '.repeat(3).slice(0, 128)],
  ['Chinese', '街角咖啡'.repeat(32)],
  ['families', '👨‍👩‍👧‍👦'.repeat(11)],
  ['one long word', 'W'.repeat(128)],
] as const

test.each(names)('the QR codes of a merchant with a long name stay readable: %s', async (_, name) => {
  const shop = await givenMerchant(app, name)
  await data(app, 'PUT', '/v1/wallet', { key: shop.live, body: { cryptoWallets: wallets } })
  for (const asset of ['btc', 'bitcoincash', 'xmr', 'solana/usdc', 'ethereum/usdc', 'trc20/usdt']) {
    const { orderUUID } = await givenOrder(app, shop)
    const { attempt } = await openCrypto(app, orderUUID, asset)
    const label = /(?:label|tx_description)=([^&]*)/.exec(attempt.uri)?.[1]
    if (label !== undefined) expect(name.startsWith(decodeURIComponent(label))).toBe(true)
    const { text } = await app.call('GET', `/pay/${orderUUID}`, { headers: { accept: 'text/html' } })
    const sizes = modulesOf(text)
    expect([asset, sizes.length > 0]).toEqual([asset, true])
    expect([asset, Math.max(...sizes) <= MODULES_MAX]).toEqual([asset, true])
  }
})
