import { expect, test } from 'bun:test'
import { registry } from '../../src/coins/registry.ts'
import { qrSvg } from '../../src/present/qr.ts'
import { givenOrder, openCrypto } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { givenCoinShop } from './payments.ts'

const { app, once } = suite()
const shop = once(() => givenCoinShop(app))

const headers = { accept: 'text/html' }
const load = async (path: string) => (await app.call('GET', path, { headers })).text

const linkOf = (page: string, label: string): string =>
  new RegExp(`<a href="([^"]+)">\\s*${label}</a>`).exec(page)?.[1]?.replaceAll('&amp;', '&') ?? ''

const assets = registry.chains.flatMap(chain => chain.assets.map(asset => ({ ...asset, chain: chain.id })))

test.each(assets)(
  'the page of $id has a QR code that all wallets can read, and a hint for buyers at exchanges',
  async ({ id, contract, chain }) => {
    const { orderUUID } = await givenOrder(app, shop)
    const { attempt } = await openCrypto(app, orderUUID, id)
    const path = `/pay/${orderUUID}`
    const first = await load(path)
    expect(first).toContain('Paying from an exchange? Add its withdrawal fee')
    const isAddress = contract !== null || chain === 'trc20'
    const [shown, other] = isAddress ? [attempt.address, attempt.uri] : [attempt.uri, attempt.address]
    expect(first).toContain(qrSvg(shown))
    // A wallet that registers for the scheme of a link gets the whole link.
    expect(first).toContain(`href="${attempt.uri.replaceAll('&', '&amp;')}"`)
    const second = await load(linkOf(first, isAddress ? 'Include the amount' : 'Show the address only'))
    expect(second).toContain(qrSvg(other))
    expect(await load(linkOf(second, isAddress ? 'Show the address only' : 'Include the amount'))).toContain(
      qrSvg(shown),
    )
  },
)
