import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { About, ServiceFacts } from '../../src/domain/notification-facts.ts'
import { type NotificationKind, notificationKinds } from '../../src/domain/notification-kind.ts'
import type { Service } from '../../src/domain/outage.ts'
import { listNotifications } from '../../src/operations/notices/list.ts'
import { watchServices } from '../../src/operations/upstreams/watch.ts'
import { newKeyText } from '../../src/replica/store.ts'
import { type App, isInFile, startApp } from '../support/app.ts'
import { givenMerchant } from '../support/given.ts'
import { said } from '../support/notifications.ts'
import { newFolder } from '../support/process.ts'

/** The end of a trouble: the place where the server records it, and the test that makes it happen. */
interface End {
  about: About
  words: string
  by: string
  seenIn: string
}

/** The kind is about one event, so it has no end. */
const ONCE = 'happened once'
/** The kind is about an upstream or service; `watchServices` says when it can be used again. */
const SERVICE = 'is watched'

const webhook: End = {
  about: 'webhook_works',
  words: 'Your webhook works again: ',
  by: 'src/operations/webhooks/steps/count-outcome.ts',
  seenIn: 'test/http/month.test.ts',
}

/** The end of each kind of trouble. The compiler demands an entry for a new kind. */
const ends: Record<Exclude<NotificationKind, Service['kind']>, End | typeof ONCE> &
  Record<Service['kind'], typeof SERVICE> = {
  order_paid: ONCE,
  unmatched_payment: ONCE,
  skipped_payment: ONCE,
  funds_waiting: ONCE,
  payment_late: ONCE,
  payment_short: ONCE,
  payment_over: ONCE,
  payment_reorganised: {
    about: 'payment_back',
    words: 'A payment is on the blockchain again: ',
    by: 'src/operations/incoming/moved.ts',
    seenIn: 'test/http/payment-notices.test.ts',
  },
  payment_vanished: ONCE,
  chain_blind: {
    about: 'chain_readable',
    words: ' can be seen again: ',
    by: 'src/operations/payments/steps/note-look.ts',
    seenIn: 'test/http/blind-chains.test.ts',
  },
  unpayable: {
    about: 'payable',
    words: 'Customers can pay again',
    by: 'src/operations/overview/watch-payable.ts',
    seenIn: 'test/http/unpayable.test.ts',
  },
  webhook_failing: webhook,
  webhook_disabled: webhook,
  event_given_up: webhook,
  refund_recorded: ONCE,
  refund_failed: ONCE,
  payment_reversed: ONCE,
  pool_low: {
    about: 'pool_refilled',
    words: ' has addresses again: ',
    by: 'src/operations/addresses/steps/pool-notices.ts',
    seenIn: 'test/http/pool-reclaim.test.ts',
  },
  gap_limit_low: {
    about: 'gap_limit_good',
    words: ' are paid again: ',
    by: 'src/operations/addresses/steps/unpaid-run.ts',
    seenIn: 'test/http/unpaid-addresses.test.ts',
  },
  payout_changed: ONCE,
  payout_unusable: {
    about: 'payout_usable',
    words: ' takes payments on ',
    by: 'src/operations/addresses/steps/payout-checks.ts',
    seenIn: 'test/networks/payout-contract.test.ts',
  },
  webhook_changed: ONCE,
  key_created: ONCE,
  people_changed: ONCE,
  price_changed: ONCE,
  invoice_changed: ONCE,
  shop_changed: ONCE,
  new_login: ONCE,
  login_attacked: ONCE,
  endpoint_down: SERVICE,
  disk_low: SERVICE,
  backup_old: SERVICE,
  backup_unusable: SERVICE,
  replica_behind: SERVICE,
  log_lost: SERVICE,
  files_low: SERVICE,
  certificate_expiring: SERVICE,
  security_release: SERVICE,
}

const isWatched = isInFile('PostgreSQL has disks, backups and copies of its own, which Florin does not see.')
const ofFiles: readonly NotificationKind[] = ['disk_low', 'backup_old', 'backup_unusable', 'replica_behind']
const watchedKinds = notificationKinds.filter(
  kind => ends[kind] === SERVICE && (isWatched || !ofFiles.includes(kind)),
)

let app: App
beforeAll(async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'key'), newKeyText())
  writeFileSync(join(folder, 'secret'), 'secret')
  const settings = {
    FLORIN_BACKUP_DIR: 'backups',
    FLORIN_REPLICA_URL: 's3://shop/florin?endpoint=http://127.0.0.1:9',
    FLORIN_REPLICA_ACCESS_KEY: 'shop',
    FLORIN_REPLICA_SECRET_FILE: join(folder, 'secret'),
    FLORIN_REPLICA_KEY_FILE: join(folder, 'key'),
  }
  const updates = { FLORIN_UPDATE_CHECK: 'on', FLORIN_RELEASES_URL: 'http://127.0.0.1:9' }
  app = await startApp(
    { ...updates, ...(isWatched && settings) },
    {
      lostLogLines: () => null,
      certificate: () => ({ names: ['pay.shop.example'], certificate: null, problem: null, retryAt: null }),
    },
  )
})
afterAll(() => app.close())

const read = (file: string): string => readFileSync(join(import.meta.dir, '../..', file), 'utf8')

test.each(notificationKinds.filter(kind => ends[kind] instanceof Object))(
  'the merchant is notified of the end of %s',
  kind => {
    const { about, words, by, seenIn } = ends[kind] as End
    expect(read(by)).toContain(`'${about}'`)
    expect(read('views/dashboard/texts/en.json')).toContain(words)
    // A pattern may end before the text does.
    expect(read(seenIn)).toContain(words.trim().replace(/:$/, ''))
  },
)

test.each(watchedKinds)(
  'a service of the kind %s is reported when it fails, and when it works',
  async kind => {
    const { context } = app
    const { id: merchantId } = await givenMerchant(app)
    const own = context.services().filter(one => one.kind === kind)
    expect(own).not.toEqual([])
    let problem: ServiceFacts | null = {
      about: 'service_unknown',
      kind: own[0]!.kind,
      reason: 'It is broken.',
      fault: null,
    }
    const services = own.map(one => ({
      ...one,
      id: `test:${one.id}`,
      afterMs: 0,
      check: async () => problem,
    }))
    const watch = () => watchServices({ ...context, services: () => services })
    const texts = async () =>
      (await listNotifications(context, merchantId)).flatMap(one => (one.kind === kind ? [said(one)] : []))
    await watch()
    const failed = own.map(() => 'It is broken.')
    expect(await texts()).toEqual(failed)
    problem = null
    await watch()
    await watch()
    const over = own.flatMap(({ recovered }) => (recovered === null ? [] : [said({ facts: recovered })]))
    expect((await texts()).sort()).toEqual([...failed, ...over].sort())
    for (const text of over) expect(text).toMatch(/again|new backup|complete/)
  },
)
