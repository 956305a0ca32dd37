// Orders a second with PostgreSQL, with and without a delay between server and database, on this computer.
//   npm run bench:postgres                prints the table
//   npm run bench:postgres -- --only 2     measures one of its rows, counted from 0
//   npm run bench:postgres -- --delay 50   with other round trips, in milliseconds
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../support/postgres.ts'
import { endProcesses, runCli, SOURCE, startProcess } from '../support/process.ts'

/** A port that forwards to another one and delays the bytes in both directions. */
function startDelay(host: string, port: number, ms: number): { port: number; stop(): void } {
  const sockets = new Set<Socket>()
  function pass(from: Socket, to: Socket): void {
    sockets.add(from)
    from.setNoDelay(true)
    from.on('data', part => setTimeout(() => to.write(part), ms))
    from.on('close', () => setTimeout(() => to.destroy(), ms))
    from.on('error', () => {})
  }
  const server = createServer(near => {
    const far = connect(port, host)
    pass(near, far)
    pass(far, near)
  })
  server.listen(0, '127.0.0.1')
  const stop = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return { port: (server.address() as { port: number }).port, stop }
}

/** number of connections of all clients together */
const CONNECTIONS = 64

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    only: { type: 'string' },
    delay: { type: 'string', default: '5' },
  },
})
const seconds = Number(options.seconds)
/** Half of the delay in each direction. */
const ONE_WAY_MS = Number(options.delay) / 2
const folder = mkdtempSync(join(tmpdir(), 'florin-bench-'))
const server = await startPostgres({ settings: ['max_connections = 300', 'autovacuum = on', 'fsync = on'] })
const WALLET = JSON.stringify({ cryptoWallets: { evm: `0x${'1'.repeat(40)}` } })

/** The settings of all servers of one database. */
const settingsOf = (url: string) => ({
  FLORIN_DATABASE_URL: url,
  FLORIN_CHECKOUT_URL: 'https://pay.shop.example',
  FLORIN_PUBLIC_RATE_LIMIT: '0',
  FLORIN_LOG_LEVEL: 'error',
  BUN_JSC_useDFGJIT: '1',
})

type Settings = ReturnType<typeof settingsOf>

async function newKey(settings: Settings, at: number): Promise<string> {
  const florin = async (...args: string[]) => {
    const ran = await runCli([...args, '--json'], settings, SOURCE)
    if (ran.exitCode !== 0) throw new Error(ran.stderr)
    return JSON.parse(ran.stdout)
  }
  const who = ['--email', `shop${at}@shop.example`, '--name', 'Corner Coffee']
  const { merchantId } = await florin('merchant', 'create', ...who)
  return (await florin('key', 'create', '--merchant', merchantId, '--mode', 'live')).key
}

/** Lua that creates orders of all merchants in turn, each of another buyer. */
const script = (keys: string[], name: string) => `
math.randomseed(os.time() + ${Bun.hash(name) % 100000n})
local keys = { ${keys.map(key => JSON.stringify(key)).join(', ')} }
local count = 0
local prefix = math.random(1e9)
function request()
  count = count + 1
  local headers = { ["X-API-Key"] = keys[count % #keys + 1], ["Content-Type"] = "application/json" }
  local email = "buyer" .. prefix .. "-" .. count .. "@example.com"
  local order = '"amount":"25.00","currency":"USD","paymentMethodsKeys":["crypto"]'
  local body = '{' .. order .. ',"customer":{"email":"' .. email .. '"}}'
  return wrk.format("POST", nil, headers, body)
end
done = function(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  local p50, p99 = latency:percentile(50), latency:percentile(99)
  io.write(string.format("RESULT %d %d %d %d\\n", summary.requests, failed, p50, p99))
end`

interface Sent {
  requests: number
  failed: number
  p50: number
  p99: number
}

async function send(url: string, keys: string[], during: number, share: number): Promise<Sent> {
  const file = join(folder, `${Bun.hash(url)}.lua`)
  writeFileSync(file, script(keys, url))
  const command = ['wrk', '-t1', `-c${CONNECTIONS / share}`, `-d${during}s`, '-s', file, `${url}/v1/orders`]
  const child = Bun.spawn(command, { stdout: 'pipe' })
  const output = await new Response(child.stdout).text()
  const numbers = /RESULT (\d+) (\d+) (\d+) (\d+)/.exec(output)?.slice(1).map(Number)
  if (!numbers) throw new Error(`wrk did not report a result:\n${output}`)
  const [requests = 0, failed = 0, p50 = 0, p99 = 0] = numbers
  return { requests, failed, p50: p50 / 1000, p99: p99 / 1000 }
}

interface Setup {
  isDelayed: boolean
  processes: number
  merchants: number
}

/** Starts servers, measures them together, and prints a row. */
async function measure({ isDelayed, processes, merchants }: Setup): Promise<void> {
  const database = await server.create()
  const direct = new URL(server.url(database))
  const delay = isDelayed ? startDelay(direct.hostname, Number(direct.port), ONE_WAY_MS) : null
  const near = settingsOf(direct.href)
  if (delay) direct.port = String(delay.port)
  const settings = settingsOf(direct.href)
  const first = await startProcess(SOURCE, ['serve'], settings)
  const keys: string[] = []
  while (keys.length < merchants) keys.push(await newKey(near, keys.length))
  for (const key of keys) await first.call('PUT', '/v1/wallet', { key, body: JSON.parse(WALLET) })
  const others = Array.from({ length: processes - 1 }, () => startProcess(SOURCE, ['serve'], settings))
  const servers = [first, ...(await Promise.all(others))]
  await Promise.all(servers.map(({ url }) => send(url, keys, 5, processes)))
  const startedAt = performance.now()
  const sent = await Promise.all(servers.map(({ url }) => send(url, keys, seconds, processes)))
  const elapsed = (performance.now() - startedAt) / 1000
  const sum = (of: (one: Sent) => number) => sent.reduce((all, one) => all + of(one), 0)
  const figures = [
    isDelayed ? `${2 * ONE_WAY_MS} ms` : 'none',
    processes,
    merchants,
    Math.round(sum(({ requests, failed }) => requests - failed) / elapsed),
    sum(({ failed }) => failed),
    Math.round(Math.max(...sent.map(({ p50 }) => p50))),
    Math.round(Math.max(...sent.map(({ p99 }) => p99))),
  ]
  process.stdout.write(`| ${figures.join(' | ')} |\n`)
  await Promise.all(servers.map(one => one.stop()))
  delay?.stop()
  await server.drop(database)
}

const setups: Setup[] = [
  { isDelayed: false, processes: 1, merchants: 1 },
  { isDelayed: true, processes: 1, merchants: 1 },
  { isDelayed: true, processes: 4, merchants: 1 },
  { isDelayed: true, processes: 1, merchants: 8 },
  { isDelayed: true, processes: 4, merchants: 8 },
]
process.stdout.write('| round trip | processes | merchants | orders/s | failed | p50 ms | p99 ms |\n')
process.stdout.write('| --- | --- | --- | --- | --- | --- | --- |\n')
for (const [at, setup] of setups.entries())
  if (options.only === undefined || options.only === String(at)) await measure(setup)
await endProcesses()
server.stop()
rmSync(folder, { recursive: true })
process.exit(0)
