import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  away,
  before,
  books,
  type Case,
  cancelled,
  decided,
  endEvent,
  ended,
  endedSums,
  expired,
  expiredEvent,
  failed,
  list,
  lying,
  mood,
  paid,
  settled,
  talkative,
  testCases,
  toldEnd,
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
  problemsOf,
  said,
  sent,
  shop,
  time,
} from './story.ts'

const cases: Case[] = [
  [
    '1a',
    'an amount has the places of its currency',
    settled,
    [...before, said(3, orderJson({ amount: '25' }))],
  ],
  [
    '1b',
    'what was asked for never changes',
    settled,
    [...before, said(3, orderJson({ externalId: 'other' }))],
  ],
  [
    '1c',
    'a fee of 0.625 is 0.63',
    settled,
    [...beginning(), created({}, { platformFeeAmount: '0.62', netAmount: '24.38' })],
  ],
  ['1d', 'a new order is what was asked for', settled, [...beginning(), created({}, { currency: 'EUR' })]],
  ['2a', 'a paid order stays paid', settled, [...settled, said(20, orderJson({ updatedAt: time(20) }))]],
  [
    '2b',
    'a paid order keeps its transaction',
    settled,
    [...settled, said(12, paidJson({ paidTransactionUUID: 't-2' }))],
  ],
  [
    '2c',
    'only who may cancels',
    [...beginning(), created()],
    [...before, said(3, orderJson({ status: 'CANCELLED' }))],
  ],
  [
    '2d',
    'no order expires early',
    [...before, expired()],
    [...before, said(60, orderJson({ status: 'EXPIRED' }))],
  ],
  ['2d', 'an order expires at its end', [...before, expired()], [...before, said(30 * 60, orderJson())]],
  [
    '7a',
    'a viewer decides nothing',
    [...before, decided('end', 'staff')],
    [...before, decided('end', 'viewer')],
  ],
  [
    '7a',
    'staff force nothing',
    [...before, decided('cancel', 'staff', { status: 409 })],
    [...before, decided('force', 'staff')],
  ],
  [
    '7b',
    'what was carried out shows',
    [...before, decided('end', 'owner'), said(7, orderJson({ status: 'EXPIRED' }))],
    [...before, decided('end', 'owner'), said(7, orderJson())],
  ],
  [
    '9a',
    'a key makes one order',
    [...beginning(), created({ idempotencyKey: 'k' }), created({ idempotencyKey: 'k', status: 200 })],
    [...beginning(), created({ idempotencyKey: 'k' }), created({ idempotencyKey: 'k' })],
  ],
  [
    '9b',
    'a key is of one body',
    [...beginning(), created({ idempotencyKey: 'k' }), created({ idempotencyKey: 'k', status: 200 })],
    [
      ...beginning(),
      created({ idempotencyKey: 'k' }),
      created({ idempotencyKey: 'k', status: 200, body: { amount: '1' } }),
    ],
  ],
  [
    '10a',
    'events are signed',
    settled,
    [...paid, delivered(10, eventJson(), { headers: { 'x-service-signature': 'x' } })],
  ],
  [
    '10b',
    'the body is the specified one',
    settled,
    [...paid, delivered(10, eventJson({ address: '0xaddress' }))],
  ],
  [
    '10c',
    'an order has one event',
    [...settled, delivered(15, eventJson(), { answered: 500 })].slice(0, -1),
    [...settled, delivered(15, eventJson({ id: 'e-2' }))],
  ],
  ['10c', 'an event is not repeated after its answer', settled, [...settled, delivered(45)]],
  [
    '10c',
    'an event is not repeated at once',
    [
      ...paid,
      mood(8, 'fails'),
      delivered(10, eventJson(), { answered: 500 }),
      delivered(10.5),
      said(11, paidJson()),
    ],
    [
      ...paid,
      mood(8, 'fails'),
      delivered(10, eventJson(), { answered: 500 }),
      delivered(10.2),
      said(11, paidJson()),
    ],
  ],
  ['10d', 'every paid order is told', settled, [...paid, said(11, paidJson())]],
  [
    '11a',
    'a list has no doubles',
    [...settled, list('/v1/orders', [paidJson()])],
    [...settled, list('/v1/orders', [paidJson(), paidJson()])],
  ],
  [
    '11b',
    'a list is complete',
    [...settled, list('/v1/orders', [paidJson()])],
    [...settled, list('/v1/orders', [])],
  ],
  [
    '11c',
    'each paid order has its transaction',
    [...settled, list('/v1/transactions', [{ ...paidJson(), transactionId: 't-1' }])],
    [...settled, list('/v1/transactions', [])],
  ],
  [
    '11d',
    'each paid order has its event',
    [...settled, list('/v1/events', [eventJson()])],
    [...settled, list('/v1/events', [])],
  ],
  ['14a', 'no shop reads of another', settled, [...settled, list('/v1/orders', [paidJson()], 1)]],
  [
    '14a',
    'a wrong key is refused',
    [...settled, call(20, { by: { shop: null, key: 'invented' }, method: 'GET', status: 401 })],
    [...settled, call(20, { by: { shop: null, key: 'invented' }, method: 'GET', status: 404 })],
  ],
  [
    '1e',
    'a customer of a shop is one',
    settled,
    [
      ...before,
      call(3, { answer: { data: orderJson({ orderUUID: ORDER.replace('55', '66'), customerId: 'd' }) } }),
    ],
  ],
  [
    '1f',
    'an order is never lost',
    settled,
    [...settled, call(20, { method: 'GET', path: `/v1/orders/${ORDER}`, status: 404 })],
  ],
  [
    '2e',
    'the checkout of a paid order is over',
    settled,
    [...settled, said(12, paidJson({ provisioningStatus: 'READY' }))],
  ],
  [
    '7b',
    'an order that is being paid is not cancelled',
    [...before, cancelled(409)],
    [...before, cancelled(200)],
  ],
  [
    '10f',
    'a failed event is tried again',
    [...failed, delivered(10.5, eventJson(), { answered: 500 }), delivered(12.6), said(13, paidJson())],
    failed,
  ],
  [
    '13',
    'a decision has its row',
    [...ended, books([], endedSums, [{ actor: 'user:u', action: 'order.ended', subject: `order:${ORDER}` }])],
    [...ended, books([], endedSums, [{ actor: 'user:v', action: 'order.ended', subject: `order:${ORDER}` }])],
  ],
  [
    '2f',
    'what is being paid is not cancelled',
    [...beginning(), created(), cancelled(200), said(7, orderJson({ status: 'CANCELLED' }))],
    [...beginning(), created(), cancelled(200), opened(8), said(9, orderJson({ status: 'CANCELLED' }))],
  ],
  ['10g', 'the end of an order is told', toldEnd(endEvent('e-4')), toldEnd()],
  [
    '10g',
    'the end of an order is told once',
    toldEnd(endEvent('e-4')),
    toldEnd(endEvent('e-4'), endEvent('e-5')),
  ],
  [
    '10h',
    'an endpoint that works for a day has heard of everything',
    [...failed, mood(20, 'ok'), delivered(30), said(31, paidJson()), mood(40, 'ok'), said(1700, paidJson())],
    [...failed, mood(20, 'ok'), said(31, paidJson()), said(1700, paidJson())],
  ],
  [
    '10i',
    'no payment is called expired too soon',
    [...talkative, expiredEvent(92)],
    [...talkative, expiredEvent(91)],
  ],
  [
    '10i',
    'no payment that came is called expired',
    [...talkative, expiredEvent(92)],
    [...talkative, ...sent(5, 12_500_000n), expiredEvent(92)],
  ],
  [
    '10i',
    'a payment that an endpoint leaves out may be called expired, but not one that nobody could read',
    [...talkative, lying(3, 'omit'), ...sent(5, 12_500_000n), expiredEvent(92)],
    [...talkative, away(3), ...sent(5, 12_500_000n), expiredEvent(92)],
  ],
  [
    '10i',
    'a payment that an endpoint left out only before it came is not called expired',
    [...talkative, lying(3, 'omit', 9), ...sent(5, 12_500_000n), lying(6, 'honest'), expiredEvent(92)],
    [...talkative, lying(3, 'omit', 9), lying(4, 'honest'), ...sent(5, 12_500_000n), expiredEvent(92)],
  ],
  [
    '10i',
    'a payment may be called expired if a far height was reported while it was opened, but not if later',
    [talkative[0]!, lying(0, 'farTip'), ...talkative.slice(1), ...sent(5, 12_500_000n), expiredEvent(92)],
    [...talkative, lying(3, 'farTip'), ...sent(5, 12_500_000n), expiredEvent(92)],
  ],
  [
    '10i',
    'a payment that is listed late may be called expired before it is listed',
    [...talkative, ...sent(5, 12_500_000n, { hiddenUntil: Date.parse(time(125)) }), expiredEvent(92)],
    [...talkative, ...sent(5, 12_500_000n, { hiddenUntil: Date.parse(time(60)) }), expiredEvent(92)],
  ],
]

describe('the model', () => {
  testCases(cases)

  test('a webhook that works again gets the events that waited for it', () => {
    const failed = [...settled.slice(0, -2), mood(8, 'fails'), delivered(10, eventJson(), { answered: 500 })]
    const other = delivered(30, eventJson({ id: 'e-9', type: 'payment.created' }))
    const works = [...failed, mood(29, 'ok'), other]
    const asked = [...works.slice(0, 1), at(0, shop(0, { webhook: null })), ...works]
    expect(
      problemsOf([...asked, delivered(31), said(32, paidJson())]).filter(one => one.startsWith('10d')),
    ).toEqual([])
    expect(problemsOf([...asked, said(32, paidJson())]).filter(one => one.startsWith('10d'))).not.toEqual([])
  })

  test('an event that may have failed before the shop moved its webhook follows later', () => {
    const webhook = { previous: null, url: 'https://shop-0.example/moved', secret: 'secret', eventTypes: [] }
    const failed = delivered(14, eventJson(), { answered: 500 })
    const works = [mood(29, 'ok'), delivered(30, eventJson({ id: 'e-9', type: 'payment.created' }))]
    const movedAt = (minutes: number) => [
      ...settled.slice(0, 1),
      at(0, shop(0, { webhook: null })),
      ...settled.slice(0, -2),
      ...[mood(8, 'refuses'), at(minutes, shop(0, { webhook })), mood(13, 'fails'), failed, ...works],
      said(50, paidJson()),
    ]
    expect(problemsOf(movedAt(12)).filter(one => one.startsWith('10d'))).toEqual([])
    expect(problemsOf(movedAt(9)).filter(one => one.startsWith('10d'))).not.toEqual([])
  })

  test('shares no code with the server', () => {
    for (const file of new Bun.Glob('*.ts').scanSync(import.meta.dir)) {
      const imports = readFileSync(join(import.meta.dir, file), 'utf8').matchAll(
        /^(?:import|export|[}]) .*from '(.+)'$/gm,
      )
      for (const [, from = ''] of imports)
        expect(from).toMatch(/^(?:\.\/[a-z-]+\.ts|\.\.\/facts\.ts|node:[a-z]+|bun:test)$/)
    }
  })
})
