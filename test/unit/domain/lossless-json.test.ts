import { describe, expect, test } from 'bun:test'
import { parseLossless, parseLosslessProperty, parseNumbers } from '../../../src/domain/lossless-json.ts'

const text =
  '{"value": 92233720368.54775807, "list": [1e-8, {"value":-0.10}], "name": "\\"value\\": 7", "ok": true}'

describe('lossless JSON', () => {
  test('keeps each number as its digits', () => {
    expect(parseLossless(text)).toEqual({
      value: '92233720368.54775807',
      list: ['1e-8', { value: '-0.10' }],
      name: '"value": 7',
      ok: true,
    })
  })

  test('keeps the numbers of one property only, and no text inside strings', () => {
    expect(parseLosslessProperty(text, 'value')).toEqual({
      value: '92233720368.54775807',
      list: [1e-8, { value: '-0.10' }],
      name: '"value": 7',
      ok: true,
    })
  })

  test('parses numbers as the caller requests', () => {
    expect(parseNumbers('[1.50, 2]', (digits, value) => [digits, value])).toEqual([
      ['1.50', 1.5],
      ['2', 2],
    ])
  })

  test.each(['', '{', '[01]', '{"value": 1.2.3,}', 'value'])('refuses %p', invalid => {
    expect(() => parseLossless(invalid)).toThrow(SyntaxError)
    expect(() => parseLosslessProperty(invalid, 'value')).toThrow(SyntaxError)
  })
})
