import { expect, test } from 'bun:test'
import { base58 } from '@scure/base'
import {
  type Attempt,
  ataOf,
  openPool,
  openSeed,
  type Scene,
  SOL,
  scanWatches,
  useScene,
} from './solana-scene.ts'

/** A number that makes pages and shares end in the middle of a slot. */
const PER_SLOT = 7

const scene = useScene({ each: true })

interface Flood {
  account: string
  owner: string
  /** null for SOL */
  mint: string | null
  /** the number of transactions so far */
  count: number
  status: 'confirmed' | 'finalized'
}

const nameOf = (index: number): string => {
  const bytes = new Uint8Array(64).fill(7)
  new DataView(bytes.buffer).setUint32(60, index)
  return base58.encode(bytes)
}
const indexOf = (name: string): number => new DataView(base58.decode(name).buffer).getUint32(60)

/** Simulates more transactions of one account than the SVM could run in a test. Each pays one unit. */
function flood({ solana }: Scene, wave: Flood): void {
  const begun = Number(solana.state.slot)
  const slotOf = (index: number): number => begun + Math.floor(index / PER_SLOT)
  const { getSignaturesForAddress: list, getTransaction: getReal } = solana.methods
  solana.advance(50_000)
  solana.methods.getSignaturesForAddress = ((key: string, options: { [key: string]: string & number }) => {
    if (key !== wave.account) return list!(key as never, options)
    const { before, until, limit } = options
    const top = before === undefined ? wave.count : indexOf(before)
    const bottom = until === undefined ? -1 : indexOf(until)
    const from = Math.max(bottom + 1, top - limit!)
    return Array.from({ length: Math.max(0, top - from) }, (_, place) => top - 1 - place).map(index => ({
      signature: nameOf(index),
      slot: slotOf(index),
      err: null,
      confirmationStatus: wave.status,
    }))
  }) as never
  solana.methods.getTransaction = ((name: string, options: object) => {
    const isReal = solana.recorded().includes(name)
    return isReal ? getReal!(name as never, options) : transactionOf(name)
  }) as never
  const transactionOf = (name: string) => {
    const own = { accountIndex: 0, mint: wave.mint, owner: wave.owner }
    const paidBefore = wave.mint === null ? indexOf(name) : 0
    const unit = wave.mint === null ? 1 : 0
    return {
      slot: slotOf(indexOf(name)),
      blockTime: 1_700_000_000,
      transaction: { signatures: [name], message: { accountKeys: [{ pubkey: wave.owner, signer: false }] } },
      meta: {
        err: null,
        preBalances: [paidBefore],
        postBalances: [paidBefore + unit],
        preTokenBalances: [],
        postTokenBalances: wave.mint ? [{ ...own, uiTokenAmount: { amount: '1' } }] : [],
      },
    }
  }
}

/** Scans until `count` payments were reported. Counts repeated and lost payments, and finds split slots. */
async function scanAll(attempt: Attempt, count: number, scansMax: number) {
  const reported = new Map<string, { times: number; height: number }>()
  const gone = new Set<string>()
  const slots = new Set<number>()
  let isSplit = false
  let isPartial = true
  for (let scans = 0; scans < scansMax && reported.size < count; scans++) {
    scene.forget()
    const [results] = await scanWatches(scene.network, attempt)
    expect(scene.traffic.calls.length).toBeLessThan(2050)
    expect(JSON.stringify(attempt.cursor).length).toBeLessThan(5000)
    const now = new Set(results!.detectedPayments.map(({ txId }) => txId))
    for (const [txId, { height }] of reported)
      if (height >= results!.completeFrom && !now.has(txId)) gone.add(txId)
    const own = new Set(results!.detectedPayments.map(({ height }) => height!))
    isPartial = results!.isPartial === true
    isSplit ||= own.intersection(slots).size > 0
    for (const slot of own) slots.add(slot)
    for (const { txId, height } of results!.detectedPayments) {
      reported.set(txId, { times: (reported.get(txId)?.times ?? 0) + 1, height: height! })
    }
  }
  return {
    reported: reported.size,
    twice: [...reported.values()].filter(({ times }) => times > 1).length,
    gone: gone.size,
    isSplit,
    isPartial,
  }
}

test('more than ten thousand new transactions are each reported once, the oldest first', async () => {
  const { network, sol, payer } = scene
  const attempt = await openSeed(network, sol, payer.address)
  flood(scene, {
    account: attempt.address,
    owner: attempt.address,
    mint: null,
    count: 25_000,
    status: 'finalized',
  })
  expect(await scanAll(attempt, 25_000, 20)).toEqual({
    reported: 25_000,
    twice: 0,
    gone: 0,
    isSplit: false,
    isPartial: false,
  })
})

test('a payment that was reported before a flood does not count as gone while the flood is read', async () => {
  const { network, sol, payer } = scene
  const attempt = await openSeed(network, sol, payer.address)
  const wave: Flood = {
    account: attempt.address,
    owner: attempt.address,
    mint: null,
    count: 1,
    status: 'confirmed',
  }
  flood(scene, wave)
  const [first] = await scanWatches(network, attempt)
  expect(first!.detectedPayments).toMatchObject([{ final: false, txId: nameOf(0) }])
  Object.assign(wave, { count: 13_000, status: 'finalized' })
  const [second] = await scanWatches(network, attempt)
  expect(second!.detectedPayments).toEqual([])
  expect(second!.completeFrom).toBeGreaterThan(first!.detectedPayments[0]!.height!)
  const [third] = await scanWatches(network, attempt)
  expect(third!.detectedPayments[0]).toMatchObject({ final: true, txId: nameOf(0) })
})

test('a flood on one account of a wallet does not hide a payment to another account of it', async () => {
  const { network, usdc, solana } = scene
  const wallet = await solana.wallet(SOL)
  const attempt = await openPool(network, usdc, wallet.address)
  const account = await ataOf(wallet.address, usdc.contract!)
  flood(scene, { account, owner: wallet.address, mint: usdc.contract, count: 13_000, status: 'finalized' })
  await scene.sendSol(wallet.address)
  solana.finalize()
  expect(await scanAll(attempt, 13_001, 12)).toEqual({
    reported: 13_001,
    twice: 0,
    gone: 0,
    isSplit: false,
    isPartial: false,
  })
})
