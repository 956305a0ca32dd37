import { expect, test } from 'bun:test'
import { withPoint } from '../../../src/http/pages/product-form.ts'

test.each([
  ['1.234,50', '1234.50'],
  ['1,234.50', '1234.50'],
  ['1.234.567,5', '1234567.5'],
  ['1.234.567', '1234567'],
  ['1,234,567', '1234567'],
  ['1 234,50', '1234.50'],
  ['1\u202f234\u00a0567', '1\u202f234\u00a0567'],
  ["1'234.50", '1234.50'],
  ['12\u2019345', '12345'],
  ['١,٢٣٤.٥٠', '1234.50'],
  // The comma or point may separate groups or decimals, so these stay as they are.
  ['1,234', '1,234'],
  ['1.234', '1.234'],
  ['12,34,567.00', '12,34,567.00'],
  ['1.23,4', '1.23,4'],
  ['1.234,', '1.234,'],
  ['0,5', '0.5'],
])('an amount entered as %s is read as %s', (entered, read) => {
  expect(withPoint(entered)).toBe(read)
})
