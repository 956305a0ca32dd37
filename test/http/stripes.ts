import { expect } from 'bun:test'
import { connectAccount } from '../../src/operations/merchants/connect-account.ts'
import { type Answer, OWN_URL, startApp } from '../support/app.ts'
import { givenMerchant, type Shop } from '../support/given.ts'

/** Replaces the handling of one request to a provider. */
type Fault = (request: { url: string; init: RequestInit }, pass: () => Promise<Response>) => Promise<Response>

/** A provider of the sandbox: the start of its paths, and the form of the IDs in them. */
interface Simulated {
  id: string
  api: string
  reference: RegExp
}

const stripe = { id: 'stripe', api: '/sandbox/stripe/v1/', reference: /cs_test_[a-z0-9]+/ }

export const startStripeApp = (environment?: Record<string, string>, folder?: string, now?: number) =>
  startProviderApp(stripe, environment, folder, now)

/**
 * The sandbox with its providers, in this process. `wire` records the requests to one of them, and can change
 * their answers.
 */
export async function startProviderApp(
  provider: Simulated,
  environment: Record<string, string> = {},
  folder?: string,
  now?: number,
) {
  const wire = {
    requests: [] as string[],
    faults: [] as [on: string, fault: Fault][],
    hasLostWebhooks: false,
  }
  const time = now === undefined ? {} : { time: { now } }
  const app: Awaited<ReturnType<typeof startApp>> = await startApp(
    { ...environment, ...(folder !== undefined && { FLORIN_DATA_DIR: folder }) },
    {
      ...time,
      fetch(url, init = {}) {
        const pass = () =>
          url.startsWith(OWN_URL) ? app.florin.http.handle(new Request(url, init)) : fetch(url, init)
        const { pathname } = new URL(url)
        if (pathname === `/callback/${provider.id}` && wire.hasLostWebhooks)
          return Promise.reject(new Error('lost'))
        if (!pathname.startsWith(provider.api)) return pass()
        const name = `${init.method} ${pathname.slice(provider.api.length).replace(provider.reference, 'ID')}`
        wire.requests.push(name)
        const at = wire.faults.findIndex(([on]) => on === name)
        const [found] = at < 0 ? [] : wire.faults.splice(at, 1)
        return found ? found[1]({ url, init }, pass) : pass()
      },
    },
  )
  return { ...app, wire }
}

export type StripeApp = Awaited<ReturnType<typeof startStripeApp>>

export const status =
  (code: number, body: object = {}, headers: Record<string, string> = {}): Fault =>
  async () =>
    Response.json(body, { status: code, headers })

/** The request takes effect, and its answer is lost. */
export const lostAnswer: Fault = async (_, pass) => {
  await pass()
  throw new TypeError('the connection was closed')
}

/** Changes some fields of the answer. */
export const altered =
  (change: (json: Record<string, unknown>) => object): Fault =>
  async (_, pass) => {
    const json = (await (await pass()).json()) as Record<string, unknown>
    return Response.json({ ...json, ...change(json) })
  }

/** A merchant who has connected an account with Stripe, and has no wallet. */
export async function givenStripeShop(app: StripeApp, key?: string): Promise<Shop> {
  const shop = await givenMerchant(app, 'Corner Coffee')
  await connectTo(app, shop, key)
  return shop
}

/** Connects a merchant’s account with Stripe. */
export function connectTo(
  app: StripeApp,
  { id }: Shop,
  key = `rk_test_${id.replaceAll('-', '').slice(-12)}_1`,
) {
  return connectAccount(app.context, { merchantId: id, providerId: 'stripe', key, webhookSecret: null })
}

/** Opens the card page of an order, and returns the ID of its session. */
export async function openSession(app: StripeApp, orderUUID: string): Promise<string> {
  const answer = await app.call('GET', `/payment/process/${orderUUID}?method=stripe`)
  expect([answer.status, answer.text]).toEqual([303, ''])
  const url = answer.headers.get('location') ?? ''
  expect(url).toMatch(/\/sandbox\/stripe\/pay\/cs_test_[0-9a-f]+$/)
  return url.split('/').at(-1) ?? ''
}

/** Sends the form of Stripe's page. */
export const payOnPage = (
  app: StripeApp,
  session: string,
  form: Record<string, string> = {},
): Promise<Answer> =>
  app.call('POST', `/sandbox/stripe/pay/${session}`, {
    form: { by: 'card', card: '4242 4242 4242 4242', ...form },
  })

/** Discards the server, and opens another one on its database, as after a crash. */
export async function crash(app: StripeApp): Promise<void> {
  await app.florin.close()
  Object.assign(app, await startStripeApp({}, app.dataDir, app.time.now))
}
