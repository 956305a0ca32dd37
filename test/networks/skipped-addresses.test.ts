import { expect, test } from 'bun:test'
import { HDKey } from '@scure/bip32'
import { listSkipped, lookAtSkipped } from '../../src/operations/addresses/skipped.ts'
import { openPayments } from '../support/open-payments.ts'

const account = HDKey.fromMasterSeed(new Uint8Array(32).fill(8)).derive("m/44'/60'/0'").publicExtendedKey

test('a look at the addresses that a restore skipped finds what buyers paid there', async () => {
  const { app, shop, chain } = await openPayments(1, 10, { account })
  const [source] = await app.context.storage.read(tables => tables.sources.listOf(shop.id))
  await app.context.storage.write(tables =>
    tables.sources.update(source!.id, { nextIndex: 1001, skippedAt: app.time.now }),
  )
  const skipped = await listSkipped(app.context, shop.id)
  expect(skipped).toHaveLength(1000)
  expect(await lookAtSkipped(app.context, skipped)).toEqual({ found: [], faults: [] })

  const paid = skipped[499]!
  chain.add({
    to: paid.address.toLowerCase(),
    asset: 'polygon/usdc',
    amount: 25_000_000n,
    kind: 'payment',
  })
  app.time.now += 60_000
  const { found, faults } = await lookAtSkipped(app.context, skipped)
  expect(found).toMatchObject([{ ...paid, asset: { id: 'polygon/usdc' }, amountAtomic: 25_000_000n }])
  expect(faults).toEqual([])
  await app.close()
})
