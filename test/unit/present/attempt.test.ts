import { expect, test } from 'bun:test'
import { VALUE_UNIT } from '../../../src/domain/quote.ts'
import { currentOf } from '../../../src/present/attempt.ts'
import { attempt, order } from '../domain/given.ts'

/** A payment link for the whole order, whose amount identifies its buyer. */
const whole = attempt({ id: 'whole', shared: true })
const elsewhere = (minor: bigint) => attempt({ id: 'elsewhere', credited: minor * VALUE_UNIT })

test.each([
  ['nothing', 0n, 'whole'],
  ['a part', 400n, undefined],
])('scripts are shown an amount that cannot change after %s was paid elsewhere', (_, minor, shown) => {
  const unpaid = order('UNPAID')
  expect(currentOf(unpaid, [whole], [whole, elsewhere(minor)])?.id).toBe(shown)
})
