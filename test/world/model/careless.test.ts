import { describe } from 'bun:test'
import {
  before,
  type Case,
  expired,
  failed,
  type Line,
  list,
  refund,
  refunded,
  settled,
  testCases,
} from './fixtures.ts'
import {
  at,
  beginning,
  call,
  created,
  delivered,
  eventJson,
  ORDER,
  opened,
  orderJson,
  paidJson,
  said,
  sent,
  statusJson,
  statusSaid,
  time,
} from './story.ts'

/** Runs about the faults of `faults/careless.ts`. */

const OTHER = '01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c56'
const PRODUCT = '01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c57'
const usd = (amount: string) => ({ amount, currency: 'USD' })

const part = { credited: '10.00', settledCredit: '10.00', left: usd('15.00') }
const inPolOf = (amount: string) => ({ assetId: 'polygon/pol', address: '0xother', amount })
const inPol = (amount: string): Line => opened(7, inPolOf(amount), part)
const partPaid = [...before, ...sent(3, 10_000_001n), statusSaid(6, statusJson(part))]

const covered = { credited: '25.00', left: { amount: '0.00', currency: 'USD' } }
const unconfirmed = [...before, ...sent(3, 25_000_000n).slice(0, 1), statusSaid(6, statusJson(covered))]

const chosenAt = (minutes: number, isLocked: boolean): Line =>
  opened(minutes, { isLocked, lockedUntil: time(32) })

const clock = (minutes: number, ahead: number): Line =>
  at(minutes, { fact: 'clock', aheadMs: ahead * 60_000 })
const setBack = [...beginning(), clock(0.2, 90), clock(0.3, 0), created()]

const lie = (minutes: number, name: string, times: number | null): Line =>
  at(minutes, { fact: 'endpoint', chain: 'polygon', endpoint: 0, lie: name, amount: 30, times })
const early = { paidAt: time(5.5), updatedAt: time(5.5) }
const misledUntil = (end: string): Line[] => [
  lie(4, 'ahead', 8),
  lie(4.2, 'fail', null),
  lie(4.4, end, null),
  ...sent(5, 25_000_000n),
  delivered(5.5, eventJson({ paidAt: early.paidAt, createdAt: early.paidAt })),
  said(5.6, paidJson(early)),
]
const misled = misledUntil('answers')
const withQuorum = (lines: Line[]): Line[] =>
  lines.map(line =>
    'fact' in line && line.fact === 'server' ? { ...line, quorumAbove: usd('10.00') } : line,
  )

/** The order is paid in the chain's coin, which not all of its two endpoints can list. */
const inCoin = (withoutCoin: number[]): Line[] =>
  withQuorum([
    ...[...beginning(), created(), { ...opened(2, inPolOf('50')), asset: 'polygon/pol' } as Line],
    ...sent(5, 50n * 10n ** 18n, { asset: 'polygon/pol', to: '0xother' }),
  ]).map(line =>
    'fact' in line && line.fact === 'server'
      ? { ...line, chains: line.chains.map(chain => ({ ...chain, endpoints: 2, withoutCoin })) }
      : line,
  )

/** A payment is replaced for the last time when it is late, and its price has fallen. */
function replaced(first: bigint, ...amounts: bigint[]): Line[] {
  const listed = (minutes: number, amount: bigint, transfer: number) => {
    const replaces = transfer === 1 ? null : transfer - 1
    return sent(minutes, amount, { transfer, replaces, seenAt: Date.parse(time(minutes)) })
  }
  const later = amounts.flatMap((amount, at) => [
    gone(100 + at, at + 1),
    ...listed(100 + at, amount, at + 2).slice(0, at === amounts.length - 1 ? 2 : 1),
  ])
  const cheaper = at(60, { fact: 'price', ticker: 'usdc', micros: 500_000n })
  const left = { amount: '12.50', currency: 'USD' }
  const attempt = { ...statusJson().attempt, chainReadAt: time(119) }
  const credited = statusSaid(120, statusJson({ credited: '12.50', left, attempt }))
  return [...before, listed(5, first, 1)[0]!, cheaper, ...later, credited]
}

const cheaperLate = [
  at(60, { fact: 'price', ticker: 'usdc', micros: 900_000n }),
  ...sent(250, 25_000_000n),
  statusSaid(260, statusJson({ credited: '25.00', left: { amount: '0.00', currency: 'USD' } })),
]

const unread = [
  ...before,
  lie(10, 'fail', null),
  at(100, { fact: 'price', ticker: 'usdc', micros: 980_000n }),
  ...sent(130, 25_000_000n),
  lie(150, 'honest', null),
]
const gone = (minutes: number, transfer: number) => at(minutes, { fact: 'gone', transfer, why: 'replaced' })
const stop = (minutes: number) => at(minutes, { fact: 'stop', how: 'crash' })
const paidAt = (minutes: number) => {
  const paid = { paidAt: time(minutes), updatedAt: time(minutes) }
  const event = eventJson({ paidAt: time(minutes), createdAt: time(minutes) })
  return [delivered(minutes, event), said(minutes + 1, paidJson(paid))]
}

/** The page shows a payment before the request that opened it is recorded. */
const shownAndOpened = (minutes: number, asset: object, ...before: object[]): Line[] => {
  const attempts = [...before, asset]
  return [statusSaid(minutes, statusJson({ attempts })), opened(minutes, asset, { attempts })]
}
const whole = { credited: '25.00', settledCredit: '25.00', left: usd('0.00') }
const usdc = { assetId: 'polygon/usdc' }
const first = [...beginning(), created(), ...shownAndOpened(2, usdc)]
const second = shownAndOpened(5, { assetId: 'polygon/pol', address: '0xother', amount: '50' }, usdc)
const paidInGrace = [
  at(20, { fact: 'price', ticker: 'usdc', micros: 600_000n }),
  ...sent(41, 25_000_000n),
  ...paidAt(44),
  statusSaid(46, statusJson({ status: 'PAID', ...whole })),
]

const emptyList = (minutes: number): Line =>
  at(minutes, { says: 'list', shop: 0, path: '/v1/orders', items: [] })
const lostAt = (minutes: number): Line =>
  call(minutes, { method: 'GET', path: `/v1/orders/${ORDER}`, status: 404 })

const keyed = created({ idempotencyKey: 'k-1' })
const again = refund(22, '10.00', { status: 200 })
const ofOther = refund(22, '10.00', { status: 200, path: `/v1/orders/${OTHER}/refunds` })
const refundedOnce = [...settled, refund(20, '10.00'), refunded({ refundedAmount: '10.00' })]

const template = { ...usd('25.00'), paymentMethodsKeys: ['crypto'] }
const product = call(0.5, {
  ...{ path: '/v1/products', body: { orderTemplate: template }, status: 201 },
  answer: { data: { productUUID: PRODUCT, orderTemplate: template, allowPriceOverride: false } },
})
const sale = (amount: string): Line => {
  const body = { productUUID: PRODUCT, ...usd(amount), customer: { email: 'buyer@example.com' } }
  const fees = { amount, platformFeeAmount: '0.63', netAmount: '24.37' }
  const less = { amount, platformFeeAmount: '0.03', netAmount: '0.97' }
  return created({ body }, { productUUID: PRODUCT, ...(amount === '25.00' ? fees : less) })
}

/** The page shows a payment that was mined hours after its lock, at a lower price. */
const minedLate = [
  ...[...unconfirmed, at(430, { fact: 'price', ticker: 'usdc', micros: 400_000n })],
  at(445, { fact: 'mined', transfer: 1, block: { height: 1, time: Date.parse(time(445)) } }),
]

/** The buyer opens a second payment, by a clock that deviates, and pays it in its grace. The shop decides about late money. */
const secondly = (ahead: number): Line[] => [
  ...[...beginning({ late: 'ask' }), created(), opened(), clock(3, ahead)],
  ...[
    opened(4, { address: '0xsecond', lockedUntil: time(34 + ahead) }),
    clock(5, 0),
    ...sent(60, 25_000_000n, { to: '0xsecond' }),
  ],
]

const cases: Case[] = [
  ['3a', 'what is left is rounded up', [...partPaid, inPol('30')], [...partPaid, inPol('29.98')]],
  [
    '3a',
    'a payment that is in no block may have stopped counting, and nothing more is asked for than the price',
    [...unconfirmed, opened(450, inPolOf('50'), covered)],
    [...unconfirmed, opened(450, inPolOf('50.01'), covered)],
  ],
  [
    '5b',
    'a payment that was opened by a slow clock may be taken for the older one, which has no grace',
    [...secondly(-20), expired()],
    [...secondly(0), expired()],
  ],
  [
    '3a',
    'a payment that is mined after it stopped counting may be found after a quote, but not be forgotten',
    [...minedLate, opened(450, inPolOf('50'), part), statusSaid(460, statusJson(part))],
    [...minedLate, statusSaid(449, statusJson(part)), opened(450, inPolOf('50'), part)],
  ],
  [
    '3a',
    'a quote is right some time after the clock was set back',
    [...setBack, opened(12)],
    [...setBack, opened(12, { amount: '24.999999' })],
  ],
  [
    '5b',
    'a payment keeps its quote while nobody can read its chain',
    [...unread, ...paidAt(152)],
    [...unread, expired()],
  ],
  [
    '5b',
    'a server that starts before it could read the chain again may not know how long nobody could',
    [...unread, stop(151), expired()],
    [...unread, stop(220), expired()],
  ],
  [
    '5a',
    'two endpoints have to call a payment final',
    [...before, ...misled],
    withQuorum([...before, ...misled]),
  ],
  [
    '5b',
    'a payment that a second endpoint has to confirm is never final if only one can list it',
    [...inCoin([1]), expired()],
    [...inCoin([]), expired()],
  ],
  [
    '15a',
    'a payment may keep its quote while blocks look old, because the clock is ahead',
    [...before, clock(10, 90), ...cheaperLate],
    [...before, ...cheaperLate],
  ],
  [
    '15a',
    'a payment may have the time of one that it replaces, even if nobody saw the one between them',
    replaced(12_500_000n, 5_000_000n, 12_500_000n),
    replaced(5_000_000n, 12_500_000n),
  ],
  [
    '1f',
    'an unpaid order of the public form is deleted after 30 days, and not before',
    [...beginning(), created({}, { source: 'web' }), lostAt(33 * 24 * 60)],
    [...beginning(), created({}, { source: 'web' }), lostAt(29 * 24 * 60)],
  ],
  [
    '11b',
    'a list lacks an unpaid order of the public form after 30 days, and not before',
    [...beginning(), created({}, { source: 'web' }), emptyList(33 * 24 * 60)],
    [...beginning(), created({}, { source: 'web' }), emptyList(29 * 24 * 60)],
  ],
  [
    '1f',
    'an order of the API is never deleted',
    [...beginning(), created({}, { source: 'web' }), lostAt(33 * 24 * 60)],
    [...beginning(), created(), lostAt(33 * 24 * 60)],
  ],
  [
    '5a',
    'an endpoint that answers again may still report false heights, and an honest one does not',
    [...before, ...misled],
    [...before, ...misledUntil('honest')],
  ],
  [
    '5a',
    'the extra time of a quote ends when another coin is opened',
    [...first, ...paidInGrace],
    [...first, ...second, ...paidInGrace],
  ],
  [
    '8b',
    'a key is of one order',
    [...refundedOnce, again],
    [...refundedOnce, list('/v1/orders', [paidJson({ orderUUID: OTHER })]), ofOther],
  ],
  [
    '9a',
    'a key makes one order, also if the machine crashed',
    [...beginning(), keyed, list('/v1/orders', [orderJson()])],
    [...beginning(), keyed, list('/v1/orders', [orderJson(), orderJson({ orderUUID: OTHER })])],
  ],
  [
    '10f',
    'an event is tried again in time',
    [...failed, delivered(11), said(12, paidJson())],
    [...failed, delivered(550), said(551, paidJson())],
  ],
  [
    '15d',
    'a coin that is chosen can be paid',
    [...before, chosenAt(10, true)],
    [...before, chosenAt(40, false)],
  ],
  [
    '16d',
    'an order names no price that its product forbids',
    [...beginning(), product, sale('25.00')],
    [...beginning(), product, sale('1.00')],
  ],
]

describe('the model finds what a careless change breaks', () => testCases(cases))
