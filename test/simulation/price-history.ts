import { type Mood, randomTurn } from './market.ts'
import { type Random, seededRandom } from './random.ts'

/** The families for histories of prices: one with several coins, and one with unconfirmed payments. */
export const priceFamilies = ['evm', 'bitcoin'] as const

interface PriceSetup {
  family: (typeof priceFamilies)[number]
  seed: number
  /** amount of the order, in dollars */
  amount: string
}

/** A step of a history with one order. A step about a payment that does not exist does nothing. */
export type PriceStep =
  | { do: 'choose'; coin: number }
  /** pays a percentage of the amount that the page asks for; a later step mines an unconfirmed payment */
  | { do: 'pay'; attempt: number; percent: number; waits: boolean; hiddenMinutes: number }
  | { do: 'replace'; percent: number }
  | { do: 'mine' }
  | { do: 'price'; coin: number; percent: number }
  | { do: 'source'; source: number; mood: Mood }
  | { do: 'wait'; minutes: number }
  | { do: 'look' }

export interface PriceHistory {
  setup: PriceSetup
  steps: PriceStep[]
}

const percents = [100, 100, 100, 100, 60, 50, 33, 99, 120, 5] as const
const moves = [50, 70, 90, 99, 101, 110, 150, 200] as const
const pauses = [1, 1, 2, 5, 12, 31, 70, 100, 200, 280] as const
const amounts = ['25.00', '24.99', '100.00', '1500.00'] as const

export function makePriceHistory(seed: number): PriceHistory {
  const random = seededRandom(seed)
  const family = random.pick(priceFamilies)
  const compared = random.chance(0.5) ? [0, 1, 2] : [random.int(3)]
  const steps: PriceStep[] = compared.map(coin => ({ do: 'choose', coin }))
  const count = random.between(8, 30)
  while (steps.length < count) {
    const step = anyStep(random, family === 'bitcoin')
    steps.push(step)
    // Most buyers watch the page after they paid.
    if (step.do === 'pay' && random.chance(0.6)) steps.push({ do: 'wait', minutes: 1 }, { do: 'look' })
  }
  return { setup: { family, seed, amount: random.pick(amounts) }, steps }
}

function anyStep(random: Random, isBitcoin: boolean): PriceStep {
  const roll = random.int(100)
  const coin = random.int(3)
  if (roll < 12) return { do: 'choose', coin }
  if (roll < 32) return anyPayment(random, isBitcoin)
  if (roll < 38 && isBitcoin) return { do: 'replace', percent: random.pick(percents) }
  if (roll < 44 && isBitcoin) return { do: 'mine' }
  if (roll < 62) return { do: 'price', coin, percent: random.pick(moves) }
  if (roll < 68) return { do: 'source', ...randomTurn(random) }
  return roll < 86 ? { do: 'wait', minutes: random.pick(pauses) } : { do: 'look' }
}

function anyPayment(random: Random, isBitcoin: boolean): PriceStep {
  const waits = isBitcoin && random.chance(0.4)
  const hiddenMinutes = isBitcoin && random.chance(0.2) ? random.pick([15, 45, 130]) : 0
  return { do: 'pay', attempt: random.int(4), percent: random.pick(percents), waits, hiddenMinutes }
}

function describeStep(step: PriceStep): string {
  switch (step.do) {
    case 'choose':
      return `The buyer chooses coin ${step.coin}.`
    case 'pay': {
      const waits = step.waits ? ', and it waits to be mined' : ''
      const hidden = step.hiddenMinutes > 0 ? `, which is listed ${step.hiddenMinutes} min later` : ''
      return `The buyer pays ${step.percent} % of what attempt ${step.attempt} asks for${waits}${hidden}.`
    }
    case 'replace':
      return `The buyer replaces the newest waiting payment by ${step.percent} % of what is asked for.`
    case 'mine':
      return 'Waiting payments are mined.'
    case 'price':
      return `The price of coin ${step.coin} becomes ${step.percent} %.`
    case 'source':
      return `Source ${step.source} of prices is ${step.mood}.`
    case 'wait':
      return `${step.minutes} min pass.`
    case 'look':
      return 'The page checks the payments.'
  }
}

export const printPriceHistory = ({ setup: { family, amount }, steps }: PriceHistory): string =>
  [
    `An order of ${amount} USD on ${family}`,
    ...steps.map((step, index) => `${`${index + 1}`.padStart(3)}. ${describeStep(step)}`),
  ].join('\n')
