import { describe, expect, test } from 'bun:test'
import { eraser, spellingsOf } from '../../../src/domain/erasure.ts'

const EMAIL = "Sam.O'Neil+shop@Buyer.example"
const NEW = 'erased-7@erased.invalid'
const erase = eraser(EMAIL, NEW)

describe('an address is replaced', () => {
  test.each([
    ['alone', EMAIL, NEW],
    ['in another case', EMAIL.toUpperCase(), NEW],
    ['in JSON', JSON.stringify({ a: [EMAIL], [EMAIL]: 1 }), JSON.stringify({ a: [NEW], [NEW]: 1 })],
    ['after an escape of JSON', JSON.stringify(`to:\n${EMAIL}\t`), JSON.stringify(`to:\n${NEW}\t`)],
    ['in brackets and before a full stop', `Sam <${EMAIL}>, ${EMAIL}.`, `Sam <${NEW}>, ${NEW}.`],
    ['in a link', `mailto:${EMAIL}?subject=a`, `mailto:${NEW}?subject=a`],
    [
      'in a query',
      `https://a.example/?email=${encodeURIComponent(EMAIL)}&b=1`,
      `https://a.example/?email=${NEW}&b=1`,
    ],
    ['in a query of a form', new URLSearchParams({ e: EMAIL }).toString(), `e=${NEW}`],
    ['after an escape of a URL', `?a=to%20${encodeURIComponent(EMAIL)}`, `?a=to%20${NEW}`],
    ['twice', `${EMAIL} ${EMAIL}`, `${NEW} ${NEW}`],
  ])('%s', (_, text, expected) => {
    expect(erase(text)).toBe(expected)
  })
})

describe('the address of another person stays', () => {
  test.each([
    `x${EMAIL}`,
    `x.${EMAIL}`,
    `x+${EMAIL}`,
    `x%2B${encodeURIComponent(EMAIL)}`,
    `x%78${encodeURIComponent(EMAIL)}`,
    `${EMAIL}.org`,
    `${EMAIL}s`,
    `${EMAIL}-mail.org`,
    EMAIL.replace('.', 'x'),
  ])('%s', text => {
    expect(erase(text)).toBe(text)
  })
})

test('the spellings are plain text, and percent-encoded as in URLs', () => {
  expect(spellingsOf('a+b@c.example')).toEqual(['a+b@c.example', 'a%2bb%40c.example'])
})
