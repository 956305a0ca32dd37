import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { runInProcess } from '../cli/in-process.ts'
import { startApp } from '../support/app.ts'
import { blocksOf, pageOf } from '../support/docs.ts'
import { freePort } from '../support/free-port.ts'
import { givenOrder, givenShop } from '../support/given.ts'
import { cleanEnvironment, endProcesses, newFolder, ROOT } from '../support/process.ts'
import { isMissing, programOf } from '../support/programs.ts'
import { suite } from '../support/suite.ts'

// Shops whose webhook is the example in the README of a client pass `florin conformance`.

setDefaultTimeout(60_000)
afterAll(endProcesses)

const SECRET = 'whsec_of_the_readme'
const folder = join(ROOT, 'test/clients')

const { app, once } = suite({ start: startApp })
const shop = once(() => givenShop(app))
const florin = once(() => Bun.serve({ port: 0, fetch: request => app.florin.http.fetch(request) }))

/** The orders in a shop's database. */
const orders = new Map<string, { amount: string; currency: string; shipments: number }>()
const findOrder = async (id: string) => (orders.has(id) ? { id, ...orders.get(id)! } : null)
async function shipOnce({ id }: { id: string }): Promise<void> {
  const order = orders.get(id)
  if (order?.shipments === 0) order.shipments = 1
}

/** The test door of each shop, and the database of the shops that run in processes of their own. */
async function answer(request: Request): Promise<Response> {
  const [, id, action] = new URL(request.url).pathname.split('/')
  if (!id) {
    const { orderUUID, amount, currency } = await givenOrder(app, shop)
    orders.set(orderUUID, { amount, currency, shipments: 0 })
    return Response.json({ orderUUID })
  }
  const order = await findOrder(id)
  if (action === 'find') return Response.json(order)
  if (action === 'refund') return new Response(null, { status: 404 })
  if (action === 'ship') await shipOnce({ id })
  const shipments = orders.get(id)?.shipments ?? 0
  return Response.json({ isPaid: shipments > 0, shipments, refunded: '0.00' })
}
const door = once(() => Bun.serve({ port: 0, fetch: answer }))
afterAll(() => Promise.all([florin?.stop(true), door?.stop(true)]))

/** The last example of a client's README, which is the receiver. */
const exampleOf = (language: string, fence: string): string =>
  blocksOf(pageOf(`clients/${language}/README.md`), fence).at(-1)!

async function expectGood(url: string): Promise<void> {
  const environment = { FLORIN_API_KEY: shop.live, FLORIN_WEBHOOK_SECRET: SECRET }
  const at = ['--server', florin.url.href, '--shop', door.url.href]
  const ran = await runInProcess(environment, 'conformance', url, ...at, '--json')
  expect(ran.stderr).toBe('')
  const { items } = JSON.parse(ran.stdout) as { items: { result: string }[] }
  expect(items.filter(({ result }) => result !== 'ok')).toEqual([])
}

test('the webhook in the README of the TypeScript client passes the conformance test', async () => {
  const module = join(newFolder(), 'receiver.ts')
  await Bun.write(
    module,
    `import { verifyWebhook } from '${ROOT}/clients/typescript/index.ts'
    export const receiver = ({ findOrder, shipOnce, signingSecret }) => async request => {
      ${exampleOf('typescript', 'ts')}
    }`,
  )
  const { receiver } = await import(module)
  const server = Bun.serve({ port: 0, fetch: receiver({ findOrder, shipOnce, signingSecret: SECRET }) })
  try {
    await expectGood(server.url.href)
  } finally {
    await server.stop(true)
  }
})

const languages = [
  ['Python', 'python', 'python3', (port: string) => [join(folder, 'receiver.py'), port]],
  ['PHP', 'php', 'php', (port: string) => ['-n', '-S', `127.0.0.1:${port}`, join(folder, 'receiver.php')]],
] as const

describe.skipIf(isMissing('Tests of the clients', 'php', 'python3'))('the webhook in the README', () => {
  test.each(languages)(
    'of the client for %s passes the conformance test',
    async (_, language, program, argsOf) => {
      const port = freePort().toString()
      const EXAMPLE = exampleOf(language, language)
      const PYTHONPATH = join(ROOT, 'clients/python')
      const CLIENT = join(ROOT, 'clients/php/Florin.php')
      const own = { EXAMPLE, SECRET, DOOR: door.url.origin, CLIENT, PYTHONPATH, PYTHONDONTWRITEBYTECODE: '1' }
      const env = { ...cleanEnvironment(), ...own }
      const child = Bun.spawn([programOf(program), ...argsOf(port)], {
        env,
        stdout: 'ignore',
        stderr: 'ignore',
      })
      const url = `http://127.0.0.1:${port}/`
      try {
        while (child.exitCode === null && !(await fetch(url).catch(() => null))) await Bun.sleep(20)
        await expectGood(url)
      } finally {
        child.kill()
        await child.exited
      }
    },
  )
})
