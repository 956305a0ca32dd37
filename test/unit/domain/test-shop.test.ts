import { expect, test } from 'bun:test'
import { isLive, isTestShop, shopOf, testShopOf } from '../../../src/domain/test-shop.ts'

const id = '01a20a64-00e1-71ef-833b-569bbd8407e4'
const testId = '01a20a64-00e1-81ef-833b-569bbd8407e4'

test('a merchant and its test shop have the same ID except for the UUID version', () => {
  expect([testShopOf(id), shopOf(testId), shopOf(id)]).toEqual([testId, id, id])
  expect([id, testId].map(isTestShop)).toEqual([false, true])
  expect([id, testId].map(merchantId => isLive({ merchantId }))).toEqual([true, false])
})
