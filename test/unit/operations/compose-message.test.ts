import { expect, test } from 'bun:test'
import type { Notification } from '../../../src/domain/notification.ts'
import { composeMessage } from '../../../src/operations/notifications/steps/compose.ts'

const notification = (change: Partial<Notification>): Notification => ({
  ...{ id: 'n', merchantId: 'm', kind: 'pool_low', orderId: null, text: 'Something happened.', createdAt: 1 },
  ...change,
})

const textOf = (...changes: Partial<Notification>[]): string =>
  composeMessage('Shop', 'https://pay.example', changes.map(notification), 'id').text

test('a message names the page where people act before the command', () => {
  const unmatched = { kind: 'unmatched_payment', orderId: 'order-1' } as const
  const text = textOf(unmatched)
  expect(text).toContain('https://pay.example/dashboard/orders/order-1\n')
  expect(text.indexOf('/dashboard/orders/order-1')).toBeLessThan(text.indexOf('florin order show'))
  expect(textOf(unmatched, { ...unmatched, orderId: 'order-2' })).toContain('/dashboard/unmatched\n')
  const refunds = [{ orderId: 'a' }, { orderId: 'b' }].map(one => ({ ...one, text: `About ${one.orderId}.` }))
  expect(textOf(...refunds)).toContain('/dashboard/orders\n')
  expect(textOf({})).toContain('https://pay.example/dashboard\n')
  expect(textOf({})).not.toContain('florin order show')
})
