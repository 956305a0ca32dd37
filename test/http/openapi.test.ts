import { afterAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApiDocument } from '../../src/boot/openapi.ts'
import { Cli } from '../../src/cli/cli.ts'
import { program } from '../../src/cli/program.ts'
import { type Scope, scopes } from '../../src/domain/api-key.ts'
import { Refusal, type RefusalCode } from '../../src/domain/errors.ts'
import { createKey } from '../../src/operations/keys/manage.ts'
import { startApp } from '../support/app.ts'
import { givenShop } from '../support/given.ts'
import { newFolder, ROOT } from '../support/process.ts'
import { words } from '../support/words.ts'
import { type Document, operationsOf } from './openapi.ts'

const app = await startApp()
const folder = newFolder()
afterAll(() => app.close())

const shop = await givenShop(app)
const document = (await openApiDocument()) as Document
const operations = operationsOf(document)
const requireKey = operations.filter(({ operation }) => operation.security.length > 0)
const rows = operations.map(one => [`${one.method} ${one.path}` as string, one] as const)

/** The statuses that each endpoint may answer with. The document may add to them, but must not lack any. */
const statuses: Record<string, number[]> = {
  'GET /v1/wallet': [200, 401, 403],
  'PUT /v1/wallet': [200, 400, 401, 403],
  'GET /v1/webhook': [200, 401, 403],
  'PUT /v1/webhook': [200, 400, 401, 403, 422],
  'GET /v1/webhooks': [200, 401, 403],
  'POST /v1/webhooks': [201, 400, 401, 403, 409, 422],
  'GET /v1/webhooks/{endpointId}': [200, 401, 403, 404],
  'PATCH /v1/webhooks/{endpointId}': [200, 400, 401, 403, 404, 422],
  'DELETE /v1/webhooks/{endpointId}': [200, 401, 403, 404, 409],
  'POST /v1/webhooks/{endpointId}/test': [200, 401, 403, 404],
  'POST /v1/webhooks/{endpointId}/rotate': [200, 400, 401, 403, 404],
  'GET /v1/payment-methods': [200, 401, 502],
  'GET /v1/checkout/products/{productUUID}': [200, 404, 429],
  'POST /v1/checkout/products/{productUUID}/orders': [201, 400, 403, 404, 422, 429],
  'POST /v1/products': [201, 400, 401, 403],
  'GET /v1/products': [200, 401, 403],
  'POST /v1/products/bulk': [201, 400, 401, 403, 413],
  'PUT /v1/products/bulk': [200, 400, 401, 403, 413],
  'PATCH /v1/products/bulk/status': [200, 400, 401, 403, 404],
  'GET /v1/products/{productUUID}': [200, 401, 403, 404],
  'PATCH /v1/products/{productUUID}': [200, 400, 401, 403, 404],
  'POST /v1/orders': [200, 201, 400, 401, 403, 409, 422],
  'POST /v1/test/orders': [200, 201, 400, 401, 403, 409, 422],
  'POST /v1/orders/{orderUUID}/cancel': [200, 400, 401, 403, 404, 409],
  'POST /v1/orders/{orderUUID}/refunds': [200, 201, 400, 401, 403, 404, 409, 422],
  'GET /v1/orders': [200, 400, 401, 403],
  'GET /v1/orders/{orderUUID}': [200, 401, 403, 404],
  'GET /v1/orders/{orderUUID}/refunds': [200, 401, 403, 404],
  'GET /v1/transactions': [200, 400, 401, 403],
  'GET /v1/transactions/{transactionId}': [200, 401, 403, 404],
  'GET /v1/events': [200, 400, 401, 403],
  'GET /v1/events/{id}': [200, 401, 403, 404],
  'POST /v1/events/{id}/redeliver': [202, 401, 403, 404, 409],
  'GET /healthz': [200],
  'GET /readyz': [200, 503],
}

const keyOf = async (scopes: Scope[], mode: 'live' | 'test' = 'live') =>
  (await createKey(app.context, { merchantId: shop.id, mode, scopes })).text

/** A path with an unknown ID, because the access rule is checked before the ID is looked up. */
const pathOf = (path: string): string => path.replaceAll(/\{\w+\}/g, () => crypto.randomUUID())

/** The stream is left out: it does not answer with JSON. */
const STREAM = '/v1/events/stream'

describe('the document of the API', () => {
  test('is OpenAPI 3.1 of the interface’s version', () => {
    expect([document.openapi, document.info.version]).toEqual(['3.1.0', '1.0.0'])
  })

  test('has every route of the API and no others', async () => {
    const served = (await app.florin.http.routes())
      .filter(({ path }) => /^\/(v1\/|healthz$|readyz$)/.test(path) && path !== STREAM)
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
    const operation = rows.map(([name]) => name)
    expect(operation.toSorted()).toEqual(served.toSorted())
    expect(operation.toSorted()).toEqual(Object.keys(statuses).toSorted())
  })

  test.each(rows)('documents every expected status for %s', (name, { operation }) => {
    const missing = (statuses[name] ?? []).filter(status => !(status in operation.responses))
    expect(missing).toEqual([])
  })

  test.each(rows)(
    'lists known error codes for %s, each with its status and an example',
    (_, { operation }) => {
      for (const [status, { 'x-codes': codes, content }] of Object.entries(operation.responses)) {
        if (Number(status) < 400) continue
        expect(codes!.map(code => new Refusal(code as RefusalCode).status)).toEqual(
          codes!.map(() => Number(status)),
        )
        expect(Object.keys(content['application/json'].examples!)).toEqual(codes!)
      }
    },
  )

  test('gives every operation a unique name, a summary, a tag and an example of each body', () => {
    const names = operations.map(({ operation }) => operation.operationId)
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter(name => !/^[a-z]+([A-Z][a-z]+)+$/.test(name))).toEqual([])
    for (const { operation } of operations) {
      expect(document.tags.map(({ name }) => name)).toContain(operation.tags[0]!)
      expect(operation.summary).toMatch(/^[A-Z]/)
      const bodies = [operation.requestBody, ...Object.values(operation.responses)].filter(
        body => body !== undefined,
      )
      for (const { content } of bodies) {
        expect(Object.keys(content)).toEqual(['application/json'])
        const { example, examples } = content['application/json']
        expect(example ?? examples).toBeDefined()
      }
    }
  })

  test('describes every parameter of its operations', () => {
    const parameters = operations.flatMap(({ path, operation }) =>
      operation.parameters.map(({ name, description }) => [path, name, description]),
    )
    expect(parameters.filter(([, , description]) => !description)).toEqual([])
  })

  test('lists the webhook events', () => {
    expect(Object.keys(document.webhooks).toSorted()).toEqual(
      [
        'order.paid',
        ...['created', 'expired', 'failed', 'paid', 'processing', 'unmatched'].map(end => `payment.${end}`),
        ...['order.cancelled', 'order.expired', 'order.failed', 'refund.recorded'],
      ].toSorted(),
    )
    for (const { post } of Object.values(document.webhooks))
      expect(post.parameters.map(({ name }) => name)).toContain('X-Service-Livemode')
  })

  test('has no internal keywords of the validators', () => {
    const text = JSON.stringify(document)
    for (const word of words(`
      method-key x-operation x-documented multipart/form-data text/plain "title":"Order"
    `))
      expect(text).not.toContain(word)
  })
})

describe('the access rules are as documented', () => {
  test.each(requireKey.map(one => [`${one.method} ${one.path}`, one] as const))(
    '%s',
    async (_, { method, path, operation }) => {
      const codeFor = async (key: string) =>
        (await app.call(method, pathOf(path), { key, body: method === 'GET' ? undefined : '{' })).json.error
          ?.code
      const scope = operation['x-scope']
      const login = operation.operationId === 'cancelOrder' ? [{ login: [] }] : []
      expect(operation.security).toEqual([{ apiKey: scope ? [scope] : [] }, ...login])
      const mode = operation['x-test-key'] ? 'test' : 'live'
      for (const one of scopes) {
        const isRefused = (await codeFor(await keyOf([one], mode))) === 'insufficient_scope'
        expect([one, isRefused]).toEqual([one, scope !== undefined && one !== scope])
      }
      const code = await codeFor(await keyOf([...scopes], 'test'))
      expect(code === 'live_key_required').toBe(operation['x-live-key'] === true)
      const liveCode = await codeFor(await keyOf([...scopes], 'live'))
      expect(liveCode === 'test_key_required').toBe(operation['x-test-key'] === true)
      expect(operation.description).toContain(scope ? `\`${scope}\`` : 'with any scope')
    },
  )

  test('an operation without a key in the document needs no key', async () => {
    for (const { method, path, operation } of operations) {
      if (operation.security.length > 0) continue
      const body = method === 'GET' ? undefined : '{'
      expect((await app.call(method, pathOf(path), { body })).status).not.toBe(401)
    }
  })
})

describe('the document is available', () => {
  test('at /swagger/json, and from `florin openapi` without a database', async () => {
    const served = await app.call('GET', '/swagger/json')
    expect([served.status, served.headers.get('content-type')]).toEqual([200, 'application/json'])
    for (const args of [['openapi'], ['openapi', '--json']]) {
      const printed: string[] = []
      const environment = {
        FLORIN_DATA_DIR: join(folder, 'none'),
        FLORIN_CHECKOUT_URL: 'https://pay.shop.example',
      }
      const cli = new Cli({ environment, print: text => printed.push(text), complain: () => {} })
      expect(await cli.run(await program(cli, args), args)).toBe(0)
      // Clients that are generated from a file need the whole address.
      const servers = [{ url: 'https://pay.shop.example', description: 'Your server.' }]
      expect(JSON.parse(printed.join('\n'))).toEqual({ ...served.json, servers })
    }
    expect(await Bun.file(join(folder, 'none')).exists()).toBe(false)
  })

  test('through a link in /llms.txt', async () => {
    const { headers, text } = await app.call('GET', '/llms.txt')
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
    const [, address] = /^OpenAPI 3[.]1: (\S+)$/m.exec(text) ?? []
    expect((await app.call('GET', new URL(address!).pathname)).json.openapi).toBe('3.1.0')
  })

  test('with page files that may be cached forever, and no other files', async () => {
    const { text } = await app.call('GET', '/swagger')
    const paths = [...text.matchAll(/(?:href|src)="(\/swagger\/ui[^"]+)"/g)].map(match => match[1]!)
    expect(paths).toHaveLength(2)
    for (const path of paths) {
      const { status, headers } = await app.call('GET', path)
      expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
    }
    expect((await app.call('GET', '/swagger/other.js')).json.error.code).toBe('not_found')
  })
})

test('an independent linter finds no problems in the document of the API', async () => {
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document, null, 2))
  writeFileSync(join(folder, 'redocly.yaml'), 'extends: [recommended]\ntelemetry: off\n')
  // Health checks have no input that could be wrong.
  const paths = ['healthz', 'readyz'].map(name => `    - '#/paths/~1${name}/get/responses'`)
  const ignored = ['openapi.json:', '  operation-4xx-response:', ...paths]
  writeFileSync(join(folder, '.redocly.lint-ignore.yaml'), `${ignored.join('\n')}\n`)
  const child = Bun.spawn(
    [
      process.execPath,
      join(ROOT, 'node_modules/@redocly/cli/bin/cli.js'),
      'lint',
      'openapi.json',
      '--format=json',
    ],
    {
      cwd: folder,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      stdout: 'pipe',
      stderr: 'ignore',
    },
  )
  const report = JSON.parse(await new Response(child.stdout).text())
  expect(report.problems.filter(({ ignored }: { ignored?: boolean }) => !ignored)).toEqual([])
  expect([report.totals, await child.exited]).toEqual([{ errors: 0, warnings: 0, ignored: 2 }, 0])
})
