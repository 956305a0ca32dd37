// The TypeScript client in Deno, in a worker and in a browser. See README.md: npm run test:runtimes
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { cpSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApp } from '../support/app.ts'
import { openChromium } from '../support/chromium.ts'
import { freePort } from '../support/free-port.ts'
import { givenProduct, givenShop, orderBody } from '../support/given.ts'
import { newFolder, ROOT } from '../support/process.ts'

/** The packages with the executables, which need no installing. Exact versions: others may behave differently. */
const RUNTIMES = ['@deno/linux-x64-glibc@2.9.6', '@cloudflare/workerd-linux-64@1.20261117.1']
const SECRET = 'a test secret'
const WAIT_MS = 20_000

setDefaultTimeout(300_000)

const installed = join(tmpdir(), 'florin-runtimes')
const executable = (path: string): string => join(installed, 'node_modules', path)

function run(command: string[], cwd: string): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd, stdout: 'pipe', stderr: 'pipe' })
  if (exitCode !== 0) throw new Error(`${command[0]} failed: ${stdout}${stderr}`)
  return stdout.toString()
}

/** The compiled client beside the programs that use it. */
function build(): string {
  const folder = newFolder()
  cpSync(join(ROOT, 'test/runtimes'), folder, { recursive: true })
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  const project = join(ROOT, 'clients/typescript/tsconfig.json')
  run([process.execPath, compiler, '-p', project, '--outDir', join(folder, 'client')], ROOT)
  return folder
}

const now = String(Math.floor(Date.now() / 1000))
const body = JSON.stringify({
  id: '01981f5e-2000-7b3c-a4d5-e6f708192a3b',
  type: 'order.paid',
  customer: 'Zoë',
})
const sign = (timestamp: string, secret = SECRET) =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('base64url')
const headersOf = (timestamp: string, signature: string) => ({
  'X-Service-Timestamp': timestamp,
  'X-Service-Signature': signature,
})
const deliveries = [
  headersOf(now, sign(now)),
  headersOf(now, sign(now, 'another secret')),
  headersOf('1000000000', sign('1000000000')),
].map(headers => ({ headers, body }))

const expected = {
  isSame: true,
  listed: 2,
  failure: ['not_found', 404],
  moved: ['no_response', 307],
  verified: ['order.paid', null, null],
}

const app = await startApp()
const elsewhere = Bun.serve({ port: 0, fetch: () => Response.json({ success: true, data: {} }) })
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch(request) {
    const isMoved = new URL(request.url).pathname.startsWith('/moved')
    return isMoved ? Response.redirect(elsewhere.url.href, 307) : app.florin.http.fetch(request)
  },
})
const url = server.url.origin

/** What a program gets: the address of Florin, and a shop of its own. */
async function given() {
  const { live: apiKey } = await givenShop(app)
  return { url, apiKey, order: orderBody(), secret: SECRET, deliveries }
}

const folder = build()
run(
  ['npm', 'install', '--prefix', installed, '--no-audit', '--no-fund', '--ignore-scripts', ...RUNTIMES],
  ROOT,
)

afterAll(async () => {
  await Promise.all([server.stop(true), elsewhere.stop(true)])
  await app.close()
})

test('the client in Deno', async () => {
  const entry = ['run', '--no-prompt', '--allow-net', 'deno.mjs', JSON.stringify(await given())]
  const child = Bun.spawn([executable('@deno/linux-x64-glibc/deno'), ...entry], {
    cwd: folder,
    stderr: 'inherit',
  })
  expect(await new Response(child.stdout).json()).toEqual(expected)
})

test('the client in a worker, which also receives webhooks', async () => {
  const port = await freePort()
  const serve = ['serve', 'worker.capnp', '--socket-addr', `http=127.0.0.1:${port}`]
  const child = Bun.spawn([executable('@cloudflare/workerd-linux-64/bin/workerd'), ...serve], {
    cwd: folder,
    stderr: 'inherit',
  })
  try {
    const address = `http://127.0.0.1:${port}`
    const end = Date.now() + WAIT_MS
    while (Date.now() < end && !(await fetch(address).catch(() => null))) await Bun.sleep(100)
    const visited = await fetch(`${address}/shop`, { method: 'POST', body: JSON.stringify(await given()) })
    expect(await visited.json()).toEqual(expected)
    const secret = encodeURIComponent(SECRET)
    const received = await Promise.all(
      deliveries.map(({ headers }) =>
        fetch(`${address}/webhook?secret=${secret}`, { method: 'POST', headers, body }),
      ),
    )
    expect(received.map(({ status }) => status)).toEqual([200, 400, 400])
  } finally {
    child.kill()
  }
})

test('the client in a page of another origin, which can read a product and order it', async () => {
  const shop = await givenShop(app)
  const product = await givenProduct(app, shop)
  const files = Bun.serve({
    port: 0,
    fetch: request => new Response(Bun.file(join(folder, new URL(request.url).pathname))),
  })
  const page = await (await openChromium()).newPage()
  const query = new URLSearchParams({ url, productUUID: product.id })
  await page.goto(`http://localhost:${files.port}/page.html?${query}`)
  const result = await page.waitForFunction('window.result')
  expect(await result.jsonValue()).toEqual({
    name: product.name,
    orderUUID: expect.any(String),
    orders: 'not readable',
  })
  await page.close()
  await files.stop(true)
})
