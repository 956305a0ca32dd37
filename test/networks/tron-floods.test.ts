import { expect, test } from 'bun:test'
import type { Watch } from '../../src/networks/port.ts'
import { honest, openAttempt, SOLID_LAG, useScene } from './tron-scene.ts'

const MINUTE_MS = 60_000
const DUE = 100_000_000n
const PAGE = 200

const scene = useScene({ jsonrpc: false })
let now = Date.now()

const idOf = (index: number): string => index.toString(16).padStart(64, 'd')

/** A transfer of TRX on the chain, as TronGrid reports it. */
const lineOf = (id: string, to: string, amount: number, at: number) => ({
  ret: [{ contractRet: 'SUCCESS' }],
  txID: id,
  block_timestamp: at,
  raw_data: {
    contract: [
      { parameter: { value: { amount, owner_address: hex, to_address: to } }, type: 'TransferContract' },
    ],
  },
})
const hex = `41${'ef'.repeat(20)}`

/** A transfer of a token that the chain has, as TronGrid reports it. */
const tokenLineOf = (id: string, value: number, at: number) => ({
  ...{ transaction_id: id, token_info: { address: scene.tether.contract }, block_timestamp: at },
  ...{ type: 'Transfer', value: String(value) },
})

interface Flood {
  attempt: Watch
  count: number
  amount: number
  isToken?: boolean
  /** the number of transfers in a scan after which further requests are rejected as too many */
  limitedFrom?: number
}

/** Adds many small transfers to one address, older than every payment, and counts requests about them. */
function flooding({
  attempt,
  count,
  amount,
  isToken = false,
  limitedFrom = Number.POSITIVE_INFINITY,
}: Flood) {
  const { address } = attempt
  const { at: opened, height: before } = attempt.cursor as { at: number; height: number }
  const height = before + 1
  // Blocks of the chain are seconds apart.
  const at = (index: number): number => opened + 1 + Math.floor((index * 500) / count)
  const lineAt = (index: number) =>
    isToken ? tokenLineOf(idOf(index), amount, at(index)) : lineOf(idOf(index), hex, amount, at(index))
  const path = `/v1/accounts/${address}/transactions${isToken ? '/trc20' : ''}`
  const isList = ({ pathname, searchParams }: URL): boolean =>
    pathname === path && (!isToken || searchParams.get('contract_address') === scene.tether.contract)
  const asked = { lookUps: 0 }
  scene.traffic.tap = async (url, body, pass) => {
    if (isList(url)) {
      const limit = new URL(`${url.pathname}${url.search}`, scene.front.url)
      limit.searchParams.delete('fingerprint')
      const real = ((await (await fetch(limit)).json()) as { data: { block_timestamp: number }[] }).data
      const since = Number(url.searchParams.get('min_timestamp'))
      const dust = Array.from({ length: count }, (_, index) => lineAt(index))
      const lines = [...dust, ...real].filter(line => line.block_timestamp >= since)
      expect(url.searchParams.get('order_by')).toBe('block_timestamp,asc')
      const from = Number(url.searchParams.get('fingerprint') ?? 0)
      const next = from + PAGE < lines.length ? { fingerprint: `${from + PAGE}` } : {}
      return Response.json({ data: lines.slice(from, from + PAGE), success: true, meta: next })
    }
    if (!url.pathname.includes('gettransaction')) return pass()
    const id = (JSON.parse(body) as { value: string }).value
    asked.lookUps += 1
    if (asked.lookUps > limitedFrom)
      return new Response('', { status: 429, headers: { 'retry-after': '60' } })
    if (!id.startsWith('dddd')) return pass()
    return Response.json(
      url.pathname.endsWith('infobyid')
        ? { id, blockNumber: height, blockTimeStamp: at(0), receipt: {} }
        : lineOf(id, hex, amount, at(0)),
    )
  }
  return asked
}

const watching = () => scene.watching({ clock: () => now })
const watchingByTwo = () =>
  scene.watching({
    endpoints: ['127.0.0.1', '127.0.0.2'].map(host => ({ protocol: 'trongrid', url: `http://${host}:1` })),
    clock: () => now,
  })

/** Scans once. Attempts that are not reported keep their cursors. */
async function scan(network: ReturnType<typeof watching>, ...attempts: Watch[]) {
  const results = await network.scan(attempts)
  for (const { attemptId, cursor } of results) {
    attempts.find(attempt => attempt.attemptId === attemptId)!.cursor = JSON.parse(JSON.stringify(cursor))
  }
  return attempts.map(attempt => results.find(({ attemptId }) => attemptId === attempt.attemptId))
}

const amountsOf = (result: Awaited<ReturnType<typeof scan>>[number]) =>
  result?.detectedPayments.map(({ amountAtomic }) => amountAtomic)

/** An attempt that is opened a minute before the next block. The server's clock is not behind the chain's. */
async function opened(network: ReturnType<typeof watching>, asset = scene.coin): Promise<Watch> {
  const attempt = await openAttempt(network, asset)
  await scene.anvil.rpc('evm_increaseTime', [60])
  now = Math.max(now, Date.now()) + MINUTE_MS
  return { ...attempt, dueAtomic: DUE }
}

test.each([
  ['sun', false],
  ['unit of a token', true],
])('2,100 transfers of 1 %s do not hide a payment, and cost no look-ups', async (_unit, isToken) => {
  const network = watching()
  const asset = isToken ? scene.tether : scene.coin
  const flooded = await opened(network, asset)
  await scene.pay.token(asset, flooded.address, DUE)
  await scene.anvil.mine(SOLID_LAG + 1)
  const asked = flooding({ attempt: flooded, count: 2100, amount: 1, isToken })
  const [first] = await scan(network, flooded)
  expect([first!.isPartial, first!.detectedPayments]).toEqual([true, []])
  now += 2 * MINUTE_MS
  const [second] = await scan(network, flooded)
  expect(amountsOf(second)).toEqual([DUE])
  expect(second!.isPartial).toBe(false)
  expect(asked.lookUps).toBeLessThan(10)
  now += 2 * MINUTE_MS
  scene.traffic.requests = 0
  expect(amountsOf((await scan(network, flooded))[0])).toEqual([DUE])
  expect(scene.traffic.requests).toBeLessThan(10)
})

test('the largest of many transfers are looked up first, and the others later', async () => {
  const network = watching()
  const flooded = await opened(network)
  await scene.pay.coin(flooded.address, DUE)
  await scene.anvil.mine(SOLID_LAG + 1)
  const asked = flooding({ attempt: flooded, count: 90, amount: 200_000 })
  const [first] = await scan(network, flooded)
  expect(amountsOf(first)).toEqual([DUE])
  expect(first!.isPartial).toBe(true)
  expect(asked.lookUps).toBeLessThanOrEqual(42)
  let scans = 1
  for (let isPartial = true; isPartial && scans < 10; scans++) {
    now += 2 * MINUTE_MS
    isPartial = (await scan(network, flooded))[0]!.isPartial === true
  }
  expect(scans).toBe(5)
})

test('an address with very many payments does not delay others, even if the endpoint rejects requests', async () => {
  const network = watching()
  const [flooded, other] = [await opened(network), await opened(network)]
  await scene.pay.coin(flooded.address, DUE)
  await scene.pay.coin(other.address, DUE + 1n)
  await scene.anvil.mine(SOLID_LAG + 1)
  const asked = flooding({ attempt: flooded, count: 400, amount: 200_000, limitedFrom: 12 })
  const [own, others] = await scan(network, flooded, other)
  expect(amountsOf(others)).toEqual([DUE + 1n])
  expect(others!.isPartial).toBe(false)
  expect(own!.isPartial).toBe(true)
  // The server does not ask again for what the endpoint has answered.
  asked.lookUps = 0
  expect(amountsOf((await scan(network, flooded))[0])).toContain(DUE)
  const late = await opened(network)
  await scene.pay.coin(late.address, DUE + 2n)
  await scene.anvil.mine(SOLID_LAG + 1)
  scene.traffic.tap = honest
  expect(amountsOf((await scan(network, late))[0])).toEqual([DUE + 2n])
})

test('an address whose list is rejected as one request too many is left out, not reported as unpaid', async () => {
  const network = watching()
  const [first, second] = [await opened(network), await opened(network)]
  for (const { address } of [first, second]) await scene.pay.coin(address, DUE)
  await scene.anvil.mine(SOLID_LAG + 1)
  scene.traffic.tap = (url, _body, pass) =>
    url.pathname === `/v1/accounts/${second.address}/transactions`
      ? Promise.resolve(new Response('', { status: 429 }))
      : pass()
  const [one, other] = await scan(network, first, second)
  // A listed transfer may have been looked up before or after the rejection.
  expect(amountsOf(one)?.length === 1 || one!.isPartial).toBe(true)
  expect(other).toBeUndefined()
  await expect(network.scan([second])).rejects.toThrow(/rate limit/)
})

test.each(['coin', 'tether'] as const)(
  'a payment in %s is found by another endpoint than one that invents a flood up to now',
  async kind => {
    const asset = scene[kind]
    const network = watchingByTwo()
    const attempt = await opened(network, asset)
    await scene.pay.token(asset, attempt.address, DUE)
    await scene.anvil.rpc('anvil_mine', ['0x14', '0x3'])
    now += MINUTE_MS
    scene.traffic.tap = async (url, _body, pass) => {
      if (url.hostname === '127.0.0.2' || !url.pathname.startsWith('/v1/')) return pass()
      const isTokens = url.pathname.endsWith('/trc20')
      const lineAt = (index: number) =>
        isTokens ? tokenLineOf(idOf(index), 1, now) : lineOf(idOf(index), hex, 1, now)
      const data = Array.from({ length: PAGE }, (_line, index) => lineAt(index))
      return Response.json({ data, success: true, meta: { fingerprint: 'next' } })
    }
    const found: unknown[] = []
    for (let look = 0; look < 3; look++) {
      found.push(amountsOf((await scan(network, attempt))[0]))
      now += 2 * MINUTE_MS
    }
    expect(found).toContainEqual([DUE])
  },
)

test('a flood that is longer than a scan reads is read once by each of two endpoints', async () => {
  const network = watchingByTwo()
  const flooded = await opened(network)
  await scene.pay.coin(flooded.address, DUE)
  await scene.anvil.mine(SOLID_LAG + 1)
  flooding({ attempt: flooded, count: 4500, amount: 1 })
  const partial: boolean[] = []
  for (let look = 0; look < 10; look++) {
    const [result] = await scan(network, flooded)
    partial.push(result!.isPartial === true)
    expect(amountsOf(result)).toEqual(result!.isPartial ? [] : [DUE])
    now += 2 * MINUTE_MS
  }
  // Two scans of each endpoint read a part, and the third the rest.
  expect(partial.filter(Boolean)).toHaveLength(4)
})
