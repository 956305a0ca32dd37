import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { databaseFile } from '../../src/storage/sqlite/open.ts'
import { audit } from '../support/auditor.ts'
import { demoFolder, startDemo } from '../support/demo.ts'
import { orderBody } from '../support/given.ts'
import { callUrl, endProcesses, FLORIN, newFolder, runUntil, startProcess } from '../support/process.ts'
import { words } from '../support/words.ts'
import { florinIn, snapshotOf, summaryOf } from './commands.ts'

afterAll(endProcesses)

const isJsonLine = (text: string) => text.endsWith('\n') && text.trimEnd().split('\n').length === 1
const quiet = { FLORIN_LOG_LEVEL: 'error' }

describe('serve is refused with exit code 1 and a message', () => {
  test('if the port is in use, and the process that uses it keeps running', async () => {
    const first = await startProcess(FLORIN, ['serve'])
    const { port } = new URL(first.url)
    const before = snapshotOf(first.dataDir)
    for (const dataDir of [first.dataDir, newFolder()]) {
      const ran = await florinIn(dataDir, { FLORIN_PORT: port }).run('serve')
      expect(summaryOf(ran)).toEqual({ exitCode: 1, stdout: '', isSentence: true })
      expect(ran.stderr).toBe(
        `Cannot listen on 127.0.0.1:${port}: the port is already in use. Set FLORIN_PORT to another port.\n`,
      )
    }
    expect(snapshotOf(first.dataDir)).toBe(before)
    expect((await first.call('GET', '/v1/orders')).status).toBe(401)
    expect((await first.stop()).exitCode).toBe(0)
  })

  test.each([
    ['203.0.113.7', 'this machine does not have that address'],
    // A label of 64 letters does not fit into a DNS question, so no resolver can answer it.
    [`${'x'.repeat(64)}.invalid`, 'the host name cannot be resolved'],
  ])('where %s is not an address of this machine', async (host, reason) => {
    const ran = await florinIn(newFolder(), { FLORIN_HOST: host, FLORIN_PORT: '0' }).run('serve')
    expect(summaryOf(ran)).toEqual({ exitCode: 1, stdout: '', isSentence: true })
    expect(ran.stderr).toBe(
      `Cannot listen on ${host}:0: ${reason}. Set FLORIN_HOST to an address of this machine.\n`,
    )
  })

  test('for a demo, if its explicit port is in use', async () => {
    const first = await startProcess(FLORIN, ['serve'])
    const { port } = new URL(first.url)
    const ran = await florinIn(newFolder(), { FLORIN_PORT: port }).run('demo')
    expect(summaryOf(ran)).toEqual({ exitCode: 1, stdout: '', isSentence: true })
    await first.stop()
  })
})

describe('serve', () => {
  test('starts without settings, stores its data in ./data, and prints its URLs', async () => {
    const home = newFolder()
    const { stdout, exitCode } = await runUntil(
      ['serve'],
      {},
      '/pay/',
      async printed => {
        const url = /http:\/\/127[.]0[.]0[.]1:\d+/.exec(printed)![0]
        expect((await callUrl(`${url}/v1/orders`, 'GET')).status).toBe(401)
        expect((await callUrl(`${url}/sandbox/clock`, 'POST', { body: { advanceSeconds: 1 } })).status).toBe(
          404,
        )
        expect(existsSync(databaseFile(join(home, 'data')))).toBe(true)
      },
      home,
    )
    expect(exitCode).toBe(0)
    expect(stdout).toContain('/v1')
  })

  test('with --json prints one JSON value and nothing else until it ends', async () => {
    const server = await startProcess(FLORIN, ['serve'], { FLORIN_CHECKOUT_URL: 'https://pay.shop.example' })
    expect(server.output).toMatchObject({
      url: expect.stringMatching(/^http:\/\/127[.]0[.]0[.]1:\d+$/),
      checkoutUrl: 'https://pay.shop.example',
    })
    await server.call('GET', '/v1/orders')
    await server.call('GET', '/nothing')
    await server.stop()
    expect(isJsonLine(server.stdout())).toBe(true)
  })

  test('logs its start with version and settings, without secrets, and its stop', async () => {
    const server = await startProcess(FLORIN, ['serve'], {
      FLORIN_ETHEREUM_URL: 'https://node.example/v3/a-key-that-nobody-sees',
      FLORIN_RATES: '',
      FLORIN_ORDER_EXPIRY: '2h',
    })
    await server.stop()
    const lines = server.stderr().trim().split('\n')
    const logged = lines.map(line => JSON.parse(line)).filter(({ msg }) => msg.startsWith('server.'))
    expect(logged.map(({ msg }) => msg)).toEqual(['server.started', 'server.stopping', 'server.stopped'])
    expect(logged[0]).toMatchObject({
      version: expect.stringMatching(/^\d+[.]\d+[.]\d+/),
      pid: server.pid,
      url: server.url,
      settings: { FLORIN_ETHEREUM_URL: 'https://node.example/***', FLORIN_ORDER_EXPIRY: '2h' },
    })
    expect(logged[0].settings).not.toHaveProperty('FLORIN_RATES')
    expect(logged[1].signal).toBe('SIGTERM')
    expect(server.stderr()).not.toContain('a-key-that-nobody-sees')
  })

  test('logs requests as JSON lines on stderr, without keys, secrets or buyers’ addresses', async () => {
    const server = await startDemo({ FLORIN_LOG_LEVEL: 'debug' })
    const { liveKey } = server.output
    const customer = { email: 'private.person@buyer.example' }
    const order = await server.call('POST', '/v1/orders', { key: liveKey, body: orderBody({ customer }) })
    const { orderUUID } = order.json.data
    await server.call('GET', `/v1/orders?externalId=${liveKey}`, { key: liveKey })
    await server.call('GET', `/payment/process/${orderUUID}?method=moonpay`)
    await server.call('POST', '/sandbox/simulate', { body: { orderUUID, outcome: 'forged' } })
    await server.call('POST', '/sandbox/simulate', { body: { orderUUID, outcome: 'paid' } })
    await server.stop()
    const lines = server.stderr().trim().split('\n')
    expect(lines.length).toBeGreaterThan(4)
    for (const line of lines) expect(JSON.parse(line)).toBeObject()
    expect(server.stderr()).not.toContain(liveKey)
    expect(server.stderr()).not.toContain(customer.email)
    expect(server.stderr()).not.toMatch(/secret=[^*]/)
  })
})

describe('serve', () => {
  test('checks its endpoints at the start and logs one of another chain without its path', async () => {
    const elsewhere = Bun.serve({
      port: 0,
      fetch: () => Response.json({ jsonrpc: '2.0', id: 1, result: '0x5' }),
    })
    const url = `http://127.0.0.1:${elsewhere.port}/v3/a-key-that-nobody-sees`
    const server = await startProcess(FLORIN, ['serve'], { FLORIN_POLYGON_URL: url })
    for (let tries = 0; tries < 200 && !server.stderr().includes('serves chain 5'); tries++)
      await Bun.sleep(20)
    await server.stop()
    elsewhere.stop(true)
    expect(server.stderr()).toMatch(/serves chain 5, but polygon is chain 137.*network\.unavailable/)
    expect(server.stderr()).not.toContain('a-key-that-nobody-sees')
  })
})

describe('demo', () => {
  test('uses its own data directory, ./data/demo', async () => {
    const home = newFolder()
    cpSync(await demoFolder(), join(home, 'data'), { recursive: true })
    const { exitCode, stdout } = await runUntil(['demo'], {}, 'Ctrl-C', async () => {}, home)
    expect(exitCode).toBe(0)
    const [, order = ''] = /http:\S+[/]pay[/](\S+)/.exec(stdout)!
    const database = new Database(databaseFile(join(home, 'data/demo')), { readonly: true })
    expect(database.query('SELECT status FROM orders WHERE id = ?').all(order)).toEqual([
      { status: 'UNPAID' },
    ])
    database.close()
    expect(existsSync(databaseFile(join(home, 'data')))).toBe(false)
  })

  test('creates a merchant, its keys, payout wallets and an open order', async () => {
    const demo = await startProcess(FLORIN, ['demo'], quiet)
    const { liveKey, testKey, checkoutUrl, merchantId, productUrls } = demo.output
    const pages = await Promise.all([checkoutUrl, ...productUrls].map(url => callUrl(url, 'GET')))
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200])
    for (const { text } of pages)
      expect(text).toMatch(/<img class="logo".*--button:#[0-9a-f]{6}|--button:.*<img class="logo"/s)
    const id = new URL(checkoutUrl).pathname.split('/').at(-1)
    const order = (await demo.call('GET', `/v1/orders/${id}`, { key: liveKey })).json.data
    expect(order).toMatchObject({ merchantId, checkoutUrl, status: 'UNPAID' })
    const wallet = (await demo.call('GET', '/v1/wallet', { key: liveKey })).json.data
    expect(wallet.configured).toBe(true)
    expect(wallet.configuredCryptoNetworks.toSorted()).toEqual(
      words(`
      bitcoincash btc doge evm ltc solana trc20
    `),
    )
    const asTest = await demo.call('POST', '/v1/orders', { key: testKey, body: orderBody() })
    expect([asTest.status, asTest.json.error.code]).toEqual([403, 'live_key_required'])
    expect((await demo.stop()).exitCode).toBe(0)
    expect(isJsonLine(demo.stdout())).toBe(true)
    expect(audit(databaseFile(demo.dataDir))).toEqual([])
  })

  test('prints URLs to open, and a curl command that creates an order', async () => {
    const environment = { ...quiet, FLORIN_DATA_DIR: await demoFolder() }
    const { exitCode, stdout } = await runUntil(['demo'], environment, 'Ctrl-C', async printed => {
      const [checkoutUrl] = /http:\S+[/]pay[/]\S+/.exec(printed)!
      expect((await callUrl(checkoutUrl, 'GET')).status).toBe(200)
      expect(printed.match(/http:\S+[/]checkout[/]\S+/g)).toHaveLength(2)
      const curl = /curl .*?\n\n/s.exec(printed)![0]
      const shell = Bun.spawn(['sh', '-c', curl.replace('curl ', 'curl -s ')], {
        stdout: 'pipe',
        stderr: 'ignore',
      })
      const answer = JSON.parse(await new Response(shell.stdout).text())
      expect(answer).toMatchObject({ success: true, data: { status: 'UNPAID', source: 'api' } })
      const [, link = ''] = /owner +(http:\S+)/.exec(printed)!
      const { origin } = new URL(link)
      const owner = await callUrl(link, 'POST', { headers: { origin }, form: {} })
      const cookie = owner.headers.get('set-cookie')!.split(';')[0]!
      const form = { email: 'new@people.example', role: 'staff' }
      const invited = await callUrl(`${origin}/dashboard/people`, 'POST', {
        headers: { origin, cookie },
        form,
      })
      expect(invited.status).toBe(200)
    })
    expect([exitCode, stdout.includes('is a bug')]).toEqual([0, false])
    // The dashboard does not show the link, because it was mailed.
    expect(stdout).toMatch(/Mail to new@people.example, .*http:\S+[/]dashboard[/]link[/]/s)
  })

  test('reuses its merchant when it is started again, with new keys', async () => {
    const dataDir = await demoFolder()
    const first = await startProcess(FLORIN, ['demo'], { ...quiet, FLORIN_DATA_DIR: dataDir })
    await first.stop()
    const second = await startProcess(FLORIN, ['demo'], { ...quiet, FLORIN_DATA_DIR: dataDir })
    expect(second.output.merchantId).toBe(first.output.merchantId)
    const made = await second.call('POST', '/v1/orders', { key: second.output.liveKey, body: orderBody() })
    expect(made.status).toBe(201)
    expect((await callUrl(second.output.checkoutUrl, 'GET')).status).toBe(200)
    await second.stop()
  })
})
