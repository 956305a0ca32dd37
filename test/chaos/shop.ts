import { databaseUrl } from '../../src/settings/database-url.ts'
import { type Connection, connect } from '../../src/storage/postgres/connection.ts'
import { PASSWORD } from '../support/dashboard.ts'
import { startGatewayStand } from '../support/fake-paygate.ts'
import { freePort } from '../support/free-port.ts'
import { startCluster } from '../support/postgres-cluster.ts'
import { FLORIN, newFolder, type RunningProcess, runCli, startProcess } from '../support/process.ts'
import { runScript } from '../support/psql.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const SYNC_MS = 60_000
const DATABASE = 'shop'

/** A primary, and a standby that confirms each commit. */
async function startDatabase() {
  const primary = await startCluster()
  const standby = await startCluster({ standbyOf: primary })
  const ask = (sql: string): string => runScript(primary.url('postgres'), sql).trim()
  ask("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
  ask('SELECT pg_reload_conf()')
  const isSynchronous = () => ask('SELECT sync_state FROM pg_stat_replication') === 'sync'
  await until(isSynchronous, 'the synchronous standby', SYNC_MS)
  ask(`CREATE DATABASE ${DATABASE}`)
  return { primary, standby }
}

/** A server that can be restarted at the same address. */
export interface Server {
  name: string
  url: string
  metrics: string
  running: RunningProcess
  /** the log of its earlier processes */
  before: string
  start(): Promise<void>
}

async function startServer(name: string, settings: Record<string, string>): Promise<Server> {
  const metrics = `127.0.0.1:${freePort()}`
  const own = {
    ...settings,
    FLORIN_PORT: `${freePort()}`,
    FLORIN_METRICS: metrics,
    FLORIN_DATA_DIR: newFolder(),
  }
  const running = await startProcess(FLORIN, ['serve'], own)
  const server = {
    name,
    url: running.url,
    metrics: `http://${metrics}/metrics`,
    running,
    before: '',
    async start() {
      server.before += server.running.stderr()
      server.running = await startProcess(FLORIN, ['serve'], own)
    },
  }
  return server
}

/** The cookie of a new owner who is signed in. */
async function signIn(url: string, host: string, link: string): Promise<string> {
  const answer = await fetch(url + new URL(link).pathname, {
    method: 'POST',
    redirect: 'manual',
    headers: { host, origin: `https://${host}`, 'sec-fetch-site': 'same-origin', accept: 'text/html' },
    body: new URLSearchParams({ password: PASSWORD }),
  })
  const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';')
  if (!cookie.includes('login=')) throw new Error(`Nobody signed in: ${answer.status} ${await answer.text()}`)
  return cookie
}

/** Returns a function that reads rows from the database server that accepts writes. */
function readerOf(url: string) {
  let connection: Connection | null = null
  return async (sql: string, values: string[] = []) => {
    if (connection?.isLost()) connection = null
    connection ??= await connect(databaseUrl(url)!)
    return connection.rows(sql, values)
  }
}

export type Shop = Awaited<ReturnType<typeof openShop>>

const HOST = 'pay.shop.example'

/**
 * Two live servers on one database with a standby. `linkTo` returns the port that a server uses to reach
 * another port: the same port, or that of a relay.
 */
export async function openShop(linkTo: (server: string, port: number) => Promise<number>) {
  const { primary, standby } = await startDatabase()
  const urlOf = (ports: number[]): string =>
    `postgres://florin@${ports.map(port => `127.0.0.1:${port}`).join(',')}/${DATABASE}`
  const urlFor = async (server: string): Promise<string> =>
    urlOf(await Promise.all([primary, standby].map(({ port }) => linkTo(server, port))))
  const direct = urlOf([primary.port, standby.port])
  const receiver = startReceiver()
  const stand = startGatewayStand()
  const settings = {
    ...stand.environment,
    FLORIN_CHECKOUT_URL: `https://${HOST}`,
    FLORIN_OUTBOUND_ALLOW: receiver.host,
    FLORIN_PUBLIC_RATE_LIMIT: '0',
    FLORIN_DATABASE_URL: direct,
  }
  const florin = async (...args: string[]) => {
    const ran = await runCli([...args, '--json'], { ...settings, FLORIN_DATA_DIR: newFolder() })
    if (ran.exitCode !== 0) throw new Error(ran.stderr)
    return JSON.parse(ran.stdout)
  }
  const { merchantId } = await florin('merchant', 'create', '--email', 'shop@shop.example', '--name', 'Shop')
  const { key } = await florin('key', 'create', '--merchant', merchantId, '--mode', 'live')
  const start = async (name: string) =>
    startServer(name, { ...settings, FLORIN_DATABASE_URL: await urlFor(name) })
  const first = await start('first')
  const second = await start('second')
  const wallet = { cryptoWallets: { evm: `0x${'1'.repeat(40)}` } }
  await first.running.call('PUT', '/v1/wallet', { key, body: wallet })
  await first.running.call('PUT', '/v1/webhook', { key, body: { url: receiver.url } })
  const owner = ['--email', 'owner@shop.example', '--merchant', merchantId, '--role', 'owner']
  const { link } = await florin('user', 'create', ...owner)
  return {
    primary,
    standby,
    receiver,
    stand,
    key: String(key),
    host: HOST,
    cookie: await signIn(first.url, HOST, link),
    servers: [first, second] as const,
    ask: readerOf(direct),
    /** the database that remains at the end */
    left: standby.url(DATABASE),
    async stop() {
      for (const { running } of [first, second]) await running.stop('SIGKILL').catch(() => {})
      receiver.stop()
      await stand.stop()
      primary.stop()
      standby.stop()
    },
  }
}
