import { expect, test } from 'bun:test'
import type { IncomingPayment } from '../../../../src/domain/payment.ts'
import { type Merged, movedChanges } from '../../../../src/operations/settlement/merge.ts'
import { attempt, payment } from '../../domain/given.ts'
import { emptyCase } from './model.ts'

const paid = (change: Partial<IncomingPayment> = {}) =>
  payment('seen', 500n, { id: 'a', txId: 'tx', inputs: ['one', 'two'], ...change })

/** What follows from the move of a payment, shortly. `others` are further payments of its attempt. */
function follows(
  before: IncomingPayment,
  more: Partial<Merged['moved'][0]> & { others?: IncomingPayment[] },
) {
  const { isBack = false, others = [] } = more
  const after = { ...before, state: isBack ? ('seen' as const) : ('gone' as const) }
  const unmatched = before.id === 'recorded' ? [{ incomingPaymentId: 'recorded' } as never] : []
  const attempts = [
    { attempt: attempt({ id: 'other', dueAtomic: 1n }), payments: [] },
    { attempt: attempt(), payments: [before] },
  ]
  const merged: Merged = { payments: [...others, after], changes: [], moved: [{ payment: before, isBack }] }
  return movedChanges(emptyCase({}, { attempts, unmatched }), merged).map(change => {
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
