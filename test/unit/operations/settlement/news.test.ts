import { expect, test } from 'bun:test'
import type { IncomingPayment } from '../../../../src/domain/payment.ts'
import { movedNews } from '../../../../src/operations/settlement/news.ts'
import { attempt, payment } from '../../domain/given.ts'
import { emptyCase } from './model.ts'

const paid = (change: Partial<IncomingPayment> = {}) =>
  payment('seen', 500n, { id: 'a', txId: 'tx', inputs: ['one', 'two'], ...change })

/** The news of a payment that has left its chain, or is back. `others` are further payments of its attempt. */
function follows(seen: IncomingPayment, more: { isBack?: boolean; others?: IncomingPayment[] }) {
  const { isBack = false, others = [] } = more
  const gone = { ...seen, state: 'gone' as const }
  const mined = { ...seen, height: 7 }
  const unmatched = seen.id === 'recorded' ? [{ incomingPaymentId: 'recorded' } as never] : []
  const [before, after] = isBack ? [gone, mined] : [mined, gone]
  const news = movedNews(emptyCase({}, { unmatched }), attempt(), {
    before: [before],
    after: [...others, after],
  })
  return news.map(change => {
    if (change.do === 'log') return `${change.level} ${change.event} ${change.txId}`
    if (change.do === 'notify') return `notify ${change.facts.about}`
    return change.do === 'mail buyer' ? `mail ${change.kind} ${change.attempt.id}` : change.do
  })
}

const settled = { settles: true }
const recorded = { id: 'recorded' }

test.each([
  ['settled its order is gone', settled, false, ['error payment.reorganised tx', 'notify payment_gone']],
  ['settled its order is back', settled, true, ['warn payment.returned tx', 'notify payment_back']],
  ['waits is gone', recorded, false, ['warn payment.reorganised tx', 'notify unmatched_gone']],
  ['waits is back', recorded, true, ['warn payment.returned tx', 'notify unmatched_back']],
  ['was only seen is gone', {}, false, ['notify payment_vanished', 'mail vanished attempt']],
  ['was only seen is back', {}, true, []],
  ['is too small for a mail is gone', { amountAtomic: 9n }, false, ['notify payment_vanished']],
])('where a payment that %s, those who have to know are notified', (_what, change, isBack, expected) => {
  expect(follows(paid(change), { isBack })).toEqual(expected)
})

test('a payment that another one replaced has not vanished', () => {
  const by = (inputs: string[], state: IncomingPayment['state'] = 'seen') =>
    follows(paid(), { others: [payment(state, 500n, { inputs })] }).length
  expect(by(['two', 'three'])).toBe(0)
  expect(by(['three'])).toBe(2)
  expect(by(['two'], 'gone')).toBe(2)
})
