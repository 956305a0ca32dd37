import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { databaseFile } from '../../src/storage/sqlite/open.ts'
import { audit } from '../support/auditor.ts'
import { orderBody } from '../support/given.ts'
import { endProcesses, FLORIN, newFolder, type RunningProcess, startProcess } from '../support/process.ts'
import { EVM_WALLET } from './commands.ts'
import { florinHere } from './in-process.ts'

const NOBODY = '01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55'
const dataDir = newFolder()
const florin = florinHere(dataDir)

let server: RunningProcess
let shop: { merchantId: string }
let live: string

beforeAll(async () => {
  server = await startProcess(FLORIN, ['serve'], { FLORIN_DATA_DIR: dataDir, FLORIN_SANDBOX: 'true' })
  shop = await florin.merchant('shop@shop.example', '--fee-percent', '2.5')
  live = (await florin.json('key', 'create', '--merchant', shop.merchantId, '--mode', 'live')).key
  await server.call('PUT', '/v1/wallet', { key: live, body: { cryptoWallets: { evm: EVM_WALLET } } })
})
afterAll(endProcesses)

const order = async (change: object = {}) => {
  const answer = await server.call('POST', '/v1/orders', { key: live, body: orderBody(change) })
  expect(answer.status).toBe(201)
  return answer.json.data
}
const create = (email: string, name: string, ...fee: string[]) =>
  ['merchant', 'create', '--email', email, '--name', name, ...fee].filter(Boolean)
const withFee = (percent: string) => create('a@shop.example', 'A', `--fee-percent=${percent}`)
const set = (option: string, value: string) => ['merchant', 'set', shop.merchantId, `${option}=${value}`]

describe('merchant create is refused', () => {
  test('without an email address, with an invalid fee, and twice for one address', () =>
    florin.refuses([
      ['no address', create('shop', 'A'), /mail/i],
      ['an address with spaces', create('a b@shop.example', 'A'), /mail/i],
      ['a name of spaces', create('a@shop.example', '  '), /name/i],
      ['FeePercent: 90', withFee('90'), /fee/i],
      ['FeePercent: 98.5', withFee('98.5'), /fee/i],
      ['FeePercent: 99.5', withFee('99.5'), /fee/i],
      ['FeePercent: 100', withFee('100'), /fee/i],
      ['FeePercent: five decimals', withFee('1.23456'), /fee/i],
      ['FeePercent: negative', withFee('-1'), /fee/i],
      ['FeePercent: not a number', withFee('free'), /fee/i],
      ['an address that is already used', create('shop@shop.example', 'A'), /already/],
      ['the same with --json', [...create('shop@shop.example', 'A'), '--json'], /already/],
    ]))
})

describe('merchant set is refused', () => {
  test('for an unknown merchant, and for misleading branding', () =>
    florin.refuses([
      ['an unknown merchant', ['merchant', 'set', NOBODY, '--name', 'B'], /[Nn]o merchant/],
      ['an invalid ID', ['merchant', 'set', 'shop', '--name', 'B'], /[Nn]o merchant/],
      ['FeePercent', set('--fee-percent', '95'), /fee/i],
      ['a name of spaces', set('--name', '  '), /name/i],
      ['returnUrl: plain http', set('--return-url', 'http://shop.example/'), /https/],
      ['returnUrl: localhost', set('--return-url', 'https://localhost/'), /public/],
      ['returnUrl: private', set('--return-url', 'https://10.0.0.1/'), /public/],
      ['returnUrl: credentials', set('--return-url', 'https://a:b@shop.example/'), /password/],
      ['returnUrl: fragment', set('--return-url', 'https://shop.example/#a'), /fragment/],
      ['no address', set('--support-email', 'help'), /mail/i],
      ...['a\nb', 'Shop\r\nBcc: all@victim.example', 'a\u2029b', 'a\x1b[2Jb'].map(
        (name): [string, string[], RegExp] => [
          `a name ${JSON.stringify(name)}`,
          set('--name', name),
          /name.*one line/,
        ],
      ),
      ['an unknown crypto-first', set('--crypto-first', 'bank'), /crypto-first.*own, gateway/],
      ['unknown staff-prices', set('--staff-prices', 'yes'), /staff-prices.*on or off/],
      ['an empty crypto-first', set('--crypto-first', ''), /crypto-first/],
      ...['-0.1', '5.0001', '6', 'half', '', '0.12345'].map((percent): [string, string[], RegExp] => [
        `a tolerance of ${percent}`,
        set('--tolerance', percent),
        /tolerance.*from 0 to 5/,
      ]),
      [
        'an unknown rule for a second factor',
        set('--second-factor', 'on'),
        /second-factor.*optional or required/,
      ],
      ['an unknown rule for late payments', set('--late', 'never'), /late.*settle, ask/],
      ...['Mars/Olympus', '+02:00', ''].map((zone): [string, string[], RegExp] => [
        `a time zone "${zone}"`,
        set('--time-zone', zone),
        /time-zone.*Europe\/Berlin/,
      ]),
      ...['EURO', 'XAU', 'E'].map((code): [string, string[], RegExp] => [
        `a currency ${code}`,
        set('--currency', code),
        /currency.*such as USD or EUR/,
      ]),
      ['one invalid option of two', [...set('--name', 'Renamed'), '--fee-percent', '95'], /fee/i],
    ]))

  test('like suspend and resume, for an unknown merchant', () =>
    florin.refuses([
      ['suspend', ['merchant', 'suspend', NOBODY], /[Nn]o merchant/],
      ['resume', ['merchant', 'resume', NOBODY], /[Nn]o merchant/],
    ]))
})

describe('a merchant', () => {
  test('is created, and printed with the documented fields', async () => {
    const made = await florin.merchant('new@shop.example')
    expect(made).toEqual({
      merchantId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      email: 'new@shop.example',
      name: 'Corner Coffee',
      feePercent: '0',
    })
    const { stdout, exitCode } = await florin.run(
      ...create('newer@shop.example', 'Newer', '--fee-percent', '99'),
    )
    expect(exitCode).toBe(0)
    expect(stdout).toContain('newer@shop.example')
    expect(() => JSON.parse(stdout)).toThrow()
  })

  test('is in the list, as text and as JSON', async () => {
    const { items: listed } = await florin.json('merchant', 'list')
    expect(listed).toContainEqual(
      expect.objectContaining({ ...shop, email: 'shop@shop.example', feePercent: '2.5' }),
    )
    const { stdout } = await florin.run('merchant', 'list')
    for (const { merchantId, email } of listed) expect(stdout).toMatch(new RegExp(`${merchantId}.*${email}`))
  })

  test('applies a new fee percent only to later orders', async () => {
    const before = await order()
    await florin.json('merchant', 'set', shop.merchantId, '--fee-percent', '10')
    const after = await order()
    expect([before.feePercent, before.platformFeeAmount, before.netAmount]).toEqual(['2.5', '0.63', '24.37'])
    expect([after.feePercent, after.platformFeeAmount, after.netAmount]).toEqual(['10', '2.50', '22.50'])
    const { json } = await server.call('GET', `/v1/orders/${before.orderUUID}`, { key: live })
    expect(json.data).toEqual(before)
  })

  test('has the time zone UTC until another is set', async () => {
    const shown = () => florin.json('merchant', 'show', shop.merchantId)
    expect((await shown()).timeZone).toBe('UTC')
    await florin.json('merchant', 'set', shop.merchantId, '--time-zone', 'europe/berlin')
    expect((await shown()).timeZone).toBe('Europe/Berlin')
  })

  test('has no currency until one is set', async () => {
    const shown = () => florin.json('merchant', 'show', shop.merchantId)
    expect((await shown()).currency).toBeNull()
    expect(await florin.json('merchant', 'set', shop.merchantId, '--currency', 'chf')).toMatchObject({
      currency: 'CHF',
    })
    await florin.json('merchant', 'set', shop.merchantId, '--currency', '')
    expect((await shown()).currency).toBeNull()
    const made = await florin.json(...create('chf@shop.example', 'Chf', '--currency', 'CHF'))
    expect((await florin.json('merchant', 'show', made.merchantId)).currency).toBe('CHF')
  })

  test('can decide about late payments by hand, and settles them automatically by default', async () => {
    const listed = async () =>
      (await florin.json('merchant', 'list')).items.find(
        ({ merchantId }: { merchantId: string }) => merchantId === shop.merchantId,
      ).late
    expect(await listed()).toBe('settle')
    expect(await florin.json('merchant', 'set', shop.merchantId, '--late', 'ask')).toMatchObject({
      late: 'ask',
    })
    expect(await listed()).toBe('ask')
    await florin.json('merchant', 'set', shop.merchantId, '--late', 'settle')
    expect(await listed()).toBe('settle')
  })

  test('can require a second factor of its people', async () => {
    for (const rule of ['required', 'optional']) {
      const changed = await florin.json('merchant', 'set', shop.merchantId, '--second-factor', rule)
      expect(changed.secondFactor).toBe(rule)
    }
  })

  test('can prefer the addresses of the gateway to its own while the server runs', async () => {
    const cryptoFirst = async () =>
      (await florin.json('merchant', 'list')).items.find(
        ({ merchantId }: { merchantId: string }) => merchantId === shop.merchantId,
      ).cryptoFirst
    const via = async () => {
      const { orderUUID } = await order({ paymentMethodsKeys: ['crypto'] })
      await server.call('POST', `/pay/${orderUUID}/crypto`, { form: { asset: 'polygon/usdc' } })
      const simulated = { orderUUID, outcome: 'paid' }
      const { json } = await server.call('POST', '/sandbox/simulate', { body: simulated })
      // Only the gateway has callbacks.
      return json.data.callbacks
    }
    expect([await cryptoFirst(), await via()]).toEqual(['own', []])
    await florin.json('merchant', 'set', shop.merchantId, '--crypto-first', 'gateway')
    expect([await cryptoFirst(), await via()]).toEqual(['gateway', [{ status: 200 }]])
    await florin.json('merchant', 'set', shop.merchantId, '--name', 'Corner Coffee')
    expect(await cryptoFirst()).toBe('gateway')
    await florin.json('merchant', 'set', shop.merchantId, '--crypto-first', 'own')
    expect([await cryptoFirst(), await via()]).toEqual(['own', []])
  })

  test('tolerates half a percent by default, or the percentage that it chooses', async () => {
    const tolerance = async () =>
      (await florin.json('merchant', 'list')).items.find(
        ({ merchantId }: { merchantId: string }) => merchantId === shop.merchantId,
      ).tolerance
    expect(await tolerance()).toBe('0.5')
    for (const percent of ['0', '5', '1.25', '0.5']) {
      await florin.json('merchant', 'set', shop.merchantId, '--tolerance', percent)
      expect(await tolerance()).toBe(percent)
    }
  })

  test('is named on the pages of a running server, which link to its site', async () => {
    const own = await order({ returnUrl: 'https://shop.example/thanks' })
    const other = await order()
    for (const { orderUUID } of [own, other]) {
      const body = { reason: 'changed their mind' }
      await server.call('POST', `/v1/orders/${orderUUID}/cancel`, { key: live, body })
    }
    const branding = ['--name', 'Corner & Sons', '--return-url', 'https://shop.example/', '--support-email']
    await florin.json('merchant', 'set', shop.merchantId, ...branding, 'help@shop.example')
    const page = (await server.call('GET', `/pay/${other.orderUUID}`)).text
    expect(page).toContain('Corner &amp; Sons')
    expect(page).toContain('href="https://shop.example/"')
    expect(page).toContain('mailto:help@shop.example')
    const ownPage = (await server.call('GET', `/pay/${own.orderUUID}`)).text
    expect(ownPage).toContain('href="https://shop.example/thanks"')
    expect(ownPage).not.toContain('href="https://shop.example/"')
  })

  test('that is suspended has refused keys and no pages until it is resumed', async () => {
    const { orderUUID } = await order()
    await florin.json('merchant', 'suspend', shop.merchantId)
    const { items: listed } = await florin.json('merchant', 'list')
    const status = (list: { merchantId: string; status: string }[]) =>
      list.find(({ merchantId }) => merchantId === shop.merchantId)?.status
    expect(status(listed)).toBe('suspended')
    for (const [method, path] of [
      ['POST', '/v1/orders'],
      ['GET', '/v1/orders'],
      ['GET', '/v1/wallet'],
      ['POST', `/v1/orders/${orderUUID}/cancel`],
    ] as const) {
      const answer = await server.call(method, path, { key: live, ...(method === 'POST' && { body: {} }) })
      expect([path, answer.status, answer.json.error.code]).toEqual([path, 403, 'merchant_suspended'])
    }
    expect((await server.call('GET', `/pay/${orderUUID}`)).status).toBe(404)
    expect(
      (await server.call('POST', `/pay/${orderUUID}/crypto`, { form: { asset: 'ethereum/eth' } })).status,
    ).toBe(404)
    expect((await server.call('GET', `/payment/process/${orderUUID}?method=moonpay`)).status).toBe(404)
    await florin.json('merchant', 'resume', shop.merchantId)
    expect(status((await florin.json('merchant', 'list')).items)).toBe('active')
    expect((await server.call('GET', `/pay/${orderUUID}`)).status).toBe(200)
    await order()
  })
})

test('the database keeps every invariant', () => expect(audit(databaseFile(dataDir))).toEqual([]))
