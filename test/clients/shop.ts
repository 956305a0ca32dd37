import { Florin, FlorinError, verifyWebhook } from '../../clients/typescript/index.ts'

const given = JSON.parse(process.env.GIVEN ?? '')
const { order, url, key: apiKey } = given

async function failure(run: () => unknown): Promise<unknown> {
  try {
    await run()
  } catch (error) {
    if (error instanceof FlorinError) return [error.code, error.status, error.details.map(({ path }) => path)]
    if (error instanceof TypeError) return 'refused'
    throw error
  }
  return 'nothing failed'
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

const florin = new Florin({ url, apiKey })
const flaky = new Florin({ url: `${url}/lost`, apiKey })
const at = (path: string) => new Florin({ url: `${url}${path}`, apiKey, retries: 0 })
const walletOf = (one: Florin) => one.call('readWallet', {})
const cancel = (orderUUID: string) => florin.call('cancelOrder', { path: { orderUUID }, body: {} })

const first = await flaky.createOrder(order, { idempotencyKey: 'cart-number-1' })
const again = await florin.createOrder(order, { idempotencyKey: 'cart-number-1' })
const second = await flaky.createOrder(order)
const listed = await all(florin.each('listOrders', { query: { pageSize: 1 } }))
const result = {
  isSame: first.orderUUID === again.orderUUID,
  isTest: (await new Florin({ url, apiKey: given.testKey }).createTestOrder(order)).livemode === false,
  listed: Bun.deepEquals(
    listed.map(({ orderUUID }) => orderUUID),
    [second.orderUUID, first.orderUUID],
  ),
  filtered: (await all(florin.each('listOrders', { query: { status: 'PAID' } }))).length,
  tests: (await all(florin.each('listOrders', { query: { livemode: false } }))).length,
  webhooks: (await florin.call('listWebhooks', {})).items.length,
  cancelled: (await cancel(second.orderUUID)).order.status,
  notCancellable: await failure(() => cancel(second.orderUUID)),
  invalid: await failure(() => florin.createOrder({ ...order, amount: 25.5 })),
  unknown: await failure(() => florin.getOrder('../orders?x=#')),
  redirected: await failure(() => walletOf(at('/moved'))),
  page: await failure(() => walletOf(at('/page'))),
  away: await failure(() => walletOf(new Florin({ url: given.away, apiKey, retries: 0 }))),
  cut: [
    // The second response is complete, and the third one breaks off again.
    await failure(() => new Florin({ url: given.cut, apiKey, retries: 0 }).getOrder('1')),
    await failure(() => new Florin({ url: given.cut, apiKey, retries: 0 }).getOrder('1')),
    'isWhole' in (await new Florin({ url: given.cut, apiKey, retries: 1 }).getOrder('1')),
  ],
  plain: await failure(() => new Florin({ url: 'http://pay.shop.example', apiKey })),
  wallet: 'cryptoWallets' in (await walletOf(florin)),
  events: [] as boolean[],
}
for (const { headers, body } of given.deliveries)
  result.events.push((await verifyWebhook(headers, body, given.secret)) !== null)
process.stdout.write(JSON.stringify(result))
