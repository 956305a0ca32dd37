import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { blocksOf, pageOf } from '../support/docs.ts'
import { freePort } from '../support/free-port.ts'
import {
  endProcesses,
  FLORIN,
  newFolder,
  type RunningProcess,
  runCli,
  startProcess,
} from '../support/process.ts'
import { isMissing, type Program, programOf } from '../support/programs.ts'

const page = pageOf('.github/docs/operations.md')
const pageOfServers = pageOf('.github/docs/postgresql.md')

interface Proxy {
  url: string
  stop(): Promise<void>
}

const proxies: Proxy[] = []
afterEach(async () => {
  for (const proxy of proxies.splice(0)) await proxy.stop()
})
afterAll(endProcesses)

async function run(
  command: string[],
  port: number,
  environment: Record<string, string> = {},
): Promise<Proxy> {
  const child = Bun.spawn(command, {
    env: { ...process.env, ...environment },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const url = `http://127.0.0.1:${port}`
  const proxy = {
    url,
    async stop() {
      child.kill()
      await child.exited
    },
  }
  proxies.push(proxy)
  for (let tries = 0; tries < 200; tries++) {
    if (child.exitCode !== null) throw new Error(await new Response(child.stderr).text())
    if (await fetch(url).catch(() => null)) return proxy
    await Bun.sleep(50)
  }
  throw new Error(`${command[0]} does not listen`)
}

/** The server blocks of the documentation, on other ports and without a certificate. */
function startNginx(upstream: string, port = freePort(), plainPort = freePort()): Promise<Proxy> {
  const [documented = ''] = blocksOf(page, 'nginx')
  const server = documented
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
    .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
    .replace(/ssl_certificate(_key)? .*;\n/g, '')
    .replace('http://127.0.0.1:3000', upstream)
  expect(server).not.toMatch(/ssl|:(443|3000)\b/)
  const folder = newFolder()
  mkdirSync(join(folder, 'temporary'))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map(kind => `${kind}_temp_path ${folder}/temporary/${kind};`)
    .join('\n')
  const file = join(folder, 'nginx.conf')
  // As root, nginx starts its workers as another user, who cannot write to the folder.
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const whole = `${user} daemon off; pid ${folder}/nginx.pid; error_log stderr;
events {}
http { access_log off; ${temporary}
${server} }`
  writeFileSync(file, whole)
  return run([programOf('nginx'), '-c', file, '-p', folder, '-e', 'stderr'], port)
}

/** The site block of the documentation, on another port and without a certificate. */
function startCaddy(upstream: string): Promise<Proxy> {
  const documented = /With Caddy:\n\n```\n([^`]+)```/.exec(page)?.[1] ?? ''
  const port = freePort()
  const folder = newFolder()
  const site = documented.replace('pay.shop.example', `http://127.0.0.1:${port}`)
  const file = join(folder, 'Caddyfile')
  writeFileSync(file, `{\n  admin off\n}\n${site.replace('127.0.0.1:3000', upstream.replace('http://', ''))}`)
  const home = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  return run([programOf('caddy'), 'run', '--config', file, '--adapter', 'caddyfile'], port, home)
}

/** The load balancer of the documentation, on other ports and without a certificate. */
function startHaproxy(...upstreams: string[]): Promise<Proxy> {
  const [documented = ''] = blocksOf(pageOfServers, 'haproxy')
  const port = freePort()
  const servers = [...upstreams, ...upstreams].map(url => new URL(url).host)
  const whole = documented
    .replace(/^ {2}(user|group) .*\n/gm, '')
    .replace('bind :443 ssl crt /etc/haproxy/pay.shop.example.pem alpn h2,http/1.1', `bind 127.0.0.1:${port}`)
    .replace(/^ {2}bind :80\n/m, '')
    .replace(/^ {2}http-request redirect .*\n/m, '')
    .replace(/10\.0\.0\.\d+:3000/g, () => servers.shift()!)
  expect(whole).not.toMatch(/ssl|:(80|443|3000)\b/)
  const file = join(newFolder(), 'haproxy.cfg')
  writeFileSync(file, whole)
  return run([programOf('haproxy'), '-db', '-f', file], port)
}

const kinds: [name: Program, start: (upstream: string) => Promise<Proxy>][] = [
  ['nginx', startNginx],
  ['caddy', startCaddy],
  ['haproxy', startHaproxy],
]

const startShop = (checkoutUrl = ''): Promise<RunningProcess> =>
  startProcess(FLORIN, ['serve'], {
    FLORIN_SANDBOX: 'true',
    FLORIN_TRUSTED_PROXIES: '127.0.0.1',
    FLORIN_PUBLIC_RATE_LIMIT: '5',
    FLORIN_LOG_LEVEL: 'error',
    ...(checkoutUrl && { FLORIN_CHECKOUT_URL: checkoutUrl }),
  })

test.skipIf(isMissing('The test of the redirect', 'nginx'))(
  'nginx, as documented, leads from HTTP to HTTPS',
  async () => {
    const plainPort = freePort()
    await startNginx('http://127.0.0.1:9', freePort(), plainPort)
    const answer = await fetch(`http://127.0.0.1:${plainPort}/pay/1?lang=de`, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([301, 'https://127.0.0.1/pay/1?lang=de'])
  },
)

test.skipIf(isMissing('The test of the load balancer', 'haproxy'))(
  'HAProxy, as documented, sends each request to the other server while one stops',
  async () => {
    const [first, second] = await Promise.all([startShop(), startShop()])
    const { url } = await startHaproxy(first.url, second.url)
    const statuses: number[] = []
    let isOver = false
    const asked = (async () => {
      while (!isOver || statuses.length < 40) statuses.push((await fetch(`${url}/readyz`)).status)
    })()
    await second.stop()
    isOver = true
    await asked
    expect([...new Set(statuses)]).toEqual([200])
  },
)

for (const [name, start] of kinds) {
  describe.skipIf(isMissing(`Tests of Florin behind ${name}`, name))(
    `Florin behind ${name}, as documented`,
    () => {
      test('takes an order, shows its page, and reads large requests', async () => {
        const server = await startShop('https://pay.shop.example')
        const { url } = await start(server.url)
        const settings = { FLORIN_DATA_DIR: server.dataDir }
        const cli = async (...args: string[]) =>
          JSON.parse((await runCli([...args, '--json'], settings)).stdout)
        const { merchantId } = await cli(
          ...['merchant', 'create', '--email', 'a@shop.example', '--name', 'Corner Coffee'],
        )
        const { key } = await cli('key', 'create', '--merchant', merchantId, '--mode', 'live')
        const send = (method: string, path: string, body: object) =>
          fetch(url + path, {
            method,
            headers: { 'x-api-key': key, 'content-type': 'application/json' },
            body: JSON.stringify(body),
          })
        const cryptoWallets = { evm: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }
        expect((await send('PUT', '/v1/wallet', { cryptoWallets })).status).toBe(200)
        const created = await send('POST', '/v1/orders', {
          amount: '25.00',
          currency: 'USD',
          paymentMethodsKeys: ['*'],
          customer: { email: 'buyer@example.com' },
        })
        const { orderUUID, checkoutUrl } = ((await created.json()) as { data: Record<string, string> }).data
        expect(checkoutUrl).toBe(`https://pay.shop.example/pay/${orderUUID}`)
        const opened = await fetch(`${url}/pay/${orderUUID}/crypto`, {
          method: 'POST',
          body: new URLSearchParams({ asset: 'ethereum/usdc' }),
          redirect: 'manual',
        })
        expect([opened.status, opened.headers.get('location')]).toEqual([303, `/pay/${orderUUID}`])
        const shown = await fetch(`${url}/pay/${orderUUID}`, { headers: { accept: 'text/html' } })
        expect([shown.status, (await shown.text()).includes('Corner Coffee')]).toEqual([200, true])
        expect(shown.headers.get('strict-transport-security')).toBe('max-age=31536000')

        const product = {
          name: 'Blend',
          imageBase64: 'A'.repeat(400_000),
          orderTemplate: { amount: '5.00', currency: 'USD', paymentMethodsKeys: ['*'] },
        }
        const large = await send('POST', '/v1/products/bulk', {
          items: Array.from({ length: 12 }, () => product),
        })
        const { error } = (await large.json()) as { error: { code: string } }
        expect([large.status, error.code]).toEqual([400, 'validation_error'])
      })

      test('limits each client by the address that the proxy saw, whatever the client claims', async () => {
        const server = await startShop()
        const { url } = await start(server.url)
        const path = '/v1/checkout/products/01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55'
        const statuses: number[] = []
        for (let i = 0; i < 7; i++) {
          const headers = { 'x-forwarded-for': `203.0.113.${i}` }
          statuses.push((await fetch(url + path, { headers })).status)
        }
        expect(statuses).toEqual([404, 404, 404, 404, 404, 429, 429])
      })

      test('a path with encoded dots leads to no other route', async () => {
        const server = await startShop()
        const { url } = await start(server.url)
        for (const path of ['/pay/%2e%2e/v1/orders', '/pay/..%2fv1/orders']) {
          expect([400, 401, 404]).toContain((await fetch(url + path)).status)
        }
      })
    },
  )
}
