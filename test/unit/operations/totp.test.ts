import { expect, test } from 'bun:test'
import { base32, newSecret, stepOf } from '../../../src/operations/people/steps/totp.ts'
import { codeAt } from '../../support/authenticator.ts'

/** From RFC 6238, appendix B: the last 6 of the 8 digits. */
const published: [seconds: number, code: string][] = [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
]
const secret = base32(Buffer.from('12345678901234567890'))

test('base32 is that of RFC 4648', () => {
  expect(secret).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  expect(['', 'f', 'fo', 'foo', 'foob', 'fooba'].map(text => base32(Buffer.from(text)))).toEqual([
    ...['', 'MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB'],
  ])
  expect(newSecret(bytes => new Uint8Array(bytes))).toBe('A'.repeat(32))
})

test('codes are those of RFC 6238', () => {
  for (const [seconds, code] of published) {
    const step = Math.floor(seconds / 30)
    expect(stepOf(secret, code, seconds * 1000)).toBe(step)
    expect(codeAt(secret, step)).toBe(code)
  }
})

test('a code counts in its own step, and in the one before and after it', () => {
  const now = 1111111109_000
  const own = Math.floor(now / 30_000)
  for (const offset of [-1, 0, 1]) expect(stepOf(secret, '081804', now + offset * 30_000)).toBe(own)
  for (const offset of [-2, 2]) expect(stepOf(secret, '081804', now + offset * 30_000)).toBe(null)
  for (const code of ['', '81804', '0081804', '081804 ', '000000']) {
    expect(stepOf(secret, code, now)).toBe(null)
  }
})
