import { describe, expect, test } from 'bun:test'
import { linesOf, partsOf } from '../../../src/invoices/typeset.ts'

describe('a line is drawn from left to right in these parts', () => {
  test.each([
    ['a line without other scripts', 'Invoice 2026-000001', 'ltr', ['Invoice 2026-000001']],
    ['a Hebrew name in English', 'For יוסי כהן, Tel Aviv', 'ltr', ['For ', 'יוסי כהן', ', Tel Aviv']],
    ['a Hebrew line with a number', 'חשבונית מס׳ 2026-000001', 'rtl', ['2026-000001', 'חשבונית מס׳ ']],
    ['an Arabic line with a Latin name', 'من Shop GmbH اليوم', 'rtl', [' اليوم', 'Shop GmbH', 'من ']],
    ['an isolated number in Arabic', 'فاتورة \u20682026-000001\u2069', 'rtl', ['2026-000001', 'فاتورة ']],
    ['brackets, which are mirrored', 'תה (ירוק)', 'rtl', ['(', 'ירוק', ')', 'תה ']],
    ['digits of Arabic', 'سعر ١٢٣٫٤٥ دولار', 'rtl', [' دولار', '١٢٣٫٤٥', 'سعر ']],
    ['an amount', '25.00 USD', 'rtl', ['25.00 USD']],
    ['a number alone', '04011000-12345-34', 'rtl', ['04011000-12345-34']],
  ] as const)('%s', (_, line, direction, parts) => {
    expect(partsOf(line, direction)).toEqual([...parts])
  })
})

test('lines break between words, and inside of words that are wider than a line', () => {
  const lines = linesOf('one two threefour five', line => line.length > 8)
  expect(lines).toEqual(['one two', 'threefou', 'r five'])
})
