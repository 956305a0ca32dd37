import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  type BalanceHistory,
  findChanges,
  sentUpTo,
  sumUpTo,
} from '../../../src/networks/evm/balance-changes.ts'
import type { Node } from '../../../src/networks/rpc/batch.ts'

const FROM = 1000
const HEAD = 1600

interface Activity {
  height: number
  amount: bigint
  isFlushed: boolean
}

/** The history of one address: payments, some with a flush of the whole balance in the same block. */
const history = fc.array(
  fc.record({
    height: fc.integer({ min: FROM + 1, max: HEAD }),
    amount: fc.bigInt({ min: 0n, max: 10n ** 18n }),
    isFlushed: fc.boolean(),
  }),
  { maxLength: 12 },
)

/** A node with this history that has dropped the balances below some height. */
function simulate(activities: Activity[], opening: bigint, oldest = 0) {
  const payments: { height: number; amount: bigint }[] = []
  const flushes: { height: number; amount: bigint }[] = []
  let held = opening
  for (const { height, amount, isFlushed } of activities.toSorted((a, b) => a.height - b.height)) {
    payments.push({ height, amount })
    held += amount
    if (!isFlushed) continue
    flushes.push({ height, amount: held })
    held = 0n
  }
  const balanceAt = (height: number): bigint => opening + sumUpTo(payments, height) - sumUpTo(flushes, height)
  const node: Node = {
    ask: async calls =>
      calls.map(({ params }) => {
        const height = Number(Object.values(params)[1])
        if (height < oldest) return { error: { code: -32000, message: 'missing trie node' } }
        return { result: `0x${balanceAt(height).toString(16)}` }
      }),
  }
  const account: BalanceHistory = {
    address: '0x',
    from: FROM,
    balance: opening,
    nonce: null,
    head: { balance: balanceAt(HEAD), nonce: 0n },
    boundary: FROM,
    changes: [],
    flushes,
  }
  return { node, account, payments }
}

const byBlock = (entries: { height: number; amount: bigint }[]): [number, bigint][] =>
  [...Map.groupBy(entries, ({ height }) => height)]
    .map(([height, own]): [number, bigint] => [height, sumUpTo(own, height)])
    .filter(([, amount]) => amount > 0n)
    .toSorted(([a], [b]) => a - b)

test('every payment is found in its block, whatever was flushed in between', async () => {
  await fc.assert(
    fc.asyncProperty(history, fc.bigInt({ min: 0n, max: 1000n }), async (activities, opening) => {
      const { node, account, payments } = simulate(activities, opening)
      const found = await findChanges(node, [account], HEAD)
      expect(byBlock(found)).toEqual(byBlock(payments))
    }),
  )
})

test('with a node that has dropped old balances, no payment seems older than it is, and none is lost', async () => {
  await fc.assert(
    fc.asyncProperty(history, fc.integer({ min: FROM, max: HEAD }), async (activities, oldest) => {
      const { node, account, payments } = simulate(activities, 7n, oldest)
      const found = await findChanges(node, [account], HEAD)
      expect(sumUpTo(found, HEAD)).toBe(sumUpTo(payments, HEAD))
      for (const { height } of [...found, ...payments]) {
        expect(sumUpTo(found, height) <= sumUpTo(payments, height)).toBe(true)
      }
    }),
  )
})

test('known changes are not found again', async () => {
  await fc.assert(
    fc.asyncProperty(history, fc.nat(12), async (activities, count) => {
      const { node, account, payments } = simulate(activities, 0n)
      const all = byBlock(payments).map(([height, amount]) => ({ height, amount, sent: 0n }))
      const changes = all.slice(0, count)
      const found = await findChanges(node, [{ ...account, changes }], HEAD)
      expect(byBlock(found)).toEqual(byBlock(all.slice(count)))
    }),
  )
})

test("a node that reports wrong balances can't make a payment larger than the amount that arrived", async () => {
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.bigInt({ min: 0n, max: 20n })), async reported => {
      const { account } = simulate([{ height: 1300, amount: 10n, isFlushed: false }], 0n)
      const node: Node = {
        ask: async calls => calls.map(() => ({ result: `0x${reported.next().value!.toString(16)}` })),
      }
      const found = await findChanges(node, [account], HEAD)
      expect(sumUpTo(found, HEAD)).toBe(10n)
      expect(found.every(({ amount }) => amount > 0n)).toBe(true)
    }),
  )
})

test('money that left without a log of the forwarder is booked at the head', async () => {
  const { node, account } = simulate([], 9n)
  const found = await findChanges(node, [{ ...account, head: { balance: 4n, nonce: 0n } }], HEAD)
  expect(found.map(({ height, amount }) => [height, amount])).toEqual([[HEAD, -5n]])
})

test('a thousand payments take a limited number of queries, and are all counted', async () => {
  const many = Array.from({ length: 500 }, (_, index) => ({
    height: FROM + 1 + index,
    amount: 1n,
    isFlushed: false,
  }))
  const { node, account } = simulate([...many, { height: 1300, amount: 10n ** 18n, isFlushed: false }], 0n)
  let asked = 0
  const counting: Node = {
    ask(calls) {
      asked += calls.length
      return node.ask(calls)
    },
  }
  const found = await findChanges(counting, [account], HEAD)
  expect(sumUpTo(found, HEAD)).toBe(10n ** 18n + 500n)
  expect(found.find(({ amount }) => amount >= 10n ** 18n)?.height).toBe(1300)
  expect(asked).toBeLessThan(600)
})

/** The history of an account: incoming payments and its owner's payments, in one block or in several. */
const dealings = fc.array(
  fc.record({
    height: fc.integer({ min: FROM + 1, max: HEAD }),
    came: fc.bigInt({ min: 0n, max: 5n }),
    left: fc.bigInt({ min: 0n, max: 5n }),
    sent: fc.bigInt({ min: 0n, max: 2n }),
  }),
  { maxLength: 10 },
)

test('every block in which an account received or sent something is found', async () => {
  await fc.assert(
    fc.asyncProperty(dealings, async activities => {
      const steps = activities.map(({ height, came, left, sent }) => ({
        height,
        amount: sent > 0n ? came - left : came,
        sent,
      }))
      const node: Node = {
        ask: async calls =>
          calls.map(({ method, params }) => {
            const height = Number([params].flat()[1])
            const value =
              method === 'eth_getBalance' ? 100n + sumUpTo(steps, height) : 4n + sentUpTo(steps, height)
            return { result: `0x${value.toString(16)}` }
          }),
      }
      const head = { balance: 100n + sumUpTo(steps, HEAD), nonce: 4n + sentUpTo(steps, HEAD) }
      const start = { from: FROM, balance: 100n, nonce: 4n, boundary: FROM + 200 }
      const account = { address: '0x', ...start, head, changes: [], flushes: [] }
      const found = await findChanges(node, [account], HEAD)
      const truth = [...Map.groupBy(steps, ({ height }) => height)]
        .map(([height, own]) => ({ height, amount: sumUpTo(own, height), sent: sentUpTo(own, height) }))
        .filter(({ amount, sent }) => amount !== 0n || sent !== 0n)
      const plain = found.map(({ height, amount, sent }) => ({ height, amount, sent }))
      const byHeight = (a: { height: number }, b: { height: number }) => a.height - b.height
      expect(plain.toSorted(byHeight)).toEqual(truth.toSorted(byHeight))
    }),
  )
})
