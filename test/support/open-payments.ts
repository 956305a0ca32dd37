import type { Platform } from '../../src/boot/platform.ts'
import { registry } from '../../src/coins/registry.ts'
import { toUnits } from '../../src/domain/money.ts'
import { previewAccount, setUpSource } from '../../src/operations/addresses/set-up-source.ts'
import { Chain } from '../simulation/chain.ts'
import { Endpoint } from '../simulation/endpoint.ts'
import { evmFront } from '../simulation/evm-front.ts'
import { type App, startApp } from './app.ts'
import { givenMerchant, givenOrder, openCrypto } from './given.ts'

const USDC_DECIMALS = 6
const BLOCK_MS = 2000
const FIRST_HEIGHT = 60_000_000
const FINALITY_LAG = 5

/** A shop can have 2,000 waiting payments within their lock. */
const PER_SHOP = 1000

async function newShop(app: App) {
  const shop = await givenMerchant(app)
  const cryptoWallets = { evm: '0x1111111111111111111111111111111111111111' }
  await app.call('PUT', '/v1/wallet', { key: shop.live, body: { cryptoWallets } })
  return shop
}

interface Options {
  finalityLag?: number
  /** uses addresses of this account instead of forwarders */
  account?: string
  environment?: Record<string, string>
}

/** The whole program over a simulated Polygon, with payments that buyers open one after another. */
export async function openPayments(
  count: number,
  everyMs: number,
  { finalityLag = FINALITY_LAG, account, environment = {} }: Options = {},
) {
  const assets = registry.assets.filter(({ chain }) => chain === 'polygon')
  const contracts = new Map(
    assets.flatMap(({ id, contract }) => (contract === null ? [] : [[id, contract.toLowerCase()] as const])),
  )
  let clock = (): number => 0
  const startsAt = Date.parse('2026-03-01T10:00:00.000Z')
  const options = { clock: () => clock(), startsAt, firstHeight: FIRST_HEIGHT, blockMs: BLOCK_MS }
  const chain = new Chain(options)
  const coin = 'polygon/pol'
  const front = { chain, chainId: 137, finalityLag, coin, contracts, targets: () => [] }
  const endpoint = new Endpoint('node.example', evmFront(front))
  const traffic = { requests: 0, delayMs: 0 }
  const settings = {
    FLORIN_SANDBOX: 'false',
    FLORIN_POLYGON_URL: 'https://node.example',
    FLORIN_RATES: 'https://rates.example',
    ...environment,
  }
  const fetch: Platform['fetch'] = async (url, init) => {
    if (!url.startsWith('https://node.example')) return Response.json({ 'polygon/usdc': { USD: '1' } })
    traffic.requests += 1
    if (traffic.delayMs > 0) await Bun.sleep(traffic.delayMs)
    return endpoint.respond('/', String(init?.body ?? ''))
  }
  const app = await startApp(settings, { fetch })
  clock = () => app.time.now
  /** Starts another server of the same shop, possibly with its own view of the chain. */
  const startAnother = (own: Platform['fetch'] = fetch): Promise<App> =>
    startApp(settings, { fetch: own, now: () => app.time.now })
  app.time.now = startsAt + 60_000
  let shop = await newShop(app)
  if (account)
    await setUpSource(app.context, await previewAccount(app.context, shop.id, 'evm', account, null))
  const orders: { orderUUID: string; address: string; due: bigint }[] = []
  for (let opened = 0; opened < count; opened++) {
    if (opened % PER_SHOP === PER_SHOP - 1) shop = await newShop(app)
    const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
    const { attempt } = await openCrypto(app, orderUUID, 'polygon/usdc')
    const due = toUnits(attempt.amount, USDC_DECIMALS)!
    orders.push({ orderUUID, address: attempt.address, due })
    await app.advance(everyMs)
  }
  return { app, shop, orders, traffic, chain, fetch, startAnother }
}
