import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Machine } from '../../src/app/machine.ts'
import type { World } from '../../src/operations/world.ts'
import { type App, startApp } from '../support/app.ts'

let app: App
let calls: string[]

const closed = 'http://127.0.0.1:9'
const fetch: Machine['fetch'] = async url => {
  calls.push(`fetch ${url}`)
  throw new Error('nobody answers')
}
const lookup: Machine['lookup'] = async host => {
  calls.push(`lookup ${host}`)
  return [{ address: '192.0.2.1' }]
}

beforeEach(async () => {
  calls = []
  const settings = {
    FLORIN_SANDBOX: 'false',
    FLORIN_ETHEREUM_URL: closed,
    FLORIN_BITCOIN_URL: `esplora+${closed}`,
    FLORIN_GATEWAY_URL: closed,
    FLORIN_GATEWAY_CHECKOUT_URL: closed,
    FLORIN_RATES: 'kraken',
  }
  app = await startApp(settings, { fetch, lookup })
  await app.jobs.settle()
  calls.length = 0
})
afterEach(() => app.close())

const ask = (world: World, assetId: string) => {
  const asset = world.networks.asset(assetId)!
  return world.networks.of(asset.chain)!.fault(asset)
}

/** Everything that leaves this machine, by the port it leaves by. */
const outward: Record<string, (world: World) => Promise<unknown>> = {
  'a question to an EVM chain': world => ask(world, 'ethereum/eth'),
  'a question to Bitcoin': world => ask(world, 'btc'),
  'a question to a provider': world => world.providers.all[0]!.methods(),
  'a question for a rate': world => world.rates.rate('btc', 'USD'),
  'a check of a URL': world => world.outbound.check('https://shop.example/hook', '/url', true),
  'an outbound request': world => world.outbound.post('https://shop.example/hook', {}, '{}'),
}

describe.each(Object.entries(outward))('%s', (_, call) => {
  test.each(['write', 'read'] as const)('inside a %s never leaves, and fails it', async access => {
    const { world } = app
    const done = world.storage[access](async () => {
      await call(world).catch(() => {})
      return 'done'
    })
    expect(await done.catch(String)).toMatch(new RegExp(`inside a storage ${access} is a bug`))
    expect(calls).toEqual([])
  })

  test('outside of both is made', async () => {
    await call(app.world).catch(() => {})
    expect(calls.length).toBeGreaterThan(0)
  })
})

test('an outbound request to a bare address, which looks up no name, never leaves a write', async () => {
  const { storage, outbound } = app.world
  const done = storage.write(() => outbound.post('https://192.0.2.1/hook', {}, '{}'))
  expect(await done.catch(String)).toMatch(/An outbound request inside a storage write is a bug/)
})

test('a write that takes long is logged with its operation', async () => {
  async function ship() {
    await app.world.storage.write(() => Bun.sleep(60))
  }
  await ship()
  const [line] = app.logged.filter(({ sentence }) => sentence === 'storage.write.slow')
  expect(line?.fields).toEqual({ operation: 'ship', ms: expect.any(Number) })
})
