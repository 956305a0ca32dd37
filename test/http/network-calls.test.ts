import { describe, expect, test } from 'bun:test'
import type { Platform } from '../../src/boot/platform.ts'
import type { Context } from '../../src/operations/context.ts'
import { startApp } from '../support/app.ts'
import { suite } from '../support/suite.ts'

let calls: string[] = []
const closed = 'http://127.0.0.1:9'
const fetch: Platform['fetch'] = async url => {
  calls.push(`fetch ${url}`)
  throw new Error('nobody answers')
}
const lookup: Platform['lookup'] = async host => {
  calls.push(`lookup ${host}`)
  return [{ address: '192.0.2.1' }]
}
const settings = {
  FLORIN_SANDBOX: 'false',
  FLORIN_ETHEREUM_URL: closed,
  FLORIN_BITCOIN_URL: `esplora+${closed}`,
  FLORIN_GATEWAY_URL: closed,
  FLORIN_GATEWAY_CHECKOUT_URL: closed,
  FLORIN_RATES: 'kraken',
}

const { app, each } = suite({ start: () => startApp(settings, { fetch, lookup }), isFresh: true })
each(async () => {
  await app.jobs.settle()
  calls = []
})

const ask = async (context: Context, assetId: string) => {
  const asset = context.networks.asset(assetId)!
  return context.networks.of(asset.chain)!.unavailableReason(asset)
}

/** Everything that leaves this machine, by the port of the code that sends it. */
const outward: Record<string, (context: Context) => Promise<unknown>> = {
  'a question to an EVM chain': context => ask(context, 'ethereum/eth'),
  'a question to Bitcoin': context => ask(context, 'btc'),
  'a question to a provider': context =>
    context.providers.all.find(({ forwarding }) => forwarding)!.forwarding!.methods(),
  'a question for a rate': async context => context.rates.rate('btc', 'USD'),
  'a check of a URL': context => context.outbound.webhook.check('https://shop.example/hook', '/url', true),
  'an outbound request': context => context.outbound.webhook.post('https://shop.example/hook', {}, '{}'),
}

describe.each(Object.entries(outward))('%s', (_, call) => {
  test.each(['write', 'read'] as const)('is refused inside a %s, and makes it fail', async access => {
    const { context } = app
    const done = context.storage[access](async () => {
      await call(context).catch(() => {})
      return 'done'
    })
    expect(await done.catch(String)).toMatch(new RegExp(`inside a storage ${access} is a bug`))
    expect(calls).toEqual([])
  })

  test('is made outside of reads and writes', async () => {
    await call(app.context).catch(() => {})
    expect(calls.length).toBeGreaterThan(0)
  })
})

test('an outbound request to an IP address, which looks up no name, is refused in a write', async () => {
  const { storage, outbound } = app.context
  const done = storage.write(() => outbound.webhook.post('https://192.0.2.1/hook', {}, '{}'))
  expect(await done.catch(String)).toMatch(/An outbound request inside a storage write is a bug/)
})

test('a write that takes long is logged with its operation', async () => {
  async function ship() {
    await app.context.storage.write(() => Bun.sleep(60))
  }
  await ship()
  // On a busy machine, writes of background jobs take long too.
  const lines = app.logged.filter(({ sentence }) => sentence === 'storage.write.slow')
  expect(lines.map(({ fields }) => fields)).toContainEqual({ operation: 'ship', ms: expect.any(Number) })
})
