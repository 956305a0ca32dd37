import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { fillPool } from '../../src/operations/addresses/fill-pool.ts'
import { previewAccount, setUpSource } from '../../src/operations/addresses/set-up-source.ts'
import { sqliteEngine } from '../../src/storage/sqlite/engine.ts'
import { type App, isOnPostgres, START, startApp } from '../support/app.ts'
import { check, givenMerchant, givenOrder, type Shop, simulate } from '../support/given.ts'
import { startReceiver } from '../support/receiver.ts'
import { SmtpServer } from '../support/smtp-server.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, openOnly, outage, rest, wallets } from './payments.ts'
import { data } from './request.ts'

setDefaultTimeout(120_000)

const GB = 1024 ** 3
const POOL_SIZE = 12

let app: App
let shop: Shop
let mail: SmtpServer
/** of the operator */
let operator: ReturnType<typeof startReceiver>
/** of the shop */
let webhook: ReturnType<typeof startReceiver>
let folder: string
let free = 50 * GB
let lostLines: number | null = null

const works = () => new Response('ok')
const fails = () => new Response('no', { status: 500 })

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'florin-month-'))
  writeFileSync(join(folder, 'secret'), 'a secret of the operator')
  mail = await SmtpServer.start()
  operator = startReceiver()
  webhook = startReceiver()
  app = await startApp(
    {
      FLORIN_SMTP_URL: `smtp://${mail.host}`,
      FLORIN_MAIL_FROM: 'florin@pay.example',
      FLORIN_NOTIFY_URL: operator.url,
      FLORIN_NOTIFY_SECRET_FILE: join(folder, 'secret'),
      FLORIN_OUTBOUND_ALLOW: `${operator.host},${webhook.host}`,
      FLORIN_UNPAID_ADDRESSES: '20',
    },
    { freeBytes: async () => free, lostLogLines: () => lostLines },
  )
  writeFileSync(join(app.dataDir, 'florin.backup'), '')
  utimesSync(join(app.dataDir, 'florin.backup'), new Date(START), new Date(START))
  await app.jobs.settle()
})
afterEach(async () => {
  await rest(app)
  expect(app.audit()).toEqual([])
  await app.close()
  await Promise.all([mail.stop(), operator.stop(), webhook.stop()])
  rmSync(folder, { recursive: true, force: true })
})

interface Item {
  kind: string
  text: string
}

async function pass(ms: number, step = 10 * MINUTE_MS): Promise<void> {
  for (let passed = 0; passed < ms; passed += step) await app.advance(step)
}

/** What the operator was sent since the last call. The merchant's mail says the same. */
async function news(): Promise<string[]> {
  await pass(20 * MINUTE_MS)
  const items = operator.received.flatMap(({ json }) => json.items as Item[])
  operator.received.length = 0
  const mailed = mail.received.map(({ to, data: text }) => {
    expect(to).toEqual([shop.email])
    return text.replace(/=\r\n/g, '').replaceAll('=3D', '=').replace(/\s+/g, ' ')
  })
  mail.received.length = 0
  for (const { text } of items) {
    const found = mailed.filter(one => one.includes(text.slice(0, 40)))
    expect({ text, mails: found.length }).toEqual({ text, mails: 1 })
  }
  return items.map(({ kind, text }) => `${kind} ${text}`)
}

/** Nothing happened, and nobody was notified. */
async function quiet(ms: number): Promise<void> {
  await pass(ms, ms > DAY_MS ? 6 * HOUR_MS : HOUR_MS)
  expect(await news()).toEqual([])
}

const says = (pattern: RegExp) => expect.stringMatching(pattern)
const order = async (): Promise<string> =>
  (await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })).orderUUID
async function paidOrder(): Promise<string> {
  const id = await order()
  await openOnly(app, id, 'polygon/usdc')
  await simulate(app, id, 'paid')
  expect((await check(app, id)).status).toBe('PAID')
  await app.jobs.settle()
  return id
}

async function settingUp(): Promise<void> {
  shop = await givenMerchant(app)
  await data(app, 'PUT', '/v1/wallet', { key: shop.live, body: { cryptoWallets: { evm: wallets.evm } } })
  await data(app, 'PUT', '/v1/webhook', { key: shop.live, body: { url: webhook.url } })
  expect((await news()).toSorted()).toEqual([
    says(/^key_created .*live/),
    says(/^key_created .*test/),
    says(/^payout_changed .*evm/),
    says(/^webhook_changed /),
  ])
}

/** Down for an hour and longer: one notification. Back: another one. */
async function outageOf(upstream: 'chain' | 'rates' | 'provider', down: RegExp, up: RegExp): Promise<void> {
  await outage(app, upstream, true)
  await pass(50 * MINUTE_MS)
  expect(await news()).toEqual([says(down)])
  await quiet(4 * HOUR_MS)
  await outage(app, upstream, false)
  expect(await news()).toEqual([says(up)])
  await quiet(4 * HOUR_MS)
}

/** Fails for an hour, for a day, and until an event is given up; then works again. */
async function webhookFails(): Promise<void> {
  await quiet(HOUR_MS)
  webhook.answerWith(fails)
  const id = await paidOrder()
  await pass(HOUR_MS)
  expect(await news()).toEqual([
    says(/^webhook_failing Your webhook is failing: no event could be delivered/),
  ])
  await quiet(21 * HOUR_MS)
  await pass(3 * HOUR_MS)
  expect(await news()).toEqual([says(/^webhook_failing Your webhook is failing/)])
  await pass(2 * DAY_MS, HOUR_MS)
  await pass(12 * HOUR_MS, HOUR_MS)
  expect(await news()).toEqual([says(/^event_given_up /)])
  webhook.answerWith(works)
  webhook.received.length = 0
  await paidOrder()
  expect(webhook.received.map(({ json }) => json.orderUUID)).toContain(id)
  expect(await news()).toEqual([says(/^webhook_failing Your webhook works again: /)])
  await quiet(6 * HOUR_MS)
}

async function moneyThatPaysNothing(): Promise<void> {
  const id = await paidOrder()
  await simulate(app, id, 'paid')
  await check(app, id)
  expect(await news()).toEqual([says(/^unmatched_payment /)])
  await quiet(DAY_MS)
}

async function poolRunsLow(): Promise<void> {
  const addresses = Array.from({ length: POOL_SIZE }, (_, i) =>
    base58.encode(ed25519.getPublicKey(new Uint8Array(32).fill(i + 1))),
  )
  await fillPool(app.context, shop.id, 'solana', addresses)
  await openOnly(app, await order(), 'solana/usdc')
  expect(await news()).toEqual([])
  await openOnly(app, await order(), 'solana/usdc')
  expect(await news()).toEqual([says(/^pool_low Only 10 addresses are left in the pool of solana/)])
  for (let left = 10; left > 1; left--) await openOnly(app, await order(), 'solana/usdc')
  expect(await news()).toEqual([])
  await openOnly(app, await order(), 'solana/usdc')
  expect(await news()).toEqual([says(/^pool_low No addresses are left in the pool of solana/)])
}

async function gapLimitRunsLow(): Promise<void> {
  const key = HDKey.fromMasterSeed(new Uint8Array(32).fill(7)).derive("m/84'/0'/0'").publicExtendedKey
  await setUpSource(app.context, await previewAccount(app.context, shop.id, 'btc', key, null))
  expect(await news()).toEqual([says(/^payout_changed A source of payment addresses of btc /)])
  const ids: string[] = []
  for (let count = 0; count < 15; count++) {
    ids.push(await order())
    await openOnly(app, ids.at(-1)!, 'btc')
  }
  expect(await news()).toEqual([
    says(/^gap_limit_low Your wallet may not show .* 15 addresses of btc were never paid/),
  ])
  await quiet(8 * DAY_MS)
}

async function diskIsNearlyFull(): Promise<void> {
  free = GB / 2
  expect(await news()).toEqual([says(/^disk_low Only 512 MB are free/)])
  await quiet(12 * HOUR_MS)
  free = 50 * GB
  expect(await news()).toEqual([says(/^disk_low There is enough space/)])
}

async function logIsLost(): Promise<void> {
  lostLines = 17
  expect(await news()).toEqual([says(/^log_lost Log lines cannot be written: 17 are lost so far/)])
  await quiet(12 * HOUR_MS)
  lostLines = null
  expect(await news()).toEqual([says(/^log_lost Log lines are written again/)])
}

async function payoutWalletChanges(): Promise<void> {
  await data(app, 'PUT', '/v1/wallet', { key: shop.live, body: { cryptoWallets: { ltc: wallets.ltc } } })
  expect(await news()).toEqual([says(/^payout_changed .*ltc/)])
}

async function backupIsTooOld(): Promise<void> {
  const since = app.time.now - START
  expect(since).toBeLessThan(8 * DAY_MS)
  await pass(8 * DAY_MS - since, HOUR_MS)
  expect(await news()).toEqual([says(/^backup_old The newest backup is from 2026-03-01/)])
  await quiet(DAY_MS)
  await sqliteEngine(app.dataDir).backup(join(folder, 'backup.sqlite'), { force: false, anyway: false })
  expect(await news()).toEqual([says(/^backup_old A new backup was made/)])
}

test('a month in which everything fails once: each failure is reported once, and so is its end', async () => {
  await settingUp()
  await outageOf(
    'chain',
    /^endpoint_down The simulated chain has been unusable for an hour: /,
    /^endpoint_down The simulated chain works again/,
  )
  await outageOf(
    'rates',
    /^endpoint_down The exchange rate source \S+ has been unusable for an hour: /,
    /^endpoint_down The exchange rate source \S+ works again/,
  )
  await outageOf(
    'provider',
    /^endpoint_down The provider gateway has been unusable for an hour: /,
    /^endpoint_down The provider gateway works again/,
  )
  await webhookFails()
  if (!isOnPostgres) {
    // A server of PostgreSQL looks after its backups and its disk itself.
    await backupIsTooOld()
    await diskIsNearlyFull()
  }
  await logIsLost()
  await payoutWalletChanges()
  await moneyThatPaysNothing()
  await poolRunsLow()
  await gapLimitRunsLow()
  const days = Math.floor((app.time.now - START) / DAY_MS)
  await quiet((30 - days) * DAY_MS)
})
