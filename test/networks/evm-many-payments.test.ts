import { describe, expect, test } from 'bun:test'
import type { DetectedPayment } from '../../src/networks/port.ts'
import * as evm from './evm-scene.ts'

const { CONFIRMATIONS, freshAccount, MARGIN_BLOCKS, openAccount, openAttempt, scanWatches } = evm
const scene = evm.useScene()

/** Stores the payments of one attempt after each scan, as `mergeReport` does. */
function makeStore(attempt: evm.Attempt) {
  const stored = new Map<string, DetectedPayment>()
  return {
    async scan(): Promise<bigint> {
      const [result] = await scanWatches(scene.network, attempt)
      const { detectedPayments, completeFrom } = result!
      const reported = new Map(detectedPayments.map(one => [`${one.txId} ${one.txIndex}`, one]))
      for (const [key, { height }] of stored) {
        if (height! >= completeFrom && !reported.has(key)) stored.delete(key)
      }
      for (const [key, payment] of reported) stored.set(key, payment)
      return [...stored.values()].reduce((sum, { amountAtomic }) => sum + amountAtomic, 0n)
    },
    areFinal: () => [...stored.values()].every(({ final }) => final),
  }
}

describe.each(['forwarder', 'account'])(
  'coins that arrive at a new %s in very many blocks count once',
  kind => {
    const open = async (): Promise<evm.Attempt> =>
      kind === 'account'
        ? openAccount(scene.network, scene.coin, await freshAccount(scene, 10n ** 18n))
        : openAttempt(scene.network, scene.coin)

    test.each([
      ['before the first scan', 60, 60],
      ['between scans', 150, 7],
      ['with each scan', 60, 1],
      ['faster than they are found', 180, 45],
    ])('%s', async (_, count, scannedAfter) => {
      const { anvil } = scene
      const attempt = await open()
      const store = makeStore(attempt)
      let paid = 0n
      for (let index = 1; index <= count; index++) {
        const amount = 1000n + BigInt((index * 37) % 101)
        await anvil.run({ to: attempt.address, value: amount })
        paid += amount
        if (index % 11 === 0) await anvil.mine(3)
        if (index % scannedAfter === 0) expect(await store.scan()).toBe(paid)
      }
      for (const blocks of [CONFIRMATIONS, 1, 7, MARGIN_BLOCKS / 2, MARGIN_BLOCKS, 0]) {
        await anvil.mine(blocks)
        expect(await store.scan()).toBe(paid)
      }
      expect(store.areFinal()).toBe(true)
    })
  },
)
