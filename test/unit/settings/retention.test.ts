import { describe, expect, test } from 'bun:test'
import { readSettings } from '../../../src/settings/read.ts'
import { retention } from '../../../src/settings/retention.ts'

const DAY_MS = 24 * 3600_000

describe('FLORIN_RETENTION', () => {
  test('has a time for each kind of data by default', () => {
    expect(readSettings({}).retention).toEqual({
      idempotency: 30 * DAY_MS,
      tries: 90 * DAY_MS,
      abandoned: 30 * DAY_MS,
      tests: 90 * DAY_MS,
    })
  })

  test('keeps the default of kinds that are not named', () => {
    expect(retention('tries=36h')).toEqual({
      idempotency: 30 * DAY_MS,
      tries: 36 * 3600_000,
      abandoned: 30 * DAY_MS,
      tests: 90 * DAY_MS,
    })
  })

  test('can be switched off for a kind of data', () => {
    expect(retention(' abandoned=never , idempotency=2d')).toEqual({
      idempotency: 2 * DAY_MS,
      tries: 90 * DAY_MS,
      abandoned: null,
      tests: 90 * DAY_MS,
    })
  })

  test.each([
    ['30d', 'lists "30d"'],
    ['orders=30d', 'lists "orders=30d"'],
    ['constructor=30d', 'lists "constructor=30d"'],
    ['tries=', 'lists "tries="'],
    ['tries=30', 'lists "tries=30"'],
    ['tries=-1d', 'lists "tries=-1d"'],
    ['tries=23h', 'lists "tries=23h"'],
    ['tries=36501d', 'lists "tries=36501d"'],
    ['tries=30d,tries=60d', 'lists "tries" twice'],
  ])('refuses "%s" with a message', (value, reason) => {
    expect(() => readSettings({ FLORIN_RETENTION: value })).toThrow(`FLORIN_RETENTION ${reason}`)
  })
})
