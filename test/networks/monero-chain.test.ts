import { beforeEach, expect, test } from 'bun:test'
import fc from 'fast-check'
import { NetworkError, type Watch } from '../../src/networks/port.ts'
import { daemonsOn, FakeChain } from '../support/fake-monerod.ts'
import { merchantOf, payment } from '../support/monero-payment.ts'
import {
  CONFIRMATIONS,
  heightOf,
  lookAt,
  openAttempt,
  toDetectedPayments,
  watcherOf,
  xmr,
} from './monero-scene.ts'

const shop = merchantOf('shop')
const other = merchantOf('other shop')
const { address } = shop.own(1)
const SECRET = 1234567n

function scene() {
  const chain = new FakeChain()
  chain.mineEmpty(20)
  const daemons = daemonsOn({ '127.0.0.1': chain })
  const urls = ['http://127.0.0.1']
  return {
    chain,
    network: watcherOf(urls, daemons.reach),
    restarted: () => watcherOf(urls, daemons.reach),
    ...daemons,
  }
}

let local: ReturnType<typeof scene>
let attempt: Watch
beforeEach(async () => {
  local = scene()
  attempt = await openAttempt(local.network, shop.own(1))
})

const pay = (amount: bigint, wishes = {}) => payment([{ address, amount }], wishes)
const amounts = async () => (await toDetectedPayments(local.network, attempt)).map(({ amount }) => amount)

test('an address that cannot be read with its view key is not given out', async () => {
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

test('what came before an address was given out is not counted', async () => {
  local.chain.mine(pay(5n))
  const late = await openAttempt(local.network, shop.own(1))
  local.chain.mine(pay(6n))
  const watched = await lookAt(local.network, late, attempt)
  expect(watched.map(({ detectedPayments }) => detectedPayments.map(({ amount }) => amount))).toEqual([
    [6n],
    [5n, 6n],
  ])
})

test('a payment is seen while it waits, counts its blocks, is final once, and is told no more', async () => {
  const { chain, network } = local
  const paid = pay(5n)
  chain.waiting.push(paid)
  const [waiting] = await toDetectedPayments(network, attempt)
  expect(waiting).toMatchObject({ txId: paid.hash, txIndex: '0', amount: 5n, confirmations: 0, height: null })
  expect(waiting!.final).toBe(false)
  chain.mine(paid)
  for (let confirmations = 1; confirmations <= CONFIRMATIONS; confirmations++) {
    const seen = await toDetectedPayments(network, attempt)
    expect(seen).toHaveLength(1)
    expect(seen[0]).toMatchObject({ txId: paid.hash, confirmations, height: 21, final: confirmations === 3 })
    chain.mine()
  }
  expect(await toDetectedPayments(network, attempt)).toEqual([])
  expect(heightOf(attempt)).toBe(chain.height - CONFIRMATIONS + 1)
})

test('what moves from waiting into a block during a look is told once', async () => {
  const { chain, network, traffic } = local
  const paid = pay(5n)
  chain.waiting.push(paid)
  traffic.tap = ({ about }) => {
    if (about === 'get_info' && chain.waiting.length > 0) chain.mine(paid)
    return null
  }
  expect(await toDetectedPayments(network, attempt)).toHaveLength(1)
  chain.waiting.push(pay(6n))
  traffic.tap = ({ about }) => {
    if (about === '/get_transactions') chain.mine(...chain.waiting)
    return null
  }
  const seen = await toDetectedPayments(network, attempt)
  expect(seen.map(({ amount, height }) => [amount, height])).toEqual([
    [5n, 21],
    [6n, null],
  ])
})

test('of waiting payments that spend the same as another, none is told', async () => {
  const { chain, network } = local
  const paid = pay(5n)
  chain.waiting.push(paid)
  expect(await amounts()).toEqual([5n])
  chain.doubleSpent.add(paid.hash)
  expect(await toDetectedPayments(network, attempt)).toEqual([])
  chain.mine(paid)
  expect(await amounts()).toEqual([5n])
})

test('what waits is read once, and of very much a part at each look', async () => {
  const { chain, network, traffic } = local
  const foreign = payment([{ address: other.own(1).address, amount: 1n }])
  chain.waiting = Array.from({ length: 700 }, (_, index) => ({
    ...foreign,
    hash: index.toString(16).padStart(64, '0'),
  }))
  chain.waiting.push(pay(5n))
  expect(await toDetectedPayments(network, attempt)).toEqual([])
  expect(await amounts()).toEqual([5n])
  traffic.asked.length = 0
  expect(await amounts()).toEqual([5n])
  const asked = traffic.asked.filter(({ about }) => about === '/get_transactions')
  expect(asked.map(({ params }) => params.txs_hashes.length)).toEqual([1])
})

test.each([
  ['the same amount', 5n],
  ['a larger amount', 50n],
])('of two outputs with one one-time key, the second of %s is worth nothing', async (_, second) => {
  const { chain } = local
  chain.mine(pay(5n, { secret: SECRET }))
  chain.mine(pay(second, { secret: SECRET, before: [3, 1, 0] }), pay(7n))
  expect(await amounts()).toEqual([5n, 7n])
})

test('a one-time key that was counted is remembered when it is final, and by a new process', async () => {
  const { chain, network, restarted } = local
  chain.mine(pay(5n, { secret: SECRET }))
  chain.mineEmpty(CONFIRMATIONS + 2)
  expect(await amounts()).toEqual([5n])
  chain.mine(pay(50n, { secret: SECRET, before: [3, 1, 0] }))
  chain.waiting.push(pay(60n, { secret: SECRET, before: [3, 1, 1] }))
  expect(await toDetectedPayments(network, attempt)).toEqual([])
  expect(await toDetectedPayments(restarted(), attempt)).toEqual([])
})

test('a one-time key of a payment that has gone is free again', async () => {
  const { chain } = local
  chain.mine(pay(5n, { secret: SECRET }))
  expect(await amounts()).toEqual([5n])
  chain.pop(1)
  chain.mine(pay(3n, { secret: SECRET, before: [3, 1, 0] }))
  expect(await amounts()).toEqual([3n])
})

test('a locked payment is never counted, and neither is another with its one-time key', async () => {
  const { chain } = local
  const locked = pay(5n, { unlockTime: 1_000_000, secret: SECRET })
  chain.waiting.push(locked)
  expect(await amounts()).toEqual([])
  chain.mine(locked)
  expect(await amounts()).toEqual([])
  chain.mineEmpty(CONFIRMATIONS + 2)
  expect(await amounts()).toEqual([])
  chain.mine(pay(5n, { secret: SECRET }), pay(4n, { unlockTime: 1 }), pay(6n))
  expect(await amounts()).toEqual([6n])
})

test('a lie about an amount, a payment to the wallet itself, and one to a stranger bring nothing', async () => {
  local.chain.mine(
    payment([{ address, amount: 5n, told: 500n }]),
    payment([{ address: shop.payout, amount: 6n }]),
    payment([{ address: shop.own(2).address, amount: 7n }]),
    payment([{ address: other.own(1).address, amount: 8n }]),
  )
  expect(await amounts()).toEqual([])
})

test('very many payments neither swell the cursor nor are lost or counted twice', async () => {
  const { chain, network } = local
  const final = new Map<string, bigint>()
  const look = async () => {
    for (const seen of await toDetectedPayments(network, attempt)) {
      if (seen.final) final.set(`${seen.txId} ${seen.txIndex}`, seen.amount)
    }
  }
  for (let block = 0; block < 20; block++) {
    chain.mine(payment(Array.from({ length: 16 }, () => ({ address, amount: 1n }))))
    await look()
  }
  chain.mineEmpty(CONFIRMATIONS)
  await look()
  expect(final.size).toBe(320)
  expect(JSON.stringify(attempt.cursor).length).toBeLessThan(5000)
  chain.mine(pay(7n))
  chain.mineEmpty(CONFIRMATIONS)
  await look()
  expect(final.size).toBe(321)
}, 20_000)

test('a payment that goes from the chain before it is final is missing above completeFrom', async () => {
  const { chain, network } = local
  chain.mine(pay(5n))
  chain.mine()
  expect(await amounts()).toEqual([5n])
  chain.pop(2)
  chain.mineEmpty(2)
  const [watched] = await lookAt(network, attempt)
  expect(watched!.detectedPayments).toEqual([])
  expect(watched!.completeFrom).toBeLessThanOrEqual(21)
})

test('a payment that was final and goes is missing above completeFrom too, and may come back', async () => {
  const { chain, network } = local
  const paid = pay(5n)
  chain.mine(paid)
  chain.mineEmpty(4)
  expect((await toDetectedPayments(network, attempt))[0]!.final).toBe(true)
  chain.pop(5)
  chain.mineEmpty(6)
  const [watched] = await lookAt(network, attempt)
  expect(watched!.detectedPayments).toEqual([])
  expect(watched!.completeFrom).toBeLessThanOrEqual(21)
  chain.mine(paid)
  expect((await toDetectedPayments(network, attempt)).map(({ height }) => height)).toEqual([27])
})

test('a payment in a block that replaced the one of the opening is found', async () => {
  const { chain } = local
  chain.pop(2)
  chain.mine(pay(5n))
  chain.mineEmpty(2)
  expect(await amounts()).toEqual([5n])
})

test('a chain that became shorter is followed where it is another, and not where less of it is told', async () => {
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

test('a chain that is replaced while it is looked at is looked at again', async () => {
  const { chain, network, traffic } = local
  chain.mine(pay(5n))
  let times = 0
  traffic.tap = ({ about }) => {
    if (about === 'get_block_headers_range' && times++ === 0) {
      chain.pop(1)
      chain.mine()
    }
    return null
  }
  expect(await toDetectedPayments(network, attempt)).toEqual([])
  times = 0
  chain.mine(pay(6n))
  traffic.tap = ({ about }, told) => {
    if (about !== 'get_block' || times++ > 0) return null
    chain.pop(1)
    chain.mine()
    return told
  }
  expect(await amounts()).toEqual([])
})

test('a chain that is replaced at every look is a fault, and no sighting', async () => {
  const { chain, network, traffic } = local
  chain.mine(pay(5n))
  traffic.tap = ({ about }) => {
    if (about !== 'get_info') return null
    const told = chain.answer({ host: '', about, params: {} })
    chain.pop(1)
    chain.mine()
    return told
  }
  await expect(network.scan([attempt])).rejects.toThrow(/reorganised/)
})

test('a new process goes on from the stored cursors', async () => {
  const { chain, network, restarted } = local
  chain.mine(pay(5n))
  chain.mineEmpty(1)
  expect((await toDetectedPayments(network, attempt)).map(({ final }) => final)).toEqual([false])
  chain.mineEmpty(1)
  chain.mine(pay(6n))
  const anew = restarted()
  expect((await toDetectedPayments(anew, attempt)).map(({ amount, final }) => [amount, final])).toEqual([
    [5n, true],
    [6n, false],
  ])
  expect((await toDetectedPayments(anew, attempt)).map(({ amount }) => amount)).toEqual([6n])
})

test('a payment long after the opening is seen', async () => {
  local.chain.mineEmpty(2500)
  local.chain.mine(pay(5n))
  expect(await amounts()).toEqual([5n])
})

test('whatever waits, is mined, goes or comes, in the end what is final is what the chain holds', async () => {
  const steps = fc.array(fc.constantFrom('pay', 'mine', 'mine all', 'replace', 'look', 'restart'), {
    maxLength: 30,
  })
  await fc.assert(
    fc.asyncProperty(steps, async taken => {
      const { chain, network, restarted } = scene()
      let watcher = network
      const watch = await openAttempt(network, shop.own(1))
      const final = new Set<string>()
      const look = async () => {
        const [{ detectedPayments, completeFrom }] = (await lookAt(watcher, watch)) as [never] as [
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
        pay: () => chain.waiting.push(pay(1n)),
        mine: () => chain.mine(),
        'mine all': () => chain.mine(...chain.waiting),
        replace: () => {
          const gone = chain.blocks.slice(-2).flatMap(({ transactions }) => transactions)
          chain.pop(2)
          chain.mineEmpty(2)
          chain.mine()
          chain.waiting.push(...gone)
        },
        look,
        restart: () => (watcher = restarted()),
      }
      for (const step of taken) await take[step]!()
      chain.mine(...chain.waiting)
      chain.mineEmpty(CONFIRMATIONS)
      await look()
      const held = chain.blocks.flatMap(({ transactions }) => transactions.map(({ hash }) => hash))
      expect([...final].toSorted()).toEqual(held.toSorted())
    }),
    { numRuns: 40 },
  )
}, 20_000)

test('a cursor that cannot be read is a fault', async () => {
  for (const cursor of [null, {}, { height: 'x' }, { ...(attempt.cursor as object), keys: [7] }]) {
    await expect(local.network.scan([{ ...attempt, cursor }])).rejects.toThrow(NetworkError)
  }
  expect(await local.network.scan([])).toEqual([])
  await expect(local.network.scan([{ ...attempt, asset: { ...xmr, chain: 'btc' } }])).rejects.toThrow(
    /not an asset/,
  )
})
