import { afterAll, beforeAll, expect, test } from 'bun:test'
import { makeLog } from '../../src/boot/log.ts'
import { makeMeter } from '../../src/boot/metrics/meter.ts'
import { Registry } from '../../src/boot/metrics/registry.ts'
import { listAudit } from '../../src/operations/audit/read.ts'
import { raiseEndpoint, removeEndpoint } from '../../src/operations/upstreams/choose-endpoints.ts'
import { watchServices } from '../../src/operations/upstreams/watch.ts'
import { runInProcess } from '../cli/in-process.ts'
import { receive } from '../outbound/servers.ts'
import { type App, startApp } from '../support/app.ts'
import { dashboardRoutes, type Person, signInAs } from '../support/dashboard.ts'
import { givenOrder, givenShop, type Shop } from '../support/given.ts'

const HOUR_MS = 3600_000
const secrets = {
  path: 'key0in0path',
  query: 'key0in0query',
  bareQuery: 'key0as0query',
  user: 'key0as0user',
  password: 'p@ss0word',
  header: 'key0in0header',
}
const credentials = `${secrets.user}:${encodeURIComponent(secrets.password)}`
const hidden = [
  ...Object.values(secrets),
  encodeURIComponent(secrets.password),
  btoa(`${secrets.user}:${secrets.password}`),
]

/** A node that repeats everything it received in every answer. */
const node: ReturnType<typeof receive> = receive(request => {
  const { headers, body } = node.received.at(-1)!
  const sent = [headers.authorization, headers['x-api-key']].map(value => value?.split(' ').at(-1))
  const echo = `no: ${secrets.password} ${credentials} ${sent.join(' ')} ${request.url}`
  if (body.length === 0) return new Response(echo, { status: 500 })
  const calls = JSON.parse(body.toString()) as { id: number } | { id: number }[]
  const reply = ({ id }: { id: number }) => ({ jsonrpc: '2.0', id, error: { code: -32000, message: echo } })
  return Response.json(Array.isArray(calls) ? calls.map(reply) : reply(calls))
})
const host = `127.0.0.1:${node.port}`
const urlOf = (name: string): string =>
  `http://${credentials}@${host}/${name}/${secrets.path}?apikey=${secrets.query}&${secrets.bareQuery}`

const environment = {
  FLORIN_SANDBOX: 'false',
  FLORIN_OUTBOUND_ALLOW: host,
  FLORIN_ETHEREUM_URL: urlOf('ethereum'),
  FLORIN_RATES: urlOf('rates'),
  FLORIN_LITECOIN_URL: `core+${urlOf('litecoin')},esplora+${urlOf('esplora')}`,
}
const registry = new Registry()
const lines: string[] = []
let app: App
let shop: Shop
let operator: Person
let owner: Person

const chosen = [
  ['base', 'jsonrpc'],
  ['btc', 'core'],
  ['bitcoincash', 'blockbook'],
  ['solana', 'jsonrpc'],
  ['trc20', 'jsonrpc'],
  ['xmr', 'monerod'],
] as const

beforeAll(async () => {
  app = await startApp(environment, {
    log: makeLog('debug', line => lines.push(line)),
    meter: makeMeter(registry),
  })
  app.time.now = Date.now()
  shop = await givenShop(app)
  operator = await signInAs(app, 'operator', shop.id)
  owner = await signInAs(app, 'owner', shop.id)
  const header = { name: 'x-api-key', value: `Bearer ${secrets.header}` }
  await app.context.storage.write(async tables => {
    for (const [chain, protocol] of chosen) {
      for (const position of [1, 2]) {
        const url = `${urlOf(chain)}&at=${position}`
        const id = `${chain}-${position}`
        await tables.chosenEndpoints.put({ id, chain, protocol, url, header, position, createdAt: 0 })
      }
    }
  })
  await app.context.upstreams.reload()
})
afterAll(async () => {
  await app.close()
  await node.close()
})

/** Fails with the name of each output that shows a secret, and the text before the secret. */
function expectHidden(outputs: Record<string, string>): void {
  const shown = Object.entries(outputs).flatMap(([name, text]) =>
    hidden.flatMap(secret => {
      const at = text.indexOf(secret)
      return at < 0 ? [] : [`${name}: ${text.slice(Math.max(0, at - 80), at + secret.length)}`]
    }),
  )
  expect(shown).toEqual([])
}

/** Every page without a parameter, and the pages of chains and wallets. */
async function pagesOf(person: Person): Promise<Record<string, string>> {
  const paths = (await dashboardRoutes(app)).flatMap(({ method, path }) =>
    method === 'GET' && !path.includes(':') && !path.includes('*') ? [path] : [],
  )
  const chains = [...chosen.map(([chain]) => chain), 'ethereum', 'ltc']
  const own = [
    ...chains.map(chain => `/dashboard/endpoints/${chain}`),
    ...['evm', 'btc', 'xmr', 'solana', 'trc20', 'ltc'].map(network => `/dashboard/payouts/${network}`),
  ]
  const found: Record<string, string> = {}
  for (const path of [...paths, ...own]) found[path] = (await person.get(path)).text
  return found
}

test('a key in the URL or header of an endpoint is never shown', async () => {
  for (const [chain, , id = `${chain}-2`] of chosen) {
    expectHidden({
      [`trial ${chain}`]: (await operator.post(`/dashboard/endpoints/${chain}/test`, { id })).text,
    })
  }
  const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
  const opened = await app.call('POST', `/pay/${orderUUID}/crypto`, { form: { asset: 'ethereum/eth' } })
  const order = await app.call('GET', `/v1/orders/${orderUUID}`, { key: shop.live })
  const methods = await app.call('GET', '/v1/payment-methods', { key: shop.live })
  await watchServices(app.context)
  app.time.now += 2 * HOUR_MS
  await watchServices(app.context)
  await raiseEndpoint(app.context, 'btc', 'btc-2')
  await removeEndpoint(app.context, 'base', 'base-2')
  const audit = JSON.stringify(await listAudit(app.context, shop.id, 100))
  expect(audit).toContain('endpoint.removed')
  expectHidden({ opened: opened.text, order: order.text, methods: methods.text, audit })

  app.time.now -= 2 * HOUR_MS
  const pages = await pagesOf(operator)
  expect(pages['/dashboard/endpoints/btc']).toContain(host)
  expectHidden(pages)
  const ownerPages = await pagesOf(owner)
  expect(ownerPages['/dashboard/audit']).toContain(host)
  expectHidden(ownerPages)

  expect(registry.print()).toContain(`endpoint="${host}"`)
  for (const event of ['service.unusable', 'asset.own_route.unavailable', 'upstream.asked'])
    expect(lines.join('')).toContain(event)
  expectHidden({ metrics: registry.print(), log: lines.join('') })
  const rows = await app.context.storage.read(tables => tables.events.listOfOrder(orderUUID, 100))
  expectHidden({ events: JSON.stringify(rows) })
})

test('no command shows a key in the URL or header of an endpoint', async () => {
  const settings = { ...environment, ...app.forCommands }
  const commands = [
    ['config'],
    ['config', '--json'],
    ['doctor'],
    ['doctor', '--json'],
    ['audit', 'list', '--merchant', shop.id],
    ['notification', 'list', '--merchant', shop.id],
    ['merchant', 'list'],
    ['wallet', 'show', '--merchant', shop.id],
    ['order', 'list', '--merchant', shop.id],
  ]
  const outputs: Record<string, string> = {}
  for (const command of commands) {
    const { stdout, stderr } = await runInProcess(settings, ...command)
    outputs[command.join(' ')] = stdout + stderr
  }
  expect(outputs.doctor).toContain(`endpoint ${host} of xmr`)
  expect(outputs[`notification list --merchant ${shop.id}`]).toContain(host)
  const wrong = { ...settings, FLORIN_BASE_URL: `nonsense+${urlOf('base')}` }
  const refused = await runInProcess(wrong, 'doctor')
  expect(refused.stderr + refused.stdout).toContain('FLORIN_BASE_URL')
  expectHidden({ ...outputs, wrong: refused.stderr + refused.stdout })
})
