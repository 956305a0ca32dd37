import { expect, test } from 'bun:test'
import { seededRandom } from '../simulation/random.ts'
import { isOnPostgres } from '../support/app.ts'
import { fromEarlier } from './earlier.ts'
import { makeHistory } from './generate.ts'
import { requestMaker } from './generate-requests.ts'
import { historyOf, runHistory } from './runner.ts'
import type { Request, RequestOf, Step } from './steps.ts'
import { DAY, open, pay, wait } from './story.ts'

/** The number of steps of one short history; `npm run simulate` runs many long ones. */
const STEPS = 25

test('the whole server keeps the rules of the model in a short history', async () => {
  expect(
    await runHistory(
      historyOf(3, STEPS, { engine: isOnPostgres ? 'postgres' : 'sqlite', story: null, earlier: null }),
    ),
  ).toBeNull()
}, 60_000)

test.each(['lag', 'partly'] as const)(
  'a Lightning node with the lie %s reports a paid invoice while the server still asks about it',
  async lie => {
    const { setup } = makeHistory(4)
    const requests = requestMaker(setup, [], seededRandom(4))
    const { order, shop, step } = requests.newOrder()
    const steps = [
      ...[step, open(order, requests.lightning()), { do: 'node', shop, lie } as const, pay(order, 100)],
      ...[wait(4 * DAY), { do: 'node', shop, lie: 'honest' } as const],
    ]
    expect(await runHistory({ setup, steps })).toBeNull()
  },
  60_000,
)

test('orders are read at the end of a history alone, although its last requests ran at once and the clock was set back', async () => {
  const { setup } = makeHistory(4)
  const { order, step } = requestMaker(setup, [], seededRandom(4)).newOrder()
  const end: Request = { do: 'end', order, by: 'viewer', isStale: false }
  const steps: Step[] = [
    ...[{ do: 'clock', minutes: 90 } as const, step, { do: 'clock', minutes: 0 } as const, open(order, 0)],
    ...[pay(order, 100), { do: 'together' as const, requests: [end, end] } satisfies Step],
  ]
  expect(await runHistory({ setup, steps })).toBeNull()
}, 60_000)

test('an order is read at the end although another shop used its key again', async () => {
  const { setup } = makeHistory(4)
  const requests = requestMaker(setup, [], seededRandom(4))
  const { order, shop, step } = requests.newOrder()
  const first = { ...step, key: requests.freshKey() } as RequestOf<'order'>
  const foreign: Request = { ...first, shop: requests.otherShop(shop) }
  const steps: Step[] = [first, open(order, 0), pay(order, 100), foreign]
  expect(await runHistory({ setup, steps })).toBeNull()
}, 60_000)

test('a seed always makes the same history', () => {
  expect(makeHistory(5)).toEqual(makeHistory(5))
})

test('each server of a history from an earlier version gets this version and goes back in turn', () => {
  const { setup, steps } = makeHistory(5)
  const mixed = fromEarlier({ setup: { ...setup, engine: 'postgres' }, steps }, 'v1.0.0').steps
  const installs = mixed.flatMap(step => (step.do === 'install' ? [step] : []))
  for (const machine of [0, 1]) {
    const versions = installs.filter(step => step.machine === machine).map(({ version }) => version)
    expect(versions.length).toBeGreaterThan(1)
    expect(versions).toEqual(versions.map((_, at) => (at % 2 === 0 ? 'this' : 'earlier')))
  }
  expect(mixed.filter(({ do: name }) => name !== 'install')).toEqual(steps)
})
