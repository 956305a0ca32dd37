import { describe } from 'bun:test'
import {
  away,
  before,
  books,
  type Case,
  decided,
  demanded,
  expired,
  type Line,
  paid,
  priced,
  refund,
  refunded,
  settled,
  stored,
  sums,
  testCases,
  toldShort,
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

const read = (minutes: number, readAt: number) => {
  const json = statusJson()
  return statusSaid(minutes, { ...json, attempt: { ...json.attempt, chainReadAt: time(readAt) } })
}

const half = (minutes: number) => {
  const left = { amount: '12.50', currency: 'USD' }
  const json = statusJson({ credited: '12.50', settledCredit: '12.50', left })
  return statusSaid(minutes, { ...json, attempt: { ...json.attempt, state: 'underpaid' } })
}
const inOtherCoin = sent(6, 5_000_000n, { transfer: 7, asset: 'polygon/usdt' })
const halfPaid = [...before, ...sent(5, 12_500_000n), half(35)]
const seen = { credited: '12.50', left: { amount: '12.50', currency: 'USD' } }
/** The only payment was seen, and can never be mined, as the order's status shows. */
const vanished: Line[] = [
  ...[...before, sent(5, 12_500_000n, { seenAt: 0 })[0]!, statusSaid(6, statusJson(seen))],
  ...[at(7, { fact: 'gone', transfer: 1, why: 'double-spent' }), statusSaid(8, statusJson())],
]
/** A page that shows another payment, whose chain was just read, and counts the one that has left its chain. */
const gone = vanished.slice(0, -1)
const inOther = (minutes: number) =>
  statusSaid(minutes, statusJson({ ...seen, attempt: { assetId: 'btc', chainReadAt: time(minutes) } }))
const page = (minutes: number, html: string) => at(minutes, { says: 'page', order: ORDER, status: 200, html })

const lied = (lie: string) =>
  at(2, { fact: 'endpoint', chain: 'polygon', endpoint: 0, lie, amount: 0, times: null })
const crash = (minutes: number) => at(minutes, { fact: 'stop', how: 'crash' })
const whole = { credited: '25.00', left: { amount: '0.00', currency: 'USD' } }
const seenAtOnce = [statusSaid(2, statusJson(whole)), opened(2, {}, whole)]

const unheard = { ...opened(3), asset: 'base/usdt', shown: null } as unknown as Line
const checkedAt = (minutes: number) => `Checked at <time datetime="${time(minutes)}">`
const atProvider: Line[] = [
  ...[...beginning(), created()],
  { ...opened(2), asset: 'stripe', asked: { amount: '25.00', currency: 'USD' } } as Line,
  at(5, {
    ...{ fact: 'provider', order: ORDER, addressIn: '0xgateway', asset: null, what: 'paid' },
    ...{ value: '25.000000', coin: 'polygon_usdt', txIn: '0xa1', txOut: '0xb1', proof: null, status: null },
  }),
]
const kept = [
  ...before,
  ...sent(5, 25_000_000n, { logged: 30_000_000n }),
  delivered(10),
  said(11, paidJson()),
]
const waiting = [...beginning({ late: 'ask' }), created(), opened(), ...sent(150, 25_000_000n)]
const confirmed = { ...whole, settledCredit: '25.00', status: 'PAID', attempt: null }

const cases: Case[] = [
  [
    '3a',
    'a quote is not one unit too low',
    before,
    [...beginning(), created(), opened(2, { amount: '24.999999' })],
  ],
  [
    '3a',
    'a quote is not one unit too high',
    before,
    [...beginning(), created(), opened(2, { amount: '25.000001' })],
  ],
  [
    '3a',
    'a quote is by a price of its time',
    [...beginning(), priced(2_000_000n), created(), opened(2, { amount: '12.5' })],
    [...beginning(), priced(2_000_000n), created(), opened(8, { amount: '25' })],
  ],
  [
    '3c',
    'a quote holds for half an hour',
    before,
    [...beginning(), created(), opened(2, { lockedUntil: time(33) })],
  ],
  ['5a', 'half is not paid', settled, [...before, ...sent(5, 12_500_000n), said(11, paidJson())]],
  [
    '5a',
    'the tolerance is 0.5 percent',
    [...before, ...sent(5, 24_875_000n), ...toldShort],
    [...before, ...sent(5, 24_874_999n), said(11, paidJson())],
  ],
  [
    '5a',
    'one confirmation is missing',
    [...paid, delivered(5.97), said(11, paidJson())],
    [...paid, said(5.96, paidJson())],
  ],
  [
    '5a',
    'a failed transfer pays nothing',
    settled,
    [...before, ...sent(5, 25_000_000n, { kind: 'failed' }), said(11, paidJson())],
  ],
  ['5a', 'an event tells of no order that is not paid', settled, [...before, delivered(10)]],
  [
    '5a',
    'late money counts its value',
    [
      ...before,
      at(20, { fact: 'price', ticker: 'usdc', micros: 900_000n }),
      ...sent(150, 25_000_000n),
      expired(),
    ],
    [
      ...before,
      at(20, { fact: 'price', ticker: 'usdc', micros: 900_000n }),
      ...sent(150, 25_000_000n),
      said(160, paidJson()),
    ],
  ],
  [
    '5a',
    'late money waits for a shop that wants to be asked',
    [...beginning({ late: 'ask' }), created(), opened(), ...sent(150, 25_000_000n), expired()],
    [...beginning({ late: 'ask' }), created(), opened(), ...sent(150, 25_000_000n), said(160, paidJson())],
  ],
  ['5b', 'what is paid in time is paid, although the order expired', settled, [...paid, expired()]],
  [
    '5b',
    'the grace is an hour',
    [...before, ...sent(91, 25_000_000n), delivered(95), said(96, paidJson())],
    [...before, ...sent(91, 25_000_000n), expired()],
  ],
  [
    '5b',
    'two parts add up',
    [
      ...before,
      ...sent(5, 12_500_000n),
      ...sent(6, 12_500_000n, { transfer: 2 }),
      delivered(10),
      said(11, paidJson()),
    ],
    [...before, ...sent(5, 12_500_000n), ...sent(6, 12_500_000n, { transfer: 2 }), expired()],
  ],
  [
    '5b',
    'another coin of the chain counts its value',
    [...before, ...sent(5, 50n * 10n ** 18n, { asset: 'polygon/pol' }), delivered(10), said(11, paidJson())],
    [...before, ...sent(5, 50n * 10n ** 18n, { asset: 'polygon/pol' }), expired()],
  ],
  [
    '8a',
    'no more is refunded than was paid',
    [...settled, refund(20, '5.00'), refunded({ refundedAmount: '5.00' })],
    [...settled, refund(20, '25.01')],
  ],
  [
    '8b',
    'one key is one refund',
    [...settled, refund(20, '5.00'), refund(21, '5.00', { status: 200 })],
    [...settled, refund(20, '5.00'), refund(21, '5.00')],
  ],
  [
    '8d',
    'the sum of refunds is exact',
    [...settled, refund(20, '5.00'), refunded({ refundedAmount: '5.00' })],
    [...settled, refund(20, '5.00'), refunded({ refundedAmount: '4.99' })],
  ],
  [
    '15a',
    'paid and left are the order',
    [
      ...paid,
      statusSaid(6, statusJson({ credited: '25.00', left: { amount: '0.00', currency: 'USD' } })),
      ...settled.slice(-2),
    ],
    [...paid, statusSaid(6, statusJson({ credited: '25.00' }))],
  ],
  [
    '15a',
    'no more is paid than was sent',
    settled,
    [
      ...before,
      ...sent(5, 12_500_000n),
      statusSaid(6, statusJson({ credited: '12.51', left: { amount: '12.49', currency: 'USD' } })),
    ],
  ],
  [
    '15a',
    'a payment that has left its chain is shown until that chain is read, not the one of another payment',
    [...gone, inOther(8), statusSaid(300, statusJson())],
    [...gone, inOther(200), statusSaid(300, statusJson())],
  ],
  [
    '15a',
    'a payment is shown in the moment of its opening only if an endpoint invented it',
    [...beginning(), created(), lied('invent'), ...seenAtOnce],
    [...beginning(), created(), lied('omit'), ...seenAtOnce],
  ],
  [
    '3d',
    'an address is of one order',
    settled,
    [
      ...before,
      call(3, { answer: { data: orderJson({ orderUUID: ORDER.replace('55', '66') }) } }),
      { ...opened(4), order: ORDER.replace('55', '66') } as Line,
    ],
  ],
  ['3e', 'nothing is opened for a paid order', settled, [...settled, opened(40, { address: '0xother' })]],
  [
    '5c',
    'a demanded look finds what is final',
    [...before, ...sent(5, 12_500_000n), demanded, said(15, orderJson())],
    [...paid, demanded, said(15, orderJson())],
  ],
  [
    '5c',
    'a crash some time before a demanded look is no excuse, and one in the same minutes is',
    [...paid, crash(7), demanded, said(15, orderJson()), delivered(16), said(17, paidJson())],
    [...before, crash(1), ...sent(5, 25_000_000n), demanded, said(15, orderJson())],
  ],
  [
    '5d',
    'what arrived is said',
    settled,
    [...paid, delivered(10), said(11, paidJson({ receivedAmount: '24.9' }))],
  ],
  [
    '5e',
    'how it was settled is said',
    settled,
    [
      ...paid,
      delivered(10, eventJson(), { headers: { 'x-service-settlement': 'over' } }),
      said(11, paidJson()),
    ],
  ],
  [
    '12',
    'statistics are sums',
    [...settled, books([stored])],
    [...settled, books([stored], [{ ...sums, gross: '2499' }])],
  ],
  ['6a', 'no payment is lost', [...settled, books([stored])], [...settled, books([])]],
  [
    '6b',
    'no payment is recorded twice',
    [...settled, books([stored])],
    [...settled, books([stored, stored])],
  ],
  [
    '6b',
    'what a token keeps of a payment is recorded until the payment is final, and not afterwards',
    [...kept, books([{ ...stored, amount: '30000000', state: 'seen' }])],
    [...kept, books([{ ...stored, amount: '30000000' }])],
  ],
  [
    '6c',
    'no payment is idle',
    [...settled, books([stored])],
    [...settled, books([{ ...stored, settles: 0 }])],
  ],
  [
    '15d',
    'a coin can be chosen again',
    [
      ...before,
      opened(3, { address: '0xother', amount: '50', assetId: 'polygon/pol' }, { asset: 'polygon/pol' }),
      opened(4),
    ].slice(0, -2),
    [...before, { ...opened(3, { address: '0xaddress' }), asset: 'polygon/pol' } as Line],
  ],
  [
    '15g',
    'what is called paid is exact',
    [
      ...before,
      ...sent(5, 12_500_000n),
      statusSaid(50, statusJson({ credited: '12.50', left: { amount: '12.50', currency: 'USD' } })),
    ],
    [
      ...before,
      ...sent(5, 12_500_000n),
      statusSaid(50, statusJson({ credited: '12.49', left: { amount: '12.51', currency: 'USD' } })),
    ],
  ],

  [
    '3f',
    'a coin has one quote that holds',
    [...before, opened(40, { address: '0xother' })],
    [...before, opened(10, { address: '0xother' })],
  ],
  [
    '15h',
    'nothing is read while nobody can',
    [...before, away(5), read(20, 4)],
    [...before, away(5), read(20, 6)],
  ],
  [
    '15h',
    'a page may show a payment whose opening had no answer',
    [...before, unheard, away(5), page(20, checkedAt(20))],
    [...before, away(5), page(20, checkedAt(20))],
  ],
  [
    '15h',
    'the page of a provider tells when the provider was asked',
    [...before, away(5), page(20, `<div data-state="redirect">${checkedAt(20)}</div>`)],
    [...before, away(5), page(20, `<div data-state="waiting">${checkedAt(20)}</div>`)],
  ],
  [
    '15a',
    'a late payment that waits for the shop counts once the shop accepts it',
    [...waiting, decided('accept', 'owner'), statusSaid(160, statusJson(confirmed))],
    [...waiting, statusSaid(160, statusJson(confirmed))],
  ],
  [
    '15a',
    'a payment in another coin at a provider counts once the shop accepts it',
    [...atProvider, decided('accept', 'owner'), statusSaid(7, statusJson(confirmed))],
    [...atProvider, statusSaid(7, statusJson(confirmed))],
  ],
  [
    '15f',
    'the address is shown in the extra time',
    [...halfPaid, page(40, '<p>0xaddress</p>'), half(40)],
    [...halfPaid, page(40, '<p>Get a new price</p>'), half(40)],
  ],
  [
    '15f',
    'no address is shown while a payment in another coin waits for the shop',
    [...halfPaid, ...inOtherCoin, page(40, '<p>Don’t send anything more for now</p>'), half(40)],
    [...halfPaid, page(40, '<p>Don’t send anything more for now</p>'), half(40)],
  ],
  [
    '15e',
    'a page that shows another payment need not say that the first one vanished',
    [...vanished, page(9, '<title>Payment detected – $25.00</title><p>Received $90.00 of $25.00</p>')],
    [...vanished, page(9, '<title>Payment detected – $25.00</title>')],
  ],
  [
    '15e',
    'a page of an order that is over need not say that a payment vanished',
    [...vanished, page(9, '<title>✓ Paid – $25.00</title>')],
    [...vanished, page(9, '<title>Pay – $25.00</title>')],
  ],
]

describe('the model checks money', () => testCases(cases))
