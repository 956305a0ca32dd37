import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Platform } from '../../src/boot/platform.ts'
import { toUnits } from '../../src/domain/money.ts'
import { type App, startApp } from '../support/app.ts'
import { check, givenMerchant, givenOrder, openCrypto, type Shop } from '../support/given.ts'
import { newFolder } from '../support/process.ts'
import { isSigned, startReceiver } from '../support/receiver.ts'

interface ChainOptions {
  environment: Record<string, string>
  /** the price of each asset, by currency */
  rates?: Record<string, Record<string, string>>
  /** rows that move assets of the table to a chain of the test's own */
  assets?: object[]
}

/** The whole program with real chains. Its rates and its table of assets come from files. */
export async function startOver({ environment, rates, assets }: ChainOptions, platform?: Partial<Platform>) {
  const folder = newFolder()
  const fileOf = (name: string, content: object): string => {
    writeFileSync(join(folder, name), JSON.stringify(content))
    return join(folder, name)
  }
  const settings: Record<string, string> = {
    FLORIN_SANDBOX: 'false',
    ...(rates && { FLORIN_RATES: `file:${fileOf('rates.json', rates)}` }),
    ...(assets && { FLORIN_ASSETS_FILE: fileOf('assets.json', assets) }),
    ...environment,
  }
  const app = await startApp(settings, platform)
  // The chains have the machine's time, so the clock is set to it.
  app.time.now = Date.now()
  const close = async () => {
    await app.close()
  }
  return { app, settings, close }
}

/** A row that moves an asset of the table to the chain of a test. */
export const evmRow = (id: string, decimals: number, change: object = {}) => ({
  id,
  network: 'evm',
  chainId: 31337,
  confirmations: 3,
  decimals,
  ...change,
})

/** An order of 25 dollars with an open payment in an asset. */
export async function openOrder(app: App, shop: Shop, assetId: string, change: object = {}) {
  const order = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'], ...change })
  const { attempt } = await openCrypto(app, order.orderUUID, assetId)
  return {
    id: order.orderUUID as string,
    address: attempt.address as string,
    amount: attempt.amount as string,
  }
}

interface ShopOptions extends ChainOptions {
  cryptoWallets?: Record<string, string>
}

/** The whole program with real chains and a shop that receives webhooks. */
export async function openShop({ environment, cryptoWallets, ...options }: ShopOptions) {
  const receiver = startReceiver()
  const { app, close } = await startOver({
    ...options,
    environment: { FLORIN_OUTBOUND_ALLOW: receiver.host, ...environment },
  })
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
    async opened(assetId: string, decimals: number) {
      const opened = await openOrder(app, shop, assetId)
      const dueAtomic = toUnits(opened.amount, decimals)
      if (dueAtomic === null) throw new Error(`${opened.amount} is no amount`)
      return { ...opened, dueAtomic }
    },
    getOrder: async (id: string) => (await app.call('GET', `/v1/orders/${id}`, { key: shop.live })).json.data,
    /** The events of an order, each with true if its signature is valid. */
    async eventsOf(id: string) {
      await app.jobs.settle()
      const events = receiver.received.filter(({ json }) => json.orderUUID === id)
      return events.map(event => [event.json.type, isSigned(event, signingSecret)])
    },
    async close() {
      await close()
      receiver.stop()
    },
  }
}

export type OpenShop = Awaited<ReturnType<typeof openShop>>
