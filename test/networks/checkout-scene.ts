import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toUnits } from '../../src/domain/money.ts'
import { startApp } from '../support/app.ts'
import { check, givenMerchant, givenOrder, openCrypto } from '../support/given.ts'
import { isSigned, startReceiver } from '../support/receiver.ts'

interface SceneOptions {
  environment: Record<string, string>
  rates: Record<string, { USD: string }>
  /** rows that move the table's assets to a chain of one's own */
  assets?: object[]
  cryptoWallets?: Record<string, string>
}

/** The whole program over a real chain, with a shop that receives webhooks. */
export async function openShop({ environment, rates, assets, cryptoWallets }: SceneOptions) {
  const folder = mkdtempSync(join(tmpdir(), 'florin-checkout-'))
  const receiver = startReceiver()
  writeFileSync(join(folder, 'rates.json'), JSON.stringify(rates))
  if (assets) writeFileSync(join(folder, 'assets.json'), JSON.stringify(assets))
  const app = await startApp({
    FLORIN_SANDBOX: 'false',
    FLORIN_RATES: `file:${join(folder, 'rates.json')}`,
    FLORIN_OUTBOUND_ALLOW: receiver.host,
    ...(assets && { FLORIN_ASSETS_FILE: join(folder, 'assets.json') }),
    ...environment,
  })
  // The chains tell their own time, which is the machine's.
  app.time.now = Date.now()
  const shop = await givenMerchant(app)
  const put = async (path: string, body: object) => {
    const answer = await app.call('PUT', path, { key: shop.live, body })
    if (answer.status !== 200) throw new Error(answer.text)
    return answer.json.data
  }
  const { signingSecret } = await put('/v1/webhook', { url: receiver.url })
  if (cryptoWallets) await put('/v1/wallet', { cryptoWallets })
  return {
    app,
    shop,
    check: (id: string) => check(app, id),
    /** An order of 25 dollars, and a payment of it that was opened in an asset. */
    async opened(assetId: string, decimals: number) {
      const order = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
      const { attempt } = await openCrypto(app, order.orderUUID, assetId)
      const dueAtomic = toUnits(attempt.amount, decimals)
      if (dueAtomic === null) throw new Error(`${attempt.amount} is no amount`)
      return { id: order.orderUUID as string, address: attempt.address as string, dueAtomic }
    },
    getOrder: async (id: string) => (await app.call('GET', `/v1/orders/${id}`, { key: shop.live })).json.data,
    /** The events of an order, each with whether its signature holds. */
    async eventsOf(id: string) {
      await app.jobs.settle()
      const events = receiver.received.filter(({ json }) => json.orderUUID === id)
      return events.map(event => [event.json.type, isSigned(event, signingSecret)])
    },
    async close() {
      await app.close()
      receiver.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

export type OpenShop = Awaited<ReturnType<typeof openShop>>
