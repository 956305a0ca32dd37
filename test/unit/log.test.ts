import { describe, expect, test } from 'bun:test'
import { makeLog } from '../../src/boot/log.ts'
import { LineWriter } from '../../src/boot/stderr.ts'

function logged(fields: object, sentence = 'something happened', level = 'info'): string {
  let text = ''
  makeLog(level, line => {
    text += line
  }).info(fields, sentence)
  return text
}

describe('a log line never contains', () => {
  const secret = 'abcdefghijklmnopqrstuvwxyz0123456789'
  test.each([
    ['an API key', { header: `florin_live_${secret}` }],
    ['a test key in an error', { error: `Error: bad key florin_test_${secret}, sorry` }],
    ['a signing secret', { nested: { deep: [`whsec_${secret}`] } }],
    ['the secret of a callback', { url: `http://x/callback/gateway?attempt=1&secret=${secret}&b=2` }],
    ['a status token', { url: `https://api.example/control/payment-status.php?ipn_token=${secret}` }],
    ['the password of an endpoint', { url: `https://user:${secret}@node.example/` }],
    ['an email address', { who: `${secret}@shop.example` }],
  ])('%s', (_name, fields) => {
    const line = logged(fields)
    expect(line).toContain('***')
    expect(line).not.toContain(secret)
    expect(() => JSON.parse(line)).not.toThrow()
  })

  test('a secret in its message', () => {
    expect(logged({}, `mail to ${secret}@shop.example`)).not.toContain(secret)
  })
})

test('a log line is JSON with its time, level, fields and message', () => {
  const line = JSON.parse(logged({ requestId: 'r1', ms: 3 }))
  expect(line).toMatchObject({ level: 'info', requestId: 'r1', ms: 3, msg: 'something happened' })
  expect(Date.parse(line.time)).toBeGreaterThan(0)
})

test.each([
  ['debug', ['debug', 'info', 'warn', 'error']],
  ['info', ['info', 'warn', 'error']],
  ['warn', ['warn', 'error']],
  ['error', ['error']],
  ['silent', []],
])('the level %s logs the lines of %j', (level, expected) => {
  const lines: string[] = []
  const log = makeLog(level, line => lines.push(line))
  for (const name of ['debug', 'info', 'warn', 'error'] as const) log[name]({}, 'happened')
  expect(lines.map(line => JSON.parse(line).level)).toEqual(expected)
})

test('a line whose fields JSON cannot represent has them as strings', () => {
  const cycle: Record<string, unknown> = {}
  cycle.itself = cycle
  const amount = JSON.parse(logged({ amount: 5n, ms: 3 }))
  expect(amount).toMatchObject({ amount: '5', ms: 3, msg: 'something happened' })
  expect(JSON.parse(logged({ cycle })).level).toBe('info')
})

test('a field keeps its line breaks and quotes on one line', () => {
  const line = logged({ error: 'Error: "no"\n    at a.ts:1' })
  expect(line.split('\n')).toHaveLength(2)
  expect(JSON.parse(line).error).toBe('Error: "no"\n    at a.ts:1')
})

test('lines of the same turn of the event loop are written together', async () => {
  const writes: string[] = []
  const writer = new LineWriter((bytes, done) => {
    writes.push(bytes.toString())
    done(null, bytes.length)
  })
  writer.write('a\n')
  await Promise.resolve()
  writer.write('b\n')
  await writer.flush()
  expect(writes).toEqual(['a\nb\n'])
})

test('the first line is written at once, those that follow together, and a flush does not wait', async () => {
  const writes: string[] = []
  const write = (bytes: Buffer, done: (error: null, written: number) => void) => {
    writes.push(bytes.toString())
    done(null, bytes.length)
  }
  const writer = new LineWriter(write, 60_000)
  writer.write('a\n')
  while (writes.length === 0) await new Promise(setImmediate)
  for (const line of ['b\n', 'c\n', 'd\n']) {
    writer.write(line)
    await new Promise(setImmediate)
  }
  await writer.flush()
  expect(writes).toEqual(['a\n', 'b\nc\nd\n'])
  writer.write('e\n')
  while (writes.length < 3) await new Promise(setImmediate)
  expect(writes[2]).toBe('e\n')
})

test('a field that JSON cannot represent does not stop a line', () => {
  const circle: { self?: object } = {}
  circle.self = circle
  const fields = { amount: 10n ** 20n, left: undefined, nothing: null }
  expect(JSON.parse(logged(fields))).toMatchObject({ amount: '100000000000000000000', nothing: null })
  expect(JSON.parse(logged(fields))).not.toHaveProperty('left')
  expect(JSON.parse(logged({ circle, requestId: 'r1' }))).toMatchObject({ requestId: 'r1', level: 'info' })
})
