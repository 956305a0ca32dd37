import { expect } from 'bun:test'
import type { App } from '../support/app.ts'
import { givenMerchant, type Shop } from '../support/given.ts'
import { eventProblems } from './expected-shapes.ts'
import { data } from './request.ts'
import { type Row, rowsOf } from './rows.ts'

export { rest } from '../support/suite.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
export const LOCK_MS = 30 * MINUTE_MS

export const instant = (at: number): string => new Date(at).toISOString()

/** Published addresses: one payout wallet for each network. */
export const wallets = {
  evm: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  btc: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  bitcoincash: 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
  ltc: 'ltc1qg42tkwuuxefutzxezdkdel39gfstuap288mfea',
  doge: 'DPpJVPpvPNP6i6tMj4rTycAGh8wReTqaSU',
  solana: 'mvines9iiHiQTysrwkJjGf2gb9Ex9jXJX8ns3qwf2kN',
  trc20: 'TNDzfERDpxLDS2w1q6yaFC7pzqaSQ3Bg3r',
  zec: 't1U9yhDa5XEjgfnTgZoKddeSiEN1aoLkQxq',
  xmr: '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A',
}

/** A merchant that accepts every coin, with a webhook that never responds. */
export async function givenCoinShop(app: App, feePercent = '0'): Promise<Shop> {
  const shop = await givenMerchant(app, 'Corner Coffee', feePercent)
  await data(app, 'PUT', '/v1/wallet', { key: shop.live, body: { cryptoWallets: wallets } })
  return shop
}

export const getOrder = (app: App, shop: Shop, orderUUID: string) =>
  data(app, 'GET', `/v1/orders/${orderUUID}`, { key: shop.live })

/** Opens a crypto payment without viewing it: a page view makes the server check the chain. */
export async function openOnly(app: App, orderUUID: string, asset: string): Promise<Row> {
  const opened = await app.call('POST', `/pay/${orderUUID}/crypto`, { form: { asset } })
  expect([opened.status, opened.headers.get('location'), opened.text]).toEqual([303, `/pay/${orderUUID}`, ''])
  return attemptsOf(app, orderUUID).at(-1)!
}

export const attemptsOf = (app: App, orderUUID: string): Row[] =>
  rowsOf(app, 'SELECT * FROM attempts WHERE order_id = ? ORDER BY created_at, id', orderUUID)

export const incomingPaymentsOf = (app: App, orderUUID: string): Row[] =>
  rowsOf(app, 'SELECT * FROM incoming_payments WHERE order_id = ? ORDER BY created_at, id', orderUUID)

export const unmatchedOf = (app: App, orderUUID: string): unknown[] =>
  rowsOf(
    app,
    'SELECT reason, status FROM unmatched_payments WHERE order_id = ? ORDER BY created_at, id',
    orderUUID,
  ).map(({ reason, status }) => `${reason} ${status}`)

export const notificationsOf = (app: App, orderUUID: string): unknown[] =>
  rowsOf(app, 'SELECT kind FROM notifications WHERE order_id = ? ORDER BY created_at, id', orderUUID).map(
    ({ kind }) => kind,
  )

/** The bodies of an order's events, oldest first, each checked for its shape. */
// biome-ignore lint/suspicious/noExplicitAny: a body's shape is what the tests are about
export function eventsOf(app: App, orderUUID: string): any[] {
  const rows = rowsOf(app, 'SELECT id, type, body FROM events WHERE order_id = ? ORDER BY rowid', orderUUID)
  return rows.map(({ id, type, body }) => {
    const event = JSON.parse(String(body))
    expect([eventProblems(String(type), event), event.id, event.type]).toEqual([[], id!, type!])
    return event
  })
}

export const eventTypesOf = (app: App, orderUUID: string): string[] =>
  eventsOf(app, orderUUID).map(({ type }) => type)

export const outage = (app: App, upstream: 'provider' | 'rates' | 'chain', down: boolean) =>
  data(app, 'POST', '/sandbox/outage', { body: { upstream, down } })

/** Sends coins from the sandbox wallet to the address of any attempt. */
export async function sendCoins(app: App, attempt: Row, atomic: bigint, state = 'confirmed') {
  const asset = String(attempt.asset_id)
  const decimals = Number(attempt.decimals)
  const digits = atomic.toString().padStart(decimals + 1, '0')
  const amount = `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
  const query = new URLSearchParams({
    address: String(attempt.address),
    asset,
    amount,
    decimals: String(decimals),
    back: `/pay/${attempt.order_id}`,
  })
  const sent = await app.call('POST', `/sandbox/chain/${asset.split('/')[0]}/send?${query}`, {
    form: { amount, state },
  })
  expect(sent.status).toBe(200)
}
