import { describe, expect, test } from 'bun:test'
import type { Json } from '../../src/domain/metadata.ts'
import { type Attempt, type Scene, SOL, scanPayments, scanWatches, useScene } from './solana-scene.ts'

const scene = useScene()
const quick = useScene({ depth: { finality: false, confirmations: 3 } })

async function paidIn({ openSol, sendSol }: Scene, amount = SOL): Promise<Attempt> {
  const attempt = await openSol()
  await sendSol(attempt.address, amount)
  return attempt
}

/** The rule of the product: a known payment at or above `completeFrom` that a result lacks is gone. */
async function goneAfter(from: Scene, attempt: Attempt, height: number): Promise<boolean> {
  const [results] = await scanWatches(from.network, attempt)
  return results!.detectedPayments.length === 0 && height >= results!.completeFrom
}

describe('a fork', () => {
  test('removes a payment that was not final; the payment can come again', async () => {
    const { network, solana, sendSol } = scene
    const attempt = await paidIn(scene)
    const [first] = await scanWatches(network, attempt)
    expect(first!.detectedPayments.map(({ final }) => final)).toEqual([false])
    solana.fork(1)
    expect(solana.balance(attempt.address)).toBe(0n)
    expect(await goneAfter(scene, attempt, first!.detectedPayments[0]!.height!)).toBe(true)
    await sendSol(attempt.address)
    solana.finalize()
    expect(await scanPayments(network, attempt)).toEqual([['solana/sol', SOL, true]])
  })

  test('that removes a payment with enough confirmations is visible in the result', async () => {
    const { network, solana } = quick
    const attempt = await paidIn(quick)
    const [early] = await scanWatches(network, attempt)
    expect(early!.detectedPayments).toMatchObject([{ final: false, confirmations: 1 }])
    solana.advance(2)
    const [settled] = await scanWatches(network, attempt)
    expect(settled!.detectedPayments).toMatchObject([{ final: true, confirmations: 3 }])
    solana.fork(1)
    expect(await goneAfter(quick, attempt, settled!.detectedPayments[0]!.height!)).toBe(true)
  })

  test('that removes one payment leaves the other payment', async () => {
    const { network, solana, sendSol } = scene
    const attempt = await paidIn(scene, 3n * SOL)
    solana.finalize()
    expect(await scanPayments(network, attempt)).toEqual([['solana/sol', 3n * SOL, true]])
    await sendSol(attempt.address)
    const [before] = await scanWatches(network, attempt)
    solana.fork(1)
    const [after] = await scanWatches(network, attempt)
    expect(after!.detectedPayments).toEqual([])
    expect(after!.completeFrom).toBeLessThanOrEqual(before!.detectedPayments[0]!.height!)
    expect(after!.completeFrom).toBeGreaterThan(before!.detectedPayments[0]!.height! - 40)
  })
})

describe('a restart', () => {
  const stored = (attempt: Attempt): Attempt => ({
    ...attempt,
    cursor: JSON.parse(JSON.stringify(attempt.cursor)) as Json,
  })

  test('continues at the stored cursor, loses nothing and reports no final payment twice', async () => {
    const { network, solana, sendSol, watcher } = scene
    const attempt = await paidIn(scene)
    solana.finalize()
    expect(await scanPayments(network, attempt)).toEqual([['solana/sol', SOL, true]])
    await sendSol(attempt.address, 2n * SOL)
    expect(await scanPayments(network, attempt)).toEqual([['solana/sol', 2n * SOL, false]])
    await sendSol(attempt.address, 4n * SOL)
    const later = stored(attempt)
    solana.finalize()
    expect(await scanPayments(watcher(), later)).toEqual([
      ['solana/sol', 2n * SOL, true],
      ['solana/sol', 4n * SOL, true],
    ])
    expect(await scanPayments(watcher(), stored(later))).toEqual([])
  })

  test('with an older cursor, as after a restored backup, reports the same payments again', async () => {
    const { network, solana, watcher } = scene
    const attempt = await paidIn(scene)
    const old = stored(attempt)
    solana.finalize()
    const [first] = await scanWatches(network, attempt)
    const [again] = await scanWatches(watcher(), old)
    expect(again!.detectedPayments).toEqual(first!.detectedPayments)
  })
})
