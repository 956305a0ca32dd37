// Measures the built executable against what this computer can do in the same run.
import { Database } from 'bun:sqlite'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const SECONDS = 3
const CONNECTIONS = 16

const folder = mkdtempSync(join(tmpdir(), 'florin-bench-'))
const server = Bun.spawn([resolve('dist/florin'), 'demo', '--json'], {
  cwd: folder,
  env: { FLORIN_PORT: '0', FLORIN_LOG_LEVEL: 'warn' },
  stdout: 'pipe',
  stderr: 'inherit',
})
const started = (await server.stdout.getReader().read()).value
const { url, liveKey, checkoutUrl } = JSON.parse(new TextDecoder().decode(started))

/** The requests per second that return this status, over a number of connections. */
async function perSecond(connections: number, status: number, ask: () => Promise<Response>): Promise<number> {
  const until = performance.now() + SECONDS * 1000
  let answers = 0
  const client = async () => {
    while (performance.now() < until) {
      const response = await ask()
      await response.arrayBuffer()
      if (response.status !== status) throw new Error(`answered ${response.status}`)
      answers++
    }
  }
  await Promise.all(Array.from({ length: connections }, client))
  return answers / SECONDS
}

/** Durable commits of one row per second: the minimum cost of every confirmed order. */
function commitsPerSecond(): number {
  const database = new Database(join(folder, 'plain.sqlite'))
  database.run('PRAGMA journal_mode = WAL')
  database.run('PRAGMA synchronous = FULL')
  database.run('CREATE TABLE rows (text TEXT) STRICT')
  const insert = database.query<null, [string]>('INSERT INTO rows VALUES (?)')
  const until = performance.now() + SECONDS * 1000
  let commits = 0
  while (performance.now() < until) {
    insert.run('x'.repeat(500))
    commits++
  }
  database.close()
  return commits / SECONDS
}

/** The memory of the server in MiB; null if the system does not report it. */
function residentMiB(): number | null {
  const file = `/proc/${server.pid}/status`
  if (!existsSync(file)) return null
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(file, 'utf8'))?.[1]) / 1024)
}

const headers = { 'x-api-key': liveKey, 'content-type': 'application/json' }
const body = JSON.stringify({
  amount: '25.00',
  currency: 'USD',
  paymentMethodsKeys: ['crypto'],
  customer: { email: 'buyer@example.com' },
})
const orderUUID = new URL(checkoutUrl).pathname.split('/').at(-1)
const createOrder = () => fetch(`${url}/v1/orders`, { method: 'POST', headers, body })
const getOrder = () => fetch(`${url}/v1/orders/${orderUUID}`, { headers })
const openPage = () => fetch(checkoutUrl)
const askStatus = () => fetch(`${checkoutUrl}/status`, { headers: { accept: 'application/json' } })

const commits = commitsPerSecond()
const many = `${CONNECTIONS} connections`
const results: [what: string, value: number][] = [
  ['bare durable commits of one row', commits],
  ['orders created, 1 connection', await perSecond(1, 201, createOrder)],
  [`orders created, ${many}`, await perSecond(CONNECTIONS, 201, createOrder)],
  [`orders read, ${many}`, await perSecond(CONNECTIONS, 200, getOrder)],
  [`checkout pages, ${many}`, await perSecond(CONNECTIONS, 200, openPage)],
  [`checkout status, ${many}`, await perSecond(CONNECTIONS, 200, askStatus)],
]
for (const [what, value] of results) {
  const ratio = (value / commits).toFixed(2)
  process.stdout.write(`${what.padEnd(40)} ${Math.round(value).toString().padStart(7)}/s  ${ratio} x\n`)
}
process.stdout.write(`memory of the server ${residentMiB()} MiB\n`)
server.kill('SIGTERM')
await server.exited
rmSync(folder, { recursive: true })
