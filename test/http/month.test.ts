import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { fillPool } from '../../src/operations/addresses/fill-pool.ts'
import { previewAccount, setUpSource } from '../../src/operations/addresses/set-up-source.ts'
import { sqliteEngine } from '../../src/storage/sqlite/engine.ts'
import { isInFile, START } from '../support/app.ts'
import { check, simulate } from '../support/given.ts'
import { Month, says } from './month.ts'
import { DAY_MS, HOUR_MS, openOnly, wallets } from './payments.ts'
import { data } from './request.ts'

setDefaultTimeout(300_000)

const GB = 1024 ** 3
const POOL_SIZE = 12

let month: Month

const works = () => new Response('ok')
const fails = () => new Response('no', { status: 500 })

beforeEach(async () => {
  month = await Month.start()
})
afterEach(() => month.stop())

/** Fails for an hour, for a day, and until deliveries are given up, then works again. */
async function webhookFails(): Promise<void> {
  await month.quiet(HOUR_MS)
  month.webhook.answerWith(fails)
  const id = await month.paidOrder()
  await month.pass(HOUR_MS)
  expect(await month.news()).toEqual([
    says(/^webhook_failing Your webhook is failing: no event could be delivered/),
  ])
  await month.quiet(21 * HOUR_MS)
  await month.pass(3 * HOUR_MS)
  expect(await month.news()).toEqual([says(/^webhook_failing Your webhook is failing/)])
  await month.pass(2 * DAY_MS, HOUR_MS)
  await month.pass(12 * HOUR_MS, HOUR_MS)
  expect(await month.news()).toEqual([says(/^event_given_up /)])
  month.webhook.answerWith(works)
  month.webhook.received.length = 0
  await month.paidOrder()
  expect(month.webhook.received.map(({ json }) => json.orderUUID)).toContain(id)
  expect(await month.news()).toEqual([says(/^webhook_failing Your webhook works again: /)])
  await month.quiet(6 * HOUR_MS)
}

async function moneyThatPaysNothing(): Promise<void> {
  const id = await month.paidOrder()
  await simulate(month.app, id, 'paid')
  await check(month.app, id)
  expect(await month.news()).toEqual([says(/^unmatched_payment /)])
  await month.quiet(DAY_MS)
}

async function poolRunsLow(): Promise<void> {
  const addresses = Array.from({ length: POOL_SIZE }, (_, i) =>
    base58.encode(ed25519.getPublicKey(new Uint8Array(32).fill(i + 1))),
  )
  await fillPool(month.app.context, month.shop.id, 'solana', addresses)
  expect(await month.news()).toEqual([
    says(/^payout_changed 12 addresses were added to the address list of Solana /),
  ])
  await openOnly(month.app, await month.order(), 'solana/usdc')
  expect(await month.news()).toEqual([])
  await openOnly(month.app, await month.order(), 'solana/usdc')
  expect(await month.news()).toEqual([
    says(/^pool_low Only 10 addresses are left in the address list of Solana/),
  ])
  for (let left = 10; left > 1; left--) await openOnly(month.app, await month.order(), 'solana/usdc')
  expect(await month.news()).toEqual([])
  await openOnly(month.app, await month.order(), 'solana/usdc')
  expect(await month.news()).toEqual([says(/^pool_low No addresses are left in the address list of Solana/)])
}

async function gapLimitRunsLow(): Promise<void> {
  const key = HDKey.fromMasterSeed(new Uint8Array(32).fill(7)).derive("m/84'/0'/0'").publicExtendedKey
  await setUpSource(
    month.app.context,
    await previewAccount(month.app.context, month.shop.id, 'btc', key, null),
  )
  expect(await month.news()).toEqual([
    says(/^payout_changed The way customers get addresses on Bitcoin was changed /),
  ])
  const ids: string[] = []
  for (let count = 0; count < 15; count++) {
    ids.push(await month.order())
    await openOnly(month.app, ids.at(-1)!, 'btc')
  }
  expect(await month.news()).toEqual([
    says(/^gap_limit_low Your wallet may not show .* 15 addresses of Bitcoin were never paid/),
  ])
  await month.quiet(8 * DAY_MS)
}

async function diskIsNearlyFull(): Promise<void> {
  month.free = GB / 2
  expect(await month.news()).toEqual([says(/^disk_low Only 512 MB are free/)])
  await month.quiet(12 * HOUR_MS)
  month.free = 50 * GB
  expect(await month.news()).toEqual([says(/^disk_low There is enough space/)])
}

async function logIsLost(): Promise<void> {
  month.lostLines = 17
  expect(await month.news()).toEqual([says(/^log_lost Log lines cannot be written: 17 are lost so far/)])
  await month.quiet(12 * HOUR_MS)
  month.lostLines = null
  expect(await month.news()).toEqual([says(/^log_lost Log lines are written again/)])
}

async function payoutWalletChanges(): Promise<void> {
  await data(month.app, 'PUT', '/v1/wallet', {
    key: month.shop.live,
    body: { cryptoWallets: { ltc: wallets.ltc } },
  })
  expect(await month.news()).toEqual([says(/^payout_changed .*Litecoin/)])
}

async function makeBackup(): Promise<void> {
  if (month.app.databaseUrl) {
    // The command uses the real clock, not that of the test.
    month.app.change('UPDATE installation SET backed_up_at = ?', Date.now())
    return
  }
  const file = join(month.folder, 'backup.sqlite')
  await sqliteEngine(month.app.dataDir).backup(file, { force: false, anyway: false })
}

async function backupIsTooOld(): Promise<void> {
  const since = month.app.time.now - START
  expect(since).toBeLessThan(8 * DAY_MS)
  await month.pass(8 * DAY_MS - since, HOUR_MS)
  expect(await month.news()).toEqual([says(/^backup_old The newest backup is from 2026-03-01/)])
  await month.quiet(DAY_MS)
  await makeBackup()
  expect(await month.news()).toEqual([says(/^backup_old A new backup was made/)])
}

test('in a month in which everything fails once, each failure and its end are reported once', async () => {
  await month.outageOf(
    'chain',
    /^endpoint_down The simulated chain has been unusable for an hour: /,
    /^endpoint_down The simulated chain works again/,
  )
  await month.outageOf(
    'rates',
    /^endpoint_down The exchange rate source \S+ has been unusable for an hour: /,
    /^endpoint_down The exchange rate source \S+ works again/,
  )
  await month.outageOf(
    'provider',
    /^endpoint_down The provider gateway has been unusable for an hour: /,
    /^endpoint_down The provider gateway works again/,
  )
  await webhookFails()
  await backupIsTooOld()
  if (isInFile('A server of PostgreSQL looks after its disk itself.')) await diskIsNearlyFull()
  await logIsLost()
  await payoutWalletChanges()
  await moneyThatPaysNothing()
  await poolRunsLow()
  await gapLimitRunsLow()
  const days = Math.floor((month.app.time.now - START) / DAY_MS)
  await month.quiet((30 - days) * DAY_MS)
})
