import { afterAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type TLSSocket } from 'node:tls'
import { type AcmeServerOptions, startAcmeServer } from '../support/acme-server.ts'
import { freePort } from '../support/free-port.ts'
import {
  endProcesses,
  FLORIN,
  newFolder,
  type RunningProcess,
  runCli,
  startProcess,
} from '../support/process.ts'
import { until as untilIn } from '../support/until.ts'
import { florinHere } from './in-process.ts'

const NAME = 'pay.shop.example'
const until = (isDone: () => boolean | Promise<boolean>) => untilIn(isDone, 'the certificate', 30_000)
const stops: (() => void)[] = []

afterAll(async () => {
  await endProcesses()
  for (const stop of stops) stop()
})

/** A certificate authority, and the settings of a server that uses it. */
async function prepare(more: Partial<AcmeServerOptions> = {}) {
  const [httpPort, httpsPort] = [freePort(), freePort()]
  const ca = startAcmeServer({ now: Date.now, challengePort: httpPort, ...more })
  stops.push(ca.stop)
  const caFile = join(newFolder(), 'ca.pem')
  await Bun.write(caFile, ca.authority.rootPem)
  const settings = {
    FLORIN_ACME_URL: ca.url,
    FLORIN_ACME_CA_FILE: caFile,
    FLORIN_HTTP_PORT: String(httpPort),
    FLORIN_HTTPS_PORT: String(httpsPort),
  }
  const plain = (path: string, headers = {}) =>
    fetch(`http://127.0.0.1:${httpPort}${path}`, { headers: { host: NAME, ...headers }, redirect: 'manual' })
  return { ca, settings, httpsPort, plain, open: () => open(httpsPort, ca.authority.rootPem) }
}

/** Opens a connection whose certificate is checked. */
const open = (port: number, ca: string): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, servername: NAME, ca }, () => resolve(socket))
    socket.on('error', reject)
  })

/** Sends text, and returns the next response. */
const send = (socket: TLSSocket, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let received = ''
    const onEnd = () => reject(new Error(`the connection was closed after: ${received}`))
    const onData = (part: Buffer) => {
      received += part
      const [, length] = /content-length: (\d+)/i.exec(received) ?? []
      const [head = '', body = ''] = received.split('\r\n\r\n')
      const isWhole =
        length === undefined ? received.endsWith('\r\n0\r\n\r\n') : body.length >= Number(length)
      if (head === received || !isWhole) return
      socket.off('data', onData).off('close', onEnd)
      resolve(received)
    }
    socket.on('data', onData).on('close', onEnd)
    socket.write(text)
  })

const get = (path: string, host = NAME) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
const serialOf = (socket: TLSSocket): string => socket.getPeerCertificate().serialNumber

const isSecure = async (server: Awaited<ReturnType<typeof prepare>>) => {
  const socket = await server.open().catch(() => null)
  socket?.destroy()
  return socket !== null
}

const logged = (server: RunningProcess, event: string) =>
  server
    .stderr()
    .split('\n')
    .filter(line => line.includes(`"msg":"${event}"`))

test('a server with a domain gets its certificate, and redirects HTTP to HTTPS', async () => {
  const setup = await prepare()
  setup.ca.faults.rateLimited = 1
  const server = await startProcess(FLORIN, ['serve', '--domain', `${NAME},b.example`], setup.settings)
  expect(server.output.checkoutUrl).toBe(`https://${NAME}:${setup.httpsPort}`)
  await until(() => logged(server, 'certificate.failed').length > 0)
  const waiting = await setup.plain('/pay/1')
  expect([waiting.status, waiting.headers.get('refresh')]).toEqual([503, '10'])
  expect(await waiting.text()).toContain('refuses more requests until')
  expect(await isSecure(setup)).toBe(false)
  await server.stop()
  const here = florinHere(server.dataDir, { ...setup.settings, FLORIN_DOMAIN: NAME })
  const doctor = async () => (await here.run('doctor')).stdout
  expect(await doctor()).toContain(`ERROR  certificate: There is no certificate for ${NAME} yet`)

  setup.ca.faults.rateLimited = null
  // The wait after the failure is stored: without that file, this server tries at once.
  const [folder = ''] = readdirSync(join(server.dataDir, 'certificates'))
  await Bun.file(join(server.dataDir, 'certificates', folder, 'failure.json')).delete()
  const again = await startProcess(FLORIN, ['serve', '--domain', `${NAME},b.example`], {
    ...setup.settings,
    FLORIN_DATA_DIR: server.dataDir,
  })
  await until(() => isSecure(setup))
  const socket = await setup.open()
  expect(socket.authorized).toBe(true)
  const page = await send(socket, get('/readyz'))
  expect(page).toMatch(/^HTTP\/1.1 200 .*strict-transport-security: max-age=\d+\r\n/is)
  expect(await send(socket, get('/v1/orders', 'a'))).toStartWith('HTTP/1.1 401')
  expect(await send(socket, get('/v1/orders', 'a b'))).toStartWith('HTTP/1.1 400')
  socket.destroy()

  const origin = `https://${NAME}:${setup.httpsPort}`
  const led = async (path: string, host: string) => {
    const { status, headers } = await setup.plain(path, { host })
    return [status, headers.get('location')]
  }
  expect(await led('/pay/1?lang=de', NAME)).toEqual([308, `${origin}/pay/1?lang=de`])
  expect(await led('/', 'b.example')).toEqual([308, `https://b.example:${setup.httpsPort}/`])
  expect(await led('//evil.example/', 'evil.example')).toEqual([308, `${origin}/evil.example/`])
  const withKey = await setup.plain('/v1/orders', { 'x-api-key': 'florin_live_1' })
  expect([withKey.status, (await withKey.json()).error.message]).toEqual([
    400,
    expect.stringContaining('over HTTPS'),
  ])
  expect((await setup.plain('/.well-known/acme-challenge/none')).status).toBe(404)
  expect(await doctor()).toMatch(/ok {5}certificate: pay.shop.example, b.example, valid until \d{4}-/)
  await again.stop()
})

test('50 requests for orders that are under way while a certificate is renewed are all answered', async () => {
  // Two thirds of the lifetime are over some seconds after the issue: the certificate begins an hour back.
  const setup = await prepare({ lifetimeMs: 5412_000 })
  const year = Date.now() + 365 * 24 * 3600_000
  setup.ca.faults.window = { start: year, end: year }
  const server = await startProcess(FLORIN, ['serve', '--domain', NAME], setup.settings)
  const florin = florinHere(server.dataDir)
  const merchant = [
    '--merchant',
    (await florin.json('merchant', 'create', '--email', 'a@b.example', '--name', 'Shop')).merchantId,
  ]
  await florin.run(
    'wallet',
    'set',
    ...merchant,
    '--network',
    'evm',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  )
  const { key } = await florin.json('key', 'create', ...merchant, '--mode', 'live')
  await until(() => isSecure(setup))
  const sockets = await Promise.all(Array.from({ length: 50 }, setup.open))
  const former = serialOf(sockets[0]!)
  const customer = { email: 'buyer@example.com' }
  const body = JSON.stringify({ amount: '25.00', currency: 'USD', paymentMethodsKeys: ['crypto'], customer })
  const fields = ['Content-Type: application/json', `Content-Length: ${body.length}`, `X-API-Key: ${key}`]
  const head = ['POST /v1/orders HTTP/1.1', `Host: ${NAME}`, ...fields, '', ''].join('\r\n')
  const answers = sockets.map(socket => send(socket, head + body.slice(0, 20)))
  await until(() => logged(server, 'certificate.obtained').length > 1)
  // The former listener stops after a second without requests.
  await Bun.sleep(1500)
  const fresh = await setup.open()
  expect(serialOf(fresh)).not.toBe(former)
  for (const socket of sockets) socket.write(body.slice(20))
  const statuses = (await Promise.all(answers)).map(answer => answer.split('\r\n')[0])
  expect(statuses).toEqual(sockets.map(() => 'HTTP/1.1 201 Created'))
  expect(await send(fresh, get('/healthz'))).not.toMatch(/connection: close/i)
  for (const socket of [...sockets, fresh]) socket.destroy()
  expect((await server.stop()).exitCode).toBe(0)
}, 60_000)

test('two servers cannot share the port for HTTPS', async () => {
  const setup = await prepare()
  const server = await startProcess(FLORIN, ['serve', '--domain', NAME], setup.settings)
  await until(() => isSecure(setup))
  const second = await runCli(['serve', '--domain', NAME], {
    ...setup.settings,
    FLORIN_DATA_DIR: newFolder(),
    FLORIN_PORT: '0',
    FLORIN_HTTP_PORT: String(freePort()),
  })
  expect([second.exitCode, second.stderr]).toEqual([
    1,
    expect.stringMatching(
      /^Cannot listen on \S+: the port is already in use. Set FLORIN_HTTPS_PORT to another port.\n$/,
    ),
  ])
  await server.stop()
})
