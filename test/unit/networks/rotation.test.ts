import { expect, test } from 'bun:test'
import type { Asset } from '../../../src/domain/asset.ts'
import { type DetectedPayment, NetworkError, type Watch } from '../../../src/networks/port.ts'
import { Endpoints } from '../../../src/networks/rpc/failover.ts'
import { type GroupWatch, scanInTurn } from '../../../src/networks/rpc/rotation.ts'

const watchOf = (attemptId: string): Watch => ({
  attemptId,
  asset: {} as Asset,
  address: 'address',
  source: null,
  cursor: { height: 1 },
  requiredEndpoints: 1,
})

const pending = { txId: 'tx', final: false, paidAt: 0 } as DetectedPayment

/** Endpoints that consist of their names only, with a record of the watches that each was asked about. */
function openGroup(...hosts: string[]) {
  const group = {
    now: 0,
    everyMs: 600_000,
    down: new Set<string>(),
    /** the endpoints' reports of payments that are not final, by attempt */
    seen: new Map<string, string>(),
    /** the same for final payments */
    final: new Map<string, string>(),
    asked: [] as string[],
    taken: [] as string[],
    /** the payments that only one endpoint reported in the last scans, with its name */
    unproven: [] as unknown[],
  }
  const endpoints = new Endpoints<string>({
    chain: 'chain',
    members: hosts.map((host, index) => ({ host, node: `${host}${index}` })),
    verifyChain: async () => {},
    clock: () => group.now,
  })
  async function scan(node: string, watches: GroupWatch[]) {
    group.asked.push(node)
    group.taken.push(...watches.filter(({ isTakenOver }) => isTakenOver).map(({ attemptId }) => attemptId))
    if (group.down.has(node)) throw new NetworkError('cannot be reached')
    return watches.map(({ attemptId, cursor }) => ({
      attemptId,
      detectedPayments: [
        ...(group.seen.get(node) === attemptId ? [pending] : []),
        ...(group.final.get(node) === attemptId ? [{ ...pending, final: true, height: 1 }] : []),
      ],
      completeFrom: 1,
      cursor,
    }))
  }
  return {
    group,
    /** Scans some watches once, and keeps their cursors. Returns the endpoints that were asked. */
    async look(...watches: Watch[]): Promise<string[]> {
      group.now += group.everyMs
      group.asked.length = 0
      group.taken.length = 0
      group.unproven.length = 0
      for (const result of await scanInTurn({ endpoints, scan }, watches)) {
        watches.find(({ attemptId }) => attemptId === result.attemptId)!.cursor = result.cursor
        group.unproven.push(...(result.unproven ?? []).map(({ txId, endpoint }) => [txId, endpoint]))
      }
      return [...group.asked]
    },
  }
}

test('every third scan uses the endpoint that was not used for the longest time', async () => {
  const { look } = openGroup('a', 'b', 'c')
  const watch = watchOf('one')
  const order: string[] = []
  for (let count = 0; count < 9; count++) order.push(...(await look(watch)))
  expect(order).toEqual(['a0', 'a0', 'b1', 'a0', 'a0', 'c2', 'a0', 'a0', 'b1'])
})

test('watches that were opened at different times are scanned together', async () => {
  const { look } = openGroup('a', 'b')
  const [first, second] = [watchOf('first'), watchOf('second')]
  await look(first)
  expect(await look(first, second)).toEqual(['a0'])
  expect(await look(first, second)).toEqual(['b1'])
  expect(await look(first, second)).toEqual(['a0'])
})

test('a watch that requests another endpoint gets it, with the others of its scan', async () => {
  const { look, group } = openGroup('a', 'b')
  const [first, second] = [watchOf('first'), watchOf('second')]
  await look(first, second)
  first.elsewhere = true
  expect(await look(first, second)).toEqual(['b1'])
  expect(group.taken).toEqual(['first', 'second'])
  expect(await look(first, second)).toEqual(['a0'])
  second.elsewhere = true
  await look(second)
  expect((await look(first, second)).toSorted()).toEqual(['a0', 'b1'])
})

test('a watch that requests another endpoint gets one that just failed, or the last one if that fails again', async () => {
  const { look, group } = openGroup('a', 'b')
  const watch = { ...watchOf('one'), elsewhere: true }
  await look(watch)
  group.down.add('b1')
  expect(await look(watch)).toEqual(['b1', 'a0'])
  group.now -= 600_000
  expect(await look(watch)).toEqual(['b1', 'a0'])
  expect(group.taken).toEqual(['one'])
})

test('two endpoints of one host have different names, and one endpoint is always used', async () => {
  const twins = openGroup('a', 'a')
  const watch = watchOf('one')
  expect([await twins.look(watch), await twins.look(watch), await twins.look(watch)]).toEqual([
    ['a0'],
    ['a0'],
    ['a1'],
  ])
  expect(watch.cursor).toEqual({ height: 1, looks: { by: ['a', 'a (2)'], row: 1 } })
  const alone = openGroup('a')
  const other = { ...watchOf('other'), elsewhere: true }
  for (let count = 0; count < 4; count++) expect(await alone.look(other)).toEqual(['a0'])
})

test('a cursor that names endpoints in another form is read as one without names', async () => {
  const { look } = openGroup('a', 'b')
  for (const looks of [null, [], { by: 'a', row: 5 }, { by: [1], row: 1 }]) {
    expect(await look({ ...watchOf('one'), cursor: { looks } })).toEqual(['a0'])
  }
  expect(await look({ ...watchOf('one'), cursor: 'old' })).toEqual(['a0'])
})

test('a payment that is being confirmed is followed through the endpoint that saw it', async () => {
  const { look, group } = openGroup('a', 'b')
  group.everyMs = 5000
  const [paid, other] = [watchOf('paid'), watchOf('other')]
  group.seen.set('b1', 'paid')
  for (const expected of ['a0', 'a0', 'b1', 'b1', 'b1']) expect(await look(paid)).toEqual([expected])
  expect((await look(paid, other)).toSorted()).toEqual(['a0', 'b1'])
  await look(paid, other)
  // It is now the second endpoint's turn, so one scan serves both watches.
  expect(await look(paid, other)).toEqual(['b1'])
  paid.elsewhere = true
  expect(await look(paid)).toEqual(['b1'])
  group.down.add('b1')
  expect(await look(paid)).toEqual(['b1', 'a0'])
  group.seen.clear()
  group.down.clear()
  paid.elsewhere = false
  expect(await look(paid)).toEqual(['a0'])
})

test('the blocks of a disputed payment are read again by each scan', async () => {
  const { look, group } = openGroup('a', 'b')
  const watch = { ...watchOf('paid'), requiredEndpoints: 2 }
  group.final.set('a0', 'paid')
  await look(watch)
  expect(watch.cursor).toHaveProperty('looks.again', true)
  await look(watch)
  expect(group.taken).toContain('paid')
  group.final.set('b1', 'paid')
  await look(watch)
  expect(watch.cursor).not.toHaveProperty('looks.again')
})

test('a payment that waits for more than a minute is final if another endpoint confirms it', async () => {
  const { look, group } = openGroup('a', 'b')
  group.everyMs = 31_000
  const watch = watchOf('paid')
  group.seen.set('a0', 'paid')
  const asked: string[][] = []
  for (let count = 0; count < 4; count++) asked.push(await look(watch))
  // The other endpoint knows nothing of the payment, which proves nothing.
  expect(asked).toEqual([['a0'], ['a0'], ['a0'], ['b1', 'a0']])
  group.down.add('b1')
  await look(watch)
  expect(await look(watch)).toEqual(['b1', 'a0'])
  expect(watch.cursor).toEqual({ height: 1, looks: { by: ['a'], row: 0 } })
  group.down.clear()
  group.final.set('b1', 'paid')
  await look(watch)
  expect(await look(watch)).toEqual(['b1'])
  expect(watch.cursor).toEqual({ height: 1, looks: { by: ['a', 'b'], row: 1 } })
  const alone = openGroup('a')
  alone.group.everyMs = 61_000
  alone.group.seen.set('a0', 'paid')
  for (let count = 0; count < 3; count++) expect(await alone.look(watchOf('paid'))).toEqual(['a0'])
})

test('a payment that waits is also looked for at another endpoint if it is checked only once a day', async () => {
  const { look, group } = openGroup('a', 'b')
  group.everyMs = 24 * 3_600_000
  const watch = watchOf('paid')
  group.seen.set('a0', 'paid')
  await look(watch)
  await look(watch)
  expect(await look(watch)).toEqual(['b1', 'a0'])
})

test('a payment that only another endpoint reports is named, even while an endpoint repeats one that waits', async () => {
  const { look, group } = openGroup('a', 'b')
  group.everyMs = 61_000
  const watch = { ...watchOf('paid'), requiredEndpoints: 2 }
  group.seen.set('a0', 'paid')
  group.final.set('b1', 'paid')
  const unproven: unknown[] = []
  for (let count = 0; count < 4; count++) {
    await look(watch)
    unproven.push([...group.unproven])
  }
  expect(unproven).toEqual([[], [], [['tx', 'b']], [['tx', 'b']]])
  expect(watch.cursor).toEqual({ height: 1, looks: { by: ['a'], row: 0 } })
})
