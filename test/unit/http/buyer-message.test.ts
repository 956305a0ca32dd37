import { expect, test } from 'bun:test'
import { BuyerRefusal, invalid, Refusal, type RefusalCode, refusals } from '../../../src/domain/errors.ts'
import { buyerMessage } from '../../../src/http/pages/buyer-message.ts'
import { english } from '../../../views/locale.ts'

const codes = Object.keys(refusals) as RefusalCode[]

test.each(codes)('a buyer reads nothing about the API in the default message of %s', code => {
  expect(buyerMessage(english, new Refusal(code))).not.toMatch(
    /PUT|API|florin|FLORIN|error[.]|Header|header|UNPAID|ID and/,
  )
})

test('a buyer does not see the path of an invalid field', () => {
  expect(buyerMessage(english, invalid('/asset', 'is required'))).not.toContain('/asset')
})

test('a reason that was given for one situation is said', () => {
  expect(buyerMessage(english, new BuyerRefusal('order_not_payable', 'order_cancelled', 'CANCELLED'))).toBe(
    'This order was cancelled.',
  )
})
