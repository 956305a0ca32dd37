import { afterAll, beforeAll, expect, test } from 'bun:test'
import { listNotifications } from '../../src/operations/notices/list.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { replacing } from '../support/calls.ts'
import { EVM_WALLET } from '../support/given.ts'
import { type Answer, type ProxyServer, startProxy } from '../support/proxy.ts'
import { evmRow, type OpenShop, openShop } from './checkout-scene.ts'

const MINUTE_MS = 60_000
const RESULTS_MAX = 20
const FLOOD = 30
const ASSET = 'ethereum/usdc'

let anvil: Anvil
let token: string
let endpoint: ProxyServer
let scene: OpenShop

/** Like many providers, refuses a search that finds more than some number of logs. */
const limited: Answer = async (_path, body, pass) =>
  replacing(body, await pass(), ({ method }, { result }) =>
    method === 'eth_getLogs' && (result as unknown[]).length > RESULTS_MAX
      ? { error: { code: -32005, message: 'query returned more than 20 results' } }
      : null,
  )

beforeAll(async () => {
  anvil = await startAnvil()
  token = await anvil.deploy('TestTether')
  await anvil.mine(100)
  endpoint = startProxy(anvil.url)
  endpoint.answer = limited
  scene = await openShop({
    environment: { FLORIN_ETHEREUM_URL: endpoint.url },
    rates: { [ASSET]: { USD: '1' } },
    assets: [evmRow(ASSET, 6, { contract: token }), evmRow('ethereum/eth', 18)],
    cryptoWallets: { evm: EVM_WALLET },
  })
})
afterAll(async () => {
  await scene.close()
  endpoint.stop()
  await anvil.stop()
})

test('an address that cannot be read does not close its chain, even if it is the only one watched', async () => {
  const { app, shop, check, opened, getOrder } = scene
  const flooded = await opened(ASSET, 6)
  await anvil.sendToken(token, flooded.address, flooded.dueAtomic)
  for (let sent = 0; sent < FLOOD; sent++) await anvil.sendToken(token, flooded.address, 1n)
  await anvil.mine(4)
  for (let minute = 0; minute < 15; minute++) {
    await check(flooded.id)
    await app.advance(MINUTE_MS)
  }
  expect(await getOrder(flooded.id)).toMatchObject({ status: 'UNPAID' })
  const page = (await app.call('GET', `/pay/${flooded.id}`)).text.replaceAll(/[\u2066-\u2069]/g, '')
  expect(page).toContain(
    'can’t check the address of this payment right now, though the Ethereum network can be reached',
  )
  expect(page).not.toContain('can’t reach')
  const kinds = (await listNotifications(app.context, shop.id)).map(({ kind }) => kind)
  expect(kinds).not.toContain('chain_blind')

  const other = await opened(ASSET, 6)
  await anvil.sendToken(token, other.address, other.dueAtomic)
  await anvil.mine(4)
  await check(other.id)
  expect(await getOrder(other.id)).toMatchObject({ status: 'PAID' })
})
