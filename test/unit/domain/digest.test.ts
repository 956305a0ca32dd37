import { expect, test } from 'bun:test'
import { digestTimes } from '../../../src/domain/digest.ts'
import { words } from '../../support/words.ts'

const timesOf = (hour: number, zone: string, now: string) =>
  Object.values(digestTimes(hour, zone, Date.parse(now))).map(at => new Date(at).toISOString().slice(0, 16))

/** All in 2026: now, the two ends of the last digest, and when the next one is due. */
const cases: [what: string, hour: number, zone: string, now: string, times: string][] = [
  ['before the hour', 20, 'UTC', '11-22T19:59:59.999Z', '11-20T20:00 11-21T20:00 11-22T20:00'],
  ['at the hour', 20, 'UTC', '11-22T20:00:00Z', '11-21T20:00 11-22T20:00 11-23T20:00'],
  ['at midnight', 0, 'UTC', '11-22T00:00:00Z', '11-21T00:00 11-22T00:00 11-23T00:00'],
  ['east of Greenwich', 8, 'Asia/Kathmandu', '11-22T02:15:00Z', '11-21T02:15 11-22T02:15 11-23T02:15'],
  ['far west', 8, 'Pacific/Pago_Pago', '11-22T18:59:00Z', '11-20T19:00 11-21T19:00 11-22T19:00'],
  ['a day of 23 hours', 8, 'Europe/Berlin', '03-29T06:00:00Z', '03-28T07:00 03-29T06:00 03-30T06:00'],
  ['a day of 25 hours', 8, 'Europe/Berlin', '10-25T07:00:00Z', '10-24T06:00 10-25T07:00 10-26T07:00'],
  [
    'an hour that does not exist',
    2,
    'Europe/Berlin',
    '03-29T01:30:00Z',
    '03-28T01:00 03-29T01:00 03-30T00:00',
  ],
  ['an hour that comes twice', 2, 'Europe/Berlin', '10-25T01:30:00Z', '10-24T00:00 10-25T00:00 10-26T01:00'],
]

test.each(cases)('%s', (_, hour, zone, now, times) => {
  expect(timesOf(hour, zone, `2026-${now}`)).toEqual(words(times).map(time => `2026-${time}`))
})

test('the digests of a year follow each other without a gap, one on each day', () => {
  for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca']) {
    for (const hour of [0, 1, 2, 3, 20]) {
      let now = Date.parse('2026-01-10')
      const starts: number[] = []
      for (let day = 0; day < 365; day++) {
        const { from, to, next } = digestTimes(hour, zone, now)
        expect([to <= now, next > now, from === (starts.at(-1) ?? from)]).toEqual([true, true, true])
        starts.push(to)
        now = next
      }
    }
  }
})
