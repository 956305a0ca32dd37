import { expect, test } from 'bun:test'
import { assets } from '../../../src/networks/assets.ts'
import { type Choice, findRoutes } from '../../../src/operations/payments/steps/choose-route.ts'

const asset = assets.find(({ id }) => id === 'ltc')!
const target = { asset, sources: new Map(), payoutAddress: 'ltc1qexample' }

const quiet = { clock: () => 5, log: { info(_fields: object, _event: string) {} } }

/** The routes by which Litecoin reaches a merchant: the payout wallet, shared, or another kind of address. */
async function routes(choice: Partial<Choice>, kind = 'shared', platform = quiet): Promise<string[]> {
  const context = {
    networks: { of: () => ({ unavailableReason: async () => null }), sourceKinds: () => [kind] },
    policy: { sharedAddress: true },
    ...platform,
  }
  const readable = { blind: new Set(), unreadable: new Set() }
  const [given, chosen] = [
    context,
    { sources: target.sources, payoutProblems: async () => [], ...readable, ...choice },
  ] as unknown as [Parameters<typeof findRoutes>[0], Choice]
  const found = await findRoutes(given, target, chosen)
  return found.map(route => (route.via === 'own' ? route.kind : route.via.id))
}

const forwarding =
  (assetIds: string[], isUnavailable = false) =>
  async () => ({
    providers: [
      {
        provider: { id: 'gateway' },
        coins: new Map(assetIds.map(id => [id, [{ assetId: id, minimum: '0.01' }]])),
      },
    ],
    isUnavailable,
  })
type Forwarded = Choice['forwardedCoins']

test.each(['own', 'provider'] as const)(
  'a payout wallet to which a provider also forwards the coin is not shared by buyers: %s first',
  async first => {
    const by = (assetIds: string[], isUnavailable = false) =>
      routes({ first, forwardedCoins: forwarding(assetIds, isUnavailable) as unknown as Forwarded })
    expect(await by([])).toEqual(['shared'])
    expect(await by(['btc'])).toEqual(['shared'])
    expect(await by(['ltc'])).toEqual(['gateway'])
    // A provider that does not answer may still be able to forward it.
    expect(await by([], true)).toEqual([])
  },
)

test('an address of the merchant’s own is offered whatever a provider forwards', async () => {
  const forwardedCoins = forwarding(['ltc']) as unknown as Forwarded
  expect(await routes({ first: 'own', forwardedCoins }, 'create2')).toEqual(['create2'])
  expect(await routes({ first: 'provider', forwardedCoins }, 'create2')).toEqual(['gateway', 'create2'])
})

test('the reason why an own address is not offered is logged once an hour', async () => {
  const logged: string[] = []
  const log = {
    info: (fields: object, event: string) => void logged.push(`${event} ${JSON.stringify(fields)}`),
  }
  const forwardedCoins = forwarding(['ltc']) as unknown as Forwarded
  const ask = (minutes: number) =>
    routes({ first: 'own', forwardedCoins }, 'shared', { log, clock: () => minutes * 60_000 })
  for (const minutes of [0, 1, 59]) await ask(minutes)
  expect(logged).toHaveLength(1)
  expect(logged[0]).toMatch(/^asset.own_route.unavailable .*a provider forwards it/)
  await ask(61)
  expect(logged).toHaveLength(2)
})
