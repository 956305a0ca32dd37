import { expect, test } from 'bun:test'
import { Story } from './story.ts'

// In this table, the price is 25.00 USD, so buyers get no mail about less than 0.25.
test.each([
  ['a part', 'btc asks 25 > gets 12', ['part btc']],
  ['dust', 'btc asks 25 > gets 0.24', []],
  ['the last part', 'btc asks 25 > gets 12 > gets 13', []],
  ['too much of a coin', 'btc asks 25 > gets 26', ['overpaid btc']],
  ['a little too much of a coin', 'btc asks 25 > gets 25.24', []],
  ['too much in two coins', 'btc asks 25 > gets 12 > eth asks the rest > gets 13.25', ['overpaid eth']],
  ['a little too much in two coins', 'btc asks 25 > gets 12 > eth asks 25 > gets 13.24', []],
  ['too much on a page', 'card asks 25 > gets 26', []],
  [
    'too much on a page after a part',
    'btc asks 25 > gets 12 > card asks the rest > gets 14',
    ['overpaid card'],
  ],
  ['a second payment', 'btc asks 25 > gets 25 > gets 25', ['unmatched btc']],
  ['dust after the payment', 'btc asks 25 > gets 25 > gets 0.24', []],
])('mails to the buyer about %s', (_, story, mails) => {
  const of = new Story('25.00')
  of.read(story)
  const sent = of.changes.flatMap(one => (one.do === 'mail buyer' ? [`${one.kind} ${one.attempt.id}`] : []))
  expect(sent).toEqual(mails)
})
