import { describe, expect, test } from 'bun:test'
import { makeLog } from '../../src/boot/log.ts'

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

test('lines below the level are not logged', () => {
  expect(logged({}, 'quiet', 'warn')).toBe('')
})

test('a field that JSON has no form for does not stop a line', () => {
  const circle: { self?: object } = {}
  circle.self = circle
  const fields = { amount: 10n ** 20n, left: undefined, nothing: null }
  expect(JSON.parse(logged(fields))).toMatchObject({ amount: '100000000000000000000', nothing: null })
  expect(JSON.parse(logged(fields))).not.toHaveProperty('left')
  expect(JSON.parse(logged({ circle, requestId: 'r1' }))).toMatchObject({ requestId: 'r1', level: 'info' })
})
