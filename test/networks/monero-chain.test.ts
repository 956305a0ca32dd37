import { beforeEach, expect, test } from 'bun:test'
import fc from 'fast-check'
import { NetworkError, type Watch } from '../../src/networks/port.ts'
import { payment } from '../support/monero-payment.ts'
import {
  amountsOf,
  CONFIRMATIONS,
  type FakeScene,
  fakeScene,
  heightOf,
  openAttempt,
  other,
  pay as payAt,
  scanAmounts,
  scanPayments,
  scanWatches,
  shop,
  xmr,
} from './monero-scene.ts'

const { address } = shop.own(1)
const SECRET = 1234567n

let local: FakeScene
let attempt: Watch
beforeEach(async () => {
  local = fakeScene()
  attempt = await openAttempt(local.network, shop.own(1))
})

const pay = (amount: bigint, options = {}) => payAt(1, amount, options)
const amounts = () => scanAmounts(local.network, attempt)

test('an address that its view key cannot read is refused', async () => {
  const { network } = local
  const own = shop.own(1)
  for (const wrong of [
    { ...own, address: other.own(1).address },
    { ...own, address: shop.payout },
    { ...own, source: { ...own.source, viewKey: other.viewKey } },
    { ...own, source: { ...own.source, viewKey: '00'.repeat(32) } },
    { ...own, source: { ...own.source, viewKey: 'ff'.repeat(32) } },
    { ...own, source: { ...own.source, viewKey: 'view key' } },
    { ...own, source: { ...own.source, kind: 'shared' } },
  ]) {
    await expect(openAttempt(network, wrong)).rejects.toThrow()
  }
})

test('payments before the watch began are not counted', async () => {
  local.chain.mine(pay(5n))
  const late = await openAttempt(local.network, shop.own(1))
  local.chain.mine(pay(6n))
  const results = await scanWatches(local.network, late, attempt)
  expect(results.map(({ detectedPayments }) => amountsOf(detectedPayments))).toEqual([[6n], [5n, 6n]])
})

test('a payment is reported from the pool until it is final, with its confirmations', async () => {
  const { chain, network } = local
  const paid = pay(5n)
  chain.pool.push(paid)
  const [pending] = await scanPayments(network, attempt)
  expect(pending).toMatchObject({
    txId: paid.hash,
    txIndex: '0',
    amountAtomic: 5n,
    confirmations: 0,
    height: null,
  })
  expect(pending!.final).toBe(false)
  chain.mine(paid)
  for (let confirmations = 1; confirmations <= CONFIRMATIONS; confirmations++) {
    const seen = await scanPayments(network, attempt)
    expect(seen).toHaveLength(1)
    expect(seen[0]).toMatchObject({ txId: paid.hash, confirmations, height: 21, final: confirmations === 3 })
    chain.mine()
  }
  expect(await scanPayments(network, attempt)).toEqual([])
  expect(heightOf(attempt)).toBe(chain.height - CONFIRMATIONS + 1)
})

test('a payment that is mined during a scan is reported once', async () => {
  const { chain, network, traffic } = local
  const paid = pay(5n)
  chain.pool.push(paid)
  traffic.tap = ({ method }) => {
    if (method === 'get_info' && chain.pool.length > 0) chain.mine(paid)
    return null
  }
  expect(await scanPayments(network, attempt)).toHaveLength(1)
  chain.pool.push(pay(6n))
  traffic.tap = ({ method }) => {
    if (method === '/get_transactions') chain.mine(...chain.pool)
    return null
  }
  const seen = await scanPayments(network, attempt)
  expect(seen.map(({ amountAtomic, height }) => [amountAtomic, height])).toEqual([
    [5n, 21],
    [6n, null],
  ])
})

test('a payment in the pool is reported only for the address that it pays', async () => {
  const second = await openAttempt(local.network, shop.own(2))
  local.chain.pool.push(payAt(1, 5n), payAt(2, 6n))
  const results = await scanWatches(local.network, attempt, second)
  expect(results.map(({ detectedPayments }) => amountsOf(detectedPayments))).toEqual([[5n], [6n]])
})

test('a double-spent payment in the pool is not reported', async () => {
  const { chain, network } = local
  const paid = pay(5n)
  chain.pool.push(paid)
  expect(await amounts()).toEqual([5n])
  chain.doubleSpent.add(paid.hash)
  expect(await scanPayments(network, attempt)).toEqual([])
  chain.mine(paid)
  expect(await amounts()).toEqual([5n])
})

test('each pool transaction is read once, and a very large pool over several scans', async () => {
  const { chain, network, traffic } = local
  const foreign = payment([{ address: other.own(1).address, amount: 1n }])
  chain.pool = Array.from({ length: 700 }, (_, index) => ({
    ...foreign,
    hash: index.toString(16).padStart(64, '0'),
  }))
  chain.pool.push(pay(5n))
  expect(await scanPayments(network, attempt)).toEqual([])
  expect(await amounts()).toEqual([5n])
  traffic.asked.length = 0
  expect(await amounts()).toEqual([5n])
  const asked = traffic.asked.filter(({ method }) => method === '/get_transactions')
  expect(asked.map(({ params }) => params.txs_hashes.length)).toEqual([1])
})

test.each([
  ['the same amount', 5n],
  ['a larger amount', 50n],
])('a second output with the same one-time key and %s does not count', async (_, second) => {
  const { chain } = local
  chain.mine(pay(5n, { secret: SECRET }))
  chain.mine(pay(second, { secret: SECRET, before: [3, 1, 0] }), pay(7n))
  expect(await amounts()).toEqual([5n, 7n])
})

test('a used one-time key is remembered after it is final, and by a new process', async () => {
  const { chain, network, restarted } = local
  chain.mine(pay(5n, { secret: SECRET }))
  chain.mineEmpty(CONFIRMATIONS + 2)
  expect(await amounts()).toEqual([5n])
  chain.mine(pay(50n, { secret: SECRET, before: [3, 1, 0] }))
  chain.pool.push(pay(60n, { secret: SECRET, before: [3, 1, 1] }))
  expect(await scanPayments(network, attempt)).toEqual([])
  expect(await scanPayments(restarted(), attempt)).toEqual([])
})

test('a one-time key can be used again after a reorganisation removed its payment', async () => {
  const { chain } = local
  chain.mine(pay(5n, { secret: SECRET }))
  expect(await amounts()).toEqual([5n])
  chain.pop(1)
  chain.mine(pay(3n, { secret: SECRET, before: [3, 1, 0] }))
  expect(await amounts()).toEqual([3n])
})

test('a locked payment never counts, and neither does another one with its one-time key', async () => {
  const { chain } = local
  const locked = pay(5n, { unlockTime: 1_000_000, secret: SECRET })
  chain.pool.push(locked)
  expect(await amounts()).toEqual([])
  chain.mine(locked)
  expect(await amounts()).toEqual([])
  chain.mineEmpty(CONFIRMATIONS + 2)
  expect(await amounts()).toEqual([])
  chain.mine(pay(5n, { secret: SECRET }), pay(4n, { unlockTime: 1 }), pay(6n))
  expect(await amounts()).toEqual([6n])
})

test('a false amount, a payment to the primary address and one to a stranger do not count', async () => {
  local.chain.mine(
    payment([{ address, amount: 5n, claimed: 500n }]),
    payment([{ address: shop.payout, amount: 6n }]),
    payment([{ address: shop.own(2).address, amount: 7n }]),
    payment([{ address: other.own(1).address, amount: 8n }]),
  )
  expect(await amounts()).toEqual([])
})

test('very many payments are each counted once, and do not bloat the cursor', async () => {
  const { chain, network } = local
  const final = new Map<string, bigint>()
  const scan = async () => {
    for (const seen of await scanPayments(network, attempt)) {
      if (seen.final) final.set(`${seen.txId} ${seen.txIndex}`, seen.amountAtomic)
    }
  }
  for (let block = 0; block < 20; block++) {
    chain.mine(payment(Array.from({ length: 16 }, () => ({ address, amount: 1n }))))
    await scan()
  }
  chain.mineEmpty(CONFIRMATIONS)
  await scan()
  expect(final.size).toBe(320)
  expect(JSON.stringify(attempt.cursor).length).toBeLessThan(5000)
  chain.mine(pay(7n))
  chain.mineEmpty(CONFIRMATIONS)
  await scan()
  expect(final.size).toBe(321)
}, 20_000)

test('a payment that a reorganisation removes before it is final is missing above completeFrom', async () => {
  const { chain, network } = local
  chain.mine(pay(5n))
  chain.mine()
  expect(await amounts()).toEqual([5n])
  chain.pop(2)
  chain.mineEmpty(2)
  const [results] = await scanWatches(network, attempt)
  expect(results!.detectedPayments).toEqual([])
  expect(results!.completeFrom).toBeLessThanOrEqual(21)
})

test('a final payment that a reorganisation removes is missing too, and may come back', async () => {
  const { chain, network } = local
  const paid = pay(5n)
  chain.mine(paid)
  chain.mineEmpty(4)
  expect((await scanPayments(network, attempt))[0]!.final).toBe(true)
  chain.pop(5)
  chain.mineEmpty(6)
  const [results] = await scanWatches(network, attempt)
  expect(results!.detectedPayments).toEqual([])
  expect(results!.completeFrom).toBeLessThanOrEqual(21)
  chain.mine(paid)
  expect((await scanPayments(network, attempt)).map(({ height }) => height)).toEqual([27])
})

test('a payment is found in a block that replaced the first block of the watch', async () => {
  const { chain } = local
  chain.pop(2)
  chain.mine(pay(5n))
  chain.mineEmpty(2)
  expect(await amounts()).toEqual([5n])
})

test('payments before the watch began are not counted after a reorganisation either', async () => {
  const { chain, restarted } = local
  const now = Date.now()
  // A private chain restarts at the start that was stored.
  chain.info.nettype = 'mainnet'
  chain.mine(pay(5n))
  chain.mineEmpty(CONFIRMATIONS + 2)
  const late = await openAttempt(restarted({ clock: () => now - 3 * 3_600_000 }), shop.own(1))
  chain.mine(pay(6n))
  chain.mineEmpty(CONFIRMATIONS + 3)
  const network = restarted({ clock: () => now })
  expect(await scanAmounts(network, late)).toEqual([6n])
  chain.pop(CONFIRMATIONS + 1)
  chain.mineEmpty(CONFIRMATIONS + 2)
  expect(await scanAmounts(network, late)).toEqual([6n])
})

test('a shorter chain is accepted after a reorganisation, and rejected from a daemon that is behind', async () => {
  const { chain, network } = local
  chain.mine(pay(5n))
  chain.mineEmpty(1)
  expect(await amounts()).toEqual([5n])
  chain.pop(1)
  await expect(network.scan([attempt])).rejects.toThrow(/is behind/)
  chain.pop(1)
  await expect(network.scan([attempt])).rejects.toThrow(/is behind/)
  chain.mine()
  expect(await amounts()).toEqual([])
  chain.mineEmpty(1)
  expect(await amounts()).toEqual([])
})

test('a scan is repeated when the chain is replaced during it', async () => {
  const { chain, network, traffic } = local
  chain.mine(pay(5n))
  let times = 0
  traffic.tap = ({ method }) => {
    if (method === 'get_block_headers_range' && times++ === 0) {
      chain.pop(1)
      chain.mine()
    }
    return null
  }
  expect(await scanPayments(network, attempt)).toEqual([])
  times = 0
  chain.mine(pay(6n))
  traffic.tap = ({ method }, answer) => {
    if (method !== 'get_block' || times++ > 0) return null
    chain.pop(1)
    chain.mine()
    return answer
  }
  expect(await amounts()).toEqual([])
})

test('a chain that is replaced during every attempt is an error', async () => {
  const { chain, network, traffic } = local
  chain.mine(pay(5n))
  traffic.tap = ({ method }) => {
    if (method !== 'get_info') return null
    const answer = chain.answer({ host: '', method, params: {} })
    chain.pop(1)
    chain.mine()
    return answer
  }
  await expect(network.scan([attempt])).rejects.toThrow(/reorganised/)
})

test('a new process continues at the stored cursors', async () => {
  const { chain, network, restarted } = local
  chain.mine(pay(5n))
  chain.mineEmpty(1)
  expect((await scanPayments(network, attempt)).map(({ final }) => final)).toEqual([false])
  chain.mineEmpty(1)
  chain.mine(pay(6n))
  const next = restarted()
  expect((await scanPayments(next, attempt)).map(({ amountAtomic, final }) => [amountAtomic, final])).toEqual(
    [
      [5n, true],
      [6n, false],
    ],
  )
  expect(await scanAmounts(next, attempt)).toEqual([6n])
})

test('a payment long after the start of the watch is found', async () => {
  local.chain.mineEmpty(2500)
  local.chain.mine(pay(5n))
  expect(await amounts()).toEqual([5n])
})

test('any sequence of payments, blocks and reorganisations ends with the payments on the chain', async () => {
  const steps = fc.array(fc.constantFrom('pay', 'mine', 'mine all', 'replace', 'scan', 'restart'), {
    maxLength: 30,
  })
  await fc.assert(
    fc.asyncProperty(steps, async taken => {
      const { chain, network, restarted } = fakeScene()
      let watcher = network
      const watch = await openAttempt(network, shop.own(1))
      const final = new Set<string>()
      const scan = async () => {
        const [{ detectedPayments, completeFrom }] = (await scanWatches(watcher, watch)) as [never] as [
          { detectedPayments: { txId: string; final: boolean }[]; completeFrom: number },
        ]
        for (const txId of [...final]) {
          const height = chain.blocks.findIndex(({ transactions }) =>
            transactions.some(({ hash }) => hash === txId),
          )
          if (height === -1 || height >= completeFrom) final.delete(txId)
        }
        for (const { txId, final: isFinal } of detectedPayments) if (isFinal) final.add(txId)
      }
      const take: Record<string, () => unknown> = {
        pay: () => chain.pool.push(pay(1n)),
        mine: () => chain.mine(),
        'mine all': () => chain.mine(...chain.pool),
        replace: () => {
          const gone = chain.blocks.slice(-2).flatMap(({ transactions }) => transactions)
          chain.pop(2)
          chain.mineEmpty(2)
          chain.mine()
          chain.pool.push(...gone)
        },
        scan,
        restart: () => (watcher = restarted()),
      }
      for (const step of taken) await take[step]!()
      chain.mine(...chain.pool)
      chain.mineEmpty(CONFIRMATIONS)
      await scan()
      const held = chain.blocks.flatMap(({ transactions }) => transactions.map(({ hash }) => hash))
      expect([...final].toSorted()).toEqual(held.toSorted())
    }),
    { numRuns: 40 },
  )
}, 20_000)

test('an invalid cursor is an error', async () => {
  for (const cursor of [null, {}, { height: 'x' }, { ...(attempt.cursor as object), usedKeys: [7] }]) {
    await expect(local.network.scan([{ ...attempt, cursor }])).rejects.toThrow(NetworkError)
  }
  expect(await local.network.scan([])).toEqual([])
  await expect(local.network.scan([{ ...attempt, asset: { ...xmr, chain: 'btc' } }])).rejects.toThrow(
    /not an asset/,
  )
})
