import { expect, test } from 'bun:test'
import { invalid, Refusal, type RefusalCode, refusals } from '../../../src/domain/errors.ts'
import { buyerMessage } from '../../../src/http/pages/buyer-message.ts'
import { english } from '../../../views/locale.ts'

const codes = Object.keys(refusals) as RefusalCode[]

test.each(codes)('the default message of %s mentions nothing of the API to a buyer', code => {
  expect(buyerMessage(english, new Refusal(code))).not.toMatch(
    /PUT|API|florin|FLORIN|error[.]|Header|header|UNPAID|ID and/,
  )
})

test('a buyer does not see the path of an invalid field', () => {
  expect(buyerMessage(english, invalid('/asset', 'is required'))).not.toContain('/asset')
})

test('a reason that was given for one situation is shown', () => {
  const cancelled = new Refusal('order_not_payable', 'CANCELLED', { reason: { kind: 'order_cancelled' } })
  expect(buyerMessage(english, cancelled)).toBe('This order was cancelled.')
})
