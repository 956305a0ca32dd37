import { expect } from 'bun:test'
import { Client, OrdersController, PaymentsController } from '@paypal/paypal-server-sdk'
import { connectAccount } from '../../src/operations/merchants/connect-account.ts'
import type { Answer, App } from '../support/app.ts'
import { givenMerchant, type Shop } from '../support/given.ts'
import { startProviderApp } from './stripes.ts'

export const startPayPalApp = (environment?: Record<string, string>, folder?: string, now?: number) =>
  startProviderApp(
    { id: 'paypal', api: '/sandbox/paypal/v', reference: /(?<=\/)(PP-D-)?[0-9A-F]{16}/ },
    environment,
    folder,
    now,
  )

export type PayPalApp = Awaited<ReturnType<typeof startPayPalApp>>

/** The keys of a REST app at an account with this merchant ID of 13 characters. */
export const keysOf = (account: string, secret = 'E') => ({
  clientId: account.padEnd(40, 'x'),
  key: secret.padEnd(40, 'y'),
})
export const accountOf = ({ id }: Shop): string => `A${id.replaceAll('-', '').slice(-12)}`.toUpperCase()

export const connectPayPal = (app: App, shop: Shop, keys = keysOf(accountOf(shop))) =>
  connectAccount(app.context, { merchantId: shop.id, providerId: 'paypal', ...keys, webhookSecret: null })

/** A merchant who has connected an account with PayPal, and has no wallet. */
export async function givenPayPalShop(app: App): Promise<Shop> {
  const shop = await givenMerchant(app, 'Corner Coffee')
  await connectPayPal(app, shop)
  return shop
}

/** Opens PayPal's page of an order, and returns the ID of the order there. */
export async function openAtPayPal(app: App, orderUUID: string): Promise<string> {
  const answer = await app.call('GET', `/payment/process/${orderUUID}?method=paypal`)
  expect([answer.status, answer.text]).toEqual([303, ''])
  const url = answer.headers.get('location') ?? ''
  expect(url).toMatch(/\/sandbox\/paypal\/checkoutnow\?token=[0-9A-F]{16}$/)
  return url.split('=').at(-1) ?? ''
}

/** Sends the form of PayPal's page. */
export const onPayPal = (app: App, id: string, does: string): Promise<Answer> =>
  app.call('POST', `/sandbox/paypal/checkoutnow?token=${id}`, { form: { do: does } })

/** Discards the server, and opens another one on its database, as after a crash. */
export async function crash(app: PayPalApp): Promise<void> {
  await app.florin.close()
  Object.assign(app, await startPayPalApp({}, app.dataDir, app.time.now))
}

interface SdkRequest {
  method: string
  url: string
  headers: Record<string, string>
  auth?: { username: string; password: string }
  data?: string
}

/** The official client, which sends its requests to this process. */
export function payPalClient(app: App, { clientId, key }: { clientId: string; key: string }) {
  const adapter = async ({ method, url, headers, auth, data }: SdkRequest) => {
    const basic = auth && { authorization: `Basic ${btoa(`${auth.username}:${auth.password}`)}` }
    const own = url.replace('https://api-m.sandbox.paypal.com', 'http://localhost/sandbox/paypal')
    const request = new Request(own, {
      ...{ method, headers: { ...headers, ...basic } },
      ...(data !== undefined && { body: data }),
    })
    const answer = await app.florin.http.handle(request)
    return { status: answer.status, headers: Object.fromEntries(answer.headers), data: await answer.text() }
  }
  const client = new Client({
    clientCredentialsAuthCredentials: { oAuthClientId: clientId, oAuthClientSecret: key },
    unstable_httpClientOptions: { adapter },
  })
  return { orders: new OrdersController(client), payments: new PaymentsController(client) }
}
