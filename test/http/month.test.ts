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
import { DAY_MS, HOUR_MS, MINUTE_MS, openOnly, outage, wallets } from './payments.ts'
import { data } from './request.ts'

setDefaultTimeout(300_000)

const GB = 1024 ** 3
const POOL_SIZE = 12

let month: Month

const works = () => new Response('ok')
const fails = () => new Response('no', { status: 500 })

/** The number of addresses that the test has added to the pool so far. */
let made = 0

beforeEach(async () => {
  month = await Month.start()
  made = 0
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
}

const newAddresses = (count: number): string[] =>
  Array.from({ length: count }, () => base58.encode(ed25519.getPublicKey(new Uint8Array(32).fill(++made))))

async function poolRunsLow(): Promise<void> {
  await fillPool(month.app.context, month.shop.id, 'solana', newAddresses(POOL_SIZE))
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

/** Bitcoin addresses come from an account of the shop's wallet. */
async function useAccount(): Promise<void> {
  const key = HDKey.fromMasterSeed(new Uint8Array(32).fill(7)).derive("m/84'/0'/0'").publicExtendedKey
  const { context } = month.app
  await setUpSource(context, await previewAccount(context, month.shop.id, 'btc', key, null))
  expect(await month.news()).toEqual([
    says(/^payout_changed The way customers get addresses on Bitcoin was changed /),
  ])
}

/** Opens as many payments as wallets look ahead for; returns the last one. */
async function openMany(): Promise<string> {
  let id = ''
  for (let count = 0; count < 15; count++) {
    id = await month.order()
    await openOnly(month.app, id, 'btc')
  }
  return id
}

async function gapLimitRunsLow(): Promise<void> {
  await useAccount()
  await openMany()
  expect(await month.news()).toEqual([
    says(/^gap_limit_low Your wallet may not show .* 15 addresses of Bitcoin were never paid/),
  ])
  await month.quiet(8 * DAY_MS)
}

async function diskIsNearlyFull(quietMs = 0): Promise<void> {
  month.free = GB / 2
  expect(await month.news()).toEqual([says(/^disk_low Only 512 MB are free/)])
  if (quietMs > 0) await month.quiet(quietMs)
  month.free = 50 * GB
  expect(await month.news()).toEqual([says(/^disk_low There is enough space/)])
}

async function logIsLost(quietMs = 0): Promise<void> {
  month.lostLines = 17
  expect(await month.news()).toEqual([says(/^log_lost Log lines cannot be written: 17 are lost so far/)])
  if (quietMs > 0) await month.quiet(quietMs)
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
  if (isInFile('A server of PostgreSQL looks after its disk itself.')) await diskIsNearlyFull(12 * HOUR_MS)
  await logIsLost(12 * HOUR_MS)
  await payoutWalletChanges()
  await moneyThatPaysNothing()
  await month.quiet(DAY_MS)
  await poolRunsLow()
  await gapLimitRunsLow()
  const days = Math.floor((month.app.time.now - START) / DAY_MS)
  await month.quiet((30 - days) * DAY_MS)
})

const chainIsDown = /^endpoint_down The simulated chain has been unusable for an hour: /
const chainWorks = /^endpoint_down The simulated chain works again/

/** Fails twice: each time there is a notification of the failure, and one of its end. */
async function twice(happens: () => Promise<void>): Promise<void> {
  await happens()
  await month.quiet(6 * HOUR_MS)
  await happens()
}

async function webhookFailsForAnHour(): Promise<void> {
  month.webhook.answerWith(fails)
  await month.paidOrder()
  await month.pass(HOUR_MS)
  expect(await month.news()).toEqual([says(/^webhook_failing Your webhook is failing: /)])
  month.webhook.answerWith(works)
  await month.pass(4 * HOUR_MS, HOUR_MS)
  expect(await month.news()).toEqual([says(/^webhook_failing Your webhook works again: /)])
}

/** Adds one address more than counts as low. The pool was empty before. */
async function poolRunsOut(): Promise<void> {
  await fillPool(month.app.context, month.shop.id, 'solana', newAddresses(11))
  const isNew = made === 11
  const filled = says(/^payout_changed 11 addresses were added to the address list of Solana /)
  const refilled = says(/^pool_low The address list of Solana has addresses again: 11/)
  expect((await month.news()).toSorted()).toEqual(isNew ? [filled] : [filled, refilled])
  for (let left = 11; left > 0; left--) await openOnly(month.app, await month.order(), 'solana/usdc')
  expect(await month.news()).toEqual([
    says(/^pool_low Only 10 addresses are left/),
    says(/^pool_low No addresses are left/),
  ])
}

async function gapLimitRunsLowAndEnds(): Promise<void> {
  const id = await openMany()
  expect(await month.news()).toEqual([says(/^gap_limit_low Your wallet may not show/)])
  await simulate(month.app, id, 'paid')
  await check(month.app, id)
  expect(await month.news()).toEqual([says(/^gap_limit_low New addresses of Bitcoin are paid again/)])
}

test('an upstream that fails again after it worked is reported again, once', async () => {
  await twice(() => month.outageOf('chain', chainIsDown, chainWorks))
  await twice(webhookFailsForAnHour)
  if (isInFile('A server of PostgreSQL looks after its disk itself.')) await twice(() => diskIsNearlyFull())
  await twice(() => logIsLost())
  await twice(moneyThatPaysNothing)
  await twice(poolRunsOut)
  await useAccount()
  await gapLimitRunsLowAndEnds()
  await gapLimitRunsLowAndEnds()
})

test('a server that is killed reports nothing twice, and forgets no report', async () => {
  await outage(month.app, 'chain', true)
  await month.pass(50 * MINUTE_MS)
  const restart = async () => {
    const { florin, dataDir } = month.app
    await florin.close()
    await month.startServer(dataDir)
  }
  await restart()
  await outage(month.app, 'chain', true)
  expect(await month.news()).toEqual([says(chainIsDown)])
  await restart()
  await outage(month.app, 'chain', true)
  await month.quiet(4 * HOUR_MS)
  await outage(month.app, 'chain', false)
  await restart()
  expect(await month.news()).toEqual([says(chainWorks)])
  await month.quiet(4 * HOUR_MS)
})

test('a clock that was days ahead for a moment delays no notification', async () => {
  month.webhook.answerWith(fails)
  month.app.time.now += 2 * DAY_MS
  await month.paidOrder()
  const body = { cryptoWallets: { ltc: wallets.ltc } }
  await data(month.app, 'PUT', '/v1/wallet', { key: month.shop.live, body })
  await outage(month.app, 'chain', true)
  await month.app.jobs.settle()
  await month.pass(20 * MINUTE_MS)
  month.operatorNews()
  month.mails()
  month.app.time.now -= 2 * DAY_MS
  await month.pass(2 * HOUR_MS)
  expect((await month.news()).toSorted()).toEqual([
    says(chainIsDown),
    says(/^webhook_failing Your webhook is failing: /),
  ])
  month.webhook.answerWith(works)
  await outage(month.app, 'chain', false)
  await month.pass(4 * HOUR_MS)
  expect((await month.news()).toSorted()).toEqual([
    says(chainWorks),
    says(/^webhook_failing Your webhook works again: /),
  ])
})

test('a mail server that is down is reported by other channels, and waiting messages are sent once', async () => {
  const { mail, operator } = month
  const gone = '421 closing'
  mail.reactions.greeting = gone
  await month.pass(90 * MINUTE_MS)
  expect(month.operatorNews().map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    says(/^endpoint_down The mail server 127\.0\.0\.1:\d+ has been unusable for an hour: .*421/),
  ])
  const id = await month.paidOrder()
  await simulate(month.app, id, 'paid')
  await check(month.app, id)
  await month.pass(4 * HOUR_MS, HOUR_MS)
  expect(month.operatorNews().map(({ kind }) => kind)).toEqual(['unmatched_payment'])
  expect(month.mails()).toEqual([])
  mail.reactions.greeting = '220 mail.test ready'
  await month.pass(8 * HOUR_MS, 30 * MINUTE_MS)
  expect(month.operatorNews().map(({ text }) => text)).toEqual([says(/^The mail server .* works again/)])
  const mails = month.mails().join(' ')
  for (const once of ['has been unusable for an hour', 'works again', id]) {
    expect([once, mails.split(once).length > 1]).toEqual([once, true])
  }
  expect(mails.split('has been unusable for an hour').length).toBe(2)
  operator.answerWith(fails)
  const other = await month.paidOrder()
  await simulate(month.app, other, 'paid')
  await check(month.app, other)
  await month.pass(2 * HOUR_MS)
  expect(month.mails().join(' ')).toMatch(/channel for notifications, \S+, has been unusable for an hour/)
  operator.answerWith(works)
  await month.pass(8 * HOUR_MS, 30 * MINUTE_MS)
  expect(month.mails().join(' ')).toMatch(/channel for notifications, \S+, works again/)
})
