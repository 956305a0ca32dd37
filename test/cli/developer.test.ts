import { afterAll, describe, expect, test } from 'bun:test'
import { eventTypes } from '../../src/domain/webhook.ts'
import { listen as setWebhook } from '../http/request.ts'
import { subscribe } from '../http/rows.ts'
import { startWithReceiver } from '../support/app-with-receiver.ts'
import { freePort } from '../support/free-port.ts'
import { givenOrder, givenShop, paidInCash } from '../support/given.ts'
import { endProcesses, runUntil } from '../support/process.ts'
import { isSigned, startReceiver } from '../support/receiver.ts'
import { suite } from '../support/suite.ts'
import { faults, startTestedShop } from './developer-shop.ts'
import { runInProcess } from './in-process.ts'

// florin listen, trigger and conformance against a server that is reached over HTTP.

afterAll(endProcesses)

const SECRET = 'whsec_of_the_tested_shop'

const { app, once } = suite({ start: startWithReceiver })
const shop = once(() => givenShop(app))
/** the number of opened streams; the first one fails */
let streams = 0
const server = once(() =>
  Bun.serve({
    port: 0,
    async fetch(request) {
      const url = new URL(request.url)
      if (url.pathname === '/v1/events/stream') {
        if (++streams === 1) return new Response('', { status: 502 })
      }
      return app.florin.http.fetch(new Request(`http://localhost${url.pathname}${url.search}`, request))
    },
  }),
)
const tested = once(() => startTestedShop(app, shop, SECRET))
afterAll(async () => {
  tested?.stop()
  await server?.stop(true)
})

const environment = () => ({ FLORIN_API_KEY: shop.live, FLORIN_WEBHOOK_SECRET: SECRET })
const at = () => ['--server', server.url.href]

const check = async (url: string, ...options: string[]) => {
  const ran = await runInProcess(environment(), 'conformance', url, ...at(), ...options, '--json')
  expect(ran.stderr).toBe('')
  const { items } = JSON.parse(ran.stdout) as { items: { name: string; result: string }[] }
  return { exitCode: ran.exitCode, wrong: items.filter(({ result }) => result === 'wrong'), items }
}

describe('florin conformance', () => {
  test('finds nothing wrong with a good shop', async () => {
    tested.become(null)
    expect(await check(tested.url, '--shop', tested.door)).toMatchObject({ exitCode: 0, wrong: [] })
  })

  test.each([...faults])('finds a shop that %s', async fault => {
    tested.become(fault)
    // One delivery is enough to find a slow shop.
    const only = fault === 'is slow' ? ['--only', 'paid'] : []
    const { exitCode, wrong } = await check(tested.url, '--shop', tested.door, ...only)
    expect({ exitCode, wrong: wrong.length > 0 }).toEqual({ exitCode: 1, wrong: true })
  })

  test('checks the responses of a webhook without a test endpoint', async () => {
    tested.become('trusts everybody')
    const { wrong, items } = await check(tested.url)
    expect(wrong.map(({ name }) => name)).toEqual([
      ...['wrong_signature', 'no_signature', 'old_signature', 'future_signature'],
    ])
    expect(items.filter(({ result }) => result === 'not_tried')).toHaveLength(3)
  })

  test('reports that the test endpoint is missing, or that the server is not a sandbox', async () => {
    tested.become(null)
    const run = (...args: string[]) => runInProcess(environment(), 'conformance', tested.url, ...args)
    const words = async (...args: string[]) => {
      const { exitCode, stderr } = await run(...args)
      return `${exitCode} ${stderr}`
    }
    expect(await words(...at(), '--shop', tested.url)).toMatch(
      /^1 The test endpoint responded with status \d+ and no/,
    )
    expect(await words('--server', tested.url)).toMatch(/^1 This server is no sandbox/)
    expect(await words('--server', 'http://127.0.0.1:9')).toMatch(/^1 .* cannot be reached/)
    expect(await words(...at(), '--only', 'nonsense')).toMatch(/^1 .*has no scenario named nonsense/)
  })
})

describe('florin trigger', () => {
  const trigger = async (type: string) => {
    const { exitCode, stdout, stderr } = await runInProcess(environment(), 'trigger', type, ...at(), '--json')
    return exitCode === 0 ? JSON.parse(stdout) : stderr
  }

  test('makes each event happen', async () => {
    await setWebhook(app, shop, app.receiver.url)
    expect(await trigger('payment.created')).toMatch(
      /florin webhook events --events order.paid,payment.created/,
    )
    await subscribe(app, shop.id, [...eventTypes])
    for (const type of eventTypes) expect(await trigger(type)).toMatchObject({ type })
  })
})

test('a server that closes the connection is named in the error, without advice for programmers', async () => {
  const closing = Bun.listen({
    ...{ hostname: '127.0.0.1', port: 0 },
    socket: { data: socket => void socket.end() },
  })
  const url = `http://127.0.0.1:${closing.port}`
  const given = { ...environment(), FLORIN_API_KEY: shop.test }
  const { stderr } = await runInProcess(given, 'trigger', 'order.paid', '--server', url)
  closing.stop(true)
  expect(stderr).toMatch(/ cannot be reached: .*The socket connection was closed unexpectedly[.]\s*$/)
})

describe('with a test key, on a server for real money too', () => {
  test('florin trigger makes each event happen to a test order', async () => {
    const given = { ...environment(), FLORIN_API_KEY: shop.test }
    for (const type of eventTypes) {
      const ran = await runInProcess(given, 'trigger', type, ...at(), '--json')
      expect([type, ran.exitCode, ran.stderr]).toEqual([type, 0, ''])
      const { id, orderUUID } = JSON.parse(ran.stdout)
      const options = { key: shop.test }
      expect((await app.call('GET', `/v1/events/${id}`, options)).json.data).toMatchObject({
        type,
        orderUUID,
      })
      expect((await app.call('GET', `/v1/orders/${orderUUID}`, options)).json.data.livemode).toBe(false)
    }
  })
})

describe('florin listen', () => {
  test('forwards events, signed for it, over a lost connection and to a shop that starts later', async () => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/webhook`
    const paid = async () => {
      const { orderUUID } = await givenOrder(app, shop)
      await paidInCash(app, shop, orderUUID)
      return orderUUID
    }
    const opened = async (count: number) => {
      while (streams < count) await Bun.sleep(20)
      await Bun.sleep(100)
    }
    const work = (async () => {
      await opened(2)
      const first = await paid()
      await Bun.sleep(1500)
      const receiver = startReceiver(() => new Response('ok'), port)
      while (receiver.received.length < 1) await Bun.sleep(20)
      return { first, receiver }
    })()
    const ran = await runUntil(['listen', '--forward-to', url, ...at()], environment(), 'order.paid')
    const { first, receiver } = await work
    expect(receiver.received[0]).toMatchObject({ json: { orderUUID: first, type: 'order.paid' } })
    expect(isSigned(receiver.received[0]!, SECRET)).toBe(true)
    expect(ran.stdout).toMatch(/order[.]paid\s+[0-9a-f-]{36}\s+200 after \d+ ms/)
    expect(ran.stderr).toContain('The connection was lost')
    expect(ran.stderr).toContain('cannot be reached. Waiting for it')
    receiver.stop()
  })

  test('explains the fault of a key', async () => {
    const wrong = { ...environment(), FLORIN_API_KEY: 'nonsense' }
    const ran = await runInProcess(wrong, 'listen', '--forward-to', 'http://127.0.0.1:9', ...at())
    expect(ran).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/API key/) })
  })
})
