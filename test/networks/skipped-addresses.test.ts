import { afterAll, beforeAll, expect, test } from 'bun:test'
import { HDKey } from '@scure/bip32'
import { listSkipped, lookAtSkipped } from '../../src/operations/addresses/skipped.ts'
import { countUnmatched } from '../../src/operations/payments/browse-unmatched.ts'
import { listSkippedPayments, resolveUnmatched } from '../../src/operations/payments/unmatched.ts'
import { said } from '../support/notifications.ts'
import { openPayments } from '../support/open-payments.ts'

const account = HDKey.fromMasterSeed(new Uint8Array(32).fill(8)).derive("m/44'/60'/0'").publicExtendedKey
const MINUTE_MS = 60_000
/** Number of checks after which each of the skipped addresses was checked. */
const LOOKS = 19
const DAY_MS = 24 * 60 * MINUTE_MS

const given = await openPayments(1, 10, { account })
const { app, shop, chain, traffic } = given
afterAll(() => app.close())

const skip = async () => {
  const [source] = await app.context.storage.read(tables => tables.sources.listOf(shop.id))
  await app.context.storage.write(tables =>
    tables.sources.update(source!.id, { nextIndex: 1001, skippedAt: app.time.now }),
  )
  return listSkipped(app.context, shop.id)
}
const pay = (address: string, amount: bigint) =>
  chain.add({ to: address.toLowerCase(), asset: 'polygon/usdc', amount, kind: 'payment' })
const notices = async () =>
  (await app.context.storage.read(tables => tables.notifications.list(shop.id, 100))).filter(
    ({ kind }) => kind === 'skipped_payment',
  )

let skipped: Awaited<ReturnType<typeof skip>>
beforeAll(async () => {
  skipped = await skip()
})

test('a scan of the addresses that a restore skipped finds buyers’ payments there', async () => {
  expect(skipped).toHaveLength(1000)
  expect(await lookAtSkipped(app.context, skipped)).toEqual({ found: [], faults: [] })

  const paid = skipped[499]!
  pay(paid.address, 25_000_000n)
  app.time.now += MINUTE_MS
  const { found, faults } = await lookAtSkipped(app.context, skipped)
  expect(found).toMatchObject([{ ...paid, asset: { id: 'polygon/usdc' }, amountAtomic: 25_000_000n }])
  expect(faults).toEqual([])
})

test('the server finds money at skipped addresses without a command, and notifies the merchant once', async () => {
  // Schedules the job, as a server does that starts after the restore.
  await app.context.storage.write(tables =>
    tables.jobs.schedule({ kind: 'skipped.watch', subject: 'all', lane: 'skipped', dueAt: app.time.now }),
  )
  for (let looks = 0; looks < LOOKS; looks++) await app.advance(10 * MINUTE_MS)
  const [payment, ...more] = await listSkippedPayments(app.context, shop.id)
  expect(more).toEqual([])
  expect(payment).toMatchObject({
    merchantId: shop.id,
    address: skipped[499]!.address,
    position: skipped[499]!.index,
    assetId: 'polygon/usdc',
    amountAtomic: 25_000_000n,
    status: 'open',
  })
  const texts = (await notices()).map(said)
  expect(texts).toHaveLength(1)
  expect(texts[0]).toContain(`25 USDC on Polygon at ${skipped[499]!.address}.`)
  expect(await countUnmatched(app.context, shop.id)).toBe(1)
})

test('money at a skipped address is resolved like other unmatched payments, and open again when more arrives', async () => {
  const [payment] = await listSkippedPayments(app.context, shop.id)
  await resolveUnmatched(app.context, shop.id, payment!.id, 'delivered')
  expect(await countUnmatched(app.context, shop.id)).toBe(0)
  expect(await listSkippedPayments(app.context, shop.id)).toMatchObject([
    { status: 'resolved', note: 'delivered' },
  ])
  await expect(resolveUnmatched(app.context, shop.id, payment!.id)).rejects.toMatchObject({
    code: 'conflict',
  })
  await expect(
    resolveUnmatched(app.context, '01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55', payment!.id),
  ).rejects.toMatchObject({ code: 'not_found' })

  pay(payment!.address, 5_000_000n)
  for (let looks = 0; looks < LOOKS; looks++) await app.advance(10 * MINUTE_MS)
  expect(await listSkippedPayments(app.context, shop.id)).toMatchObject([
    { status: 'open', note: null, amountAtomic: 30_000_000n },
  ])
  expect((await notices()).map(said)).toContainEqual(
    expect.stringContaining(': 30 USDC on Polygon in total at '),
  )
})

test('a scan of skipped addresses costs few requests, and they end after 30 days', async () => {
  const before = traffic.requests
  await app.advance(10 * MINUTE_MS)
  expect(traffic.requests - before).toBeLessThan(20)
  app.time.now += 30 * DAY_MS
  await app.advance(10 * MINUTE_MS)
  const jobs = await app.context.storage.read(tables => tables.jobs.countDue(app.time.now + DAY_MS))
  expect(jobs.map(({ kind }) => kind)).not.toContain('skipped.watch')
})
