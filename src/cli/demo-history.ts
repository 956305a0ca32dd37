import type { Running } from '../boot/serve.ts'
import { assert } from '../domain/errors.ts'
import type { Context } from '../operations/context.ts'
import { addNote } from '../operations/orders/add-note.ts'
import { cancelOrder } from '../operations/orders/cancel.ts'
import { createOrder } from '../operations/orders/create.ts'
import { expireOrder } from '../operations/orders/end.ts'
import { checkOrder } from '../operations/payments/check-order.ts'
import { openCryptoAttempt } from '../operations/payments/open-crypto.ts'
import { provisionAttempt } from '../operations/payments/open-provider.ts'
import { listUnmatched, resolveUnmatched } from '../operations/payments/unmatched.ts'
import { recordRefund } from '../operations/refunds/record.ts'
import { listEvents } from '../operations/webhooks/read-events.ts'
import { type DemoSale, demoSales } from './demo-sales.ts'

/** The clock of a demo that starts in the past. It only goes forward, and ends in the present. */
export interface DemoClock {
  now(): number
  /** Moves the clock on to a time; ignores times that are earlier than the clock's. */
  moveTo(time: number): void
  /** True while the clock is behind the present. */
  isPast(): boolean
  /** Moves the clock to the present. */
  end(): number
}

export function demoClock(behindMs: number, present: () => number = Date.now): DemoClock {
  let behind = behindMs
  const now = () => present() - behind
  return {
    now,
    moveTo(time) {
      behind = Math.max(0, Math.min(behind, present() - time))
    },
    isPast: () => behind > 0,
    end: present,
  }
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const WEEK_MS = 7 * DAY_MS
/** Time for which an order of the past can be paid. */
const OPEN_MS = HOUR_MS
const OPEN_TRIES = 5

/** State shared by the steps of the demo's past. */
interface Past {
  running: Running
  context: Context
  clock: DemoClock
  merchantId: string
  /** author of the refunds */
  userId: string
  /** author of the notes */
  staffId: string
}

interface Step {
  at: number
  run(): Promise<void>
}

/** Calls a sandbox route of the server, like a script. */
async function callSandbox({ florin }: Running, path: string, body: object): Promise<void> {
  const response = await florin.http.handle(
    new Request(`http://localhost/sandbox/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )
  assert(response.ok, `the sandbox answers /sandbox/${path}`)
}

/** Runs the jobs that became due when the clock moved. */
const runDueJobs = (running: Running): Promise<void> => callSandbox(running, 'clock', { advanceSeconds: 0 })

const isProvider = ({ networks }: Context, way: string) => !networks.asset(way)

/** Delivers the event of a payment to the shop's server, in a second try if the first is refused. */
async function deliver({ running, context, clock, merchantId }: Past): Promise<void> {
  await runDueJobs(running)
  const { items } = await listEvents(context, { merchantId, status: 'pending' }, 1, null)
  if (items.length === 0) return
  clock.moveTo(clock.now() + MINUTE_MS)
  await runDueJobs(running)
}

const open = (context: Context, id: string, way: string): Promise<unknown> =>
  isProvider(context, way) ? provisionAttempt(context, id, way) : openCryptoAttempt(context, id, way)

/** Opens a payment, and retries while the rates are older than the clock's last move allows. */
async function openPatiently({ context, clock }: Past, id: string, way: string): Promise<void> {
  for (let left = OPEN_TRIES; ; left--) {
    try {
      await open(context, id, way)
      return
    } catch (error) {
      if (left === 0) throw error
      clock.moveTo(clock.now() + MINUTE_MS)
    }
  }
}

async function placeOrder({ context, merchantId }: Past, sale: DemoSale, number: number): Promise<string> {
  const { buyer, item, amount, currency } = sale
  const { order } = await createOrder(context, merchantId, {
    amount,
    currency,
    paymentMethodsKeys: ['*'],
    customer: buyer,
    description: item,
    externalId: `CC-${1000 + number}`,
    metadata: { channel: number % 3 === 0 ? 'shop' : 'web' },
    expiresAt: new Date(context.clock() + OPEN_MS).toISOString(),
  })
  return order.id
}

/** Plays the events of an order during the hour in which it can be paid. */
async function play(past: Past, { way, outcome }: DemoSale, id: string): Promise<void> {
  const { running, context, clock, merchantId } = past
  const after = (ms: number) => clock.moveTo(clock.now() + ms)
  if (outcome === 'cancelled') {
    after(4 * MINUTE_MS)
    await cancelOrder(context, merchantId, id, `user:${past.userId}`, 'The buyer chose another roast')
    return
  }
  after(2 * MINUTE_MS)
  if (outcome !== 'left') {
    await openPatiently(past, id, way)
    after(5 * MINUTE_MS)
    if (outcome !== 'not paid') {
      await callSandbox(running, 'simulate', { orderUUID: id, outcome })
      await checkOrder(context, id)
    }
  }
  if (outcome === 'paid' || outcome === 'overpaid') return deliver(past)
  after(OPEN_MS)
  await checkOrder(context, id)
  await expireOrder(context, id)
}

const asPerson = ({ context }: Past, userId: string): Context => ({
  ...context,
  origin: { actor: `user:${userId}`, requestId: null, client: null },
})

/** The later actions of the shop's people on an order, as steps. */
function later(past: Past, { note, refund }: DemoSale, id: string, number: number, soldAt: number): Step[] {
  const { merchantId, userId, staffId } = past
  const steps: Step[] = []
  if (note)
    steps.push({
      at: soldAt + 5 * HOUR_MS,
      run: async () => void (await addNote(asPerson(past, staffId), merchantId, id, note)),
    })
  if (refund) {
    const { reason, amount } = refund
    const request = { merchantId, orderId: id, by: `user:${userId}`, idempotencyKey: `past-${number}` }
    steps.push({
      at: soldAt + 2 * DAY_MS,
      run: async () =>
        void (await recordRefund(asPerson(past, userId), {
          ...request,
          body: { reason, ...(amount && { amount }) },
        })),
    })
  }
  return steps
}

/** Marks the first unmatched payment as resolved, as the shop's people would. */
async function resolveFirst(past: Past): Promise<void> {
  const { merchantId } = past
  const first = (await listUnmatched(past.context, merchantId)).at(-1)?.payment
  if (first)
    await resolveUnmatched(asPerson(past, past.userId), merchantId, first.id, 'Sent back to the buyer.')
}

/** Runs a step. A failing sale does not end the past: a busy computer may have answered too late. */
async function attempt({ florin }: Past['running'], { run }: Step): Promise<void> {
  try {
    await run()
  } catch (error) {
    florin.context.log.warn({ reason: String(error) }, 'demo.sale.failed')
  }
}

/**
 * Lets six weeks pass in the demo's shop. Its sales, refunds and notes happen through the same operations as
 * in a real shop, while the clock moves from the past to the present.
 */
export async function makeDemoHistory(past: Past): Promise<void> {
  const { clock, running } = past
  const startedAt = clock.now()
  const steps: Step[] = demoSales.map((sale, number) => ({
    at: startedAt + sale.afterMs,
    async run() {
      const soldAt = clock.now()
      const id = await placeOrder(past, sale, number)
      await play(past, sale, id)
      steps.push(...later(past, sale, id, number, soldAt))
    },
  }))
  let jobsAt = startedAt + WEEK_MS
  for (let next = takeFirst(steps); next && next.at < clock.end() - 2 * OPEN_MS; next = takeFirst(steps)) {
    clock.moveTo(next.at)
    if (next.at >= jobsAt) {
      jobsAt += WEEK_MS
      await runDueJobs(running)
    }
    await attempt(running, next)
  }
  await resolveFirst(past)
  clock.moveTo(clock.end())
  await runDueJobs(running)
}

function takeFirst(steps: Step[]): Step | undefined {
  steps.sort((a, b) => a.at - b.at)
  return steps.shift()
}
