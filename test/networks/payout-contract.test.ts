import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { listNotifications } from '../../src/operations/notices/list.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { startGatewayStand } from '../support/fake-paygate.ts'
import { givenOrder } from '../support/given.ts'
import { said } from '../support/notifications.ts'
import { evmRow, type OpenShop, openShop } from './checkout-scene.ts'

/** Two chains of a merchant whose payout wallet is a contract. */
let ethereum: Anvil
let polygon: Anvil
let vault: string
let refuser: string
let shop: OpenShop

/** The code of an ordinary account that acts as a smart wallet (EIP-7702). */
const DELEGATION = `0xef0100${'ab'.repeat(20)}`

beforeAll(async () => {
  ethereum = await startAnvil()
  polygon = await startAnvil({ chainId: 31338 })
  vault = await codeOf('TestVault')
  refuser = await codeOf('TestRefuser')
})
afterAll(async () => {
  await ethereum.stop()
  await polygon.stop()
})

const codeOf = async (name: 'TestVault' | 'TestRefuser'): Promise<string> =>
  ethereum.rpc('eth_getCode', [await ethereum.deploy(name), 'latest'])

const near = { confirmations: 1 }
const far = { ...near, chainId: 31338 }

const openWith = async (polygonUrl: string, environment: Record<string, string> = {}): Promise<OpenShop> =>
  openShop({
    environment: { ...environment, FLORIN_ETHEREUM_URL: ethereum.url, FLORIN_POLYGON_URL: polygonUrl },
    rates: { eth: { USD: '2500' }, pol: { USD: '0.5' }, usdc: { USD: '1' } },
    assets: [
      evmRow('ethereum/eth', 18, near),
      evmRow('ethereum/usdc', 6, { ...near, contract: await ethereum.deploy('TestUSD') }),
      evmRow('polygon/pol', 18, far),
      evmRow('polygon/usdc', 6, { ...far, contract: await polygon.deploy('TestUSD') }),
    ],
  })

beforeEach(async () => {
  shop = await openWith(polygon.url)
})
afterEach(async () => {
  expect(shop.app.audit()).toEqual([])
  await shop.close()
})

let wallets = 0
const newWallet = (): string => `0x${(0xc0ffee0000 + ++wallets).toString(16).padStart(40, '9')}`

const put = async (body: object) => {
  const startedAt = performance.now()
  const answer = await shop.app.call('PUT', '/v1/wallet', { key: shop.shop.live, body })
  return { status: answer.status, ms: performance.now() - startedAt }
}

const assets = ['ethereum/eth', 'ethereum/usdc', 'polygon/pol', 'polygon/usdc']

/** The assets for which a payment can be opened, each tried with an order of its own. */
async function payable(change: object = {}): Promise<string[]> {
  const opened: string[] = []
  for (const asset of assets) {
    const order = await givenOrder(shop.app, shop.shop, { paymentMethodsKeys: ['crypto'], ...change })
    const page = await shop.app.call('GET', `/pay/${order.orderUUID}`)
    const answer = await shop.app.call('POST', `/pay/${order.orderUUID}/crypto`, { form: { asset } })
    expect([page.text.includes(`value="${asset}"`), asset]).toEqual([answer.status === 303, asset])
    if (answer.status === 303) opened.push(asset)
    else expect(answer.status).toBe(422)
  }
  return opened
}

const notices = async () =>
  (await listNotifications(shop.app.context, shop.shop.id))
    .filter(({ kind }) => kind === 'payout_unusable')
    .map(said)

test('a contract that is missing on a chain is not paid there, until it exists', async () => {
  const wallet = newWallet()
  await ethereum.rpc('anvil_setCode', [wallet, vault])
  expect((await put({ payoutWallet: wallet })).status).toBe(200)
  expect(await notices()).toEqual([
    expect.stringMatching(/Customers cannot pay on Polygon: .* that exists on Ethereum but not on Polygon/),
  ])
  expect(await payable()).toEqual(['ethereum/eth', 'ethereum/usdc'])

  await polygon.rpc('anvil_setCode', [wallet, vault])
  shop.app.time.now += 11 * 60_000
  await payable()
  await Bun.sleep(500)
  expect(await payable()).toEqual(assets)
  const over = `Your wallet ${wallet} takes payments on Polygon again.`
  expect((await notices()).map(text => text.toLowerCase())).toEqual([over.toLowerCase(), expect.any(String)])
})

test('the wallet of one order is checked like the wallet of the merchant', async () => {
  await put({ payoutWallet: newWallet(), orderWalletOverrideEnabled: true })
  const receivingWallet = newWallet()
  await polygon.rpc('anvil_setCode', [receivingWallet, vault])
  expect(await payable({ receivingWallet })).toEqual(['polygon/pol', 'polygon/usdc'])
  expect(await payable()).toEqual(assets)
  expect(await notices()).toHaveLength(1)
})

test('a contract that refuses the coin is paid in tokens only', async () => {
  const wallet = newWallet()
  await ethereum.rpc('anvil_setCode', [wallet, refuser])
  await polygon.rpc('anvil_setCode', [wallet, vault])
  await put({ payoutWallet: wallet })
  expect(await notices()).toEqual([
    expect.stringContaining(
      'Customers cannot pay with the native coin of Ethereum: the payout wallet does not accept',
    ),
  ])
  expect(await payable()).toEqual(['ethereum/usdc', 'polygon/pol', 'polygon/usdc'])
})

test('a contract that refuses the coin in the words of a rate limit does not pause an endpoint', async () => {
  const wallet = newWallet()
  const reason = Buffer.from('rate limit exceeded')
  const word = (value: number): string => value.toString(16).padStart(64, '0')
  const message = reason.toString('hex').padEnd(64, '0')
  const revert = `6064600c60003960646000fd08c379a0${word(32)}${word(reason.length)}${message}`
  await ethereum.rpc('anvil_setCode', [wallet, `0x${revert}`])
  await polygon.rpc('anvil_setCode', [wallet, vault])
  await put({ payoutWallet: wallet })
  expect(await notices()).toEqual([expect.stringContaining('the payout wallet does not accept')])
  expect(await payable()).toEqual(['ethereum/usdc', 'polygon/pol', 'polygon/usdc'])
})

test('an account without code and a delegated account are paid everywhere', async () => {
  const wallet = newWallet()
  await put({ payoutWallet: wallet })
  expect(await payable()).toEqual(assets)
  const delegated = newWallet()
  await ethereum.rpc('anvil_setCode', [delegated, DELEGATION])
  await put({ payoutWallet: delegated })
  expect(await payable()).toEqual(assets)
  expect(await notices()).toEqual([])
})

test('cards are not offered if the gateway would pay out to a contract that does not exist', async () => {
  await shop.close()
  const gateway = startGatewayStand()
  shop = await openWith(polygon.url, gateway.environment)
  await shop.app.jobs.settle()
  const wallet = newWallet()
  await ethereum.rpc('anvil_setCode', [wallet, vault])
  const process = async () => {
    const order = await givenOrder(shop.app, shop.shop, { paymentMethodsKeys: ['stripe'] })
    return (await shop.app.call('GET', `/payment/process/${order.orderUUID}`)).status
  }
  await put({ payoutWallet: newWallet() })
  expect(await process()).toBe(303)
  await put({ payoutWallet: wallet })
  expect(await process()).toBe(422)
  await shop.close()
  await gateway.stop()
  shop = await openWith(polygon.url)
})

test('the wallet is set within two seconds although an endpoint is silent', async () => {
  await shop.close()
  const silent = Bun.serve({ port: 0, fetch: () => Bun.sleep(60_000).then(() => new Response()) })
  shop = await openWith(`http://127.0.0.1:${silent.port}`)
  const wallet = newWallet()
  await ethereum.rpc('anvil_setCode', [wallet, vault])
  const { status, ms } = await put({ payoutWallet: wallet })
  expect([status, ms < 3000]).toEqual([200, true])
  const read = await shop.app.call('GET', '/v1/wallet', { key: shop.shop.live })
  expect(read.json.data.payoutWallet).toBe(wallet)
  await silent.stop(true)
})
