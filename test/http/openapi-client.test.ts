import { afterAll, beforeAll, expect, test } from 'bun:test'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { startApp } from '../support/app.ts'
import { givenShop } from '../support/given.ts'
import { endProcesses, newFolder, ROOT, runCli } from '../support/process.ts'

afterAll(endProcesses)

/** A program of a shop, written with a client that oazapfts generated from the document. */
const shop = `
import { cancelOrder, createOrder, defaults, readOrder, recordRefund, type Order } from './client.ts'

const { URL: url = '', KEY: key = '' } = process.env
defaults.baseUrl = url
defaults.headers = { 'X-API-Key': key }

const post = (path: string, init: RequestInit) => fetch(url + path, { method: 'POST', redirect: 'manual', ...init })
const sandbox = (path: string, body: object) =>
  post('/sandbox/' + path, { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

async function make(idempotencyKey: string): Promise<Order> {
  const answer = await createOrder(
    {
      amount: '25.00',
      currency: 'USD',
      paymentMethodsKeys: ['crypto'],
      customer: { email: 'buyer@example.com', fullName: null },
      metadata: { cart: '1042' },
    },
    { idempotencyKey },
  )
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.data))
  return answer.data.data
}

/** Pays like a buyer, in the sandbox. */
async function pay(orderUUID: string): Promise<void> {
  await post('/pay/' + orderUUID + '/crypto', { body: new URLSearchParams({ asset: 'btc' }) })
  await sandbox('simulate', { orderUUID, outcome: 'paid' })
  await sandbox('clock', { advanceSeconds: 6 })
  await post('/pay/' + orderUUID + '/check', {})
}

const dropped = await make('shop-cart-1')
const cancelled = await cancelOrder(dropped.orderUUID, { reason: 'no longer wanted' })
const again = await cancelOrder(dropped.orderUUID, {})

const kept = await make('shop-cart-2')
await pay(kept.orderUUID)
const read = await readOrder(kept.orderUUID)
const refunded = await recordRefund(kept.orderUUID, 'refund-of-cart-2', { amount: '10.00', reason: 'one bag' })

const result = {
  cancelled: cancelled.status === 200 && cancelled.data.data.order.status,
  conflict: again.status === 409 && again.data.error.code,
  read: read.status === 200 && read.data.data.status,
  refund: refunded.status === 201 && refunded.data.data.refund.amountMinor,
  transaction: refunded.status === 201 && refunded.data.data.transaction.status,
}
process.stdout.write(JSON.stringify(result))
`

const compilerOptions = {
  target: 'esnext',
  module: 'preserve',
  moduleResolution: 'bundler',
  lib: ['esnext', 'dom', 'dom.iterable'],
  types: ['bun-types'],
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
}

const packages = join(ROOT, 'node_modules')
const folder = newFolder()

const run = (args: string[], environment = {}) => runCli(args, environment, [process.execPath], folder)
const typeCheck = () => run([join(packages, 'typescript/bin/tsc'), '--project', folder])

beforeAll(async () => {
  symlinkSync(packages, join(folder, 'node_modules'))
  const { stdout } = await runCli(['openapi', '--json'], {})
  await Bun.write(join(folder, 'openapi.json'), stdout)
  await Bun.write(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['shop.ts'] }))
  await run([join(packages, 'oazapfts/dist/cli.js'), 'openapi.json', 'client.ts'])
})

test.each([
  ['a wrong field', "currency: 'USD'", 'currency: 840', "Type 'number' is not assignable"],
  ['an order without a price or product', "currency: 'USD',", '', 'is not assignable to parameter'],
  ['an unknown error code', 'data.error.code', "data.error.code === 'rate_limitted'", 'no overlap'],
])('the type check of a client generated from the document finds %s', async (_, right, wrong, message) => {
  await Bun.write(join(folder, 'shop.ts'), shop.replace(right, wrong))
  const { exitCode, stdout } = await typeCheck()
  expect([exitCode === 0, stdout]).toEqual([false, expect.stringContaining(message)])
})

test('a generated client type-checks and can create, read, cancel and refund an order', async () => {
  await Bun.write(join(folder, 'shop.ts'), shop)
  const app = await startApp()
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: app.florin.http.handle })
  expect(await typeCheck()).toEqual({ exitCode: 0, stdout: '', stderr: '' })
  const environment = { URL: server.url.origin, KEY: (await givenShop(app)).live }
  const { stdout, stderr } = await run([join(folder, 'shop.ts')], environment)
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual({
    cancelled: 'CANCELLED',
    conflict: 'order_not_cancellable',
    read: 'PAID',
    refund: '1000',
    transaction: 'PARTIALLY_REFUNDED',
  })
  await server.stop(true)
  await app.close()
})
