import { expect, test } from 'bun:test'
import type { Asset } from '../../src/domain/asset.ts'
import type { Network, WatchResult } from '../../src/networks/port.ts'
import {
  type Attempt,
  CONFIRMATIONS,
  MARGIN_BLOCKS,
  openAttempt,
  scanWatches,
  useScene,
} from './evm-scene.ts'

const scene = useScene({}, 20)

const TRANSFER = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** A token that logs the full amount of each transfer, and delivers only this percentage of it. */
async function deployToken(percent: number): Promise<Asset> {
  const { anvil, usd } = scene
  const transfer = `60243580600052${`60${percent.toString(16).padStart(2, '0')}`}026064900460043554016004355560043533`
  const log = `7f${TRANSFER}60206000a3600160005260206000f3`
  const runtime = `60003560e01c63a9059cbb14601b576004355460005260206000f35b${transfer}${log}`
  const length = (runtime.length / 2).toString(16).padStart(2, '0')
  const { contractAddress } = await anvil.run({ data: `0x60${length}600c60003960${length}6000f3${runtime}` })
  return { ...usd, id: `testnet/odd-${percent}`, contract: contractAddress }
}

test.each([
  ['nothing', 0, []],
  ['less', 99, [99n]],
])(
  'a token that logs a transfer and delivers %s pays only the amount that arrived',
  async (_, percent, arrived) => {
    const { anvil } = scene
    const token = await deployToken(percent)
    const network = scene.networkOf({ assets: [scene.coin, token] })
    const attempt = await openAttempt(network, token)
    await anvil.sendToken(token.contract!, attempt.address, 100n)
    await anvil.mine(CONFIRMATIONS)
    expect(await anvil.balanceOf(token.contract!, attempt.address)).toBe(BigInt(percent))
    const [first] = await scanWatches(network, attempt)
    const [payment] = first!.detectedPayments
    expect(payment).toMatchObject({ amountAtomic: 100n, final: false })
    await anvil.mine(MARGIN_BLOCKS)
    const [last] = await scanWatches(network, attempt)
    expect(last!.detectedPayments.map(({ amountAtomic, final }) => [amountAtomic, final])).toEqual(
      arrived.map(amount => [amount, true]),
    )
    expect(last!.completeFrom).toBeLessThanOrEqual(payment!.height!)
    await anvil.mine(1)
    const [after] = await scanWatches(network, attempt)
    expect(after!.detectedPayments).toEqual([])
  },
)

/** The amounts of the payments that a scan reports, and whether they are final. */
async function scannedBy(network: Network, attempt: Attempt): Promise<[bigint, boolean][]> {
  const [result] = await scanWatches(network, attempt)
  return result!.detectedPayments.map(({ amountAtomic, final }) => [amountAtomic, final])
}

test('a payment that is not final yet does not cover what an earlier one lacks', async () => {
  const { anvil } = scene
  const token = await deployToken(74)
  const network = scene.networkOf({ assets: [scene.coin, token] })
  const attempt = await openAttempt(network, token)
  const scanned = () => scannedBy(network, attempt)
  await anvil.sendToken(token.contract!, attempt.address, 100n)
  await anvil.mine(CONFIRMATIONS)
  await anvil.sendToken(token.contract!, attempt.address, 50n)
  await anvil.mine(1)
  // 74 and 37 arrived. The second payment can still leave the chain.
  expect(await scanned()).toEqual([
    [100n, false],
    [50n, false],
  ])
  await anvil.mine(CONFIRMATIONS)
  // Together, they are worth 111.
  expect(await scanned()).toEqual([
    [100n, true],
    [50n, false],
  ])
  await anvil.mine(MARGIN_BLOCKS)
  expect(await scanned()).toContainEqual([11n, true])
})

test('what an earlier payment lacks is not taken off a later one, also when the address is read from its start', async () => {
  const { anvil } = scene
  const token = await deployToken(90)
  const network = scene.networkOf({ assets: [scene.coin, token] })
  let attempt = await openAttempt(network, token)
  const scanned = () => scannedBy(network, attempt)
  await anvil.sendToken(token.contract!, attempt.address, 100n)
  await anvil.mine(CONFIRMATIONS)
  expect(await scanned()).toEqual([[100n, false]])
  await anvil.sendToken(token.contract!, attempt.address, 50n)
  await anvil.mine(CONFIRMATIONS)
  // 90 and 45 arrived.
  expect(await scanned()).toEqual([
    [100n, false],
    [50n, false],
  ])
  await anvil.mine(MARGIN_BLOCKS)
  await scanned()
  await anvil.sendToken(token.contract!, attempt.address, 20n)
  await anvil.mine(CONFIRMATIONS)
  expect(await scanned()).toEqual([[20n, false]])
  attempt = { ...attempt, cursor: { ...(attempt.cursor as object), hash: `0x${'ab'.repeat(32)}` } }
  await anvil.mine(MARGIN_BLOCKS)
  expect(await scanned()).toEqual([
    [90n, true],
    [45n, true],
    [18n, true],
  ])
})

test('a payment whose log was missing is found, although an earlier one lacks more than it is worth', async () => {
  const { anvil } = scene
  const token = await deployToken(80)
  let now = Date.now()
  const network = scene.networkOf({ assets: [scene.coin, token], clock: () => now })
  const attempt = await openAttempt(network, token)
  const scanned = () => scannedBy(network, attempt)
  await anvil.sendToken(token.contract!, attempt.address, 100n)
  await anvil.mine(CONFIRMATIONS)
  expect(await scanned()).toEqual([[100n, false]])
  await anvil.mine(MARGIN_BLOCKS)
  expect(await scanned()).toEqual([[80n, true]])
  scene.answer(({ method }) => (method === 'eth_getLogs' ? { result: [] } : null))
  await anvil.sendToken(token.contract!, attempt.address, 10n)
  await anvil.mine(CONFIRMATIONS)
  expect(await scanned()).toEqual([])
  await anvil.mine(3 * MARGIN_BLOCKS)
  expect(await scanned()).toEqual([])
  now += 600_000
  await anvil.mine(MARGIN_BLOCKS)
  expect(await scanned()).toEqual([])
  scene.beHonest()
  now += 600_000
  expect(await scanned()).toEqual([
    [80n, true],
    [8n, true],
  ])
  now += 600_000
  await anvil.mine(MARGIN_BLOCKS)
  expect(await scanned()).toEqual([])
})

/** Merges the largest final amount of each payment into `stored`, as the server keeps them. */
function store(stored: Map<string, bigint>, { detectedPayments }: WatchResult): void {
  for (const { txId, amountAtomic, final } of detectedPayments) {
    if (final && amountAtomic > (stored.get(txId) ?? 0n)) stored.set(txId, amountAtomic)
  }
}

test.each([
  ['within the blocks that are read again', 50n, 0, false],
  ['below these blocks', 50n, MARGIN_BLOCKS, false],
  ['when the address is read from its start', 10n, MARGIN_BLOCKS, true],
])(
  'an older payment whose log appears late, %s, adds no more than arrived',
  async (_, hidden, blocks, isReplaced) => {
    const { anvil } = scene
    const token = await deployToken(80)
    let now = Date.now()
    const network = scene.networkOf({ assets: [scene.coin, token], clock: () => now })
    let attempt = await openAttempt(network, token)
    const stored = new Map<string, bigint>()
    const scanned = async () => store(stored, (await scanWatches(network, attempt))[0]!)
    const txId = await anvil.sendToken(token.contract!, attempt.address, hidden)
    await anvil.sendToken(token.contract!, attempt.address, 100n)
    scene.answer(({ method }, { result }) => {
      if (method !== 'eth_getLogs') return null
      return {
        result: (result as { transactionHash: string }[]).filter(
          ({ transactionHash }) => transactionHash !== txId,
        ),
      }
    })
    await anvil.mine(CONFIRMATIONS)
    await scanned()
    await anvil.mine(blocks)
    await scanned()
    await anvil.mine(blocks)
    now += 600_000
    await scanned()
    scene.beHonest()
    if (isReplaced)
      attempt = { ...attempt, cursor: { ...(attempt.cursor as object), hash: `0x${'ab'.repeat(32)}` } }
    for (let round = 0; round < 4; round += 1) {
      now += 600_000
      await scanned()
      await anvil.mine(MARGIN_BLOCKS)
    }
    const sum = [...stored.values()].reduce((total, amount) => total + amount, 0n)
    expect(sum).toBe(await anvil.balanceOf(token.contract!, attempt.address))
  },
)
