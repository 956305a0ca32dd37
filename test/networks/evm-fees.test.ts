import { expect, test } from 'bun:test'
import { saltOf } from '../../src/networks/evm/forwarder/forwarder.ts'
import { forwarderOf } from '../../src/networks/evm/forwarder/source.ts'
import { type EndpointHealth, NetworkError, type SweepCall } from '../../src/networks/port.ts'
import { changingCalls, startProxy } from '../support/proxy.ts'
import { PAYOUT, useScene } from './evm-scene.ts'

const scene = useScene()
const GWEI = 10n ** 9n
const hex = (value: bigint): string => `0x${value.toString(16)}`
const word = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`

const fees = () => scene.network.movingFees!(31337)

const reports = (method: string, result: unknown) =>
  scene.answer(call => (call.method === method ? { result } : null))

test('the fee is the gas price of the node, which also estimates a usual sweep', async () => {
  reports('eth_gasPrice', hex(20n * GWEI))
  const rate = await fees().rate()
  expect(rate).toEqual({ perUnit: 20n * GWEI, perTransaction: 0n })
  // A deployment and the transfer of one coin take 155,000 gas.
  expect(fees().usualFee(rate, { addresses: 1, coins: 1, tokens: 0 })).toBe(155_000n * 20n * GWEI)
})

test('the fee includes what a rollup charges for each transaction', async () => {
  reports('eth_call', word(7n * GWEI))
  const rate = await fees().rate()
  expect(rate.perTransaction).toBe(7n * GWEI)
  // One deployment and transfers of two coins and three tokens are six transactions, which take 485,000 gas.
  const usual = fees().usualFee(rate, { addresses: 1, coins: 2, tokens: 3 })
  expect(usual).toBe(485_000n * rate.perUnit + 6n * 7n * GWEI)
})

test.each([
  ['10^9 gwei', hex(10n ** 18n)],
  ['text', 'cheap'],
  ['a negative number', '-0x1'],
  ['nothing', null],
  ['a fraction', 1.5],
])('a gas price of %s is refused', async (_, result) => {
  reports('eth_gasPrice', result)
  const health: EndpointHealth = { retryAfter: 0, failures: 0, lastError: null, workedAt: null }
  const network = scene.networkOf({ healthOf: () => health })
  await expect(network.movingFees!(31337).rate()).rejects.toThrow(NetworkError)
  // Payments are still found through this endpoint, so it does not count as failed.
  expect([health.failures, health.lastError]).toEqual([0, null])
})

test('a gas price of zero is refused, unless the block has a base fee', async () => {
  scene.answer((call, reply) => {
    if (call.method === 'eth_gasPrice') return { result: '0x0' }
    const block = reply.result as object | null
    return call.method === 'eth_getBlockByNumber' && block
      ? { result: { ...block, baseFeePerGas: '0x0' } }
      : null
  })
  await expect(fees().rate()).rejects.toThrow(/no endpoint reports a plausible gas price/)
  scene.answer(call => (call.method === 'eth_gasPrice' ? { result: '0x0' } : null))
  expect((await fees().rate()).perUnit).toBeGreaterThan(0n)
})

test('a second endpoint has to agree, and the higher of two similar prices counts', async () => {
  const other = startProxy(scene.anvil.url)
  const says = (price: bigint) => {
    other.answer = changingCalls({
      result: ({ method }) => (method === 'eth_gasPrice' ? hex(price) : undefined),
    })
  }
  reports('eth_gasPrice', hex(10n * GWEI))
  const two = scene.networkOf({
    endpoints: [scene.anvil.url, other.url],
    fetch: (url, init) =>
      url.includes(other.host)
        ? fetch(url, init)
        : scene.traffic.tap(String(init?.body), () => fetch(url, init)),
  })
  const rate = () => two.movingFees!(31337).rate()
  says(12n * GWEI)
  expect((await rate()).perUnit).toBe(12n * GWEI)
  says(90n * GWEI)
  await expect(rate()).rejects.toThrow(/the endpoints report very different fees/)
  other.stop()
  expect((await rate()).perUnit).toBe(10n * GWEI)
})

/** A network with some endpoints, which change the result of one method. */
function withEndpoints(method: string, results: ((result: unknown) => unknown)[]) {
  const proxies = results.map(change => {
    const proxy = startProxy(scene.anvil.url)
    proxy.answer = changingCalls({
      result: (call, result) => (call.method === method ? change(result) : undefined),
    })
    return proxy
  })
  const network = scene.networkOf({ endpoints: proxies.map(({ url }) => url), fetch })
  return { fees: network.movingFees!(31337), stop: () => proxies.forEach(proxy => void proxy.stop()) }
}

test.each([
  ['eth_gasPrice', 7n, 9n],
  ['eth_gasPrice', 9n, 7n],
  ['eth_call', 7n, 9n],
  ['eth_call', 9n, 7n],
] as const)('of similar answers to %s, %p and %p gwei, the higher one counts', async (method, one, other) => {
  const print = method === 'eth_call' ? word : hex
  const answers = [one, other, other].map(gwei => () => print(gwei * GWEI))
  const three = withEndpoints(method, answers)
  const { perUnit, perTransaction } = await three.fees.rate()
  expect(method === 'eth_call' ? perTransaction : perUnit).toBe(9n * GWEI)
  three.stop()
})

/** The places of the endpoint that lies, among three. */
const places = [0, 1, 2]
const lyingAt = (place: number, lie: (result: unknown) => unknown, truth = (result: unknown) => result) =>
  places.map(at => (at === place ? lie : truth))

test.each(places)('a false gas price from one of three endpoints (index %i) has no effect', async place => {
  for (const lie of [hex(900n * GWEI), hex(1n), 'cheap']) {
    const three = withEndpoints(
      'eth_gasPrice',
      lyingAt(
        place,
        () => lie,
        () => hex(20n * GWEI),
      ),
    )
    const { perUnit } = await three.fees.rate()
    expect(perUnit).toBe(20n * GWEI)
    three.stop()
  }
  const dataFee = withEndpoints(
    'eth_call',
    lyingAt(place, () => word(7n * GWEI)),
  )
  expect((await dataFee.fees.rate()).perTransaction).toBe(0n)
  dataFee.stop()
})

test.each(places)('a false transaction from one of three endpoints (index %i) has no effect', async place => {
  const { transactionHash } = await scene.anvil.run({ to: PAYOUT, data: '0x', gas: 100_000 })
  await scene.anvil.mine(4)
  const truth = await fees().readTransaction(transactionHash)
  expect(truth?.hasFailed).toBe(false)
  const lies = [() => null, changed({ effectiveGasPrice: '0xffffffffff' }), changed({ status: '0x0' })]
  for (const lie of lies) {
    const three = withEndpoints('eth_getTransactionReceipt', lyingAt(place, lie))
    expect(await three.fees.readTransaction(transactionHash)).toEqual(truth)
    three.stop()
  }
  const none = withEndpoints(
    'eth_getTransactionReceipt',
    lyingAt(
      place,
      result => result,
      () => null,
    ),
  )
  expect(await none.fees.readTransaction(transactionHash)).toBeNull()
  none.stop()
  // Of two endpoints, one may not have the block of the transaction yet.
  const two = withEndpoints('eth_getTransactionReceipt', [result => result, () => null])
  expect(await two.fees.readTransaction(transactionHash)).toBeNull()
  two.stop()
})

const changed = (fields: object) => (result: unknown) => ({ ...(result as object), ...fields })

/** Sends the calls of a sweep, and returns their transactions. */
async function sendAll(calls: SweepCall[]): Promise<string[]> {
  const hashes: string[] = []
  for (const call of calls) {
    if (call.kind !== 'evm') throw new Error('not an EVM call')
    const { to, data, gas } = call
    hashes.push((await scene.anvil.run({ to, data, gas })).transactionHash)
  }
  return hashes
}

test('a final transaction is read with the money it moved, its cost, and whether it failed', async () => {
  const own = { attemptId: 'to move', ...forwarderOf('to move', PAYOUT) }
  const address = own.address.toLowerCase()
  await scene.anvil.sendToken(scene.usd.contract!, own.address, 5_000_000n)
  await scene.anvil.sendNative(own.address, 3n * GWEI)
  await scene.anvil.mine(1)
  const request = { addresses: [own], chainId: 31337, assetId: null, isWorth: () => true }
  const { calls } = await scene.network.sweep!(request)
  const [deployed = '', coin = '', token = ''] = await sendAll(calls)
  expect(await fees().readTransaction(token)).toBeNull()
  await scene.anvil.mine(4)
  const receipt = await scene.anvil.receipt(deployed)
  const price = BigInt((receipt as unknown as { effectiveGasPrice: string }).effectiveGasPrice)
  const deployment = await fees().readTransaction(deployed)
  expect(deployment).toMatchObject({ hasFailed: false, moved: [], feeAtomic: receipt.gasUsed * price })
  expect(deployment?.touched).toContain(address)
  scene.answer(({ method }, { result }) =>
    method === 'eth_getTransactionReceipt' ? { result: { ...(result as object), l1Fee: hex(7n) } } : null,
  )
  expect((await fees().readTransaction(deployed))?.feeAtomic).toBe(receipt.gasUsed * price + 7n)
  scene.answer(() => null)
  expect((await fees().readTransaction(coin))?.moved).toEqual([
    { address, assetId: 'testnet/eth', amountAtomic: 3n * GWEI },
  ])
  expect((await fees().readTransaction(token))?.moved).toEqual([
    { address, assetId: 'testnet/usdc', amountAtomic: 5_000_000n },
  ])
  // A forwarder that exists cannot be deployed again.
  const again = calls[0] as { to: string; data: string }
  const failed = await scene.anvil.run({ to: again.to, data: again.data, gas: 300_000 })
  await scene.anvil.mine(4)
  const read = await fees().readTransaction(failed.transactionHash)
  expect([read?.hasFailed, read?.moved, (read?.feeAtomic ?? 0n) > 0n]).toEqual([true, [], true])
  expect(await fees().readTransaction(saltOf('no transaction'))).toBeNull()
})
