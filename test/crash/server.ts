import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { databaseFile } from '../../src/storage/sqlite/open.ts'
import {
  FLORIN,
  newFolder,
  type Ran,
  ROOT,
  type RunningProcess,
  runCli,
  startProcess,
} from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'

/** The built executable, or the one that FLORIN_EXECUTABLE names. */
const program = resolve(ROOT, process.env.FLORIN_EXECUTABLE ?? join('dist', 'florin'))
const FIRST_BTC = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
/** the host of the URLs of the checkout and the dashboard */
const HOST = 'pay.shop.example'
const SOLANA = 'mvines9iiHiQTysrwkJjGf2gb9Ex9jXJX8ns3qwf2kN'

/** A wallet with a version number, which is part of its EVM address. */
export const walletOf = (version: number) => ({
  evm: `0x${String(version).padStart(40, '1')}`,
  btc: FIRST_BTC,
  solana: SOLANA,
})
export const versionOf = (evm: string): number => Number(evm.slice(-9))
export const FIRST_VERSION = 111_000_000

export type Installation = Awaited<ReturnType<typeof openInstallation>>

function executable(): string[] {
  if (existsSync(program)) return [program]
  throw new Error(`${program} is missing. Run \`npm run build\` first.`)
}

/** Runs a command of the executable. */
export const run = (dataDir: string, settings: Record<string, string>, ...args: string[]): Promise<Ran> =>
  runCli(args, { ...settings, FLORIN_DATA_DIR: dataDir, FLORIN_PORT: '0' }, executable())

function answerOf({ exitCode, stdout, stderr }: Ran) {
  if (exitCode !== 0) throw new Error(`A command ended with ${exitCode}: ${stderr}`)
  return JSON.parse(stdout)
}

/** Starts the executable, and kills it when the promise resolves. */
export async function startAndKill(
  dataDir: string,
  settings: Record<string, string>,
  whenToKill: () => Promise<unknown>,
): Promise<void> {
  const program = settings.FLORIN_DATABASE_URL ? FLORIN : executable()
  const child = Bun.spawn([...program, 'serve', '--json'], {
    cwd: newFolder(),
    env: { ...settings, FLORIN_DATA_DIR: dataDir, FLORIN_PORT: '0', FLORIN_LOG_LEVEL: 'error' },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
  })
  await whenToKill()
  child.kill('SIGKILL')
  await child.exited
}

const seller = {
  street: 'Hauptstr. 1',
  postcode: '10115',
  town: 'Berlin',
  country: 'DE',
  vatId: 'DE136695976',
}

/** Has a shop issue the invoice of each order that is paid. */
export async function issueInvoices(
  florin: (...args: string[]) => Promise<unknown>,
  merchantId: string,
): Promise<void> {
  const file = join(newFolder(), 'seller.json')
  await Bun.write(file, JSON.stringify(seller))
  await florin('merchant', 'set', merchantId, '--invoices', 'paid', '--seller', file)
}

/**
 * A data directory with a merchant that has wallets and a webhook. Tests start the server and kill it.
 * `databaseUrl` uses a database on a running PostgreSQL server instead of a file.
 */
export async function openInstallation(
  answer?: () => Response | Promise<Response>,
  databaseUrl = '',
  dataDir = newFolder(),
) {
  const receiver = startReceiver(answer)
  const program = databaseUrl ? FLORIN : executable()
  const settings = {
    ...(databaseUrl && { FLORIN_DATABASE_URL: databaseUrl }),
    FLORIN_SANDBOX: 'true',
    FLORIN_CHECKOUT_URL: `https://${HOST}`,
    FLORIN_OUTBOUND_ALLOW: receiver.host,
    FLORIN_PUBLIC_RATE_LIMIT: '0',
    FLORIN_LOG_LEVEL: 'error',
  }
  const start = (folder = dataDir): Promise<RunningProcess> =>
    startProcess(program, ['serve'], { ...settings, FLORIN_DATA_DIR: folder })
  const florin = async (...args: string[]) =>
    answerOf(await runCli([...args, '--json'], { ...settings, FLORIN_DATA_DIR: dataDir }, program))

  const shop = ['--email', 'shop@shop.example', '--name', 'Corner Coffee', '--fee-percent', '2.5']
  const { merchantId } = await florin('merchant', 'create', ...shop)
  await issueInvoices(florin, merchantId)
  const { key } = await florin('key', 'create', '--merchant', merchantId, '--mode', 'live')
  const server = await start()
  const body = { cryptoWallets: walletOf(FIRST_VERSION) }
  const wallet = (await server.call('PUT', '/v1/wallet', { key, body })).json.data
  const hooked = await server.call('PUT', '/v1/webhook', { key, body: { url: receiver.url } })
  await server.stop('SIGKILL')
  return {
    dataDir,
    /** the file of the database, or its URL */
    file: databaseUrl || databaseFile(dataDir),
    receiver,
    settings,
    start,
    /** Runs a command and returns its JSON output. */
    florin,
    host: HOST,
    merchantId: String(merchantId),
    key: String(key),
    wallet,
    secret: String(hooked.json.data.signingSecret),
  }
}
