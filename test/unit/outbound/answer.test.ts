import { describe, expect, test } from 'bun:test'
import { AnswerReader } from '../../../src/outbound/answer.ts'

const MAX = 4096

function read(body: string | Uint8Array, type?: string, piece = 1000) {
  const reader = new AnswerReader(type)
  const bytes = Buffer.from(body as string)
  for (let at = 0; at < bytes.length; at += piece) reader.add(bytes.subarray(at, at + piece))
  return reader.read()
}

describe('the beginning of a response', () => {
  test('is kept whole up to 4 KiB, with its content type', () => {
    expect(read('{"ok":true}', 'application/json')).toEqual({
      type: 'application/json',
      body: '{"ok":true}',
      isCut: false,
    })
    expect(read('a'.repeat(MAX))).toEqual({ type: null, body: 'a'.repeat(MAX), isCut: false })
    expect(read('')).toEqual({ type: null, body: '', isCut: false })
  })

  test.each([1, 3, 1000, 100_000])('is cut after 4 KiB, when it arrives in pieces of %d bytes', piece => {
    expect(read('a'.repeat(MAX + 1), 'text/plain', piece)).toEqual({
      type: 'text/plain',
      body: 'a'.repeat(MAX),
      isCut: true,
    })
  })

  test.each(['é', '€', '😀'])('is cut between characters, such as %s', sign => {
    for (let before = 0; before < 4; before++) {
      const text = 'a'.repeat(before) + sign.repeat(MAX)
      const { body, isCut } = read(text)
      const bytes = Buffer.byteLength(body)
      expect([isCut, text.startsWith(body), body.includes('\ufffd')]).toEqual([true, true, false])
      expect(bytes).toBeLessThanOrEqual(MAX)
      expect(bytes).toBeGreaterThan(MAX - 4)
    }
  })

  test('never takes more than 4 KiB, even if each byte is wrong', () => {
    const { body, isCut } = read(new Uint8Array(MAX).fill(0xff))
    expect(isCut).toBe(true)
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(MAX)
    expect(body.startsWith('\ufffd\ufffd')).toBe(true)
  })

  test('shows control characters, and characters that change the direction of text', () => {
    const text = 'a\0b\x1b[31mc\x7fd\x85e\u202ef\u200bg\r\nh\ti\rj\u2028k'
    expect(read(text).body).toBe('a␀b␛[31mc<U+007F>d<U+0085>e<U+202E>f<U+200B>g\nh\ti␍j<U+2028>k')
    expect(read('', `text/html\u202e${'x'.repeat(500)}`).type).toStartWith('text/html<U+202E>xxx')
    expect(read('', 'x'.repeat(500)).type).toHaveLength(100)
  })

  test.each([
    ['{"email":"buyer@exam', '{"email":"'],
    ['email=buyer%40exam', 'email='],
    ['from buyer@exam', 'from '],
    ['no address at', 'no address at'],
  ])('does not end with a part of an address: %s', (end, kept) => {
    const filler = ' '.repeat(MAX - end.length)
    expect(read(`${filler}${end}ple.com and more`).body).toBe(filler + kept)
    expect(read(`${filler}${end}`).body).toBe(filler + end)
  })
})
