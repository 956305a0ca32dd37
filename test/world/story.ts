import type { Random } from '../simulation/random.ts'
import type { Form } from './forms.ts'
import type { RequestMaker } from './generate-requests.ts'
import type { Request, Step } from './steps.ts'

/** Steps that belong together. Other steps happen between them, except within a list. */
export type Story = (random: Random, requests: RequestMaker) => (Step | Step[])[]

export const DAY = 24 * 60
export const POLYGON = 0
export const wait = (minutes: number): Step => ({ do: 'wait', minutes })
export const open = (order: number, asset: number): Request => ({ do: 'open', order, asset })
export const check = (order: number): Request => ({ do: 'visit', order, what: 'check' })
export const page = (order: number): Request => ({ do: 'visit', order, what: 'page' })
export const pay = (
  order: number,
  percent: number,
  payment = 0,
  waits = false,
  form: Form = 'plain',
): Step => ({
  ...{ do: 'pay', order, payment, percent, waits },
  ...{ hiddenMinutes: 0, fee: 0, form },
})
export const soon = (random: Random): Step => wait(random.pick([1, 2, 3, 12]))

/** An order with one open payment. */
export function opened(random: Random, requests: RequestMaker, asset = random.int(9)) {
  const { order, shop, step } = requests.newOrder()
  return { order, shop, asset, steps: [step, open(order, asset)] as Step[] }
}

/** A wait until a payment is final and has been found. */
export const untilFinal = (requests: RequestMaker, asset: number): Step =>
  wait(Math.ceil(requests.finalMs(asset) / 60_000) + 2)

/** An order with a final payment, after a check of its chain. */
export function settled(random: Random, requests: RequestMaker) {
  const story = opened(random, requests)
  const { order, asset } = story
  return { ...story, steps: [...story.steps, pay(order, 100), untilFinal(requests, asset), check(order)] }
}

/** From now on, all endpoints of a chain answer, and are honest until one of them begins to lie again. */
export const honestly = ({ chains }: RequestMaker, chain: number): Step[] => [
  { do: 'outage', chain, isOver: true },
  ...Array.from(
    { length: chains[chain]!.endpoints },
    (_, endpoint): Step => ({
      ...{ do: 'lie', chain, endpoint, lie: 'honest', amount: 0, times: null },
    }),
  ),
]
