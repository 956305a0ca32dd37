import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Platform, realPlatform } from '../../src/boot/platform.ts'
import { type Running, startServer } from '../../src/boot/serve.ts'
import { createKey } from '../../src/operations/keys/manage.ts'
import { createMerchant } from '../../src/operations/merchants/create.ts'
import { createUser } from '../../src/operations/people/create-user.ts'
import { databaseUrl } from '../../src/settings/database-url.ts'
import { readSettings } from '../../src/settings/read.ts'
import { connect } from '../../src/storage/postgres/connection.ts'
import { type Link, startLink } from '../chaos/faulty-link.ts'
import { PASSWORD } from '../support/dashboard.ts'
import { type PostgresServer, postgresServer } from '../support/postgres.ts'
import { callUrl, endProcesses, newFolder } from '../support/process.ts'
import { until } from '../support/until.ts'

// The database cannot be reached while a person uses each page, or another program has locked it.

let cluster: PostgresServer
let name: string
let link: Link
let server: Running
let platform: Platform
const failed: object[] = []

beforeAll(async () => {
  cluster = await postgresServer()
  name = await cluster.create()
  const url = new URL(cluster.url(name))
  link = await startLink(Number(url.port), () => 0)
  url.port = `${link.port}`
  const settings = readSettings({
    FLORIN_DATABASE_URL: url.href,
    FLORIN_DATA_DIR: newFolder(),
    FLORIN_SANDBOX: 'true',
    FLORIN_PORT: '0',
    FLORIN_PUBLIC_RATE_LIMIT: '0',
  })
  const note = (fields: object, event: string) => {
    if (event === 'request.failed') failed.push(fields)
  }
  const log = { debug: () => {}, info: note, warn: note, error: note }
  platform = { ...realPlatform(log), passwordCost: { memoryCost: 64, timeCost: 1 } }
  server = await startServer(settings, platform)
})
afterAll(async () => {
  await server.stop()
  link.stop()
  await cluster.drop(name)
  await endProcesses()
})

async function signIn(): Promise<string> {
  const { context } = server.florin
  const merchant = await createMerchant(context, { email: 'shop@shop.example', name: 'Shop' })
  const person = { email: 'owner@shop.example', merchantId: merchant.id, role: 'owner' } as const
  const { token } = await createUser(context, person)
  const answer = await callUrl(`${server.url}/dashboard/link/${token}`, 'POST', {
    form: { password: PASSWORD },
    headers: { origin: server.url },
  })
  expect(answer.status).toBe(303)
  return answer.headers.get('set-cookie')!.split(';')[0]!
}

/**
 * The page for the code redirects to the sign-in page, since no person is between the password and the code.
 */
const HALFWAY = '/dashboard/sign-in/code'

test('no route answers with an internal error while its database is down', async () => {
  const cookie = await signIn()
  const routes = ((await server.florin.http.routes()) as { method: string; path: string }[]).filter(
    ({ method }) => method === 'GET' || method === 'POST',
  )
  expect(routes.filter(({ path }) => path.startsWith('/dashboard')).length).toBeGreaterThan(100)
  // The link is cut, because a database that itself refuses connections would start a process for each.
  link.setFault('cut')
  const answers: [string, string, number][] = []
  for (const accept of ['text/html', 'application/json']) {
    for (const { method, path } of routes) {
      const url = server.url + path.replaceAll(/:\w+/g, () => crypto.randomUUID())
      const headers = { accept, cookie, origin: server.url }
      const { status, headers: answered } = await callUrl(url, method, {
        headers,
        ...(method === 'POST' && { form: {} }),
      })
      if (status === 503) expect([path, answered.has('retry-after')]).toEqual([path, true])
      answers.push([method, path, status])
    }
  }
  link.setFault(null)
  expect([answers.filter(([, , status]) => status === 500), failed]).toEqual([[], []])
  const isPage = ([method, path]: [string, string, number]) =>
    method === 'GET' && /^\/dashboard/.test(path) && path !== HALFWAY
  expect(answers.filter(isPage).filter(([, , status]) => status !== 503)).toEqual([])
}, 60_000)

const LOCKED_MS = 500
const orderTemplate = { amount: '3.00', currency: 'USD', paymentMethodsKeys: ['*'] }
const product = { name: 'A cup of tea', orderTemplate }

test('a request that waits for a locked table is refused, and not left without an answer', async () => {
  const { context } = server.florin
  const { id: merchantId } = await createMerchant(context, { email: 'busy@shop.example', name: 'Busy' })
  const { text: key } = await createKey(context, { merchantId, mode: 'live' })
  const list = () => callUrl(`${server.url}/v1/products`, 'GET', { key })
  const make = () => callUrl(`${server.url}/v1/products`, 'POST', { key, body: product })
  expect((await list()).status).toBe(200)
  const locking = await connect(databaseUrl(cluster.url(name))!)
  await locking.script('BEGIN; LOCK TABLE products IN ACCESS EXCLUSIVE MODE')
  platform.answerMs = LOCKED_MS
  const answers = await Promise.all([list(), make(), list()])
  delete platform.answerMs
  await locking.script('ROLLBACK')
  await locking.close()
  for (const { status, headers, json } of answers) {
    expect([status, headers.get('retry-after')]).toEqual([503, '10'])
    expect(json.error.code).toBe('storage_unavailable')
  }
  // The work continues, as the refusal promises.
  await until(
    async () => (await list()).text.includes(product.name),
    'the product that was asked for',
    30_000,
  )
})
