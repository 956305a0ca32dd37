import { expect, test } from 'bun:test'
import { check, givenOrder, simulate, statusOf } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { timesOf } from '../support/whole.ts'
import { attemptsOf, givenCoinShop, MINUTE_MS, sendCoins, unmatchedOf } from './payments.ts'
import { type Random, randomOf } from './random.ts'

const { app, each } = suite()
const shop = each(() => givenCoinShop(app))

const COINS = ['btc', 'ltc', 'doge', 'polygon/usdc', 'ethereum/usdc', 'ethereum/eth', 'solana/usdc'] as const
const CARD = 'stripe'
const STEPS_MAX = 14
/** The largest loss in dollars by rounding to the minor unit and to the smallest quoted step of a coin. */
const ROUNDING = 0.02

/** The amount that the page asks a buyer to send; null if it asks for nothing. */
async function askedOn(id: string): Promise<number | null> {
  const { text } = await app.call('GET', `/pay/${id}`)
  const asked = /Pay ([\d.,]+) [A-Z]/.exec(text)?.[1]
  return asked === undefined ? null : Number(asked.replaceAll(',', ''))
}

interface Buyer {
  id: string
  price: number
  /** the value of everything that was sent, in dollars */
  sent: number
  /** the steps so far, for the message of a failure */
  story: string[]
}

async function payByCard(random: Random, buyer: Buyer): Promise<void> {
  const opened = await app.call('GET', `/payment/process/${buyer.id}?method=${CARD}`)
  if (opened.status !== 303 || !opened.headers.get('location')?.startsWith('http')) return
  const priced = Number(attemptsOf(app, buyer.id).at(-1)!.priced)
  const part = random.chance(0.5) ? 'underpaid' : 'paid'
  buyer.story.push(`card ${priced} ${part}`)
  expect(priced).toBeLessThanOrEqual(buyer.price - buyer.sent + ROUNDING)
  buyer.sent += part === 'paid' ? priced : priced / 2
  expect((await simulate(app, buyer.id, part)).status).toBe(202)
}

async function payInCoin(random: Random, buyer: Buyer): Promise<void> {
  const asset = random.pick(COINS)
  const opened = await app.call('POST', `/pay/${buyer.id}/crypto`, { form: { asset } })
  if (opened.status !== 303) return
  const asked = await askedOn(buyer.id)
  const [attempt] = attemptsOf(app, buyer.id).toSorted((a, b) => Number(b.chosen_at) - Number(a.chosen_at))
  if (asked === null || attempt?.asset_id !== asset) return
  const rate = Number(attempt.rate)
  expect(asked * rate).toBeLessThanOrEqual(buyer.price - buyer.sent + ROUNDING + rate * 1e-6)
  const share = random.pick([1, 1, 0.5, 0.34, 0.9])
  const decimals = Number(attempt.decimals)
  const shown = Math.min(decimals, 8)
  const atomic = BigInt(Math.round(asked * share * 10 ** shown)) * 10n ** BigInt(decimals - shown)
  if (random.chance(0.3)) await app.advance(random.pick([10, 31, 70, 200]) * MINUTE_MS)
  buyer.story.push(`${asset} asked ${asked}, sends ${share}`)
  buyer.sent += (Number(atomic) / 10 ** decimals) * rate
  await sendCoins(app, attempt, atomic)
}

async function buy(seed: number): Promise<void> {
  const random = randomOf(seed)
  const price = (100 + random.below(20_000)) / 100
  const { orderUUID: id } = await givenOrder(app, shop, { amount: price.toFixed(2) })
  const buyer: Buyer = { id, price, sent: 0, story: [`order of ${price}`] }
  try {
    let { status } = await statusOf(app, id)
    for (let step = 0; status === 'UNPAID' && step < STEPS_MAX; step++) {
      await (random.chance(0.25) ? payByCard(random, buyer) : payInCoin(random, buyer))
      if (random.chance(0.3)) await app.advance(random.pick([1, 20, 35, 100]) * MINUTE_MS)
      const now = await check(app, id)
      status = now.status
      buyer.story.push(`credited ${now.credited} left ${now.left?.amount} ${status}`)
      if (status !== 'UNPAID') break
      expect(Math.abs(Number(now.credited) - buyer.sent)).toBeLessThanOrEqual(ROUNDING)
      expect(Math.abs(Number(now.left.amount) - (price - buyer.sent))).toBeLessThanOrEqual(ROUNDING)
    }
    if (status !== 'PAID') return
    expect(buyer.sent).toBeGreaterThanOrEqual(price * 0.995 - ROUNDING)
    expect(buyer.sent).toBeLessThanOrEqual(price + ROUNDING * 2)
    expect(unmatchedOf(app, id).filter(row => !String(row).endsWith('resolved'))).toEqual([])
  } catch (error) {
    throw new Error(`seed ${seed}: ${buyer.story.join('; ')}`, { cause: error })
  }
}

test('buyers who pay what the page asks for, in parts and in any coin, pay the price exactly once', async () => {
  const first = Number(process.env.FLORIN_SEED ?? crypto.getRandomValues(new Uint32Array(1))[0])
  for (let run = 0; run < timesOf(15, 150); run++) await buy(first + run)
}, 300_000)
