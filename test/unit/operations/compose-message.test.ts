import { expect, test } from 'bun:test'
import type { Notification } from '../../../src/domain/notification.ts'
import { kindOf, type NotificationFacts } from '../../../src/domain/notification-facts.ts'
import type { Audience } from '../../../src/operations/letters.ts'
import { composeMessage } from '../../../src/operations/notices/steps/compose.ts'
import { writeNotification } from '../../../src/present/notification.ts'
import { notificationUrl } from '../../../src/present/notification-page.ts'
import { dashboardLocale } from '../../../views/dashboard/locale.ts'
import { saying } from '../../support/notifications.ts'

const letters = {
  notification: (facts: NotificationFacts, { reader, language, timeZone }: Audience) =>
    writeNotification(dashboardLocale(language, timeZone), facts, reader),
  messageTexts: (language: string) => dashboardLocale(language, 'UTC').texts.messages,
  notificationUrl: (notification: Notification | null) =>
    notificationUrl('https://pay.example', notification),
}

const unmatched: NotificationFacts = {
  about: 'payment_unmatched',
  unmatchedId: 'u1',
  reason: 'underpaid',
  sum: '1 USDC on Ethereum',
  value: '1.00 USD',
  missing: { amount: '9.00', of: '10.00 USD' },
  choice: 'accept',
}

const notification = (orderId: string | null, facts: NotificationFacts = unmatched): Notification => ({
  ...{ id: 'n', merchantId: 'm', kind: kindOf(facts), orderId, facts, createdAt: 1 },
})

const compose = (audience: Partial<Audience>, ...notifications: Notification[]) =>
  composeMessage(
    letters,
    {
      sender: 'Shop',
      audience: { reader: 'person', language: 'en', timeZone: 'UTC', ...audience },
    },
    notifications,
    'id',
  )

test('a dashboard user gets the page on which to act, and no command', () => {
  const { subject, text, items } = compose({}, notification('order-1'))
  expect(subject).toBe('Shop: A payment did not complete its order')
  expect(text).toBe(
    'A payment arrived that is too small for its order: 1 USDC on Ethereum, worth 1.00 USD. ' +
      '9.00 of 10.00 USD is missing. Accept it as payment, or return it to the customer.\n\n' +
      'In the dashboard: https://pay.example/dashboard/orders/order-1',
  )
  expect(items[0]).toMatchObject({ orderUUID: 'order-1', url: expect.stringContaining('/orders/order-1') })
})

test('a message in German is German', () => {
  const { subject, text } = compose({ language: 'de' }, notification('order-1'))
  expect(subject).toBe('Shop: Eine Zahlung hat ihre Bestellung nicht beglichen')
  expect(text).toContain('Nehmen Sie sie als Zahlung an, oder geben Sie sie dem Kunden zurück.')
  expect(text).toContain('Im Dashboard: https://pay.example/dashboard/orders/order-1')
  const many = compose({ language: 'de' }, notification('a'), notification('b'))
  expect(many.subject).toBe('Shop: 2 Benachrichtigungen')
})

test('each of several notifications links to its page', () => {
  const key: NotificationFacts = {
    ...({ about: 'key_created', by: 'cli', mode: 'live', keyId: 'k' } as const),
    scopes: ['orders:read'],
  }
  const { text } = compose({}, notification('a'), notification(null, key), notification(null, saying('Oh.')))
  for (const path of ['/orders/a\n', '/developers\n', '\n']) {
    expect(text).toContain(`\n  https://pay.example/dashboard${path}`)
  }
  expect(text).toEndWith('In the dashboard: https://pay.example/dashboard')
})

test('the operator gets the commands, after the page on which people act', () => {
  const { text } = compose({ reader: 'shell' }, notification('order-1'))
  expect(text).toContain('florin unmatched accept u1 --by NAME')
  expect(text).toContain('https://pay.example/dashboard/orders/order-1\n')
  expect(text.indexOf('/dashboard/orders/order-1')).toBeLessThan(text.indexOf('florin order show'))
  expect(compose({ reader: 'shell' }, notification(null)).text).not.toContain('florin order show')
  expect(compose({ reader: 'shell' }, notification(null)).text).toContain('/dashboard/unmatched\n')
})

test('a message of more notifications than it shows counts all of them, also in its subject', () => {
  const { subject, text, items, more } = compose(
    {},
    ...Array.from({ length: 25 }, (_, at) => notification(`o${at}`)),
  )
  expect([subject, items.length, more]).toEqual(['Shop: 25 notifications', 20, 5])
  expect(text).toContain('5 more')
})
