import { describe, expect, test } from 'bun:test'
import { Story, stories } from './story.ts'

// In these tables, the lock ends after 30 minutes and the grace after 90. "at 0.5" means that the coin is
// worth half of the quoted rate when the payment is mined.

describe('a payment is in time until lock and grace end, then it counts at its own rate', () => {
  test.each(
    stories(`
      btc asks 25 > at 30 min > gets 25 at 0.5
        PAID exact with 25 btc, btc settled
      btc asks 25 > at 31 min > gets 25 at 0.5
        PAID exact with 25 btc, btc settled
      btc asks 25 > at 90 min > gets 25 at 0.5
        PAID exact with 25 btc, btc settled
      btc asks 25 > at 91 min > gets 25 at 0.5
        UNPAID 12.50 left (part paid), btc expired, 25 unmatched: late (worth 12.50, 12.50 missing, may accept)
      btc asks 25 > at 91 min > gets 25
        PAID late with 25 btc, btc settled
      btc asks 25 > at 91 min > gets 25 at 1.2
        PAID late with 25 btc (overpaid), btc settled
      btc asks 25 > at 91 min > gets 25 at 0.996
        PAID late by 0.10 with 25 btc, btc settled
      btc asks 25 > at 91 min > gets 25 at 0.99
        UNPAID 0.25 left (part paid), btc expired, 25 unmatched: late (worth 24.75, 0.25 missing, may accept)
      btc asks 25 > at 91 min > gets 25 without a rate
        UNPAID nothing asked, btc expired, 25 unmatched: late (of unknown value, may force)
      btc asks 25 > at 91 min > gets 5 without a rate > eth asks 25 > gets 20
        UNPAID nothing asked (part paid), btc expired, eth underpaid, event eth processing
      btc asks 25 > at 91 min > gets 5 > eth asks the rest > gets 20
        PAID late with 20 eth, btc expired, eth settled, 5 resolved
      btc asks 25 > gets 12 > at 91 min > gets 13
        PAID late with 25 btc, btc settled, 12 resolved
      btc asks 25 > gets 12 > at 91 min > gets 13 at 0.9
        UNPAID 1.30 left (part paid), btc expired, 12 leaves 1.30 missing, 13 unmatched: late (worth 11.70, 1.30 missing, may accept)
      btc asks 25 > gets 12 > at 91 min > gets 15 at 0.9
        PAID late with 27 btc (overpaid), btc settled, 12 resolved
      btc asks 25 > at 91 min > gets 10 at 0.5 > at 92 min > gets 10 at 2
        PAID late with 20 btc, btc settled, 10 resolved
      btc asks 25 > at 89 min > sees 25 > at 3 h > it is mined at 0.5
        PAID exact with 25 btc, btc settled
      btc asks 25 > at 91 min > sees 25 > at 3 h > it is mined at 0.5
        UNPAID 12.50 left (part paid), btc expired, 25 unmatched: late (worth 12.50, 12.50 missing, may accept)
      btc asks 25 > at 91 min > sees 25
        UNPAID 0.00 left (confirming), btc confirming, event btc processing
      btc asks 25 > at 5 h > sees 25 > at 11 h > check
        UNPAID 0.00 left (confirming), btc confirming
      btc asks 25 > at 5 h > sees 25 > at 12 h > check
        UNPAID 25.00 left, btc expired
      btc asks 25 > at 91 min > sees 12
        UNPAID 13.00 left (part paid), btc expired
      btc asks 25 > at 91 min > late ask > gets 5
        UNPAID 20.00 left, btc expired, 5 unmatched: late (worth 5.00, 20.00 missing, may accept)
      btc asks 25 > late ask > gets 12 > at 91 min > gets 13
        UNPAID 0.00 left (part paid), btc expired, 13 unmatched: late (worth 13.00, may accept)
      btc asks 25 > late ask > at 60 min > gets 25 at 0.5
        PAID exact with 25 btc, btc settled
      btc asks 25 > late ask > at 91 min > gets 13 > eth asks the rest > gets 12
        UNPAID 0.00 left (part paid), btc expired, eth settled, 13 leaves nothing missing
      btc asks 25 > late ask > at 91 min > gets 13 without a rate > eth asks the rest
        UNPAID nothing asked, btc expired, eth settled
    `),
  )('$story: $decision', ({ price, story, decision }) => {
    expect(new Story(price).read(story)).toBe(decision)
  })
})

describe('the end of the watch', () => {
  test.each(
    stories(`
      btc asks 25 > at 8 d > gets 25
        EXPIRED 0.00 left, btc expired, 25 unmatched: too_late (worth 25.00, may accept)
      btc asks 25 > gets 12 > at 8 d > gets 13
        EXPIRED 0.00 left (part paid), btc expired, 13 unmatched: too_late (worth 13.00, may accept)
      btc asks 25 > at 7 d > gets 25
        PAID late with 25 btc, btc settled
      card asks 25 > at 8 d > gets 25
        EXPIRED 0.00 left, card expired, 25 unmatched: too_late (worth 25.00, may accept)
    `),
  )('$story: $decision', ({ price, story, decision }) => {
    expect(new Story(price).read(story)).toBe(decision)
  })
})

describe('a payment that was seen in time has to be mined soon', () => {
  test.each(
    stories(`
      btc asks 25 > sees 25 > at 390 min > it is mined at 0.5
        PAID exact with 25 btc, btc settled
      btc asks 25 > sees 25 > at 391 min > it is mined at 0.5
        UNPAID 12.50 left (part paid), btc expired, 25 unmatched: late (worth 12.50, 12.50 missing, may accept)
      btc asks 25 > sees 25 > at 391 min
        UNPAID 25.00 left, btc expired
      btc asks 25 > sees 25 > it vanishes > at 391 min
        UNPAID 25.00 left, btc expired, event btc expired
      btc asks 25 > sees 25 > at 391 min > at 400 min > it vanishes
        UNPAID 25.00 left, btc expired, event btc expired
      btc asks 25 > at 91 min > sees 25 without a rate > it vanishes
        UNPAID 25.00 left, btc expired
      btc asks 25 > sees 25 > at 390 min
        UNPAID 0.00 left (confirming), btc confirming
      btc asks 25 > sees 2 > eth asks 25 > at 150 min > the 2 > it is mined at 0.5
        UNPAID 23.00 left (part paid), btc expired, eth expired, 2 unmatched: underpaid (worth 2.00, 23.00 missing, may accept)
      btc asks 25 > sees 2 > eth asks 25 > at 151 min > the 2 > it is mined at 0.5
        UNPAID 24.00 left (part paid), btc expired, eth expired, 2 unmatched: late (worth 1.00, 24.00 missing, may accept)
      btc asks 25 > sees 10 > eth asks 15 > at 390 min > the 10 > it is mined at 0.5
        UNPAID 15.00 left (part paid), btc expired, eth expired, 10 unmatched: underpaid (worth 10.00, 15.00 missing, may accept)
      $2000.00: btc asks 2000 > sees 2000 > at 150 min > it is mined at 0.5
        PAID exact with 2000 btc, btc settled
      $2000.00: btc asks 2000 > sees 2000 > at 151 min > it is mined at 0.5
        UNPAID 1000.00 left (part paid), btc expired, 2000 unmatched: late (worth 1000.00, 1000.00 missing, may accept)
      $1000.00: btc asks 1000 > sees 1000 > at 390 min > it is mined at 0.5
        PAID exact with 1000 btc, btc settled
      $2000.00: card asks 2000 > at 5 h > gets 2000
        PAID exact with 2000.00 card, card settled
    `),
  )('$story: $decision', ({ price, story, decision }) => {
    expect(new Story(price).read(story)).toBe(decision)
  })
})

describe('a replacement keeps the time for the replaced amount', () => {
  test.each(
    stories(`
      btc asks 25 > sees 25 > it is replaced with 25 > at 2 h > it is mined at 0.5
        PAID exact with 25 btc, btc settled
      btc asks 25 > sees 5 > at 100 min > it is replaced with 25
        UNPAID 0.00 left (confirming), btc confirming
      btc asks 25 > sees 5 > at 100 min > it is replaced with 25 > at 2 h > it is mined at 0.5
        UNPAID 10.00 left (part paid), btc expired, 25 unmatched: late (worth 15.00, 10.00 missing, may accept)
      btc asks 25 > sees 25 > at 100 min > it is replaced with 10 > at 2 h > it is mined at 0.5
        UNPAID 15.00 left (part paid), btc expired, 10 unmatched: underpaid (worth 10.00, 15.00 missing, may accept)
      btc asks 25 > sees 25 > at 100 min > it is replaced with 10 > at 101 min > it is replaced with 25 > at 2 h > it is mined at 0.5
        UNPAID 7.50 left (part paid), btc expired, 25 unmatched: late (worth 17.50, 7.50 missing, may accept)
      btc asks 25 > sees 5 > at 20 min > it is replaced with 25 > at 2 h > it is mined at 0.5
        PAID exact with 25 btc, btc settled
      btc asks 25 > sees 5 > at 100 min > it is replaced with 25 > at 7 h > it is mined at 0.5
        UNPAID 12.50 left (part paid), btc expired, 25 unmatched: late (worth 12.50, 12.50 missing, may accept)
      btc asks 25 > late ask > sees 5 > at 100 min > it is replaced with 25 > at 2 h > it is mined
        UNPAID 0.00 left (part paid), btc expired, 25 unmatched: late (worth 25.00, may accept)
      btc asks 25 > late ask > sees 5 > at 100 min > it is replaced with 15 > at 2 h > it is mined
        UNPAID 10.00 left (part paid), btc expired, 15 unmatched: late (worth 15.00, 10.00 missing, may accept)
      btc asks 25 > late ask > sees 5 > at 100 min > it is replaced with 15 > at 2 h > it is mined > accept 15
        PAID accepted by 10.00 and late with 15 btc, btc settled, 15 accepted
    `),
  )('$story: $decision', ({ price, story, decision }) => {
    expect(new Story(price).read(story)).toBe(decision)
  })
})

describe('the grace belongs to the newest attempt, and to the older one with the most credit', () => {
  test.each(
    stories(`
      btc asks 25 > at 40 min > eth asks 25 > at 50 min > btc gets 25 at 0.5
        UNPAID 12.50 left (part paid), btc expired, eth waiting, 25 unmatched: late (worth 12.50, 12.50 missing, may accept)
      btc asks 25 > at 40 min > eth asks 25 > at 50 min > eth gets 25 at 0.5
        PAID exact with 25 eth, btc expired, eth settled
      btc asks 25 > at 20 min > eth asks 25 > at 29 min > btc gets 25 at 0.5
        PAID exact with 25 btc, btc settled, eth waiting
      btc asks 25 > gets 2.5 > at 40 min > eth asks the rest > at 50 min > btc gets 22.5 at 0.5
        PAID exact with 25 btc, btc settled, eth waiting
      btc asks 25 > gets 2.49 > at 40 min > eth asks the rest > at 50 min > btc gets 22.51 at 0.5
        UNPAID 11.26 left (part paid), btc expired, eth waiting, 2.49 leaves 11.26 missing, 22.51 unmatched: late (worth 11.25, 11.26 missing, may accept)
      usdc asks 25 > usdt counts anywhere > gets 10 usdt > at 40 min > eth asks the rest > at 50 min > usdc gets 15 at 0.5
        UNPAID 7.50 left (part paid), usdc expired, eth waiting, 10 leaves 7.50 missing, 15 unmatched: late (worth 7.50, 7.50 missing, may accept)
      btc asks 25 > at 35 min > gets 10 > at 40 min > eth asks the rest > at 50 min > btc gets 15 at 0.5
        UNPAID 7.50 left (part paid), btc expired, eth waiting, 10 leaves 7.50 missing, 15 unmatched: late (worth 7.50, 7.50 missing, may accept)
      btc asks 25 > eth asks 25 > btc gets 5 > eth gets 6 > xmr asks 25 > at 50 min > btc gets 14 at 0.5
        UNPAID 7.00 left (part paid), btc expired, eth underpaid, xmr waiting, 5 leaves 7.00 missing, 14 unmatched: late (worth 7.00, 7.00 missing, may accept)
      btc asks 25 > eth asks 25 > btc gets 5 > eth gets 6 > xmr asks 25 > at 50 min > eth gets 14 at 0.5
        PAID exact with 20 eth, btc expired, eth settled, xmr waiting, 5 resolved
      btc asks 25 > eth asks 25 > btc gets 5 > eth gets 5 > xmr asks 25 > at 50 min > btc gets 15 at 0.5
        UNPAID 7.50 left (part paid), btc expired, eth underpaid, xmr waiting, 5 leaves 7.50 missing, 15 unmatched: late (worth 7.50, 7.50 missing, may accept)
      btc asks 25 > eth asks 25 > btc gets 5 > eth gets 5 > xmr asks 25 > at 50 min > eth gets 15 at 0.5
        PAID exact with 20 eth, btc expired, eth settled, xmr waiting, 5 resolved
      btc asks 25 > sees 5 > eth asks 20 > at 50 min > btc gets 20 at 0.5 > the 5 > it is mined
        PAID exact with 25 btc, btc settled, eth waiting
      btc asks 25 > sees 5 > eth asks 20 > it vanishes > at 50 min > btc gets 20 at 0.5
        UNPAID 15.00 left (part paid), btc expired, eth waiting, 20 unmatched: late (worth 10.00, 15.00 missing, may accept)
      btc asks 25 > at 40 min > card asks 25 > at 50 min > btc gets 25 at 0.5
        PAID exact with 25 btc, btc settled, card waiting
      card asks 25 > btc asks 25 > at 50 min > btc gets 25 at 0.5
        PAID exact with 25 btc, card waiting, btc settled
      card asks 25 > btc asks 25 > at 5 h > card gets 25
        PAID exact with 25.00 card, card settled, btc expired
      btc asks 25 > gets 5 > at 40 min > eth asks 20 > at 85 min
        UNPAID 20.00 left (part paid), btc underpaid, eth waiting
      btc asks 25 > gets 2 > at 40 min > eth asks 23 > at 41 min
        UNPAID 23.00 left (part paid), btc expired, eth waiting
      btc asks 25 > at 40 min > eth asks 25 > at 41 min
        UNPAID 25.00 left, btc expired, eth waiting
      btc asks 25 > at 91 min
        UNPAID 25.00 left, btc expired, event btc expired
      btc asks 25 > at 89 min
        UNPAID 25.00 left, btc waiting
      gate asks 25 > at 209 min > gets 25 at 0.5
        PAID exact with 25 gate, gate settled
      gate asks 25 > at 210 min > gets 25 at 0.5
        PAID exact with 25 gate, gate settled
      gate asks 25 > at 211 min > gets 25 at 0.5
        UNPAID 12.50 left (part paid), gate expired, 25 unmatched: late (worth 12.50, 12.50 missing, may accept)
    `),
  )('$story: $decision', ({ price, story, decision }) => {
    expect(new Story(price).read(story)).toBe(decision)
  })
})

describe('a payment that was in time only because the chain could not be read', () => {
  test.each(
    stories(`
      btc asks 25 > btc is not read for 20 min > at 50 min > gets 25 at 0.94
        PAID exact with 25 btc, btc settled
      btc asks 25 > btc is not read for 20 min > at 100 min > gets 25 at 0.95
        PAID exact with 25 btc, btc settled
      btc asks 25 > btc is not read for 20 min > at 100 min > gets 25 at 0.94
        UNPAID 1.50 left (part paid), btc underpaid, event btc processing
      btc asks 25 > btc is not read for 20 min > at 100 min > gets 25 at 2
        PAID exact with 25 btc, btc settled
      btc asks 25 > btc is not read for 20 min > at 100 min > gets 25 without a rate
        UNPAID nothing asked, btc underpaid, event btc processing, 25 unmatched: late (of unknown value, may force)
      btc asks 25 > btc is not read for 20 min > at 110 min > gets 25 at 0.95
        PAID exact with 25 btc, btc settled
      btc asks 25 > btc is not read for 20 min > at 111 min > gets 25 at 0.95
        UNPAID 1.25 left (part paid), btc expired, 25 unmatched: late (worth 23.75, 1.25 missing, may accept)
      btc asks 25 > btc is not read for 20 min > at 90 min > gets 25 at 0.5
        PAID exact with 25 btc, btc settled
      btc asks 25 > btc is not read for 20 min > at 100 min > late ask > gets 25 at 0.95
        PAID exact with 25 btc, btc settled
      btc asks 25 > btc is not read for 20 min > at 100 min > late ask > gets 25 at 0.94
        UNPAID 1.50 left, btc underpaid, event btc processing, 25 unmatched: late (worth 23.50, 1.50 missing, may accept)
      btc asks 25 > btc is not read for 20 min > gets 12 > at 100 min > gets 13 at 0.5
        UNPAID 6.50 left (part paid), btc underpaid
      btc asks 25 > btc cannot be read > at 95 min > end > btc is read > at 94 min > gets 25
        PAID exact with 25 btc, btc settled
      btc asks 25 > btc cannot be read > at 95 min > end > btc is read > at 96 min > gets 25
        PAID late with 25 btc, btc settled
      btc asks 25 > at 95 min > end > at 94 min > gets 25
        PAID late with 25 btc, btc settled
      gate asks 25 > at 211 min > gets 5 > reports a total of 15
        UNPAID 10.00 left (part paid), gate expired, 5 leaves 10.00 missing, 15 unmatched: late (worth 15.00, 10.00 missing, may accept)
      gate asks 25 > at 211 min > gets 5 > reports a total of 25
        PAID late with 25 gate, gate settled, 5 resolved
      btc asks 25 > gets 12 > at 95 min
        UNPAID 13.00 left (part paid), btc expired, 12 unmatched: underpaid (worth 12.00, 13.00 missing, may accept)
    `),
  )('$story: $decision', ({ price, story, decision }) => {
    expect(new Story(price).read(story)).toBe(decision)
  })
})
