import { describe, expect, test } from 'bun:test'
import { decide } from '../../../../src/operations/settlement/decide.ts'
import { Story, stories } from './story.ts'

// In these tables, a price is 25.00 USD unless a row says otherwise. Of it, 0.5 %, at most 5 USD, may stay
// unpaid. A provider's page needs 85 % of its amount.

describe('an order that is paid in parts', () => {
  test.each(
    stories(`
      btc asks 25 > gets 12 > eth asks the rest > gets 10 > usdc asks the rest > gets 3
        PAID exact with 3 usdc, btc underpaid, eth underpaid, usdc settled
      btc asks 25 > gets 10 > eth asks the rest > gets 6 > usdc asks the rest > gets 5 > xmr asks the rest > gets 4
        PAID exact with 4 xmr, btc underpaid, eth underpaid, usdc underpaid, xmr settled
      btc asks 25 > gets 10 > eth asks the rest > gets 6 > usdc asks the rest > gets 5 > xmr asks the rest > gets 3.9
        PAID short by 0.10 with 3.9 xmr, btc underpaid, eth underpaid, usdc underpaid, xmr settled
      btc asks 25 > eth asks 25 > btc gets 10 > eth gets 15
        PAID exact with 15 eth, btc underpaid, eth settled
      btc asks 25 > eth asks 25 > btc gets 10 > eth gets 25
        PAID over with 25 eth (overpaid), btc underpaid, eth settled
      btc asks 25 > gets 12 > gets 13
        PAID exact with 25 btc, btc settled
      btc asks 25 > gets 12.5 > gets 12.5
        PAID exact with 25 btc, btc settled
      btc asks 25 > gets 12 > gets 20
        PAID over with 32 btc (overpaid), btc settled
      btc asks 25 > gets 12 > card asks the rest > gets 13
        PAID exact with 13.00 card, btc underpaid, card settled
      btc asks 25 > gets 12 > card asks the rest > gets 11.05
        PAID short by 1.95 with 11.05 card, btc underpaid, card settled
      btc asks 25 > gets 12 > card asks the rest > gets 11.04
        UNPAID 1.96 left (part paid), btc underpaid, card underpaid, event card processing
      btc asks 25 > gets 12 > card asks the rest > gets 14
        PAID over with 14.00 card (overpaid), btc underpaid, card settled
      btc asks 25 > gets 12 > card asks the rest > card fails
        UNPAID 13.00 left (part paid), btc underpaid, card failed, event card failed
      card asks 25 > bank asks 25 > card gets 10 > bank gets 10 > btc asks the rest > gets 5
        PAID exact with 5 btc, card underpaid, bank underpaid, btc settled
      btc asks 25 > gets 10 > gate asks the rest > gets 15
        PAID exact with 15 gate, btc underpaid, gate settled
      btc asks 25 > gets 10 > gate asks the rest > gets 13
        UNPAID 2.00 left (part paid), btc underpaid, gate underpaid, event gate processing
      btc asks 25 > sees 10 > eth asks the rest > gets 15
        UNPAID 0.00 left (confirming), btc confirming, eth settled
      btc asks 25 > sees 10 > eth asks the rest > gets 15 > the 10 > it is mined
        PAID exact with 10 btc, btc settled, eth settled
      btc asks 25 > sees 10 > eth asks the rest > sees 15
        UNPAID 0.00 left (confirming), btc confirming, eth confirming, event eth processing
      btc asks 25 > sees 10 > it vanishes
        UNPAID 25.00 left, btc waiting
      btc asks 25 > sees 10 > eth asks the rest > gets 15 > the 10 > it vanishes
        UNPAID 10.00 left (part paid), btc waiting, eth settled
      btc asks 25 > sees 25 > it vanishes > it is back
        UNPAID 0.00 left (confirming), btc confirming, event btc processing
      btc asks 25 > sees 25 > eth asks 25 > gets 25 > the 25 > it is mined
        PAID (overpaid), btc expired, eth settled, 25 unmatched: second_payment (worth 25.00)
      btc asks 25 > eth asks 25 > btc gets 30 > eth sees 5
        PAID (overpaid), btc settled, eth confirming, event eth processing
    `),
  )('$story: $decision', ({ price, story, decision }) => {
    expect(new Story(price).read(story)).toBe(decision)
  })
})

describe('the tolerance is counted once for the order, and never added to a page', () => {
  test.each(
    stories(`
      btc asks 25 > gets 24.875
        PAID short by 0.13 with 24.875 btc, btc settled
      btc asks 25 > gets 24.874999
        UNPAID 0.13 left (part paid), btc underpaid, event btc processing
      btc asks 25 > gets 24.99
        PAID short by 0.01 with 24.99 btc, btc settled
      btc asks 25 > gets 12 > eth asks the rest > gets 12.875
        PAID short by 0.13 with 12.875 eth, btc underpaid, eth settled
      btc asks 25 > gets 12 > eth asks the rest > gets 12.874999
        UNPAID 0.13 left (part paid), btc underpaid, eth underpaid, event eth processing
      btc asks 25 > gets 12 > eth asks the rest > gets 12.95
        PAID short by 0.05 with 12.95 eth, btc underpaid, eth settled
      btc asks 25 > no tolerance > gets 24.999999
        UNPAID 0.01 left (part paid), btc underpaid, event btc processing, 24.999999 unmatched: underpaid (worth 24.99, 0.01 missing, may accept)
      $2000.00: btc asks 2000 > gets 1995
        PAID short by 5.00 with 1995 btc, btc settled
      $2000.00: btc asks 2000 > gets 1994.999999
        UNPAID 5.01 left (part paid), btc underpaid, event btc processing
      $2000.00: btc asks 1000 > eth asks 1000 > btc gets 997.5 > eth gets 997.5
        PAID short by 5.00 with 997.5 eth, btc underpaid, eth settled
      $2000.00: btc asks 1000 > eth asks 1000 > btc gets 995 > eth gets 995
        UNPAID 10.00 left (part paid), btc underpaid, eth underpaid, event eth processing
      card asks 25 > gets 21.25
        PAID short by 3.75 with 21.25 card, card settled
      card asks 25 > gets 21.24
        UNPAID 3.76 left (part paid), card underpaid, event card processing
      card asks 25 > gets 21.13
        UNPAID 3.87 left (part paid), card underpaid, event card processing
      card asks 25 > gets 24.88
        PAID exact with 24.88 card, card settled
      card asks 25 > gets 23.75
        PAID exact with 23.75 card, card settled
      card asks 25 > gets 23.74
        PAID short by 1.26 with 23.74 card, card settled
    `),
  )('$story: $decision', ({ price, story, decision }) => {
    expect(new Story(price).read(story)).toBe(decision)
  })
})

describe('a payment of more than the order asked for', () => {
  test.each(
    stories(`
      btc asks 25 > gets 26
        PAID over with 26 btc (overpaid), btc settled
      btc asks 25 > gets 25.000001
        PAID over with 25.000001 btc (overpaid), btc settled
      btc asks 25 > gets 25.01
        PAID over with 25.01 btc (overpaid), btc settled
      btc asks 25 > gets 25 > gets 5
        PAID (overpaid), btc settled, 5 unmatched: second_payment (worth 5.00)
      btc asks 25 > gets 25 > gets 25
        PAID (overpaid), btc settled, 25 unmatched: second_payment (worth 25.00)
      btc asks 25 > gets 24.9 > gets 0.1
        PAID, btc settled, 0.1 joins
      btc asks 25 > gets 24.9 > gets 0.100001
        PAID (overpaid), btc settled, 0.100001 unmatched: second_payment (worth 0.10)
      btc asks 25 > gets 24.9 > gets 0.05
        PAID, btc settled, 0.05 joins
      btc asks 25 > gets 24.9 > gets 0.05 > gets 0.05
        PAID, btc settled, 0.05 joins
      btc asks 25 > gets 24.9 > gets 0.05 > gets 0.06
        PAID (overpaid), btc settled, 0.06 unmatched: second_payment (worth 0.06)
      btc asks 25 > eth asks 25 > btc gets 24.9 > eth gets 0.1
        PAID, btc settled, eth underpaid, event eth processing, 0.1 joins
      btc asks 25 > eth asks 25 > btc gets 24.9 > eth gets 0.1 > btc gets 0.1
        PAID (overpaid), btc settled, eth underpaid, 0.1 unmatched: second_payment (worth 0.10)
      btc asks 25 > eth asks 25 > btc gets 24.9 > eth gets 25
        PAID (overpaid), btc settled, eth expired, 25 unmatched: second_payment (worth 25.00)
      card asks 25 > btc asks 25 > card gets 22 > btc gets 3
        PAID (overpaid), card settled, btc underpaid, event btc processing, 3 unmatched: second_payment (worth 3.00)
      btc asks 25 > gets 24.9 > sees 0.1
        PAID, btc settled
    `),
  )('$story: $decision', ({ price, story, decision }) => {
    expect(new Story(price).read(story)).toBe(decision)
  })
})

describe('seen payments, and payments on a provider’s page', () => {
  test.each(
    stories(`
      btc asks 25 > gets 5 > gets 5 > gets 5 > gets 5 > gets 5
        PAID exact with 25 btc, btc settled
      btc asks 25 > sees 12 > gets 13
        UNPAID 0.00 left (confirming), btc confirming
      btc asks 25 > sees 12 > gets 13 > the 12 > it is mined
        PAID exact with 25 btc, btc settled
      btc asks 25 > sees 12
        UNPAID 13.00 left (part paid), btc underpaid, event btc processing
      btc asks 25 > sees 24.9
        UNPAID 0.10 left (confirming), btc confirming, event btc processing
      btc asks 25 > sees 24.8
        UNPAID 0.20 left (part paid), btc underpaid, event btc processing
      btc asks 25 > sees 12 > sees 13
        UNPAID 0.00 left (confirming), btc confirming
      btc asks 25 > sees 30
        UNPAID 0.00 left (confirming), btc confirming, event btc processing
      btc asks 25 > sees 30 > it is mined
        PAID over with 30 btc (overpaid), btc settled
      btc asks 25 > gets 12 > eth asks the rest > sees 13
        UNPAID 0.00 left (confirming), btc underpaid, eth confirming, event eth processing
      btc asks 25 > gets 12 > eth asks the rest > sees 13 > it vanishes
        UNPAID 13.00 left (part paid), btc underpaid, eth waiting
      btc asks 25 > gets 12 > eth asks the rest > sees 13 > it vanishes > xmr asks the rest > gets 13
        PAID exact with 13 xmr, btc underpaid, eth waiting, xmr settled
      btc asks 25 > gets 12 > eth asks the rest > sees 13 > xmr asks 25 > gets 13 > the 13 > it is mined
        PAID (overpaid), btc underpaid, eth expired, xmr settled, 13 unmatched: second_payment (worth 13.00)
      btc asks 25 > eth asks 25 > btc sees 25 > eth gets 25 > the 25 > it vanishes
        PAID, btc waiting, eth settled
      card asks 25 > btc asks 25 > btc gets 5 > card gets 25
        PAID over with 25.00 card (overpaid), card settled, btc underpaid
      card asks 25 > btc asks 25 > btc gets 5 > card gets 17
        UNPAID 3.00 left (part paid), card underpaid, btc underpaid, event card processing
      card asks 25 > btc asks 25 > btc gets 5 > card gets 20
        PAID exact with 20.00 card, card settled, btc underpaid
      card asks 25 > gets 26
        PAID over with 26.00 card (overpaid), card settled
      card asks 25 > gets 25.01
        PAID over with 25.01 card (overpaid), card settled
      card asks 25 > gets 10 > gets 11.25
        PAID short by 3.75 with 21.25 card, card settled
      card asks 25 > gets 10 > gets 11.24
        UNPAID 3.76 left (part paid), card underpaid
      card asks 25 > gets 10 > bank asks the rest > gets 12.75
        PAID short by 2.25 with 12.75 bank, card underpaid, bank settled
      card asks 25 > gets 10 > bank asks the rest > gets 12.74
        UNPAID 2.26 left (part paid), card underpaid, bank underpaid, event bank processing
      card asks 25 > gets 1 > btc asks the rest > gets 24
        PAID exact with 24 btc, card underpaid, btc settled
      card asks 25 > sees 25
        UNPAID 0.00 left (confirming), card confirming, event card processing
      card asks 25 > sees 25 > it is mined
        PAID exact with 25.00 card, card settled
      card asks 25 > sees 10 > it vanishes
        UNPAID 25.00 left, card waiting
      btc asks 25 > gets 12 > card asks the rest > at 25 h
        EXPIRED 13.00 left (part paid), btc expired, card expired, event card expired, 12 unmatched: underpaid (worth 12.00, 13.00 missing, may accept)
      btc asks 25 > expires at 10 min > gets 12 > at 35 min > gets 13 at 0.5
        PAID exact with 25 btc, btc settled, 12 resolved
      btc asks 25 > at 20 min > gets 12 > at 24 h > gets 13
        PAID late with 25 btc, btc settled, 12 resolved
      btc asks 25 > at 20 min > gets 12 > at 24 h > resolve 12 > btc gets 13
        EXPIRED 12.00 left (part paid), btc expired, 13 unmatched: late (worth 13.00, 12.00 missing, may accept)
      $0.01: btc asks 0.01 > gets 0.01
        PAID exact with 0.01 btc, btc settled
      $0.01: btc asks 0.01 > gets 0.009999
        PAID short by 0.01 with 0.009999 btc, btc settled
      $0.05: btc asks 0.05 > gets 0.02
        UNPAID 0.03 left (part paid), btc underpaid, event btc processing, 0.02 unmatched: underpaid (worth 0.02, 0.03 missing, may accept)
      $100.00: btc asks 100 > gets 99.5
        PAID short by 0.50 with 99.5 btc, btc settled
      $100.00: btc asks 100 > gets 99.499999
        UNPAID 0.51 left (part paid), btc underpaid, event btc processing
      $1001.00: btc asks 1001 > sees 1001 > at 151 min > it is mined at 0.5
        UNPAID 500.50 left (part paid), btc expired, 1001 unmatched: late (worth 500.50, 500.50 missing, may accept)
    `),
  )('$story: $decision', ({ price, story, decision }) => {
    expect(new Story(price).read(story)).toBe(decision)
  })
})

test('a third and two thirds of a price add up to the price, in two coins of large units', () => {
  const of = new Story('10.00', '0')
  of.read('btc asks 10 > eth asks 10')
  for (const id of ['btc', 'eth']) of.change(id, { dueAtomic: 3n })
  of.read('btc gets 0.000001')
  expect(of.read('eth gets 0.000002')).toBe('PAID exact with 0.000002 eth, btc underpaid, eth settled')
})

test('a payment that settled its order still counts when another order claims it too', () => {
  const of = new Story('25.00')
  of.read('btc asks 25 > gets 25')
  const { id: settled } = of.last
  expect(decide({ ...of.of, isClaimed: ({ id }) => id === settled }).changes).toEqual([])
})
