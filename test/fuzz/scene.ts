import { openApiDocument } from '../../src/boot/openapi.ts'
import type { Log } from '../../src/domain/log.ts'
import { createKey } from '../../src/operations/keys/manage.ts'
import { type Document, type DocumentedRoute, operationsOf } from '../http/openapi.ts'
import { DocumentValidator } from '../http/openapi-validator.ts'
import { startWithReceiver } from '../support/app-with-receiver.ts'
import { browserOf, signInAs } from '../support/dashboard.ts'
import { givenFullShop, pathsOf, type Rows } from '../support/full-shop.ts'
import { givenMerchant } from '../support/given.ts'
import { formsIn, type HtmlForm } from './forms.ts'
import type { Schema } from './schema.ts'

export interface Route {
  method: string
  path: string
  body: Schema | undefined
  query: Schema | undefined
  /** true if the form has files */
  isUpload: boolean
}

/** An error that the server wrote to its log. */
export interface LoggedError {
  event: string
  fields: object
}

/** A server with a full shop, and everyone who can send requests to it. */
export type Scene = Awaited<ReturnType<typeof openScene>>

interface RouterEntry {
  method: string
  path: string
  hooks?: { body?: Schema; query?: Schema }
}

/** Routes that are left out: they would change the upstreams or the clock for the whole run. */
const left = ['/sandbox/outage', '/sandbox/clock']

async function routesOf(all: RouterEntry[]): Promise<Route[]> {
  return all
    .filter(({ path }) => !left.includes(path))
    .map(({ method, path, hooks: { body, query } = {} }) => ({
      method,
      path,
      body,
      query,
      isUpload: 'file' in (body?.properties ?? {}),
    }))
}

type App = Awaited<ReturnType<typeof startWithReceiver>>

/** The router also accepts a slash at the end of a path. */
const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replace(/[.]/g, '\\.')
      .replace(/\{\w+\}|:\w+/g, '[^/]+')
      .replace('*', '.*')}/?$`,
  )

/** Signs in a person of each role of the shop, and an operator. */
async function signInAll(app: App, merchantId: string): Promise<Map<string, string>> {
  const cookies = new Map<string, string>()
  for (const role of ['viewer', 'staff', 'owner', 'operator'] as const) {
    // The limit of sign-ins per minute is low.
    app.time.now += 60_000
    cookies.set(role, (await signInAs(app, role, merchantId)).cookie)
  }
  return cookies
}

/** Every form of every page of the dashboard, as an operator and as an owner see them. */
async function formsOf(app: App, routes: Route[], rows: Rows, cookies: string[]): Promise<HtmlForm[]> {
  const pages = routes.filter(({ method, path }) => method === 'GET' && path.startsWith('/dashboard'))
  const forms = new Map<string, HtmlForm>()
  for (const cookie of cookies) {
    const browser = browserOf(app, cookie)
    for (const path of pages.flatMap(route => filled(route.path, rows))) {
      const { text } = await browser.get(path)
      for (const form of formsIn(text, path)) forms.set(`${form.action} ${Object.keys(form.fields)}`, form)
    }
  }
  return [...forms.values()]
}

/** The paths of a route. An ID that does not exist takes the place of a row that the shop does not have. */
function filled(path: string, rows: Rows): string[] {
  try {
    return pathsOf(path, rows)
  } catch {
    return [path.replace(/:\w+/, crypto.randomUUID())]
  }
}

/** A server with a shop that has a row of every kind. Errors in its log are recorded. */
export async function openScene() {
  const errors: LoggedError[] = []
  const log: Log = {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: (fields, event) => void errors.push({ event, fields }),
  }
  const unlimited = { FLORIN_PUBLIC_RATE_LIMIT: '0', FLORIN_API_RATE_LIMIT: '0' }
  const app = await startWithReceiver(unlimited, { log })
  let requests = 0
  app.receiver.answerWith(() => new Response('', { status: ++requests % 2 ? 500 : 200 }))
  const full = await givenFullShop(app)
  const other = await givenMerchant(app, 'Other shop')
  const narrow = await createKey(app.context, {
    merchantId: full.shop.id,
    mode: 'live',
    scopes: ['products:read'],
  })
  // The stream is left out: its answer lasts for minutes.
  const entries = ((await app.florin.http.routes()) as RouterEntry[]).filter(
    ({ path }) => path !== '/v1/events/stream',
  )
  const routes = await routesOf(entries)
  const document = (await openApiDocument()) as Document
  const operations = operationsOf(document)
  const rows: Rows = { ...full.rowsOf(full.owner) }
  const [order = ''] = rows['orders/:order'] ?? []
  Object.assign(rows, {
    'orders/:orderUUID': rows['orders/:order'],
    'pay/:orderUUID': rows['orders/:order'],
    'process/:orderUUID': rows['orders/:order'],
    'events/:id': [full.inForms.event ?? ''],
    'products/:productUUID': rows['products/:product'],
    'checkout/:productUUID': rows['products/:product'],
    'transactions/:transactionId': [order],
    'callback/:provider': ['gateway'],
    'chain/:chain': ['btc'],
  })
  let cookies = await signInAll(app, full.shop.id)
  const seen = ['owner', 'operator'].map(role => cookies.get(role)!)
  const forms = await formsOf(app, routes, rows, seen)
  const patterns = routes.map(({ method, path }) => ({ method, pattern: patternOf(path) }))
  const documented = operations.map(one => ({ ...one, pattern: patternOf(one.path) }))

  return {
    app,
    errors,
    routes,
    forms,
    validator: new DocumentValidator(document),
    keys: [full.shop.live, full.shop.test, other.live, narrow.text],
    cookies: () => cookies,
    halfway: full.halfway.cookie,
    pathsOf: (path: string) => filled(path, rows),
    isRoute: (method: string, path: string) =>
      patterns.some(one => one.method === method && one.pattern.test(path)),
    operationAt: (method: string, path: string): DocumentedRoute | undefined =>
      documented.find(one => one.method === method && one.pattern.test(path)),
    /** Requests can sign out, suspend and remove every person. */
    async signInAgain() {
      cookies = await signInAll(app, full.shop.id)
    },
  }
}
