import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, cpSync, existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { roomFinding } from '../../src/cli/doctor/files.ts'
import type { Finding } from '../../src/cli/doctor/finding.ts'
import { DEPLOYER_CODE } from '../../src/networks/evm/forwarder/forwarder.ts'
import { databaseFile, openStorage } from '../../src/storage/sqlite/open.ts'
import { gatewayKeys } from '../support/gateway-keys.ts'
import { orderBody } from '../support/given.ts'
import { asLaterVersion } from '../support/later-migrations.ts'
import { endProcesses, FLORIN, newFolder, startProcess } from '../support/process.ts'
import { EVM_WALLET, florinIn } from './commands.ts'
import {
  change,
  emptyPool,
  failedEvent,
  failingMail,
  givenAccount,
  unmatched,
  workingMail,
} from './doctor-damage.ts'
import { runInProcess } from './in-process.ts'

type Environment = Record<string, string>

const shop = florinIn()
const sound: Environment = {
  FLORIN_CHECKOUT_URL: 'https://pay.shop.example',
  FLORIN_TRUSTED_PROXIES: '127.0.0.1',
}
const files = newFolder()
const inFiles = (name: string, text: string): string => {
  const file = join(files, name)
  writeFileSync(file, text)
  return file
}

/** Starts a server that returns JSON to every request after a pause. */
const servers: Bun.Server<undefined>[] = []
function answering(answer: (body: unknown) => unknown, waitMs = 0): string {
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      await Bun.sleep(waitMs)
      const body = request.method === 'POST' ? await request.json() : null
      return Response.json(answer(body) as object)
    },
  })
  servers.push(server)
  return `http://127.0.0.1:${server.port}`
}

interface Call {
  id: number
  method: string
  params: unknown[]
}

/** A node of a chain whose deployment proxy has code at every address except one. */
const chainOf = (chainId: string, account = '') => {
  const one = ({ id, method, params }: Call) => {
    const code = params[0] === account ? '0x' : DEPLOYER_CODE
    return { jsonrpc: '2.0', id, result: method === 'eth_getCode' ? code : chainId }
  }
  return answering(body => (Array.isArray(body) ? body.map(one) : one(body as Call)))
}

beforeAll(async () => {
  const { merchantId } = await shop.merchant('shop@shop.example')
  const { key } = await shop.json('key', 'create', '--merchant', merchantId, '--mode', 'live')
  const settings = { FLORIN_DATA_DIR: shop.dataDir, FLORIN_SANDBOX: 'true' }
  const server = await startProcess(FLORIN, ['serve'], settings)
  await server.call('PUT', '/v1/wallet', { key, body: { cryptoWallets: { evm: EVM_WALLET } } })
  const body = { url: 'https://shop.example/hook' }
  await server.call('PUT', '/v1/webhook', { key, body })
  const order = await server.call('POST', '/v1/orders', { key, body: orderBody() })
  const path = `/pay/${order.json.data.orderUUID}/crypto`
  await server.call('POST', path, { form: { asset: 'ethereum/usdc' } })
  await server.stop()
  // The rows are those of a live shop; only the payment was opened in the sandbox.
  change("UPDATE installation SET mode = 'live'")(shop.dataDir)
})
afterAll(async () => {
  for (const server of servers) server.stop(true)
  await endProcesses()
})

const copyOfShop = (): string => {
  const folder = newFolder()
  cpSync(shop.dataDir, folder, { recursive: true })
  return folder
}

interface DoctorReport {
  exitCode: number | null
  ok: boolean
  findings: Finding[]
}

async function examine(dataDir: string, environment: Environment = {}): Promise<DoctorReport> {
  const settings = { ...sound, ...environment, FLORIN_DATA_DIR: dataDir }
  const { exitCode, stdout, stderr } = await runInProcess(settings, 'doctor', '--json')
  expect(stderr).toBe('')
  return { exitCode, ...JSON.parse(stdout) }
}

type Damage = (dataDir: string) => void | Promise<void>
/** A fault, the check and words of doctor's report, and its cause: a change of the files, or settings. */
type Problem = [what: string, check: RegExp, words: RegExp, damage: Damage | Environment, more?: Environment]

async function withoutMerchants(dataDir: string): Promise<void> {
  rmSync(databaseFile(dataDir))
  rmSync(join(dataDir, 'florin.lock'))
  await openStorage(databaseFile(dataDir), 1).close()
}

function oldBackup(dataDir: string): void {
  const stamp = join(dataDir, 'florin.backup')
  writeFileSync(stamp, '', { mode: 0o600 })
  utimesSync(stamp, new Date(1), new Date(1))
}

const faults: Problem[] = [
  [
    'a mail server whose password no key opens',
    /^mail server$/,
    /cannot be decrypted, so no emails are sent/,
    change(
      `INSERT INTO chosen_mail_servers VALUES ('mail', 'mail.example', 465, 'tls', 'ann',
       '{"sealed":"AAAA","key":"0"}', 'ann@mail.example', 1)`,
    ),
  ],
  [
    'an account that is used up',
    /^addresses of/,
    /no more are given to buyers/,
    dir => givenAccount(dir, 200),
  ],
  ['a pool that is used up', /^addresses of/, /pool of btc has no addresses left/, change(emptyPool)],
  ['no database yet', /^database$/, /No database at .* yet/, dir => rmSync(dir, { recursive: true })],
  ['a database that was lost', /^database$/, /is missing, but/, dir => rmSync(databaseFile(dir))],
  [
    'a damaged database',
    /^database$/,
    /damaged/,
    dir => writeFileSync(databaseFile(dir), 'hello '.repeat(999)),
  ],
  ['missing references', /^database$/, /damaged.*missing references/, change('DELETE FROM customers')],
  ['a newer database', /^database$/, /newer/, change("INSERT INTO migrations VALUES ('9999_x', 'x', 1, 0)")],
  ['a data directory open to others', /^permissions$/, /everyone/, dir => chmodSync(dir, 0o705)],
  ['a database open to others', /^permissions$/, /everyone/, dir => chmodSync(databaseFile(dir), 0o604)],
  [
    'a clock that was set back',
    /^clock$/,
    /newest record is from 2100/,
    change('UPDATE keys SET created_at = 4102444800001'),
  ],
  ['an event that was given up', /^merchant Corner/, /One event could not be delivered/, change(failedEvent)],
  ['a disabled webhook', /^merchant Corner/, /disabled/, change("UPDATE webhooks SET status = 'disabled'")],
  [
    'a checkout without encryption',
    /^checkout address$/,
    /not encrypted/,
    { FLORIN_CHECKOUT_URL: 'http://pay.shop.example' },
  ],
  [
    'a trusted range that contains every address',
    /^trusted/,
    /any client can forge its address/,
    { FLORIN_TRUSTED_PROXIES: '0.0.0.0/0' },
  ],
  ['no assets file', /^assets file$/, /ENOENT/, { FLORIN_ASSETS_FILE: '/nowhere/assets.json' }],
  ['an invalid assets file', /^assets file$/, /not JSON/, { FLORIN_ASSETS_FILE: inFiles('assets', '{') }],
]

const gatewayAt = (url: string): Environment => ({
  FLORIN_GATEWAY_URL: url,
  FLORIN_GATEWAY_CHECKOUT_URL: url,
})
const keysIn = (item: string): Environment => ({
  ...gatewayAt(answering(() => ({}))),
  FLORIN_GATEWAY_PUBLIC_KEYS: item,
})

const upstreams: Problem[] = [
  ['a gateway that cannot be reached', /^provider/, /Unexpected response/, gatewayAt('http://127.0.0.1:1')],
  [
    'a gateway with malformed responses',
    /^provider/,
    /Unexpected response/,
    gatewayAt(answering(() => [1, 2])),
  ],
  ['a missing gateway key', /^gateway keys$/, /ENOENT/, keysIn('a=/nowhere/key.pem')],
  [
    'an invalid gateway key',
    /^gateway keys$/,
    /does not contain a PEM public key/,
    keysIn(`a=${inFiles('key', 'a key')}`),
  ],
  [
    'a gateway key that is too short',
    /^gateway keys$/,
    /1024 bits/,
    keysIn(`a=${inFiles('short.pem', gatewayKeys.short)}`),
  ],
  [
    'a private key as a gateway key',
    /^gateway keys$/,
    /private key/,
    keysIn(`a=${inFiles('private.pem', gatewayKeys.private)}`),
  ],
  [
    'an endpoint of another chain behind a good one',
    /^endpoint .* of polygon$/,
    /serves chain 5, but polygon is chain 137/,
    { FLORIN_POLYGON_URL: `${chainOf('0x89')},${chainOf('0x5')}` },
  ],
  [
    'an endpoint that times out',
    /^endpoint .* of polygon$/,
    /no usable endpoint/,
    { FLORIN_POLYGON_URL: answering(() => ({}), 20_000) },
  ],
  [
    'one endpoint where two are required',
    /^second opinion$/,
    /needs two endpoints, but polygon has one. Orders above 500.00 USD cannot be paid/,
    { FLORIN_POLYGON_URL: chainOf('0x89'), FLORIN_SECOND_OPINION: '500 USD' },
  ],
  [
    'the same endpoint twice where two are required',
    /^second opinion$/,
    /polygon has one/,
    { FLORIN_POLYGON_URL: Array(2).fill(chainOf('0x89')).join(), FLORIN_SECOND_OPINION: '500 USD' },
  ],
]

const krakenIs = (result: object): Environment => ({
  FLORIN_RATES: 'kraken',
  FLORIN_KRAKEN_URL: answering(() => ({ error: [], result })),
})

const ratesAt = (price: string) => answering(() => ({ pol: { USD: price }, usdc: { USD: '1' } }))

const warnings: Problem[] = [
  ['no merchant', /^merchants$/, /no merchants yet/, withoutMerchants],
  ['no payout wallet', /^merchant Corner/, /no payout wallet/, change('DELETE FROM wallets')],
  ['no rates', /^rates of file$/, /cannot be read/, { FLORIN_RATES: 'file:/nowhere/rates.json' }],
  ['invalid rates', /^rates of file$/, /not JSON/, { FLORIN_RATES: `file:${inFiles('rates', '{')}` }],
  [
    'an unreachable exchange',
    /^rates of kraken$/,
    /does not respond/,
    { FLORIN_RATES: 'kraken,coinbase', FLORIN_KRAKEN_URL: 'http://127.0.0.1:1' },
  ],
  [
    'an exchange that refuses',
    /^rates of kraken$/,
    /reported the error "EService:Unavailable"/,
    { FLORIN_RATES: 'kraken', FLORIN_KRAKEN_URL: answering(() => ({ error: ['EService:Unavailable'] })) },
  ],
  [
    'a URL that is not an exchange',
    /^rates of coingecko$/,
    /has no price/,
    { FLORIN_RATES: 'coingecko', FLORIN_COINGECKO_URL: answering(() => ({ btc: { USD: '1' } })) },
  ],
  ['a group that can read', /^permissions$/, /its group/, dir => chmodSync(databaseFile(dir), 0o640)],
  [
    'a checkout that only this machine can reach',
    /^checkout address$/,
    /live key/,
    { FLORIN_CHECKOUT_URL: 'http://localhost' },
  ],
  ['a proxy that is not trusted', /^trusted/, /share one rate limit/, { FLORIN_TRUSTED_PROXIES: '' }],
  ['no channel for notifications', /^notifications$/, /Nobody is notified/, {}],
  [
    'mail that cannot be sent',
    /^notifications$/,
    /to shop@shop.example have failed since 1970.*535 wrong password/,
    change(failingMail),
    { FLORIN_SMTP_URL: 'smtp://mail.example', FLORIN_MAIL_FROM: 'florin@shop.example' },
  ],
  ['no backup', /^backup$/, /No backup/, change('UPDATE merchants SET created_at = 1')],
  ['an old backup', /^backup$/, /newest backup is from 1970/, oldBackup],
  [
    'an option that runs code',
    /^environment$/,
    /BUN_OPTIONS is set: it can run code/,
    { BUN_OPTIONS: '--preload=./a.ts' },
  ],
  [
    'certificates that are not checked',
    /^environment$/,
    /NODE_TLS_REJECT_UNAUTHORIZED is set: it turns off/,
    { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
  ],
  ['no payment method', /^payment methods$/, /neither a gateway/, {}],
  [
    'a single exchange',
    /^rates$/,
    /kraken is the only source/,
    krakenIs({ XXBTZUSD: { a: ['60001.0'], b: ['60000.0'] } }),
  ],
  ['overdue jobs without a server', /^jobs$/, /no server is running/, change('UPDATE jobs SET due_at = 1')],
  [
    'failing deliveries',
    /^merchant Corner/,
    /3 webhook deliveries failed since 1970/,
    change('UPDATE webhooks SET failures = 3, failing_since = 1'),
  ],
  [
    'addresses that were never paid',
    /^addresses of Corner/,
    /The last 20 addresses of btc were never paid/,
    dir => givenAccount(dir, 20),
  ],
  ['an unmatched payment', /^merchant Corner/, /One payment did not complete an order/, change(unmatched)],
]

describe('doctor says what is wrong and how to fix it:', () => {
  const find = async ([what, check, words, damage, more]: Problem) => {
    const dataDir = copyOfShop()
    if (typeof damage === 'function') await damage(dataDir)
    const settings = typeof damage === 'function' ? more : damage
    const { exitCode, ok, findings } = await examine(dataDir, settings)
    const found = findings.find(
      finding => !finding.ok && check.test(finding.check) && words.test(finding.message),
    )
    const seen = { severity: found?.severity, hasRemedy: (found?.remedy?.length ?? 0) > 10 }
    return { what, exitCode, ok, ...seen, findings: found ? [] : findings }
  }

  test.each([...faults, ...upstreams].map(row => ({ what: row[0], row })))(
    'the fault: $what',
    async ({ what, row }) => {
      const expected = { severity: 'fault' as const, hasRemedy: true, findings: [] }
      expect(await find(row)).toEqual({ what, exitCode: 1, ok: false, ...expected })
    },
  )

  test.each(warnings.map(row => ({ what: row[0], row })))(
    'the warning: $what, with exit code 0',
    async ({ what, row }) => {
      const expected = { severity: 'warning' as const, hasRemedy: true, findings: [] }
      expect(await find(row)).toEqual({ what, exitCode: 0, ok: true, ...expected })
    },
  )

  test('nothing about mails that are sent, and channels of people, who see the problem themselves', async () => {
    const dataDir = copyOfShop()
    change(workingMail)(dataDir)
    const mail = { FLORIN_SMTP_URL: 'smtp://mail.example', FLORIN_MAIL_FROM: 'florin@shop.example' }
    const { findings } = await examine(dataDir, mail)
    expect(findings.filter(({ check }) => check === 'notifications')).toMatchObject([{ ok: true }])
  })

  test('a payout wallet that is a contract on one chain only', async () => {
    const nodes = { FLORIN_ETHEREUM_URL: chainOf('0x1'), FLORIN_POLYGON_URL: chainOf('0x89', EVM_WALLET) }
    const { findings } = await examine(copyOfShop(), nodes)
    const found = findings.filter(({ check }) => check.startsWith('payout wallets of'))
    const reason = 'the payout wallet is a contract on ethereum and does not exist on polygon'
    expect(found).toEqual([
      {
        check: 'payout wallets of Corner Coffee',
        ok: false,
        severity: 'warning',
        message: `polygon is not offered: ${reason}.`,
        remedy: expect.stringContaining('Deploy the contract on that chain'),
      },
    ])
  })

  test('a monitored network without a source of addresses', async () => {
    const dataDir = copyOfShop()
    change(
      "UPDATE wallets SET addresses = json_set(addresses, '$.btc', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2')",
    )(dataDir)
    const { findings } = await examine(dataDir, { FLORIN_BITCOIN_URL: 'esplora+http://127.0.0.1:1' })
    expect(
      findings.find(({ message }) => /No payment addresses can be made for btc,/.test(message)),
    ).toMatchObject({
      severity: 'warning',
    })
  })

  test('pending migrations', async () => {
    const { exitCode, findings } = await asLaterVersion(() => examine(copyOfShop()))
    const found = findings.find(({ check }) => check === 'migrations')
    expect(exitCode).toBe(0)
    expect(found).toMatchObject({ ok: false, severity: 'warning' })
    expect(found?.message).toMatch(/2 migrations are pending/)
    expect(found?.remedy).toMatch(/florin serve/)
  })

  test('overdue jobs beside a running server', async () => {
    const dataDir = copyOfShop()
    change('UPDATE jobs SET due_at = 1')(dataDir)
    // Acts like a server that hangs: it has the database open and does nothing.
    const lock = new Database(join(dataDir, 'florin.lock'))
    lock.run('BEGIN')
    lock.run('SELECT 1 FROM sqlite_master')
    const { exitCode, findings } = await examine(dataDir)
    lock.close()
    expect(exitCode).toBe(1)
    expect(findings.find(({ check }) => check === 'jobs')?.message).toMatch(/although a server is running/)
  })

  test('rate sources that disagree', async () => {
    const settings = {
      FLORIN_POLYGON_URL: chainOf('0x89'),
      FLORIN_RATES: `${ratesAt('3000')},${ratesAt('9')}`,
    }
    const { findings } = await examine(copyOfShop(), settings)
    const rates = findings.filter(({ check }) => check.startsWith('rates of'))
    expect(rates.map(({ ok }) => ok)).toEqual([true, true])
    const pol = findings.find(({ check }) => check === 'asset polygon/pol')
    expect(pol).toMatchObject({
      ok: false,
      severity: 'warning',
      message: expect.stringMatching(/no USD rate/),
    })
  })

  test('an asset without a rate, and the prices of working exchanges', async () => {
    const settings = {
      FLORIN_POLYGON_URL: chainOf('0x89'),
      ...krakenIs({ POLUSD: { a: ['0.51'], b: ['0.50'] } }),
    }
    const { findings } = await examine(copyOfShop(), settings)
    const of = (name: string) => findings.find(({ check }) => check === name)
    expect(of('rates of kraken')).toMatchObject({ ok: true })
    expect(of('asset polygon/pol')).toMatchObject({ ok: true, message: '0.5 USD' })
    expect(of('asset polygon/usdc')).toMatchObject({ ok: false })
  })

  test('a disk that is nearly full, and a disk without space for a copy', () => {
    const MB = 1024 * 1024
    expect(roomFinding(10 * MB, MB)).toMatchObject({ ok: false, severity: 'fault' })
    expect(roomFinding(500 * MB, MB)).toMatchObject({ ok: false, severity: 'warning' })
    expect(roomFinding(5000 * MB, 4000 * MB)).toMatchObject({ ok: false, severity: 'warning' })
    expect(roomFinding(5000 * MB, 100 * MB)).toMatchObject({ ok: true })
  })
})

describe('doctor', () => {
  test('finds no problem in a working installation', async () => {
    const dataDir = copyOfShop()
    const node = { FLORIN_POLYGON_URL: chainOf('0x89'), FLORIN_RATES: ratesAt('3000') }
    const mail = { FLORIN_SMTP_URL: 'smtp://mail.example', FLORIN_MAIL_FROM: 'florin@shop.example' }
    const settings = { ...node, ...mail, ...keysIn(`a=${inFiles('good', gatewayKeys.good)}`) }
    const { findings } = await examine(dataDir, settings)
    const ill = findings.filter(({ ok, check }) => !ok && !/^provider|^asset .*usd/.test(check))
    expect(ill).toEqual([])
    const well = findings.filter(({ ok }) => ok).map(({ check }) => check)
    expect(well).toContain('gateway keys')
    expect(well).toContain('asset polygon/pol')
  })

  test('creates, migrates and changes nothing', async () => {
    const dataDir = join(newFolder(), 'data')
    await examine(dataDir)
    expect(existsSync(dataDir)).toBe(false)
    const old = copyOfShop()
    const before = readFileSync(databaseFile(old))
    await asLaterVersion(() => examine(old))
    expect(readFileSync(databaseFile(old)).equals(before)).toBe(true)
  })

  test('prints each fault with its remedy while a server runs', async () => {
    const server = await startProcess(FLORIN, ['serve'], { FLORIN_DATA_DIR: shop.dataDir })
    const { exitCode, stdout, stderr } = await florinIn(shop.dataDir).run('doctor')
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toMatch(/^ok {5}database: no damage found$/m)
    expect(stdout).toMatch(/^WARN {3}checkout address: .*live key.*\n {7}Set FLORIN_CHECKOUT_URL/m)
    await server.stop()
  })
})
