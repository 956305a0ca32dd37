import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { endpointTypes, freshAddress, openAttempt, openScene, type Scene } from './tron-scene.ts'

const scenes = new Map<string, Scene>()
beforeAll(async () => {
  for (const [type, { jsonrpc }] of Object.entries(endpointTypes))
    scenes.set(type, await openScene({ jsonrpc }))
})
afterAll(async () => {
  for (const scene of scenes.values()) await scene.stop()
})

const FAR = 80_000_000
const MINUTE_MS = 60_000

/** A cursor as if one endpoint had reported a false height when the address was allocated. */
const farStart = (cursor: unknown, at: number) => {
  const start = { height: FAR, hash: `0x${'ab'.repeat(32)}`, at }
  return { ...(cursor as object), ...start, start, settled: start, finalTo: FAR, seen: FAR + 20 }
}

const clocks = [
  ['right', 0],
  ['8 minutes ahead', 8],
  ['20 minutes behind', -20],
] as const

describe.each(Object.entries(endpointTypes))(
  'a watch by %s that began at a false height',
  (type, { protocol }) => {
    test.each(clocks)('finds its payment without earlier money, if the clock was %s', async (_, ahead) => {
      const { anvil, tether, front, pay, watching } = scenes.get(type)!
      let now = 0
      const network = watching({ endpoints: [{ protocol, url: front.url }], clock: () => now })
      const address = freshAddress()
      await pay.token(tether, address, 7n)
      await anvil.rpc('anvil_mine', ['0x2', '0x3c'])
      const head = (await anvil.rpc('eth_getBlockByNumber', ['latest', false])) as { timestamp: string }
      const openedAt = Number(head.timestamp) * 1000
      now = openedAt + ahead * MINUTE_MS
      const attempt = await openAttempt(network, tether, address)
      attempt.cursor = farStart(attempt.cursor, openedAt)
      await pay.token(tether, address, 5n)
      await anvil.mine(1)
      // A height that one endpoint reported is forgotten after a quarter of an hour.
      now += 16 * MINUTE_MS
      for (const final of [false, true]) {
        const [result] = await network.scan([attempt])
        expect(result!.detectedPayments).toMatchObject([{ amountAtomic: 5n, final }])
        attempt.cursor = result!.cursor
        await anvil.mine(30)
      }
      expect((attempt.cursor as { start: { height: number } }).start.height).toBeLessThan(FAR)
    })
  },
)
