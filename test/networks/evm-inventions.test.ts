import { afterEach, describe, expect, test } from 'bun:test'
import type { Asset } from '../../src/domain/asset.ts'
import { word } from '../support/anvil.ts'
import { type Attempt, CONFIRMATIONS, openAttempt, scanPayments, useScene } from './evm-scene.ts'

const ABOVE = 60
const AMOUNT = 5n
const MINUTE_MS = 60_000

let now = Date.now()
const scene = useScene({ options: { clock: () => now } }, 20)
afterEach(() => {
  now = Date.now()
})

const quantity = (count: bigint | number): string => `0x${count.toString(16)}`
const hashOf = (height: number): string => `0x${height.toString(16).padStart(64, 'a')}`

/** What an endpoint invents, besides blocks that are deep below an invented head. */
interface Invention {
  /** a log of the payment, in an invented block */
  hasLog?: boolean
  hasReceipt?: boolean
  /** the balance of the address from that block on */
  hasBalance?: boolean
}

/** Makes the only endpoint invent blocks, and a payment in the first of them. */
async function invent(asset: Asset, { address }: Attempt, invention: Invention): Promise<void> {
  const head = await scene.anvil.head()
  const height = head + 1
  const header = (number: number) => ({
    ...{ number: quantity(number), hash: hashOf(number), transactions: [] },
    timestamp: quantity(Math.floor(now / 1000)),
  })
  const log = {
    address: asset.contract,
    topics: [
      '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
      `0x${word(1n)}`,
      `0x${word(address)}`,
    ],
    ...{ data: `0x${word(AMOUNT)}`, blockNumber: quantity(height), blockHash: hashOf(height) },
    ...{ transactionHash: `0x${'cd'.repeat(32)}`, logIndex: '0x0' },
  }
  const isInvented = (block: unknown): boolean => block === 'latest' || Number(block) > head
  const balances = asset.contract === null ? 'eth_getBalance' : 'eth_call'
  const receipt = { blockHash: log.blockHash, status: '0x1', logs: [log] }
  const answers: Record<string, (params: unknown[]) => object | null> = {
    eth_getBlockByNumber: ([block]) =>
      isInvented(block) || block === 'finalized'
        ? { result: header(Number(block) > head ? Number(block) : head + ABOVE) }
        : null,
    eth_getLogs: () => ({ result: invention.hasLog ? [log] : [] }),
    eth_getTransactionReceipt: () => (invention.hasReceipt ? { result: receipt } : null),
    eth_getBalance: ([_, block]) => (isInvented(block) ? { result: '0x0' } : null),
    // Without a contract to call, this is a program that reads many balances.
    eth_call: ([call, block]) =>
      isInvented(block)
        ? 'to' in (call as object)
          ? { result: `0x${word(0n)}` }
          : { error: { message: 'no programs' } }
        : null,
  }
  scene.answer(({ method, params }) => {
    const of = JSON.stringify(params[0]).toLowerCase()
    const isOwn =
      of.includes(address.slice(2).toLowerCase()) && of.includes(asset.contract?.toLowerCase() ?? '')
    if (invention.hasBalance && method === balances && isOwn && isInvented(params[1]))
      return { result: `0x${word(AMOUNT)}` }
    return answers[method]?.(params) ?? null
  })
}

/** Scans as the product does: a failed scan reports nothing. */
const reported = async (attempt: Attempt) =>
  (await scanPayments(scene.network, attempt).catch(() => [])).map(({ amountAtomic, final }) => [
    amountAtomic,
    final,
  ])

describe('a payment that the only endpoint invents in blocks that do not exist', () => {
  test.each([
    ['a token, without a receipt', 'usd', { hasLog: true, hasBalance: true }, []],
    ['a token, without a balance', 'usd', { hasLog: true, hasReceipt: true }, [[AMOUNT, false]]],
    ['a token, without a log', 'usd', { hasReceipt: true, hasBalance: true }, []],
    ['a coin, without a balance', 'coin', { hasLog: true, hasReceipt: true }, []],
  ] as const)('is not final in %s', async (_, kind, invention, expected) => {
    const attempt = await openAttempt(scene.network, scene[kind])
    await invent(scene[kind], attempt, invention)
    expect(await reported(attempt)).toEqual(expected.map(one => [...one]))
  })

  // FLORIN_SECOND_OPINION is for this: by default, the answer of one endpoint is trusted.
  test.each([
    ['a token', 'usd', { hasLog: true, hasReceipt: true, hasBalance: true }],
    ['a coin', 'coin', { hasBalance: true }],
  ] as const)(
    'in %s is final only if everything agrees, and hides no later payment',
    async (_, kind, invention) => {
      const { anvil } = scene
      const attempt = await openAttempt(scene.network, scene[kind])
      const twice = { ...attempt, requiredEndpoints: 2 }
      await invent(scene[kind], attempt, invention)
      expect(await reported(twice)).toEqual([[AMOUNT, false]])
      expect(await reported(attempt)).toEqual([[AMOUNT, true]])
      scene.beHonest()
      if (kind === 'coin') await anvil.sendNative(attempt.address, 7n)
      else await anvil.sendToken(scene.usd.contract!, attempt.address, 7n)
      await anvil.mine(CONFIRMATIONS)
      // A height that was seen is forgotten after a quarter of an hour.
      now += 16 * MINUTE_MS
      expect(await reported(attempt)).toEqual([[7n, true]])
    },
  )
})
