import { Database } from 'bun:sqlite'
import { expect } from 'bun:test'
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { join } from 'node:path'
import { type Answer, type App, OWN_URL, startApp } from '../support/app.ts'
import { startGatewayStand } from '../support/fake-paygate.ts'
import { attemptsOf } from './payments.ts'
import { ask } from './request.ts'
import type { Row } from './rows.ts'

/** One key for all sandboxes, because generating one takes longer than most tests. */
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

type Hold = (path: string) => Promise<unknown> | undefined

/** The product with a sandbox whose responses can be held back, and whose callbacks can be lost. */
export async function startGatewayApp(environment: Record<string, string> = {}) {
  const wire: { isLost: boolean; hold: Hold } = { isLost: false, hold: () => undefined }
  const app: App = await startApp(environment, {
    async fetch(url, init) {
      const { pathname } = new URL(url)
      if (wire.isLost && pathname.startsWith('/callback/')) throw new Error('the callback is lost')
      await wire.hold(pathname)
      return app.florin.http.handle(new Request(url, init))
    },
  })
  const state = new Database(join(app.dataDir, 'sandbox.sqlite'))
  state.query("INSERT INTO state VALUES ('gateway.key', 'v1', ?)").run(JSON.stringify(pem))
  state.close()
  await app.jobs.settle()
  return { ...app, wire }
}

/** The product with a gateway on another port, which delivers its callbacks to the product. */
export const besideGateway =
  <A extends App>(start: (environment: Record<string, string>) => Promise<A>) =>
  async (environment: Record<string, string> = {}) => {
    const stand = startGatewayStand()
    const app = await start({ ...stand.environment, ...environment })
    stand.wire.deliver = async (path, headers) => (await app.call('GET', path, { headers })).status
    await app.jobs.settle()
    return {
      ...app,
      stand,
      async close() {
        await stand.idle()
        await app.close()
        await stand.stop()
      },
    }
  }

/** Opens a provider's payment page as a buyer does. */
export const enter = (app: App, orderUUID: string, method?: string): Promise<Answer> =>
  app.call('GET', `/payment/process/${orderUUID}${method === undefined ? '' : `?method=${method}`}`)

export const PROVIDER_PAGE = `${OWN_URL}/sandbox/gateway/checkout/process-payment.php?`

/** Opens a provider's payment page, and returns the attempt's row. */
export async function openProvider(app: App, orderUUID: string, method?: string): Promise<Row> {
  const answer = await enter(app, orderUUID, method)
  expect([answer.status, answer.text]).toEqual([303, ''])
  expect(answer.headers.get('location')).toStartWith(PROVIDER_PAGE)
  return attemptsOf(app, orderUUID).findLast(({ kind }) => kind === 'redirect')!
}

export const newTx = (): string => `0x${randomBytes(32).toString('hex')}`

export type Params = Record<string, string>
export type Change = Record<string, string | undefined>

/** The gateway's parameters for a payment of 25 USDC, with changes; undefined removes one. */
export const paymentTo = (attempt: Row, change: Change = {}): [string, string][] => {
  const reported = {
    value_coin: '25.0',
    coin: 'polygon_usdc',
    txid_in: newTx(),
    txid_out: newTx(),
    address_in: String(attempt.address),
    value_forwarded_coin: '24.75',
    address_out: String(attempt.payout_address),
    ...change,
  }
  return Object.entries(reported).filter((pair): pair is [string, string] => pair[1] !== undefined)
}

export const urlWith = (url: string, params: [string, string][]): string =>
  `${url}${params.map(([name, value]) => `&${name}=${encodeURIComponent(value)}`).join('')}`

/** Signs as the gateway does: the registered URL without its query, and the query exactly as sent. */
export const signatureOf = (url: string): string =>
  sign('sha256', Buffer.from(url), privateKey).toString('base64')

export const signed = (url: string): Params => ({
  'x-paygate-signature': signatureOf(url),
  'x-paygate-key-id': 'v1',
})

export const callUrl = (app: App, url: string, headers: Params = signed(url)): Promise<Answer> =>
  app.call('GET', url.slice(OWN_URL.length), { headers })

/** Sends a signed callback of a payment. */
export const callBack = (app: App, attempt: Row, change: Change = {}) =>
  callUrl(app, urlWith(String(attempt.callback_url), paymentTo(attempt, change)))

/** Gives the gateway's payment an outcome, and returns the statuses of its callbacks. */
export async function simulated(app: App, orderUUID: string, outcome: string): Promise<number[]> {
  const answer = await ask(app, 'POST', '/sandbox/simulate', { body: { orderUUID, outcome } })
  expect(answer.status).toBe(202)
  return answer.json.data.callbacks.map(({ status }: { status: number }) => status)
}
