import { describe, expect, test } from 'bun:test'
import { Story, stories } from './story.ts'

describe('a payment in another coin than requested', () => {
  test.each(
    stories(`
      btc asks 25 > gets 25 usdt
        UNPAID 0.00 left, btc waiting, 25 unmatched: wrong_asset (worth 25.00, may accept)
      usdc asks 25 > usdt counts anywhere > gets 25 usdt
        PAID exact with 25 usdc, usdc settled
      usdc asks 25 > usdt counts anywhere > gets 25 usdt at 0.9
        UNPAID 2.50 left (part paid), usdc waiting
      usdc asks 25 > usdt counts anywhere > gets 25 usdt without a rate
        UNPAID nothing asked, usdc waiting, 25 unmatched: wrong_asset (of unknown value, may force)
      usdc asks 25 > usdt counts anywhere > gets 12 usdt > usdc gets 13
        PAID exact with 13 usdc, usdc settled
      usdc asks 25 > usdt counts anywhere > gets 12 usdt > eth asks the rest > gets 13
        PAID exact with 13 eth, usdc waiting, eth settled
      usdc asks 25 > usdt counts anywhere > gets 30 usdt
        PAID over with 30 usdc (overpaid), usdc settled
      usdc asks 25 > usdt counts anywhere > late ask > at 90 min > gets 25 usdt
        PAID exact with 25 usdc, usdc settled
      usdc asks 25 > usdt counts anywhere > at 91 min > gets 25 usdt
        PAID late with 25 usdc, usdc settled
      usdc asks 25 > usdt counts anywhere > late ask > at 91 min > gets 25 usdt
        UNPAID 0.00 left, usdc expired, 25 unmatched: late (worth 25.00, may accept)
      usdc asks 25 > usdc cannot be read > late ask > usdt counts anywhere > at 91 min > gets 25 usdt > usdc is read
        UNPAID 0.00 left, usdc expired
      usdc asks 25 > usdt counts anywhere > late ask > at 91 min > gets 25 usdt > accept 25
        PAID accepted and late with 25 usdc, usdc settled, 25 accepted
      usdc asks 25 > usdt counts anywhere > late ask > eth asks 25 > at 60 min > usdc gets 25 usdt
        UNPAID 0.00 left, usdc expired, eth waiting, 25 unmatched: late (worth 25.00, may accept)
      usdc asks 25 > usdt counts anywhere > late ask > usdc is not read for 20 min > at 100 min > gets 25 usdt
        PAID exact with 25 usdc, usdc settled
      usdc asks 25 > gets 12 usdt > usdc gets 25
        PAID exact with 25 usdc, usdc settled, 12 leaves nothing missing
      usdc asks 25 > gets 12 usdt > accept 12
        PAID accepted by 13.00 with 12 usdc, usdc settled, 12 accepted
      usdc asks 25 > gets 25 usdt without a rate > accept 25
        PAID accepted with 25 usdc, usdc settled, 25 accepted
      usdc asks 25 > usdt counts anywhere > gets 25 usdc2
        UNPAID 0.00 left, usdc waiting, 25 unmatched: wrong_asset (worth 25.00, may accept)
      card asks 25 > gets 25 usdt
        UNPAID 0.00 left, card waiting, 25 unmatched: wrong_asset (worth 25.00, may accept)
      gate asks 25 > gets 25 usdt
        UNPAID 0.00 left, gate waiting, 25 unmatched: wrong_asset (worth 25.00, may accept)
      btc asks 25 > gets 25 > gets 5 usdt
        PAID, btc settled, 5 unmatched: wrong_asset (worth 5.00)
    `),
  )('$story: $decision', ({ price, story, decision }) => {
    expect(new Story(price).read(story)).toBe(decision)
  })
})

describe('a payment that the merchant resolved never counts again', () => {
  test.each(
    stories(`
      btc asks 25 > gets 12 > at 91 min > resolve 12
        UNPAID 25.00 left, btc expired
      btc asks 25 > gets 12 > at 91 min > resolve 12 > eth asks the rest > gets 13
        UNPAID 12.00 left (part paid), btc expired, eth underpaid, event eth processing
      btc asks 25 > gets 12 > at 91 min > resolve 12 > eth asks the rest > gets 25
        PAID exact with 25 eth, btc expired, eth settled
      btc asks 25 > at 91 min > late ask > gets 10 > resolve 10
        UNPAID 25.00 left, btc expired
      btc asks 25 > at 91 min > late ask > gets 25 > resolve 25
        UNPAID 25.00 left, btc expired
      btc asks 25 > at 91 min > gets 20 without a rate > resolve 20
        UNPAID 25.00 left, btc expired
      btc asks 25 > gets 12 > at 91 min > gets 3 > resolve 12 > btc gets 13
        UNPAID 9.00 left (part paid), btc expired, 3 leaves 9.00 missing, 13 unmatched: late (worth 13.00, 9.00 missing, may accept)
    `),
  )('$story: $decision', ({ price, story, decision }) => {
    expect(new Story(price).read(story)).toBe(decision)
  })
})

describe('a payment that the merchant accepted', () => {
  test.each(
    stories(`
      btc asks 25 > gets 12 > at 91 min > accept 12
        PAID accepted by 13.00 with 12 btc, btc settled, 12 accepted
      btc asks 25 > gets 12 > at 91 min > eth asks the rest > gets 5 > accept 12
        PAID accepted by 8.00 with 17.00 btc, btc settled, eth underpaid, 12 accepted
      btc asks 25 > gets 12 > gets 3 > at 91 min > accept 12 and 3
        PAID accepted by 10.00 with 15 btc, btc settled, 12 accepted, 3 accepted
      btc asks 25 > gets 12 > gets 3 > at 91 min > accept 12
        PAID accepted by 10.00 with 15 btc, btc settled, 12 accepted, 3 resolved
      btc asks 25 > at 91 min > late ask > gets 13 > accept 13
        PAID accepted by 12.00 and late with 13 btc, btc settled, 13 accepted
      btc asks 25 > gets 12 > at 91 min > late ask > gets 13 > accept 13
        PAID accepted and late with 25 btc, btc settled, 12 resolved, 13 accepted
      btc asks 25 > gets 12 > at 91 min > late ask > gets 10 at 0.9 > accept 10
        PAID accepted by 4.00 and late with 22 btc, btc settled, 12 resolved, 10 accepted
      btc asks 25 > at 91 min > gets 25 without a rate > accept 25
        PAID accepted and late with 25 btc, btc settled, 25 accepted
      btc asks 25 > at 91 min > late ask > gets 12 > eth asks 25 > gets 5 usdt > accept 12 and 5
        PAID accepted by 8.00 and late with 17.00 btc, btc settled, eth waiting, 12 accepted, 5 accepted
      btc asks 25 > gets 12 > at 91 min > accept 12 > gets 13
        PAID (overpaid), btc settled, 13 unmatched: second_payment (worth 13.00)
      btc asks 25 > gets 12 > at 25 h > accept 12
        PAID accepted by 13.00 with 12 btc, btc settled, 12 accepted
    `),
  )('$story: $decision', ({ price, story, decision }) => {
    expect(new Story(price).read(story)).toBe(decision)
  })
})

describe('an order that is forced, cancelled or failed', () => {
  test.each(
    stories(`
      btc asks 25 > force
        PAID, btc waiting
      btc asks 25 > gets 12 > force
        PAID, btc underpaid, 12 unmatched: order_closed (worth 12.00)
      btc asks 25 > gets 12 > at 91 min > force
        PAID, btc expired, 12 leaves nothing missing
      btc asks 25 > force > gets 25
        PAID, btc expired, 25 unmatched: order_closed (worth 25.00)
      btc asks 25 > sees 12 > force
        PAID, btc underpaid
      btc asks 25 > sees 12 > force > the 12 > it is mined
        PAID, btc underpaid, 12 unmatched: order_closed (worth 12.00)
      btc asks 25 > cancel
        CANCELLED, btc waiting
      btc asks 25 > cancel > gets 25
        CANCELLED, btc expired, 25 unmatched: order_closed (worth 25.00)
      btc asks 25 > cancel > sees 25
        CANCELLED, btc confirming, event btc processing
      btc asks 25 > gets 12 > cancel
        CANCELLED, btc underpaid, 12 unmatched: order_closed (worth 12.00)
      btc asks 25 > gets 12 > at 91 min > cancel
        CANCELLED, btc expired, 12 leaves nothing missing
      card asks 25 > only card > card fails
        FAILED, card failed, event card failed
      card asks 25 > only card > gets 10 > card fails
        UNPAID 15.00 left (part paid), card failed, event card failed
      card asks 25 > only card > gets 10 > card fails > check
        UNPAID 15.00 left (part paid), card failed
      card asks 25 > only card > gets 25 eth > card fails
        UNPAID 0.00 left, card failed, event card failed
      card asks 25 > only card > gets 25 eth > card fails > accept 25
        PAID accepted with 25 card, card settled, 25 accepted
      card asks 25 > card fails
        UNPAID 25.00 left, card failed, event card failed
      card asks 25 > card is over > check
        UNPAID 25.00 left, card expired
      card asks 25 > gets 5 > card is over > check
        UNPAID 20.00 left (part paid), card expired
      card asks 25 > card is over > gets 25
        PAID exact with 25.00 card, card settled
      btc asks 25 > btc is over > check
        UNPAID 25.00 left, btc waiting
      card asks 25 > card fails > gets 25
        PAID exact with 25.00 card, card settled
      card asks 25 > card fails > gets 10
        UNPAID 15.00 left (part paid), card underpaid, event card processing
      card asks 25 > bank asks 25 > card fails > bank gets 25
        PAID exact with 25.00 bank, card failed, bank settled
    `),
  )('$story: $decision', ({ price, story, decision }) => {
    expect(new Story(price).read(story)).toBe(decision)
  })
})

describe('payments of another order, and totals that a provider reports', () => {
  test.each(
    stories(`
      btc asks 25 > gets 25 of another order
        UNPAID 25.00 left, btc waiting, 25 unmatched: second_payment (of unknown value, may force)
      btc asks 25 > gets 25 of another order > eth asks 25 > gets 25
        PAID exact with 25 eth, btc waiting, eth settled
      card asks 25 > reports a total of 10 > reports a total of 25
        PAID exact with 25.00 card, card settled
      card asks 25 > gets 10 > reports a total of 10
        UNPAID 15.00 left (part paid), card underpaid
      card asks 25 > gets 10 > reports a total of 25
        PAID exact with 25.00 card, card settled
      card asks 25 > gets 10 > gets 15 > reports a total of 25
        PAID, card settled, 25 joins
      gate asks 25 > gets 10 > reports a total of 25
        PAID exact with 25 gate, gate settled
      gate asks 25 > reports a total of 10 > reports a total of 20
        UNPAID 5.00 left (part paid), gate underpaid
      card asks 25 > reports a total of 10 > gets 20
        UNPAID 5.00 left (part paid), card underpaid
      gate asks 25 > gets 10 of another order > reports a total of 20
        UNPAID 25.00 left, gate waiting, 20 unmatched: underpaid (of unknown value, may force)
      gate asks 25 > gets 10 of another order > at 40 min > reports a total of 20
        UNPAID 25.00 left, gate waiting, 20 unmatched: late (of unknown value, may force)
    `),
  )('$story: $decision', ({ price, story, decision }) => {
    expect(new Story(price).read(story)).toBe(decision)
  })
})

describe('a rest of less than 0.10 USD is not asked for', () => {
  test.each(
    stories(`
      btc asks 25 > gets 24.85
        UNPAID 0.15 left (part paid), btc underpaid, event btc processing
      btc asks 25 > no tolerance > gets 24.9
        UNPAID 0.10 left (part paid), btc underpaid, event btc processing
      btc asks 25 > no tolerance > gets 24.91
        UNPAID 0.09 left (part paid), btc underpaid, event btc processing, 24.91 unmatched: underpaid (worth 24.91, 0.09 missing, may accept)
      btc asks 25 > no tolerance > gets 12 > gets 12.95
        UNPAID 0.05 left (part paid), btc underpaid, 12 unmatched: underpaid (worth 12.00, 0.05 missing, may accept), 12.95 unmatched: underpaid (worth 12.95, 0.05 missing, may accept)
      btc asks 25 > no tolerance > gets 24.95 > gets 0.05
        PAID exact with 25 btc, btc settled, 24.95 resolved
    `),
  )('$story: $decision', ({ price, story, decision }) => {
    expect(new Story(price).read(story)).toBe(decision)
  })
})

describe('a rest that no method can take', () => {
  test.each(
    stories(`
      card asks 25 > card usually brings 93 % > gets 22
        UNPAID 3.00 left (part paid), card underpaid, event card processing
      card asks 25 > card usually brings 93 % > less than 5.00 cannot be paid > gets 22
        PAID short by 3.00 with 22.00 card, card settled
      card asks 25 > card usually brings 93 % > less than 5.00 cannot be paid > gets 21.25
        PAID short by 3.75 with 21.25 card, card settled
      card asks 25 > card usually brings 93 % > less than 5.00 cannot be paid > gets 21.24
        UNPAID 3.76 left (part paid), card underpaid, event card processing, 21.24 unmatched: underpaid (worth 21.24, 3.76 missing, may accept)
      card asks 25 > card usually brings 98 % > less than 5.00 cannot be paid > gets 24.25
        PAID short by 0.75 with 24.25 card, card settled
      card asks 25 > less than 5.00 cannot be paid > gets 20
        UNPAID 5.00 left (part paid), card underpaid, event card processing
      btc asks 25 > less than 5.00 cannot be paid > gets 21
        UNPAID 4.00 left (part paid), btc underpaid, event btc processing, 21 unmatched: underpaid (worth 21.00, 4.00 missing, may accept)
      btc asks 25 > gets 5 > card asks the rest > card usually brings 93 % > less than 5.00 cannot be paid > card gets 18
        PAID short by 2.00 with 18.00 card, btc underpaid, card settled
      card asks 25 > card usually brings 93 % > gets 22 > btc asks the rest > less than 0.20 cannot be paid > btc gets 2.85
        PAID short by 0.15 with 2.85 btc, card expired, btc settled
      card asks 25 > btc asks 25 > btc gets 2.9 > card gets 22
        PAID short by 0.10 with 22.00 card, card settled, btc underpaid
      card asks 25 > bank asks 25 > card usually brings 93 % > less than 5.00 cannot be paid > card gets 22 > bank gets 25
        PAID (overpaid), card settled, bank expired, 25 unmatched: second_payment (worth 25.00)
    `),
  )('$story: $decision', ({ price, story, decision }) => {
    expect(new Story(price).read(story)).toBe(decision)
  })
})

describe('the expiry waits for a lock and for confirmations, but not for a grace', () => {
  test.each(
    stories(`
      btc asks 25 > at 24 h
        EXPIRED 25.00 left, btc expired, event btc expired
      btc asks 25 > gets 12 > at 24 h
        EXPIRED 13.00 left (part paid), btc expired, 12 unmatched: underpaid (worth 12.00, 13.00 missing, may accept)
      btc asks 25 > expires at 20 min > at 20 min
        UNPAID 25.00 left, btc waiting
      btc asks 25 > expires at 20 min > at 30 min
        EXPIRED 25.00 left, btc waiting
      btc asks 25 > gets 12 > expires at 20 min > at 20 min
        UNPAID 13.00 left (part paid), btc underpaid
      btc asks 25 > gets 12 > expires at 20 min > at 30 min
        EXPIRED 13.00 left (part paid), btc underpaid, 12 unmatched: underpaid (worth 12.00, 13.00 missing, may accept)
      btc asks 25 > expires at 40 min > sees 25 > at 40 min
        UNPAID 0.00 left (confirming), btc confirming
      btc asks 25 > expires at 40 min > sees 25 > at 40 min > it is mined
        PAID exact with 25 btc, btc settled
      btc asks 25 > expires at 40 min > sees 25 > at 40 min > it vanishes
        EXPIRED 25.00 left, btc waiting
      card asks 25 > expires at 40 min > at 40 min
        EXPIRED 25.00 left, card expired, event card expired
      card asks 25 > gets 10 > expires at 40 min > at 40 min
        EXPIRED 15.00 left (part paid), card expired, 10 unmatched: underpaid (worth 10.00, 15.00 missing, may accept)
      card asks 25 > expires at 40 min > at 40 min > gets 25
        PAID exact with 25.00 card, card settled
      btc asks 25 > expires at 40 min > at 40 min > gets 25 at 0.5
        PAID exact with 25 btc, btc settled
      btc asks 25 > expires at 40 min > at 100 min > gets 25
        PAID late with 25 btc, btc settled
      btc asks 25 > gets 12 > expires at 40 min > at 40 min > gets 13
        PAID exact with 25 btc, btc settled, 12 resolved
      btc asks 25 > gets 5 > end
        EXPIRED 20.00 left (part paid), btc expired, 5 unmatched: underpaid (worth 5.00, 20.00 missing, may accept)
      btc asks 25 > end > at 20 min > gets 25 at 0.9
        EXPIRED 2.50 left (part paid), btc expired, 25 unmatched: late (worth 22.50, 2.50 missing, may accept)
      btc asks 25 > sees 25 > end
        EXPIRED 0.00 left (confirming), btc confirming
      btc asks 25 > sees 25 > end > at 20 min > it is mined at 0.5
        PAID exact with 25 btc, btc settled
      btc asks 25 > eth asks 25 > end > at 20 min > btc gets 25
        PAID late with 25 btc, btc settled, eth expired
      btc asks 25 > late ask > end > at 20 min > gets 25
        EXPIRED 0.00 left, btc expired, 25 unmatched: late (worth 25.00, may accept)
      card asks 25 > end
        EXPIRED 25.00 left, card expired, event card expired
      card asks 25 > end > at 20 min > gets 25
        PAID late with 25.00 card, card settled
      btc asks 25 > expires at 40 min > at 40 min > at 8 d > gets 25
        EXPIRED 0.00 left, btc expired, 25 unmatched: too_late (worth 25.00, may accept)
      btc asks 25 > expires at 40 min > btc cannot be read > at 40 min
        UNPAID 25.00 left, btc waiting
      btc asks 25 > expires at 40 min > btc cannot be read > at 8 d
        EXPIRED 25.00 left, btc waiting
      btc asks 25 > gets 12 > btc cannot be read > at 91 min
        UNPAID 13.00 left (part paid), btc underpaid
      btc asks 25 > gets 12 > btc cannot be read > at 25 h
        UNPAID 13.00 left (part paid), btc underpaid
    `),
  )('$story: $decision', ({ price, story, decision }) => {
    expect(new Story(price).read(story)).toBe(decision)
  })
})

test('a merchant who accepts a payment of another order is refused', () => {
  for (const story of ['', 'gets 12 > ']) {
    const of = new Story('25.00')
    of.read(`btc asks 25 > ${story}gets 1 of another order`)
    expect(() => of.read('accept 1')).toThrow('belongs to another order')
    expect(of.of.order.status).toBe('UNPAID')
  }
})
