import { Argument } from 'commander'
import { Refusal } from '../domain/errors.ts'
import { type EventType, eventTypes } from '../domain/webhook.ts'
import type { Cli } from './cli.ts'
import { providerMethodOf, requireSandbox, type Sandbox, sandboxOf } from './developer/sandbox.ts'
import { developerCommand, type ServerOptions, type ShopServer, serverOf } from './developer/server.ts'
import { happenInTest, isForTests } from './developer/test-orders.ts'

/** The sandbox's clock is advanced by this time: that of a quoted amount, and the grace after it. */
const EXPIRY_SECONDS = 2 * 3600
const WAIT_MS = 15_000
const POLL_MS = 500

/** The steps with a new order after which each event is recorded. */
const happenings: Readonly<Record<EventType, (sandbox: Sandbox, orderUUID: string) => Promise<void>>> = {
  'payment.created': (sandbox, id) => sandbox.openCrypto(id),
  'payment.processing': async (sandbox, id) => {
    await sandbox.openCrypto(id)
    await sandbox.simulate(id, 'pending')
    await sandbox.check(id)
  },
  'payment.paid': pay,
  'order.paid': pay,
  'payment.failed': failAtProvider,
  'payment.expired': async (sandbox, id) => {
    await sandbox.openCrypto(id)
    await sandbox.advance(EXPIRY_SECONDS)
  },
  'order.expired': (sandbox, id) => sandbox.expire(id),
  'order.cancelled': (sandbox, id) => sandbox.cancel(id),
  'order.failed': failAtProvider,
  'refund.recorded': async (sandbox, id) => {
    await pay(sandbox, id)
    await sandbox.recordRefund(id)
  },
  'payment.unmatched': async (sandbox, id) => {
    await sandbox.openCrypto(id)
    await sandbox.simulate(id, 'wrong_asset')
    await sandbox.check(id)
  },
}

async function pay(sandbox: Sandbox, orderUUID: string): Promise<void> {
  await sandbox.openCrypto(orderUUID)
  await sandbox.simulate(orderUUID, 'paid')
  await sandbox.check(orderUUID)
}

async function failAtProvider(sandbox: Sandbox, orderUUID: string): Promise<void> {
  await sandbox.openProvider(orderUUID)
  await sandbox.simulate(orderUUID, 'failed')
}

/** Events except `order.paid` are recorded only for a webhook that is subscribed to them. */
async function requireSubscription({ call }: ShopServer, type: EventType): Promise<void> {
  if (type === 'order.paid') return
  const { events, configured } = await call('readWebhook', 'GET', '/v1/webhook')
  if (configured && events.includes(type)) return
  throw new Refusal(
    'conflict',
    `The shop's webhook is not subscribed to ${type}, so the server does not record it. Run florin ` +
      'webhook set, ' +
      `then florin webhook events --events ${[...new Set([...events, type])].join(',')}`,
  )
}

async function findEvent(server: ShopServer, type: EventType, orderUUID: string): Promise<string | null> {
  const { call } = server
  const livemode = isForTests(server) ? '&livemode=false' : ''
  const until = performance.now() + WAIT_MS
  for (;;) {
    const { items } = await call('listEvents', 'GET', `/v1/events?type=${type}${livemode}`)
    const found = items.find(event => event.orderUUID === orderUUID)
    if (found) return found.id
    if (performance.now() > until) return null
    await Bun.sleep(POLL_MS)
  }
}

/** The order for an event. An order fails only if it offers a single method. */
const orderFor = async (server: ShopServer, type: EventType) => ({
  amount: '25.00',
  currency: 'USD',
  customer: { email: 'trigger@example.com', fullName: 'florin trigger' },
  paymentMethodsKeys: [type === 'order.failed' ? await providerMethodOf(server) : '*'],
  externalId: `trigger-${type}`,
})

/** Makes an event happen to a new order of a sandbox. Returns the ID of the order. */
async function makeInSandbox(server: ShopServer, type: EventType): Promise<string> {
  await requireSandbox(server)
  await requireSubscription(server, type)
  const { orderUUID } = await server.call('createOrder', 'POST', '/v1/orders', await orderFor(server, type))
  await happenings[type](sandboxOf(server), orderUUID)
  return orderUUID
}

const makeTest = async (server: ShopServer, type: EventType): Promise<string> =>
  happenInTest(server, type, await orderFor(server, type))

export const trigger = (cli: Cli) =>
  developerCommand(
    'trigger',
    'make an event happen to a new test order, with a test key, or to an order of a sandbox, whose clock ' +
      'payment.expired and order.expired move forward',
  )
    .addArgument(new Argument('<event>').choices(eventTypes))
    .action(
      cli.answering(async (type: EventType, options: ServerOptions) => {
        const server = await serverOf(cli, options)
        const orderUUID = await (isForTests(server) ? makeTest : makeInSandbox)(server, type)
        const id = await findEvent(server, type, orderUUID)
        if (id === null) {
          throw new Refusal('conflict', `The server recorded no ${type} for the order ${orderUUID}.`)
        }
        return { json: { id, type, orderUUID }, text: `${type}  ${id}\nof the order ${orderUUID}` }
      }),
    )
