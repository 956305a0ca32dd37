import { afterAll, beforeAll, expect, test } from 'bun:test'
import { endpointTypes, openAttempt, openScene, type Scene } from './tron-scene.ts'

const scenes = new Map<string, Scene>()
beforeAll(async () => {
  for (const [type, { jsonrpc }] of Object.entries(endpointTypes))
    scenes.set(type, await openScene({ jsonrpc }))
})
afterAll(async () => {
  for (const scene of scenes.values()) await scene.stop()
})

const FAR = 80_000_000

/** A cursor as if one endpoint had reported a false height when the address was allocated. */
const farStart = (cursor: unknown) => {
  const start = { height: FAR, hash: `0x${'ab'.repeat(32)}`, at: Date.now() }
  return { ...(cursor as object), ...start, start, settled: start, finalTo: FAR, seen: FAR + 20 }
}

test.each(Object.entries(endpointTypes))(
  'a payment is found although the watch began at a false height, by %s',
  async (type, { protocol }) => {
    const scene = scenes.get(type)!
    const { anvil, tether, front, pay } = scene
    let now = Date.now()
    const network = scene.watching({ endpoints: [{ protocol, url: front.url }], clock: () => now })
    const attempt = await openAttempt(network, tether)
    attempt.cursor = farStart(attempt.cursor)
    await pay.token(tether, attempt.address, 5n)
    await anvil.mine(1)
    // A height that one endpoint reported is forgotten after a quarter of an hour.
    now += 1_000_000
    for (const final of [false, true]) {
      const [result] = await network.scan([attempt])
      expect(result!.detectedPayments).toMatchObject([{ amountAtomic: 5n, final }])
      attempt.cursor = result!.cursor
      await anvil.mine(30)
    }
    expect((attempt.cursor as { start: { height: number } }).start.height).toBeLessThan(FAR)
  },
)
