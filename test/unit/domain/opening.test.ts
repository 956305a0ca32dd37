import { expect, test } from 'bun:test'
import type { Opening } from '../../../src/domain/opening.ts'
import { allOf, nextChoiceAt, openedAttempt } from '../../../src/domain/opening.ts'
import { attempt, order } from './given.ts'

const opening: Opening = {
  ...{ id: 'attempt', merchantId: 'merchant', orderId: 'order', kind: 'opening', provider: 'gateway' },
  ...{ methodKey: 'card', methodName: 'Card', priced: '10.00', tolerance: 1n, dust: 2n, minedWithinMs: 3 },
  ...{ payoutAddress: null, callbackUrl: 'https://shop.example/callback', callbackSecret: 'secret' },
  ...{ lockedUntil: 2_000, graceLimit: 2_000, watchUntil: 9_000, language: 'de', state: 'failed' },
  ...{ chosenAt: 5, createdAt: 4, updatedAt: 5 },
}
const page = {
  ...{ assetId: 'fiat/usd', decimals: 2, dueAtomic: 1_000n, thresholdAtomic: 850n, floorAtomic: 800n },
  ...{ address: null, payoutAddress: 'account', feeSplit: true },
  ...{ redirectUrl: 'https://pay.example', providerRef: 'reference' },
}

test('an open page of a provider waits for money until its order expires', () => {
  const opened = openedAttempt(opening, page, { order: order('UNPAID'), now: 7 })
  expect(opened).toMatchObject({ ...opening, ...page, kind: 'redirect', state: 'waiting', updatedAt: 7 })
  expect([opened.graceUntil, opened.receivedAtomic, opened.checkedAt]).toEqual([2_000, 0n, null])
})

test('if the order has expired before its provider’s page opens, the attempt expires at the same time', () => {
  const ended = { ...order('EXPIRED'), expiresAt: 1_000 }
  const { state, lockedUntil, graceLimit, graceUntil } = openedAttempt(opening, page, {
    order: ended,
    now: 7,
  })
  expect([state, lockedUntil, graceLimit, graceUntil]).toEqual(['expired', 1_000, 1_000, 1_000])
})

test('the choices of a buyer are sorted by their creation, and a new choice is later than all of them', () => {
  const attempts = [
    attempt({ id: 'first', createdAt: 1, chosenAt: 8 }),
    attempt({ id: 'last', createdAt: 9 }),
  ]
  const started = { attempts, openings: [opening] }
  expect(allOf(started).map(({ id }) => id)).toEqual(['first', 'attempt', 'last'])
  expect([7, 8, 9, 10].map(now => nextChoiceAt(started, now))).toEqual([9, 9, 9, 10])
  expect(nextChoiceAt({ attempts: [], openings: [opening] }, 5)).toBe(6)
})
