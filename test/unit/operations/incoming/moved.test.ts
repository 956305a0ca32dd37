import { expect, test } from 'bun:test'
import type { IncomingPayment } from '../../../../src/domain/payment.ts'
import { forwardingOf, leftMempool, movedNews } from '../../../../src/operations/incoming/moved.ts'
import { attempt, payment } from '../../domain/given.ts'
import { emptyCase } from '../settlement/model.ts'
import { merged, reported } from './reports.ts'

type Place = 'mempool' | 'block' | 'nowhere'

const reportOf = (place: Place, amount: bigint) =>
  place === 'nowhere'
    ? []
    : [reported('tx', amount, place === 'block' ? { height: 7, final: true, confirmations: 1 } : {})]

/** The news after each report of a payment except the first. */
function newsOf(kind: 'seen' | 'settled' | 'waiting', amount: bigint, places: readonly Place[]): string[][] {
  let payments: IncomingPayment[] = []
  const notified = new Set<string>()
  return places
    .map(place => {
      const before = payments
      payments = merged(before, reportOf(place, amount)).map(one => ({ ...one, settles: kind === 'settled' }))
      const unmatched = kind === 'waiting' ? [{ incomingPaymentId: payments[0]!.id } as never] : []
      const left = leftMempool({ before, after: payments })
      const again = new Set(left.filter(txId => notified.has(txId)))
      const moved = { before, after: payments, notified: again }
      return movedNews(emptyCase({}, { unmatched }), attempt(), moved).map(change => {
        if (change.do === 'log') return `${change.level} ${change.event} ${change.txId}`
        if (change.do === 'mail buyer') return `mail ${change.kind} ${change.attempt.id}`
        if (change.facts.about === 'payment_vanished') notified.add(change.facts.txId)
        return change.facts.about
      })
    })
    .slice(1)
}

const vanished = ['payment_vanished', 'mail vanished attempt']
const [gone, back] = [
  ['error payment.reorganised tx', 'payment_gone'],
  ['warn payment.returned tx', 'payment_back'],
]
const [waitingGone, waitingBack] = [
  ['warn payment.reorganised tx', 'unmatched_gone'],
  ['warn payment.returned tx', 'unmatched_back'],
]

test.each<[what: string, ...Parameters<typeof newsOf>, news: string[][]]>([
  ['was seen stays', 'seen', 500n, ['mempool', 'mempool', 'block'], [[], []]],
  ['was only seen goes, once', 'seen', 500n, ['mempool', 'nowhere', 'nowhere'], [vanished, []]],
  ['is too small for a mail goes', 'seen', 9n, ['mempool', 'nowhere'], [['payment_vanished']]],
  [
    'comes back to the mempool goes again',
    'seen',
    500n,
    ['mempool', 'nowhere', 'mempool', 'nowhere', 'block', 'nowhere'],
    [vanished, [], [], [], vanished],
  ],
  ['settled its order moves', 'settled', 500n, ['block', 'nowhere', 'nowhere', 'block'], [gone, [], back]],
  [
    'settled its order leaves its block, and then the mempool',
    'settled',
    500n,
    ['block', 'mempool', 'nowhere', 'mempool', 'nowhere', 'block'],
    [gone, [], [], [], back],
  ],
  [
    'waits for the merchant moves',
    'waiting',
    500n,
    ['block', 'nowhere', 'mempool', 'nowhere', 'block'],
    [waitingGone, [], [], waitingBack],
  ],
])('a payment that %s is reported to those who have to know', (_what, kind, amount, places, news) => {
  expect(newsOf(kind, amount, places)).toEqual(news)
})

test.each([
  ['that spends the same', ['input of tx', 'more'], false, 0],
  ['that spends something else', ['more'], false, 2],
  ['that spent the same and is gone too', ['input of tx'], true, 2],
])(
  'a payment that is gone, beside another one %s, causes the right notifications',
  (_what, inputs, isGone, news) => {
    const before = merged([], reportOf('mempool', 500n))
    const other = merged([], [reported('other', 500n, { inputs })])
    const after = [...merged(before, []), ...(isGone ? merged(other, []) : other)]
    const moved = { before, after, notified: new Set<string>() }
    expect(movedNews(emptyCase({}), attempt(), moved)).toHaveLength(news)
  },
)

test.each<[text: string, before: Partial<IncomingPayment>, after: Partial<IncomingPayment>, left: boolean]>([
  ['was in the mempool and is gone', {}, { state: 'gone' }, true],
  ['was in the mempool and is in a block', {}, { state: 'final', height: 7 }, false],
  ['was in a block and is gone', { height: 7 }, { state: 'gone' }, false],
  ['was final and is gone', { state: 'final' }, { state: 'gone' }, false],
  ['was gone', { state: 'gone' }, { state: 'gone' }, false],
])('a payment that %s has left the mempool: %p', (_, before, after, left) => {
  const one = payment('seen', 1n, { height: null, txId: 'tx', ...before })
  expect(leftMempool({ before: [one], after: [{ ...one, ...after }] })).toEqual(left ? ['tx'] : [])
})

test('a payment that leaves its block is reported, even if people know that it left the mempool before', () => {
  const one = payment('seen', 1n, { height: 7, txId: 'tx' })
  const moved = { before: [one], after: [{ ...one, state: 'gone' as const }], notified: new Set(['tx']) }
  expect(movedNews(emptyCase({}), attempt(), moved)).toHaveLength(1)
})

test('a paid order gets the first transaction that forwarded a payment of its settlement', () => {
  const paid = { transactionId: 'transaction', providerTxOut: null }
  const outflows = [{ txId: 'sweep', assetId: 'polygon/usdc', height: 9 }]
  const swept = payment('final', 1n, { settles: true, txOut: 'sweep' })
  const forwarding = (order: Parameters<typeof forwardingOf>[0], change: Partial<IncomingPayment> = {}) =>
    forwardingOf(order, [{ ...swept, ...change }], { outflows }).map(({ txOut }) => txOut)
  expect(forwarding(paid)).toEqual(['sweep'])
  expect(forwarding({ ...paid, transactionId: null })).toEqual([])
  expect(forwarding({ ...paid, providerTxOut: 'earlier' })).toEqual([])
  expect(forwarding(paid, { settles: false })).toEqual([])
  expect(forwarding(paid, { txOut: 'earlier' })).toEqual([])
})
