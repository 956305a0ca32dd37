import { expect, test } from 'bun:test'
import type { DeliveryTry } from '../../../src/domain/webhook.ts'
import { isUnsent } from '../../../src/operations/webhooks/read-events.ts'
import { eventsOf } from '../../../src/operations/webhooks/steps/settings.ts'

const tried: DeliveryTry = { at: 2, httpStatus: 500, outcome: 'refused', durationMs: 1 }
const waiting = { status: 'pending' as const, nextAttemptAt: null, tries: [], createdAt: 5 }

test.each([
  ['without a webhook', true, waiting, null],
  ['from before the webhook', true, waiting, { sendsFrom: 6 }],
  ['from after the webhook', false, waiting, { sendsFrom: 5 }],
  ['for a webhook that sends all events', false, waiting, { sendsFrom: null }],
  ['that is tried soon', false, { ...waiting, nextAttemptAt: 7 }, null],
  ['that was tried', false, { ...waiting, tries: [tried] }, null],
  ['that was delivered', false, { ...waiting, status: 'delivered' as const }, null],
])('an event %s waits until a person sends it: %p', (_, expected, delivery, webhook) => {
  expect(isUnsent(delivery, webhook)).toBe(expected)
})

test('a webhook gets events of its own format, in the usual order, and at least one', () => {
  expect(eventsOf('florin', ['payment.paid', 'order.paid'])).toEqual(['order.paid', 'payment.paid'])
  expect(eventsOf('greenfield', ['InvoiceSettled'])).toEqual(['InvoiceSettled'])
  for (const names of [[], ['order.paid', 'InvoiceSettled'], ['nonsense']])
    expect(() => eventsOf('florin', names)).toThrow('must be a list of order.paid')
})
