import type { Random } from '../simulation/random.ts'
import type { RequestMaker } from './generate-requests.ts'
import { nodeLies, type Step } from './steps.ts'
import { check, DAY, open, page, pay, type Story, soon, wait } from './story.ts'

type StorySteps = ReturnType<Story>

/** An order with an invoice of the shop's node. */
function invoiced(random: Random, requests: RequestMaker) {
  const { order, shop, step } = requests.newOrder()
  const asset = requests.lightning()
  const turn = (lie: Extract<Step, { do: 'node' }>['lie']): Step => ({ do: 'node', shop, lie })
  const read: Step = { do: 'read', order, shop }
  const trouble = turn(random.pick(nodeLies))
  return { order, asset, turn, trouble, read, steps: [step, open(order, asset)] as Step[] }
}

/** The buyer pays an invoice, or more than its amount, and then pays again. */
function byInvoice(random: Random, requests: RequestMaker): StorySteps {
  const { order, steps, read } = invoiced(random, requests)
  const again = random.chance(0.3) ? [pay(order, 100), check(order)] : []
  return [...steps, pay(order, random.pick([100, 100, 130, 200])), soon(random), page(order), ...again, read]
}

/** The buyer pays at the last moment or too late, and then pays another invoice. */
function atExpiry(random: Random, requests: RequestMaker): StorySteps {
  const { order, asset, steps } = invoiced(random, requests)
  const late = wait(random.pick([28, 29, 30, 30, 31, 32]))
  const other = random.chance(0.5) ? [open(order, random.pick([asset, asset + 1])), pay(order, 100, 1)] : []
  return [
    ...[...steps, late, pay(order, 100), ...other, soon(random), page(order)],
    ...[open(order, asset), pay(order, 100), wait(3), check(order), page(order)],
  ]
}

/** The node does not answer, or reports something false, while the buyer pays. */
function untrueNode(random: Random, requests: RequestMaker): StorySteps {
  const { order, steps, turn, read } = invoiced(random, requests)
  const lie = random.pick(nodeLies)
  const paid = random.chance(0.8) ? [pay(order, 100)] : []
  const seen = random.chance(0.5) ? [check(order)] : []
  const first = random.chance(0.5) ? [turn(lie), ...paid] : [[...paid, ...seen, turn(lie)]]
  // The server queries an unreachable node until it answers, even after days. It queries a reachable node for
  // only a day.
  const later = wait(random.pick([1, 12, 31, 70, 190, ...(lie === 'fail' ? [2 * DAY] : [])]))
  const fallen: Step = { do: 'price', ticker: 'btc', percent: random.pick([100, 100, 70]) }
  return [
    ...steps,
    ...first,
    check(order),
    fallen,
    later,
    page(order),
    turn('honest'),
    wait(12),
    page(order),
    read,
  ]
}

/** The node does not answer, or reports something false, when the invoice is requested. */
function unopened(random: Random, requests: RequestMaker): StorySteps {
  const { order, asset, steps, turn, trouble } = invoiced(random, requests)
  const [made, opening] = steps as [Step, Step]
  return [
    ...[made, [trouble, opening, turn('honest')], open(order, asset), pay(order, 100)],
    ...[soon(random), page(order)],
  ]
}

/** The buyer pays the invoice and a coin, in either order. */
function invoiceAndCoin(random: Random, requests: RequestMaker): StorySteps {
  const { order, asset, steps } = invoiced(random, requests)
  const coin = [open(order, asset + 1 + random.int(3)), pay(order, random.pick([100, 50]))]
  const invoice = [open(order, asset), pay(order, 100)]
  const both = random.chance(0.5) ? [...coin, ...invoice] : [pay(order, 100), ...coin]
  return [...steps, ...both, soon(random), page(order), wait(70)]
}

const stories: readonly Story[] = [byInvoice, atExpiry, untrueNode, unopened, invoiceAndCoin]

/** Stories with invoices, for worlds in which shops have nodes. */
export const storiesOfLightning = ({ hasLightning }: RequestMaker): readonly Story[] =>
  hasLightning ? stories : []
