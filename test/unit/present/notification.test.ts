import { expect, test } from 'bun:test'
import type { About, NotificationFacts } from '../../../src/domain/notification-facts.ts'
import { joinedId, unreportedId } from '../../../src/domain/payment.ts'
import { writeNotification } from '../../../src/present/notification.ts'
import {
  type DashboardLanguage,
  dashboardLanguages,
  dashboardLocale,
} from '../../../views/dashboard/locale.ts'

type Of<K, F = NotificationFacts> = F extends { about: unknown } ? (K extends F['about'] ? F : never) : never
type Example<F> = Omit<F, 'about'>

const sums = { arrived: '9 USDC', due: '10 USDC' }
const endpoint = { upstream: 'endpoint', name: 'rpc.example', chain: 'polygon' } as const
const address = '0xAddress'

/** One example of each notification. The compiler demands them all. */
const examples: { [K in About]: Example<Of<K>> } = {
  order_paid: { amount: '25.00 EUR', number: null },
  payment_unmatched: {
    ...{ unmatchedId: 'u1', reason: 'late', sum: '1 USDC', value: '1.00 USD' },
    ...({ missing: { amount: '9.00', of: '10.00 USD' }, choice: 'accept' } as const),
  },
  refund_address: { sum: '1 USDC', address },
  refund_address_over: { sum: '1 USDC', address },
  payment_gone: { txId: 'tx' },
  payment_back: { txId: 'tx' },
  payment_vanished: { txId: 'tx' },
  payment_failed: { method: 'Stripe', txId: 'pi_1' },
  lightning_unproven: { host: 'wallet.example' },
  payment_unproven: { host: 'rpc.example', txId: '0xabc' },
  lightning_failing: { host: 'node.example', fault: 'lightningAway', isOnly: true },
  lightning_works: { host: 'node.example' },
  chain_blind: { chain: 'btc', since: Date.UTC(2026, 10, 22, 17) },
  chain_readable: { chain: 'btc' },
  unpayable: { since: Date.UTC(2026, 10, 22, 17), reasons: ['unusable', 'rate'] },
  payable: {},
  unmatched_gone: { txId: 'tx' },
  unmatched_back: { txId: 'tx' },
  settled_late: { ...sums, value: '9.00 USD' },
  settled_short: { ...sums, missing: '1.00 USD' },
  settled_over: { ...sums, extra: '1 USDC' },
  refund_recorded: { amount: '5.00 EUR' },
  refund_refused: { amount: '5.00 EUR' },
  refund_found: { amount: '5.00 EUR' },
  refund_apart: { amount: '5.00 EUR' },
  dispute_opened: { amount: '5.00 EUR' },
  dispute_lost: { amount: '5.00 EUR' },
  dispute_won: { amount: '5.00 EUR' },
  refund_unsent: { amount: '5.00 EUR' },
  skipped_payment: { address, amount: '1 USDC', assetId: 'polygon/usdc', isMore: true },
  webhook_failing: { host: 'shop.example', since: Date.UTC(2026, 10, 22, 17), failures: 3 },
  webhook_works: { host: 'shop.example' },
  webhook_disabled: { host: 'shop.example' },
  webhook_changed: { by: 'key:k1', events: ['order.paid'], url: 'https://a.example', formerUrl: null },
  event_given_up: { tries: 12 },
  login_attacked: { email: 'ann@shop.example', step: 'password', failures: 10, address: '203.0.113.7' },
  key_created: { by: 'user:u', mode: 'live', keyId: 'k2', scopes: ['orders:read'] },
  people_changed: {
    by: 'user:u',
    person: 'ann@shop.example',
    client: '203.0.113.7',
    email: 'ben@shop.example',
    before: 'staff',
    role: 'owner',
  },
  price_changed: { by: 'user:u', product: 'House blend', before: '24.00 EUR', after: '0.01 EUR' },
  invoice_issued: { by: 'user:u', number: '2026-000042', total: '25.00 EUR' },
  invoice_cancelled: { by: 'user:u', number: '2026-000042', total: '25.00 EUR' },
  shop_suspended: { by: 'user:u', person: 'op@host.example', client: null },
  shop_resumed: { by: 'user:u', person: 'op@host.example', client: null },
  fee_changed: { by: 'cli', before: '1', after: '2.5' },
  new_login: { by: 'user:u', person: 'ann@shop.example', client: null, browser: null },
  wallets_changed: { by: 'cli', changes: [{ network: 'evm', from: null, to: address }] },
  source_changed: { by: 'cli', network: 'btc', source: 'xpub', isUsed: true },
  payout_unusable: {
    address,
    problems: [{ chain: 'polygon', isCoinOnly: false, deployedOn: ['base', 'ethereum'], reason: '' }],
  },
  funds_waiting: { value: '512.30 EUR', from: '500.00 EUR' },
  payout_usable: { address, chains: ['polygon'] },
  pool_changed: { by: 'user:u', network: 'btc', count: 2, isAdded: true },
  pool_low: { network: 'btc', free: 1 },
  pool_refilled: { network: 'btc', free: 5, isLow: true },
  gap_limit_low: { network: 'btc', unpaid: 20, gapLimit: 40, isOver: true },
  gap_limit_good: { network: 'btc', unpaid: 20, gapLimit: 40 },
  upstream_down: { ...endpoint, reason: 'It times out', fault: 'silent' },
  upstream_works: endpoint,
  disk_low: { freeMegabytes: 12 },
  disk_good: {},
  backup_none: {},
  backup_missing: {},
  backup_made: {},
  backup_usable: {},
  backup_old: { at: Date.UTC(2026, 10, 1) },
  backup_failed: { reason: 'The disk is full.', fault: 'diskFull' },
  backup_unusable: { reason: 'It is empty.', fault: null },
  replica_behind: { lagMinutes: 70, reason: null },
  replica_good: {},
  log_works: {},
  files_good: {},
  log_lost: { lines: 12 },
  certificate_missing: { names: 'pay.shop.example', reason: null },
  certificate_expiring: { names: 'pay.shop.example', at: 1_900_000_000_000, reason: 'It is down.' },
  certificate_renewed: {},
  release_security: { version: '1.4.1' },
  release_installed: {},
  files_low: { used: 990, limit: 1024 },
  service_unknown: { kind: 'disk_low', reason: 'It does not answer.', fault: 'silent' },
}

const all = Object.entries(examples).map(([about, facts]) => ({ about, ...facts }) as NotificationFacts)

const writtenIn = (language: DashboardLanguage) =>
  all.map(facts => writeNotification(dashboardLocale(language, 'Europe/Berlin'), facts, 'person'))

test.each(dashboardLanguages)('every notification is a sentence in %s, without a command', language => {
  for (const { title, text } of writtenIn(language)) {
    expect(text).toMatch(/^\S.*[.]$/)
    expect(title).toMatch(/^\S.*[^.:]$/)
    expect(`${title} ${text}`).not.toMatch(/undefined|null|NaN|\[object|key:|user:/)
    expect(text).not.toMatch(/florin (unmatched|order|event|wallet)/)
  }
})

test.each(dashboardLanguages)('no notification in %s names an ID of Florin as a transaction', language => {
  // One endpoint's unproven payment is named before it could be joined with others.
  const named = all.flatMap(facts => ('txId' in facts && facts.about !== 'payment_unproven' ? [facts] : []))
  expect(named.length).toBeGreaterThan(5)
  for (const txId of [joinedId('a1', 7), unreportedId('a1')]) {
    const texts = named.map(
      facts => writeNotification(dashboardLocale(language, 'UTC'), { ...facts, txId }, 'person').text,
    )
    expect(texts.filter(text => text.includes('a1'))).toEqual([])
  }
})

test('the German text of each notification differs from the English one', () => {
  const german = writtenIn('de')
  const same = writtenIn('en').flatMap(({ text }, at) => (german[at]?.text === text ? [all[at]?.about] : []))
  expect(same).toEqual([])
})

test('at a shell, a notification is English, with the command', () => {
  const atShell = (about: About) =>
    writeNotification(dashboardLocale('en', 'UTC'), all.find(facts => facts.about === about)!, 'shell').text
  expect(atShell('payment_unmatched')).toContain('florin unmatched accept u1 --by NAME')
  expect(atShell('pool_low')).toBe(
    'Only 1 address is left in the address list of Bitcoin. Add more with florin wallet pool.',
  )
  expect(atShell('event_given_up')).toContain('florin event redeliver --failed')
  expect(atShell('webhook_failing')).toContain('since 2026-11-22 17:00 UTC (3 failures)')
})

test('amounts have the decimal separator of the reader, and that of the API at a shell', () => {
  const { payment_unmatched, settled_late, ...others } = examples
  const money = {
    ...others,
    payment_unmatched: { ...payment_unmatched, sum: '0.5 LTC' },
    settled_late: { ...settled_late, arrived: '9.5 USDC', due: '10.25 USDC' },
  }
  const written = (tag: DashboardLanguage, reader: 'person' | 'shell') =>
    Object.entries(money).map(([about, facts]) => {
      const { text } = writeNotification(
        dashboardLocale(tag, 'UTC'),
        { about, ...facts } as NotificationFacts,
        reader,
      )
      return text
    })
  const amount = (sign: string) => new RegExp(`\\d[${sign}]\\d+ (USD|EUR|USDC|LTC)\\b`)
  const having = (texts: string[], sign: string) => texts.filter(text => amount(sign).test(text)).length
  expect(having(written('de', 'person'), '.')).toBe(0)
  expect(having(written('de', 'person'), ',')).toBe(having(written('en', 'shell'), '.'))
  expect(having(written('en', 'shell'), '.')).toBeGreaterThan(10)
})
