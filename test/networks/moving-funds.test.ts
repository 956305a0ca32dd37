import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { listNotifications } from '../../src/operations/notices/list.ts'
import { runInProcess } from '../cli/in-process.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import type { App } from '../support/app.ts'
import { type Person, signInAs } from '../support/dashboard.ts'
import { BTC_WALLET, check, givenMerchant, type Shop } from '../support/given.ts'
import { said } from '../support/notifications.ts'
import { changingCalls, type ProxyServer, startProxy } from '../support/proxy.ts'
import { evmRow, openOrder, startOver } from './checkout-scene.ts'

const PATH = '/dashboard/payouts/sweep'
const WALLET = '0x5555555555555555555555555555555555555555'
const HOUR_MS = 3600_000
const GWEI = 10n ** 9n
const hex = (value: bigint): string => `0x${value.toString(16)}`

let anvil: Anvil
let node: ProxyServer
let app: App
let shop: Shop
let owner: Person
let token: string
let close: () => Promise<void>
let settings: Record<string, string>

/** Makes the node report this gas price. */
const costs = (price: unknown) => {
  node.answer = changingCalls({ result: ({ method }) => (method === 'eth_gasPrice' ? price : undefined) })
}

beforeAll(async () => {
  anvil = await startAnvil()
  node = startProxy(anvil.url)
  token = await anvil.deploy('TestTether')
  ;({ app, settings, close } = await startOver({
    environment: { FLORIN_ETHEREUM_URL: node.url, FLORIN_SHARED_ADDRESS: 'true' },
    rates: { usdt: { USD: '1' }, eth: { USD: '2500' } },
    assets: [
      evmRow('ethereum/usdt', 6, { confirmations: 2, contract: token }),
      evmRow('ethereum/eth', 18, { confirmations: 2 }),
    ],
  }))
  shop = await givenMerchant(app)
  const cryptoWallets = { evm: WALLET, btc: BTC_WALLET }
  await app.call('PUT', '/v1/wallet', { key: shop.live, body: { cryptoWallets } })
  owner = await signInAs(app, 'owner', shop.id)
  costs(hex(20n * GWEI))
})
afterAll(async () => {
  expect(app.audit()).toEqual([])
  await close()
  node.stop()
  await anvil.stop()
})

/** The text of a page, as a person reads it. */
const read = async (path: string, person = owner): Promise<string> =>
  (await person.get(path)).text
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

/** An order of 25 dollars that was paid on Ethereum. */
async function sold(): Promise<{ id: string; address: string }> {
  const order = await openOrder(app, shop, 'ethereum/usdt')
  await anvil.sendToken(token, order.address, 25_000_000n)
  await anvil.mine(3)
  await check(app, order.id)
  return order
}

const florin = (...args: string[]) => runInProcess({ ...settings, ...app.forCommands }, ...args)

const run = (kind: 'funds.watch' | 'sweeps.read') =>
  app.context.storage.write(tables =>
    tables.jobs.schedule({ kind, subject: 'all', lane: 'funds', dueAt: app.time.now }),
  )

/** Runs the server's hourly check for waiting funds. */
async function looks(): Promise<void> {
  await run('funds.watch')
  await app.jobs.settle()
}

const reminders = async (): Promise<string[]> =>
  (await listNotifications(app.context, shop.id)).filter(({ kind }) => kind === 'funds_waiting').map(said)

test('before the first sale, no page mentions waiting funds', async () => {
  await looks()
  expect(await read('/dashboard')).not.toContain('Funds to move')
  expect(await read(PATH)).toContain('Nothing waited when the networks were last asked.')
  expect(await read(PATH)).toContain('so there is nothing to move: Bitcoin.')
})

describe('a sale of 25 dollars at 20 gwei', () => {
  let moved: { to: string; data: string }[] = []

  test('is on the overview with its value, and on the page with the cost of moving it', async () => {
    await sold()
    await looks()
    expect(await read('/dashboard')).toContain('About $25.00 waits on payment addresses')
    const page = await read(PATH)
    // 185,000 gas: 95,000 for the contract and 90,000 for the token.
    for (const text of ['Ethereum 1 address', '25 USDT', '$25.00', '0.0037 ETH $9.25', '37%', '$925.00'])
      expect(page).toContain(text)
  })

  test('is visible to everyone, and can be moved by owners', async () => {
    const viewer = await signInAs(app, 'viewer', shop.id)
    const overview = await viewer.get('/dashboard')
    expect(overview.text).toContain('About $25.00 waits')
    expect(overview.text).not.toContain(`href="${PATH}"`)
    expect((await viewer.get(PATH)).status).toBe(403)
    const stranger = await signInAs(app, 'owner', (await givenMerchant(app)).id)
    expect(await read('/dashboard', stranger)).not.toContain('Funds to move')
  })

  test('is shown with the age of the last figures while the node is down, without a request for each page', async () => {
    const asked = node.paths.length
    await read('/dashboard')
    await read(PATH)
    expect(node.paths.length).toBe(asked)
    node.answer = async () => new Response('down', { status: 502 })
    app.time.now += 2 * HOUR_MS
    await looks()
    expect(await read('/dashboard')).toContain('About $25.00 waits')
    costs(hex(20n * GWEI))
  })

  test.each([
    ['10^9 gwei', hex(10n ** 18n)],
    ['text', 'cheap'],
    ['a negative price', '-0x1'],
  ])('says that the fee is unknown if the node reports %s', async (_, price) => {
    costs(price)
    app.time.now += HOUR_MS
    await looks()
    const page = await read(PATH)
    expect(page).toContain('Unknown now')
    expect(page).toContain('$25.00')
    expect(await read('/dashboard')).toContain('About $25.00 waits')
    costs(hex(20n * GWEI))
  })

  test('causes one notification when the value that the shop chose is reached', async () => {
    const refused = await owner.post(`${PATH}/reminder`, { reminder: 'much' })
    expect(refused.status).toBe(400)
    const noCurrency = await florin('merchant', 'set', shop.id, '--funds-reminder', '20')
    expect(noCurrency.stderr).toContain('funds-reminder: needs the currency of the shop')
    const set = ['merchant', 'set', shop.id, '--currency', 'USD', '--funds-reminder', '30']
    expect((await florin(...set)).exitCode).toBe(0)
    await looks()
    expect(await reminders()).toEqual([])
    expect((await owner.post(`${PATH}/reminder`, { reminder: '20' })).status).toBe(303)
    expect((await florin('merchant', 'show', shop.id)).stdout).toMatch(/fundsReminder +20.00 USD/)
    for (let hours = 0; hours < 3; hours++) {
      app.time.now += HOUR_MS
      await looks()
    }
    expect(await reminders()).toHaveLength(1)
    expect((await reminders())[0]).toContain('25.00 USD waits on payment addresses.')
    expect(await read(PATH)).toContain('Notify me when funds wait')
  })

  test('costs the same on the command line', async () => {
    const { stdout } = await florin('sweep', '--merchant', shop.id, '--json')
    const { costs, transactions } = JSON.parse(stdout)
    const gas = transactions.reduce((sum: number, one: { gas: number }) => sum + one.gas, 0)
    expect(costs).toMatchObject([
      {
        chain: 'ethereum',
        currency: 'USD',
        waits: [{ assetId: 'ethereum/usdt', amount: '25', value: '25.00' }],
        fee: { assetId: 'ethereum/eth', amount: `${Number((gas * 20e-9).toFixed(9))}` },
      },
    ])
    const text = (await florin('sweep', '--merchant', shop.id)).stdout
    expect(text).toMatch(/ethereum +25 ethereum.usdt \(25.00 USD\) +0.00\d+ ethereum.eth \(\d.\d\d USD\)/)
  })

  test('can be moved in every way, with the same calls', async () => {
    const found = (await owner.get(`${PATH}?look=yes`)).text
    const calls = JSON.parse(/data-calls="([^"]+)"/.exec(found)?.[1]?.replaceAll('&quot;', '"') ?? '[]')
    expect(calls.map(({ action }: { action: string }) => action)).toEqual(['deploy', 'flush'])
    const file = /href="data:application\/json,([^"]+)"/.exec(found)?.[1] ?? ''
    expect(JSON.parse(decodeURIComponent(file))).toMatchObject({
      version: '1.0',
      chainId: '31337',
      transactions: calls.map(({ to, data }: { to: string; data: string }) => ({ to, value: '0', data })),
    })
    for (const { to, data } of calls) expect(found).toContain(`--chain 31337 ${to} ${data}`)
  })

  test('is moved: the transactions are listed with the fees of their receipts, in the files too', async () => {
    const found = (await owner.get(`${PATH}?look=yes`)).text
    const calls = JSON.parse(/data-calls="([^"]+)"/.exec(found)?.[1]?.replaceAll('&quot;', '"') ?? '[]')
    // The clock is set to that of the chain, because fees are valued at the rate of their block.
    app.time.now = Date.now()
    moved = calls
    const receipts = []
    for (const { to, data, gas } of calls) receipts.push(await anvil.run({ to, data, gas }))
    const [deployed, flushed] = receipts as { transactionHash: string; gasUsed: bigint }[]
    // The page's script records each transaction, so a double click or a second person changes nothing.
    const noted = { chain: 'ethereum', transactions: flushed!.transactionHash }
    for (let times = 0; times < 2; times++) await owner.post(`${PATH}/sent`, noted)
    await app.jobs.settle()
    expect(await read(PATH)).toContain('1 transaction that moves funds has been on the way')
    await owner.post(`${PATH}/sent`, {
      chain: 'ethereum',
      transactions: `https://etherscan.io/tx/${deployed!.transactionHash.toUpperCase().replace('X', 'x')}#logs`,
    })
    await anvil.mine(3)
    await run('sweeps.read')
    await app.jobs.settle()
    const page = await read(PATH)
    expect(page).toContain('Contract prepared')
    expect(page.match(/ Done /g)).toHaveLength(2)
    expect(page).not.toContain('on the way')
    expect(await read('/dashboard')).not.toContain('Funds to move')
    const rows = await exported()
    const fees = rows.filter(({ type }) => type === 'network_fee')
    expect(fees.map(({ txOut }) => txOut).sort()).toEqual(receipts.map(one => one.transactionHash).sort())
    for (const [at, { received, amount, net, worth }] of fees.entries()) {
      const receipt = receipts.find(({ transactionHash }) => transactionHash === fees[at]!.txOut)
      const { effectiveGasPrice } = receipt as unknown as { effectiveGasPrice: string }
      const paid = BigInt(receipt!.gasUsed) * BigInt(effectiveGasPrice)
      expect(Number(received)).toBeCloseTo(-Number(paid) / 1e18, 12)
      const value = `-${(Math.floor((Number(paid) / 1e18) * 2500 * 100) / 100).toFixed(2)}`
      expect([amount, net, worth]).toEqual([value, value, value])
    }
  })

  test('costs its fee even if its contract is deployed once more, which fails', async () => {
    const { to, data } = moved[0]!
    const { transactionHash } = await anvil.run({ to, data, gas: 300_000 })
    await owner.post(`${PATH}/sent`, { chain: 'ethereum', transactions: transactionHash })
    await anvil.mine(3)
    await run('sweeps.read')
    await app.jobs.settle()
    expect(await read(PATH)).toContain('Failed: nothing moved, but the fee was taken')
    const fees = (await exported()).filter(({ type }) => type === 'network_fee')
    expect(fees.filter(({ txOut }) => txOut === transactionHash)).toHaveLength(1)
  })

  test('causes another notification after an earlier one was moved, whose address is not read again', async () => {
    await sold()
    await looks()
    expect(await reminders()).toHaveLength(2)
    const { chains } = (await app.context.storage.read(tables => tables.funds.find(shop.id)))!
    expect(chains.map(({ addresses }) => addresses)).toEqual([1])
  })

  test('that was moved with another wallet is detected, with its fee', async () => {
    const { transactions } = JSON.parse((await florin('sweep', '--merchant', shop.id, '--json')).stdout)
    const receipts = []
    for (const { to, data, gas } of transactions) receipts.push(await anvil.run({ to, data, gas }))
    await anvil.mine(3)
    // The address of a forwarder is watched for a week.
    await app.advance(HOUR_MS / 2)
    await looks()
    await app.jobs.settle()
    const { transactionHash } = receipts.at(-1)!
    const rows = (await exported()).filter(({ txOut }) => txOut === transactionHash)
    expect(rows.map(({ type }) => type).sort()).toEqual(['network_fee', 'payment'])
    expect(await read('/dashboard')).not.toContain('Funds to move')
  })
})

/** The rows of the export for accounts. */
async function exported(): Promise<Record<string, string>[]> {
  const csv = (await owner.get('/dashboard/reports/export.csv?period=year')).text
  const [head = '', ...lines] = csv
    .replace(/^\ufeff/, '')
    .trim()
    .split('\r\n')
  const names = head.split(',')
  return lines.map(line => Object.fromEntries(line.split(',').map((cell, at) => [names[at], cell])))
}

test('a transaction of another sender, a word, and a replaced transaction are not transfers of the shop', async () => {
  for (const [chain, transactions] of [
    ['ethereum', 'hello'],
    ['nowhere', `0x${'a'.repeat(64)}`],
    ['ethereum', ''],
  ] as const) {
    const answer = await owner.post(`${PATH}/sent`, { chain, transactions })
    expect(answer.status).toBe(400)
  }
  const foreign = await anvil.run({ to: WALLET, value: 1n })
  const replaced = `0x${'b'.repeat(64)}`
  await owner.post(`${PATH}/sent`, {
    chain: 'ethereum',
    transactions: `${foreign.transactionHash}\n${replaced}`,
  })
  await anvil.mine(3)
  await run('sweeps.read')
  await app.jobs.settle()
  expect(await read(PATH)).toContain('Moved nothing from your payment addresses')
  app.time.now += 25 * HOUR_MS
  owner = await signInAs(app, 'owner', shop.id)
  await run('sweeps.read')
  await app.jobs.settle()
  expect(await read(PATH)).toContain('Not found on the network.')
  const rows = (await exported()).filter(({ type }) => type === 'network_fee')
  expect(rows.map(({ txOut }) => txOut)).not.toContain(foreign.transactionHash)
})

test('a coin without a rate is named, and its value is not guessed', async () => {
  const other = await givenMerchant(app)
  await app.call('PUT', '/v1/wallet', {
    key: other.live,
    body: { cryptoWallets: { evm: '0x6666666666666666666666666666666666666666' } },
  })
  const order = await openOrder(app, other, 'ethereum/usdt')
  await anvil.sendToken(token, order.address, 25_000_000n)
  await anvil.mine(3)
  await check(app, order.id)
  await app.context.storage.write(tables => tables.merchants.update(other.id, { currency: 'CHF' }))
  await looks()
  const person = await signInAs(app, 'owner', other.id)
  const text = await read('/dashboard', person)
  expect(text).toContain('They have no exchange rate now: 25 USDT.')
  expect(await read(PATH, person)).toContain('No exchange rate now')
})
