import { expect, test } from 'bun:test'
import { invalid, Refusal, type RefusalCode, refusals } from '../../../src/domain/errors.ts'
import { buyerMessage } from '../../../src/http/pages/buyer-message.ts'

const codes = Object.keys(refusals) as RefusalCode[]

test.each(codes)('a buyer reads nothing about the API in the default message of %s', code => {
  expect(buyerMessage(new Refusal(code))).not.toMatch(
    /PUT|API|florin|FLORIN|error[.]|Header|header|UNPAID|ID and/,
  )
})

test('a buyer does not see the path of an invalid field', () => {
  expect(buyerMessage(invalid('/asset', 'is required'))).not.toContain('/asset')
})

test('a message that was written for one situation stays', () => {
  expect(buyerMessage(new Refusal('order_not_payable', 'The order has expired.'))).toBe(
    'The order has expired.',
  )
})
