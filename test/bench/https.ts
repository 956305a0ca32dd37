// Measures how much HTTPS costs: one server that creates orders in turn over HTTP and over HTTPS, on the same
// computer. Needs the executable.
import { cpus, loadavg } from 'node:os'
import { openInstallation } from '../crash/server.ts'
import { startAcmeServer } from '../support/acme-server.ts'
import { freePort } from '../support/free-port.ts'
import { endProcesses, newFolder } from '../support/process.ts'
import { client, type Load, send } from './load.ts'

const ROUNDS = 3
const SECONDS = 3

const [httpPort, httpsPort] = [freePort(), freePort()]
const ca = startAcmeServer({ now: Date.now, challengePort: httpPort })
const caFile = `${newFolder()}/ca.pem`
await Bun.write(caFile, ca.authority.rootPem)
// The benchmark measures the server, so the client may skip checking certificates.
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'

const installation = await openInstallation()
Object.assign(installation.settings, {
  FLORIN_SANDBOX: 'public',
  FLORIN_DOMAIN: 'pay.shop.example',
  FLORIN_HTTP_PORT: String(httpPort),
  FLORIN_HTTPS_PORT: String(httpsPort),
  FLORIN_ACME_URL: ca.url,
  FLORIN_ACME_CA_FILE: caFile,
})
const { pid, url } = await installation.start()
const secureUrl = `https://127.0.0.1:${httpsPort}`
const isSecure = () =>
  fetch(secureUrl).then(
    () => true,
    () => false,
  )
while (!(await isSecure())) await Bun.sleep(100)

const body = JSON.stringify({
  amount: '25.00',
  currency: 'USD',
  paymentMethodsKeys: ['crypto'],
  customer: { email: 'buyer@example.com' },
})
const creation = (base: string): Load => ({
  url: `${base}/v1/orders`,
  method: 'POST',
  headers: { 'X-API-Key': installation.key, 'Content-Type': 'application/json' },
  body,
})
/** Each request has a connection of its own, and so a handshake. */
const visit = (base: string): Load => ({
  url: `${base}/healthz`,
  method: 'GET',
  headers: { Connection: 'close' },
  body: null,
})

const middle = (figures: number[]): number => figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? 0

process.stdout.write(`${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}, client ${client}\n`)
for (const [name, load, connections] of [
  ['create an order', creation, 64],
  ['create an order', creation, 16],
  ['create an order', creation, 1],
  ['/healthz, one connection each', visit, 16],
] as const) {
  const cpu: Record<string, number[]> = { [url]: [], [secureUrl]: [] }
  for (let round = 0; round < ROUNDS; round++) {
    for (const base of [url, secureUrl]) {
      cpu[base]?.push((await send(pid, load(base), connections, SECONDS)).cpuMicroseconds ?? 0)
    }
  }
  const [plain = 0, secure = 0] = [url, secureUrl].map(base => middle(cpu[base] ?? []))
  const figures = `${Math.round(plain)} us over HTTP, ${Math.round(secure)} us over HTTPS`
  process.stdout.write(`${name}, ${connections} connections: ${figures}, ${(secure / plain).toFixed(2)}\n`)
}
installation.receiver.stop()
ca.stop()
await endProcesses()
process.exit(0)
