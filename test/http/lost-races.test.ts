import { describe, expect, test } from 'bun:test'
import type { Tables } from '../../src/storage/port.ts'
import type { Answer } from '../support/app.ts'
import { check, givenOrder, givenShop, openCrypto, simulate } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { enter, openProvider, simulated, startGatewayApp } from './paygate.ts'
import { DAY_MS, getOrder, rest } from './payments.ts'
import { givenPaid, refundPath, withKey } from './refunding.ts'
import { rowOf } from './rows.ts'

const { app, once, each } = suite({ start: () => startGatewayApp() })
const storage = once(() => app.context.storage)
each(() => {
  app.context.storage = storage
})
const shop = each(() => givenShop(app))

type Repository = Record<string, (...args: never[]) => Promise<boolean>>

/** Makes the first calls of a compare-and-set fail, as they may where writes run at the same time. */
function lose(noun: keyof Tables, method: string, times: number): void {
  let lost = 0
  const losing = (tables: Tables): Tables => {
    const repository = tables[noun] as unknown as Repository
    const value = (...args: never[]): Promise<boolean> =>
      lost++ < times ? Promise.resolve(false) : repository[method]!(...args)
    return Object.create(tables, { [noun]: { value: Object.create(repository, { [method]: { value } }) } })
  }
  app.context.storage = { ...storage, write: work => storage.write(tables => work(losing(tables))) }
}

const order = async (change: object = {}): Promise<string> => (await givenOrder(app, shop, change)).orderUUID
const statusOf = async (id: string): Promise<string> => {
  app.context.storage = storage
  return (await getOrder(app, shop, id)).status
}
const cancel = (id: string) => app.call('POST', `/v1/orders/${id}/cancel`, { key: shop.live, body: {} })

interface Race {
  given(): Promise<string>
  ask(id: string): Promise<Answer>
  /** the HTTP status once the compare-and-set succeeds */
  won: number
  stays: unknown
  state(id: string): Promise<unknown>
}

const attemptsOf = async (id: string) =>
  rowOf(app, 'SELECT count(*) AS count FROM attempts WHERE order_id = ?', id)?.count

const cancelling: Race = { given: order, ask: cancel, won: 200, stays: 'UNPAID', state: statusOf }
const refunding: Race = {
  given: async () => (await givenPaid(app, shop)).orderUUID,
  ask: id => app.call('POST', refundPath(id), withKey(shop, `key-${id}`, { reason: 'returned' })),
  won: 201,
  stays: 0,
  state: async id => rowOf(app, 'SELECT count(*) AS count FROM refunds WHERE order_id = ?', id)?.count,
}
const openingCoins: Race = {
  given: order,
  ask: id => app.call('POST', `/pay/${id}/crypto`, { form: { asset: 'btc' } }),
  won: 303,
  stays: 0,
  state: attemptsOf,
}
const goingToProvider: Race = {
  given: () => order({ paymentMethodsKeys: ['stripe'] }),
  ask: id => enter(app, id),
  won: 303,
  stays: 0,
  state: attemptsOf,
}
const checking: Race = {
  async given() {
    const id = await order()
    await openCrypto(app, id, 'btc')
    await simulate(app, id, 'paid')
    app.time.now += 6000
    return id
  },
  ask: id => app.call('POST', `/pay/${id}/check`, { headers: { accept: 'application/json' } }),
  won: 303,
  stays: 'UNPAID',
  state: statusOf,
}

const rows: [what: string, noun: keyof Tables, method: string, race: Race][] = [
  ['cancelling an order', 'orders', 'move', cancelling],
  ['cancelling its session', 'sessions', 'move', cancelling],
  ['refunding a transaction', 'transactions', 'refund', refunding],
  ['refunding an order', 'orders', 'move', refunding],
  ['opening a payment in coins', 'sessions', 'move', openingCoins],
  ['going to a provider', 'sessions', 'move', goingToProvider],
  ['settling an order', 'orders', 'move', checking],
  ['settling a session', 'sessions', 'move', checking],
]

describe.each(rows)('%s that loses a race at %s.%s', (_, noun, method, race) => {
  test('is done again when it loses once', async () => {
    const id = await race.given()
    lose(noun, method, 1)
    const answer = await race.ask(id)
    expect([answer.status, answer.text]).toEqual([race.won, answer.status < 400 ? answer.text : ''])
    expect(await race.state(id)).not.toEqual(race.stays)
    await rest(app)
    expect(app.audit()).toEqual([])
  })

  test('is a conflict, and changes nothing, when it always loses', async () => {
    const id = await race.given()
    lose(noun, method, Number.POSITIVE_INFINITY)
    const answer = await race.ask(id)
    expect([answer.status, answer.json?.error?.code]).toEqual([409, 'conflict'])
    expect(await race.state(id)).toEqual(race.stays)
    app.context.storage = storage
    await rest(app)
    expect(app.audit()).toEqual([])
  })
})

test('an order whose expiry loses a race expires with the next run of its job', async () => {
  const id = await order()
  lose('orders', 'move', 100)
  await app.advance(DAY_MS + 1)
  expect(await statusOf(id)).toBe('UNPAID')
  await app.advance(60_000)
  expect(await statusOf(id)).toBe('EXPIRED')
  expect(app.audit()).toEqual([])
})

test('a callback whose payment loses a race is refused as unavailable, so that the gateway repeats it', async () => {
  const id = await order({ paymentMethodsKeys: ['stripe'] })
  await openProvider(app, id)
  lose('orders', 'move', 100)
  expect(await simulated(app, id, 'paid')).toEqual([502])
  expect(await statusOf(id)).toBe('UNPAID')
  expect(await simulated(app, id, 'duplicate')).toEqual([200])
  expect(await statusOf(id)).toBe('PAID')
})

test('a payment that settles is also settled by the next look-up when the first one loses', async () => {
  const id = await checking.given()
  lose('orders', 'move', 100)
  await checking.ask(id)
  app.context.storage = storage
  expect((await check(app, id)).status).toBe('PAID')
  expect(app.audit()).toEqual([])
})
