import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { formatKey, newKeyId, newSecret, parseKey, randomAlphanumeric } from '../../../src/domain/api-key.ts'
import type { Asset } from '../../../src/domain/asset.ts'
import { canonical } from '../../../src/domain/canonical-json.ts'
import { invalid, Refusal, refusals } from '../../../src/domain/errors.ts'
import { feePercentPattern } from '../../../src/domain/fee.ts'
import { isEmail } from '../../../src/domain/merchant.ts'
import { checkMetadata, type Metadata } from '../../../src/domain/metadata.ts'
import { checkMethodKeys, isCryptoOnly, soleProvider } from '../../../src/domain/payment-methods.ts'
import { isRateValue, quote, shareOf } from '../../../src/domain/quote.ts'
import { parseTimestamp } from '../../../src/domain/timestamp.ts'
import { nextTryAt } from '../../../src/domain/webhook.ts'
import { words } from '../../support/words.ts'

describe('a fee percent', () => {
  test.each(['-1', '90', '98.5', '99.1', '100', '1.00001', '01', '', '1.', '.5', '99.00000'])(
    '%p is not valid',
    text => {
      expect(feePercentPattern.test(text)).toBe(false)
    },
  )
  test.each(['0', '0.0001', '9', '10', '89', '89.9999', '99', '99.0', '99.0000'])('%p is valid', text => {
    expect(feePercentPattern.test(text)).toBe(true)
  })
})

describe('payment method keys are refused', () => {
  test.each([
    [[]],
    [['*', 'crypto']],
    [['crypto', 'crypto']],
    [['all']],
    [['hosted']],
    [['Crypto']],
    [['-a']],
    [['a'.repeat(65)]],
    [Array.from({ length: 65 }, (_, i) => `m${i}`)],
  ])('%p', keys => {
    expect(() => checkMethodKeys(keys)).toThrow(Refusal)
  })
})

test('64 method keys are accepted', () => {
  const keys = Array.from({ length: 64 }, (_, i) => `m${i}`)
  expect(checkMethodKeys(keys)).toEqual(keys)
})

test('only a lone provider key has a direct link', () => {
  expect(soleProvider(['moonpay'])).toBe('moonpay')
  expect([['crypto'], ['*'], ['moonpay', 'crypto']].map(soleProvider)).toEqual([null, null, null])
  expect([['crypto'], ['*'], ['moonpay', 'crypto']].map(isCryptoOnly)).toEqual([true, false, false])
})

describe('metadata', () => {
  const nested = (depth: number): Metadata => (depth === 1 ? { a: 1 } : { a: nested(depth - 1) })
  test.each([
    ['four levels', nested(4)],
    ['an array on the fourth level', { a: { b: { c: [] } } }],
    ['a prototype key', JSON.parse('{"a":{"__proto__":1}}')],
    ['a constructor key', { constructor: 1 }],
    ['a prototype key inside of an array', { a: [{ prototype: 1 }] }],
    ['more than 16 KiB', { a: 'x'.repeat(16 * 1024) }],
  ])('with %s is refused', (_name, metadata) => {
    expect(() => checkMetadata(metadata)).toThrow(Refusal)
  })
  test('of three levels is accepted unchanged', () => {
    const metadata = { a: { b: [1, 'x', null, true] }, c: '' }
    expect(checkMetadata(metadata)).toEqual(metadata)
  })
})

describe('an instant is refused', () => {
  test.each([
    ...['2026-02-30T10:00:00Z', '2026-13-01T10:00:00Z', '2026-01-01T24:00:00Z', '2026-01-01T10:60:00Z'],
    ...['2026-01-01T10:00:00', '2026-01-01', '2026-01-01 10:00:00Z', '2026-01-01T10:00Z'],
    ...['2026-01-01T10:00:00+25:00', 'tomorrow', ''],
  ])('%p', text => {
    expect(parseTimestamp(text)).toBeNull()
  })
  test('unless it has an offset: then it is read', () => {
    expect(parseTimestamp('2026-11-21T12:00:00.5+01:00')).toBe(Date.parse('2026-11-21T11:00:00.500Z'))
    expect(parseTimestamp('2024-02-29T00:00:00Z')).toBe(Date.parse('2024-02-29T00:00:00Z'))
  })
})

describe('an e-mail address', () => {
  test.each([
    '',
    'a',
    'a@',
    '@b.c',
    'a b@c.d',
    'a@b..c',
    'a@-b.c',
    '.a@b.c',
    'a@b.c\n',
    `${'a'.repeat(250)}@b.cd`,
  ])('%p is invalid', text => {
    expect(isEmail(text)).toBe(false)
  })
  test.each(['a@b.c', "o'hara+tag@shop.example", 'A.B@EXAMPLE.COM', 'x@localhost'])('%p is valid', text => {
    expect(isEmail(text)).toBe(true)
  })
})

describe('an API key', () => {
  const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes))
  test('is parsed, and a wrong letter anywhere is detected', () => {
    const text = formatKey({ mode: 'live', id: newKeyId(random), secret: newSecret(random) })
    expect(parseKey(text)?.mode).toBe('live')
    expect(text).toMatch(/^florin_live_[0-9A-Za-z]{48}$/)
    for (let at = 0; at < text.length; at++) {
      const wrong = text.slice(0, at) + (text[at] === 'x' ? 'y' : 'x') + text.slice(at + 1)
      expect(parseKey(wrong)).toBeNull()
    }
  })
  // Another program computed the checksum: the CRC-32 of the text before it.
  test('that was issued by an earlier version is still valid', () => {
    const parts = { mode: 'test', id: '0123456789', secret: 'abcdefghijklmnopqrstuvwxyzABCDEF' } as const
    const text = 'florin_test_0123456789abcdefghijklmnopqrstuvwxyzABCDEF2c0bcj'
    expect(parseKey(text)).toEqual(parts)
    expect(formatKey(parts)).toBe(text)
  })
  test('has each letter and digit for the same number of random bytes', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
    const counts = Map.groupBy(
      randomAlphanumeric(() => bytes, 248),
      letter => letter,
    )
    expect(counts.size).toBe(62)
    expect(new Set([...counts].map(([letter, { length }]) => `${letter.length} ${length}`))).toEqual(
      new Set(['1 4']),
    )
    expect(randomAlphanumeric(() => Uint8Array.of(255, 248, 1), 1)).toBe('1')
  })
  test('in another format is invalid', () => {
    for (const text of ['', 'florin_live_', 'sk_live_123', 'x'.repeat(10_000)])
      expect(parseKey(text)).toBeNull()
  })
})

describe('a quote', () => {
  const asset = (decimals: number, quoteDecimals: number) => ({ decimals, quoteDecimals }) as Asset
  test.each([
    ['25.00', 'USD', '1', 6, 6, 25_000_000n],
    ['25.00', 'USD', '60000', 8, 8, 41_667n],
    ['0.01', 'USD', '60000', 8, 8, 17n],
    ['25.00', 'USD', '3000', 18, 8, 8_333_340_000_000_000n],
    ['100', 'JPY', '9000000', 8, 8, 1_112n],
    ['25.00', 'USD', '1', 18, 6, 25_000_000_000_000_000_000n],
  ])('for %p %p at %p is %p', (amount, currency, rate, decimals, quoteDecimals, atomic) => {
    expect(quote(amount, currency, { value: rate }, asset(decimals, quoteDecimals))).toBe(atomic)
  })

  test('always covers the price, by less than one step', () => {
    const cents = fc.bigInt({ min: 1n, max: 10n ** 15n })
    const rates = fc.tuple(fc.bigInt({ min: 1n, max: 10n ** 12n }), fc.integer({ min: 0, max: 12 }))
    fc.assert(
      fc.property(cents, rates, fc.integer({ min: 0, max: 10 }), (minor, [numerator, places], cut) => {
        const digits = numerator.toString().padStart(places + 1, '0')
        const rate = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
        const coin = asset(18, 18 - cut)
        const amount = `${minor / 100n}.${(minor % 100n).toString().padStart(2, '0')}`
        const dueAtomic = quote(amount, 'USD', { value: rate }, coin)
        const worth = (atomic: bigint) => atomic * numerator * 100n
        const price = minor * 10n ** 18n * 10n ** BigInt(places)
        expect(worth(dueAtomic) >= price).toBe(true)
        expect(worth(dueAtomic - 10n ** BigInt(cut)) < price).toBe(true)
        expect(dueAtomic % 10n ** BigInt(cut)).toBe(0n)
      }),
    )
  })

  test('needs a positive decimal rate', () => {
    expect(['0', '0.0', '-1', '1e3', '', '.5', 'NaN'].some(isRateValue)).toBe(false)
    expect(['1', '0.0001', '60000.5'].every(isRateValue)).toBe(true)
  })

  test('a share of it is rounded up', () => {
    expect(shareOf(25_000_000n, 850_000n)).toBe(21_250_000n)
    expect(shareOf(1n, 850_000n)).toBe(1n)
    expect(shareOf(7n, 1_000_000n)).toBe(7n)
  })
})

describe('a failed delivery is tried again', () => {
  const minutes = (tries: number) => ((nextTryAt(tries, 0, 0, 0.5) ?? 0) / 60_000).toFixed(1)
  test('after 30 s, 2 min, 10 min, 30 min, 1 h, 3 h, 6 h, 12 h, and then every 12 h', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8, 9].map(minutes)).toEqual(
      words(`
      0.5 2.0 10.0 30.0 60.0 180.0 360.0 720.0 720.0
    `),
    )
  })
  test('a tenth earlier or later', () => {
    expect(nextTryAt(1, 0, 0, 0)).toBe(27_000)
    expect(nextTryAt(1, 0, 0, 1)).toBe(33_000)
  })
  test('until three days have passed', () => {
    const day = 24 * 3600_000
    expect(nextTryAt(12, 0, 2.4 * day, 0.5)).not.toBeNull()
    expect(nextTryAt(12, 0, 2.6 * day, 0.5)).toBeNull()
  })
})

test('two spellings of one request have the same canonical text', () => {
  expect(canonical({ b: 1, a: { d: [1, { z: 1, y: 2 }], c: null } })).toBe(
    canonical({ a: { c: null, d: [1, { y: 2, z: 1 }] }, b: 1 }),
  )
  expect(canonical({ a: 1 })).not.toBe(canonical({ a: '1' }))
})

test('every refusal has an HTTP status of its kind, and a message', () => {
  const statuses = new Set(Object.values(refusals).map(([status]) => status))
  const known = [400, 401, 403, 404, 405, 406, 408, 409, 410, 411, 413, 414, 415, 422, 429, 500, 502, 503]
  expect([...statuses].filter(status => !known.includes(status))).toEqual([])
  expect(Object.values(refusals).every(([, message]) => /[.)]$/.test(message))).toBe(true)
})

test('a validation error names its field, or the whole request', () => {
  expect(invalid('/amount', 'must be a decimal').message).toBe('/amount: must be a decimal')
  for (const path of ['', '/'])
    expect(invalid(path, 'must be an object').message).toBe('The request must be an object')
})
