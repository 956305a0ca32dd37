import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { cpSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { typescriptOf } from '../../.ci/client-types.ts'
import { openApiDocument } from '../../src/boot/openapi.ts'
import { type App, startApp } from '../support/app.ts'
import { freePort } from '../support/free-port.ts'
import { givenShop, orderBody } from '../support/given.ts'
import { endProcesses, newFolder, ROOT, runCli } from '../support/process.ts'
import { isMissing, programOf } from '../support/programs.ts'

// The clients of each language do the same things against the same server, and get the same results.

setDefaultTimeout(60_000)

const SECRET = 'a test secret'
const folder = join(ROOT, 'test/clients')

let app: App
/** keys that reached a server other than Florin */
const leaked: (string | null)[] = []

const elsewhere = Bun.serve({
  port: 0,
  fetch(request) {
    leaked.push(request.headers.get('x-api-key'))
    return Response.json({ success: true, data: {} })
  },
})

/** A server that breaks off in the middle of its first response, and works from the second request on. */
let isCut = false
const cut = Bun.listen({
  hostname: '127.0.0.1',
  port: 0,
  socket: {
    data(socket) {
      isCut = !isCut
      const body = '{"success":true,"data":{"isWhole":true}}'
      const headers = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`
      socket.end(headers + (isCut ? body.slice(0, 20) : body))
    },
  },
})

/**
 * A proxy in front of Florin. Below /lost, the response to the first of two equal requests is lost; below
 * /moved, all requests are redirected; below /page, the proxy responds with a page of its own.
 */
const seen = new Set<string>()
const proxy = Bun.serve({
  port: 0,
  async fetch(request) {
    const { pathname, search, origin } = new URL(request.url)
    const [, place, rest] = /^\/(lost|moved|page)(\/.*)$/.exec(pathname) ?? []
    if (place === 'moved') return Response.redirect(elsewhere.url.href, 307)
    if (place === 'page') return new Response('<h1>Bad gateway</h1>', { status: 502 })
    const response = await app.florin.http.fetch(
      new Request(`${origin}${rest ?? pathname}${search}`, request),
    )
    const key = request.headers.get('idempotency-key')
    if (place !== 'lost' || key === null || seen.has(key)) return response
    seen.add(key)
    return new Response('', { status: 503, headers: { 'retry-after': '0' } })
  },
})

beforeAll(async () => {
  app = await startApp()
})
afterAll(async () => {
  cut.stop(true)
  await Promise.all([proxy.stop(true), elsewhere.stop(true), endProcesses()])
  await app?.close()
})

const now = String(Math.floor(Date.now() / 1000))
const event = { id: '01981f5e-2000-7b3c-a4d5-e6f708192a3b', type: 'order.paid', customer: 'Zoë' }
const body = JSON.stringify(event)
const sign = (timestamp: string, secret = SECRET) =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('base64url')
const signed = (timestamp: string, signature: string, name = 'X-Service-Signature') => ({
  headers: { 'X-Service-Timestamp': timestamp, [name]: signature },
  body,
})
const deliveries = [
  [signed(now, sign(now)), true],
  [signed(now, sign(now), 'HTTP_X_SERVICE_SIGNATURE'), 'like the environment of a web server'],
  [
    { ...signed(now, sign(now)), headers: { 'x-service-timestamp': now, 'x-service-signature': sign(now) } },
    true,
  ],
  [signed(now, sign(now), 'X-Service-Signature-Previous'), true],
  [signed(now, sign(now, 'another secret')), false],
  [{ ...signed(now, sign(now)), body: body.replace('Zoë', 'Zoe') }, false],
  [signed('1000000000', sign('1000000000')), false],
  [signed('now', sign('now')), false],
  [signed(`+${now}`, sign(`+${now}`)), false],
  [signed(now, ''), false],
  [signed(now, 'ä'), false],
  [{ headers: {}, body }, false],
] as const

const languages = [
  ['typescript', process.execPath, [join(folder, 'shop.ts')], {}],
  ['python', 'python3', [join(folder, 'shop.py')], { PYTHONPATH: join(ROOT, 'clients/python') }],
  ['php', 'php', ['-n', join(folder, 'shop.php'), join(ROOT, 'clients/php/Florin.php')], {}],
] as const

describe.skipIf(isMissing('Tests of the clients', 'php', 'python3'))('the client', () => {
  test.each(languages)(
    'for %s does each action once, and follows no redirect',
    async (language, name, args, more) => {
      const shop = await givenShop(app)
      const program = name === 'php' || name === 'python3' ? programOf(name) : name
      const GIVEN = JSON.stringify({
        url: proxy.url.origin.replace('localhost', '127.0.0.1'),
        cut: `http://127.0.0.1:${cut.port}`,
        away: `http://127.0.0.1:${await freePort()}`,
        key: shop.live,
        testKey: shop.test,
        order: orderBody(),
        secret: SECRET,
        deliveries: deliveries.map(([delivery]) => delivery),
      })
      seen.clear()
      isCut = false
      const { stdout, stderr } = await runCli(
        [...args],
        { GIVEN, PYTHONDONTWRITEBYTECODE: '1', ...more },
        [program],
        newFolder(),
      )
      expect(stderr).toBe('')
      expect(JSON.parse(stdout)).toEqual({
        isSame: true,
        isTest: true,
        listed: true,
        filtered: 0,
        tests: 1,
        webhooks: 0,
        cancelled: 'CANCELLED',
        notCancellable: ['order_not_cancellable', 409, []],
        invalid: ['validation_error', 400, ['/amount']],
        unknown: [expect.any(String), expect.any(Number), expect.any(Array)],
        redirected: ['no_response', 307, []],
        page: ['no_response', 502, []],
        away: ['no_response', null, []],
        cut: [['no_response', language === 'php' ? 200 : null, []], 'nothing failed', true],
        plain: 'refused',
        wallet: true,
        // A server on Node must not get headers with the names of environment variables, so these are left
        // out.
        events: deliveries.map(([, accepted]) =>
          accepted === true || accepted === false ? accepted : language !== 'typescript',
        ),
      })
      expect(leaked).toEqual([])
    },
  )
})

test('the types of the TypeScript client match those of the API: npm run clients', async () => {
  expect(readFileSync(join(ROOT, 'clients/typescript/api.ts'), 'utf8')).toBe(
    typescriptOf(await openApiDocument()),
  )
})

test('the package has JavaScript and types, and nothing else', async () => {
  const copy = newFolder()
  cpSync(join(ROOT, 'clients/typescript'), copy, { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  const run = (...args: string[]) => runCli(args, {}, [process.execPath], copy)
  expect(await run(compiler, '-p', 'tsconfig.json')).toEqual({ exitCode: 0, stdout: '', stderr: '' })
  const npm = ['pack', '--json', '--dry-run', '--ignore-scripts']
  const packed = await runCli(npm, { PATH: process.env.PATH ?? '' }, ['npm'], copy)
  const [{ files }] = JSON.parse(packed.stdout)
  expect(files.map(({ path }: { path: string }) => path).sort()).toEqual(
    ['api', 'client', 'index']
      .flatMap(name => [`dist/${name}.d.ts`, `dist/${name}.js`])
      .concat('README.md', 'package.json')
      .sort(),
  )
  const used = `import { Florin, routes } from '${copy}/dist/index.js'
    process.stdout.write(typeof new Florin({ url: 'https://pay.shop.example' }).each + routes.createOrder[0])`
  expect(await runCli(['--input-type=module', '-e', used], {}, ['node'], copy)).toMatchObject({
    stdout: 'functionPOST',
    stderr: '',
  })
})

test('florin client prints each client as one file', async () => {
  const folder = newFolder()
  const texts = await Promise.all(
    ['typescript', 'php', 'python'].map(async language => (await runCli(['client', language], {})).stdout),
  )
  await Bun.write(join(folder, 'florin.ts'), texts[0] ?? '')
  const { verifyWebhook } = await import(join(folder, 'florin.ts'))
  expect(await verifyWebhook({}, '', SECRET)).toBe(null)
  expect(texts.slice(1)).toEqual(
    ['php/Florin.php', 'python/florin.py'].map(file => readFileSync(join(ROOT, 'clients', file), 'utf8')),
  )
})
