import { providerFactories } from '../../src/boot/providers.ts'
import { setProviderAccount } from '../../src/operations/merchants/provider-account.ts'
import { type App, startApp } from '../support/app.ts'
import {
  type FakeCardProcessor,
  fakeCardProvider,
  startFakeCardProcessor,
} from '../support/fake-charge-provider.ts'
import { givenMerchant, type Shop } from '../support/given.ts'
import { startReceiver } from '../support/receiver.ts'
import { data } from './request.ts'

/** The product on a port of its own, with the made-up card processor as its provider, and a webhook receiver. */
export async function startChargeApp(environment: Record<string, string> = {}) {
  const processor = startFakeCardProcessor()
  const receiver = startReceiver()
  const front = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: request => app.florin.http.handle(request),
  })
  const url = `http://127.0.0.1:${front.port}`
  const app: App = await startApp(
    {
      FLORIN_SANDBOX: 'false',
      FLORIN_GATEWAY_URL: '',
      FLORIN_CHECKOUT_URL: url,
      FLORIN_OUTBOUND_ALLOW: receiver.host,
      ...environment,
    },
    {},
    [...providerFactories, () => fakeCardProvider(processor.url)],
  )
  await app.jobs.settle()
  return {
    ...app,
    url,
    processor,
    receiver,
    async close() {
      await app.close()
      await front.stop(true)
      await processor.stop()
      await receiver.stop()
    },
  }
}

export type ChargeApp = Awaited<ReturnType<typeof startChargeApp>>

/** A merchant with an account at the processor and a webhook, and no wallet at all. */
export async function givenChargeShop(app: ChargeApp, feePercent = '0'): Promise<Shop> {
  const shop = await givenMerchant(app, 'Corner Coffee', feePercent)
  await connect(app, shop)
  await data(app, 'PUT', '/v1/webhook', { key: shop.live, body: { url: app.receiver.url } })
  return shop
}

/** Opens an account at the processor, and gives its credentials to the product. */
export function connect(app: App & { processor: FakeCardProcessor }, { id }: Shop): Promise<void> {
  const credentials = app.processor.openAccount(`acct_${id}`)
  return setProviderAccount(app.context, { merchantId: id, providerId: 'fakecard', credentials })
}
