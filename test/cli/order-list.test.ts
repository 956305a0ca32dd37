import { expect, test } from 'bun:test'
import { rowsOf } from '../http/rows.ts'
import { check, givenOrder, givenShop, openCrypto, simulate, statusOf } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { runInProcess } from './in-process.ts'

const NOBODY = '01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55'

const { app, once } = suite()
let address = ''
let txId = ''
const shop = once(() => givenShop(app))
const other = once(() => givenShop(app))
once(async () => {
  const create = async (name: string, change: object, owner = shop) => {
    app.time.now += 1000
    orders[name] = (await givenOrder(app, owner, change)).orderUUID
  }
  await create('plain', {})
  await create('foreign', { externalId: 'A-1', customer: { email: 'ann@buyer.example' } }, other)
  await create('named', { externalId: 'A-1' })
  await create('ofAnn', { customer: { email: 'Ann@Buyer.example' } })
  await create('paid', { externalId: 'A-1', customer: { email: 'ann@buyer.example' } })
  address = (await openCrypto(app, orders.paid!, 'ethereum/eth')).attempt.address
  await simulate(app, orders.paid!, 'paid')
  await check(app, orders.paid!)
  await app.advance(600_000)
  const query = 'SELECT tx_id FROM incoming_payments WHERE order_id = ?'
  txId = String(rowsOf(app, query, orders.paid!)[0]!.tx_id)
  expect((await statusOf(app, orders.paid!)).status).toBe('PAID')
})

/** the IDs of the orders, by a name for each */
const orders: Record<string, string> = {}
const run = (...args: string[]) =>
  runInProcess({ FLORIN_DATA_DIR: app.dataDir }, 'order', 'list', '--merchant', shop.id, ...args)

/** The names of the orders that a command lists. */
async function listed(...args: string[]): Promise<string[]> {
  const { stdout, stderr } = await run(...args, '--json')
  expect(stderr).toBe('')
  const { items, ...more } = JSON.parse(stdout)
  expect(more).toEqual({})
  const names = new Map(Object.entries(orders).map(([name, id]) => [id, name]))
  return items.map((item: { orderUUID: string }) => names.get(item.orderUUID))
}

test('order list prints the orders of a merchant, newest first, as the API does', async () => {
  expect(await listed()).toEqual(['paid', 'ofAnn', 'named', 'plain'])
  const { stdout } = await run('--json', '--limit', '1')
  const answer = await app.call('GET', `/v1/orders/${orders.paid}`, { key: shop.live })
  const { checkoutUrl: _, ...shown } = answer.json.data
  expect(JSON.parse(stdout).items).toEqual([expect.objectContaining(shown)])
})

test('order list finds orders by status, email address, external ID, address and transaction', async () => {
  expect(await listed('--status', 'PAID')).toEqual(['paid'])
  expect(await listed('--email', 'ANN@buyer.example')).toEqual(['paid', 'ofAnn'])
  expect(await listed('--external-id', 'A-1')).toEqual(['paid', 'named'])
  expect(await listed('--address', address)).toEqual(['paid'])
  expect(await listed('--address', address.toLowerCase())).toEqual(['paid'])
  expect(await listed('--tx', txId)).toEqual(['paid'])
  expect(await listed('--tx', txId.toUpperCase().replace('0X', '0x'))).toEqual(['paid'])
})

test('order list without a merchant searches all shops, and names the shop of each order', async () => {
  const find = (...args: string[]) =>
    runInProcess({ FLORIN_DATA_DIR: app.dataDir }, 'order', 'list', '--external-id', 'A-1', ...args)
  const { items } = JSON.parse((await find('--json')).stdout)
  const found = items.map(({ orderUUID, merchantId }: Record<string, string>) => [orderUUID, merchantId])
  expect(found).toEqual([
    [orders.paid, shop.id],
    [orders.named, shop.id],
    [orders.foreign, other.id],
  ])
  const [head, ...lines] = (await find('--limit', '2')).stdout.trimEnd().split('\n')
  expect(head).toEndWith(' merchantId')
  expect(lines.map(line => line.split(/ +/).at(-1))).toEqual([shop.id, shop.id])
})

test('order list combines its options', async () => {
  expect(await listed('--email', 'ann@buyer.example', '--status', 'UNPAID')).toEqual(['ofAnn'])
  expect(await listed('--email', 'ann@buyer.example', '--external-id', 'A-1')).toEqual(['paid'])
  expect(await listed('--tx', txId, '--address', address, '--email', 'ann@buyer.example')).toEqual(['paid'])
  expect(await listed('--tx', txId, '--status', 'UNPAID')).toEqual([])
  expect(await listed('--email', 'nobody@buyer.example')).toEqual([])
  expect(await listed('--email', 'ann@buyer.example', '--limit', '1')).toEqual(['paid'])
})

test('order list prints a table for people', async () => {
  const { stdout } = await run('--external-id', 'A-1')
  const [head, first, second, ...more] = stdout.trimEnd().split('\n')
  expect(head).toMatch(/^orderUUID +status +amount +customer +externalId +createdAt$/)
  expect(first).toMatch(new RegExp(`^${orders.paid} +PAID +25.00 USD +ann@buyer.example +A-1 +2026`))
  expect(second).toStartWith(orders.named!)
  expect(more).toEqual([])
  expect((await run('--tx', 'nothing')).stdout).toBe('No orders.\n')
})

test('order list refuses an unknown merchant, an unknown status and a wrong limit', async () => {
  const environment = { FLORIN_DATA_DIR: app.dataDir }
  const unknown = await runInProcess(environment, 'order', 'list', '--merchant', NOBODY)
  expect([unknown.exitCode, unknown.stderr]).toEqual([1, expect.stringMatching(/merchant/)])
  expect((await run('--status', 'OPEN')).exitCode).toBe(2)
  for (const limit of ['0', '501', 'x', '1.5']) {
    const { exitCode, stderr } = await run('--limit', limit)
    expect([limit, exitCode, stderr]).toEqual([limit, 1, expect.stringMatching(/limit.*1 to 500/)])
  }
})
