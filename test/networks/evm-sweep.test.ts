import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { runInProcess } from '../cli/in-process.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import type { App } from '../support/app.ts'
import { check, EVM_WALLET, givenMerchant, givenOrder, givenShop, type Shop } from '../support/given.ts'
import { evmRow, openOrder, startOver } from './checkout-scene.ts'

const NOBODY = '01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55'
const DAY_MS = 24 * 3600_000
const ETHER = 10n ** 18n

let anvil: Anvil
let other: Anvil
let app: App
let shop: Shop
let tether: string
let unlisted: string
let close: () => Promise<void>
let settings: Record<string, string>

const far = { chainId: 31338, confirmations: 2 }
const near = { confirmations: 2 }

beforeAll(async () => {
  ;[anvil, other] = await Promise.all([startAnvil(), startAnvil({ chainId: 31338 })])
  tether = await anvil.deploy('TestTether')
  unlisted = await anvil.deploy('TestUSD')
  ;({ app, settings, close } = await startOver({
    environment: { FLORIN_ETHEREUM_URL: anvil.url, FLORIN_POLYGON_URL: other.url },
    rates: { usdt: { USD: '1' }, eth: { USD: '2500' }, pol: { USD: '1' } },
    assets: [
      evmRow('ethereum/usdt', 6, { ...near, contract: tether }),
      evmRow('ethereum/eth', 18, near),
      evmRow('polygon/pol', 18, far),
      evmRow('polygon/usdc', 6, { ...far, contract: unlisted }),
    ],
  }))
  shop = await givenShop(app)
})
afterAll(async () => {
  expect(app.audit()).toEqual([])
  await close()
  await Promise.all([anvil.stop(), other.stop()])
})

interface Held {
  orderUUID: string
  orderStatus: string
}

interface Call {
  action: string
  assetId: string | null
  chainId: number
  to: string
  data: string
  value: string
  gas: number
}

const run = (args: string[], change: Record<string, string> = {}) =>
  runInProcess({ ...settings, ...app.forCommands, ...change }, 'sweep', ...args)

async function sweep(merchant: Shop, ...args: string[]) {
  const { exitCode, stdout, stderr } = await run(['--merchant', merchant.id, ...args, '--json'])
  expect([exitCode, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

/** Sends the printed calls with any wallet, and with no more than the printed gas. */
async function send(calls: Call[], chain = anvil) {
  const from = (await chain.rpc<string[]>('eth_accounts')).at(-1)
  const hashes: string[] = []
  for (const { to, data, value, gas } of calls) {
    const transaction = { from, to, data, value, gas: `0x${gas.toString(16)}` }
    hashes.push(await chain.rpc('eth_sendTransaction', [transaction]))
  }
  await chain.mine(1)
  return Promise.all(hashes.map(hash => chain.receipt(hash)))
}

const opened = (asset: string, merchant = shop) => openOrder(app, merchant, asset)

const shopWith = async (evm: string): Promise<Shop> => {
  const merchant = await givenMerchant(app)
  const answer = await app.call('PUT', '/v1/wallet', { key: merchant.live, body: { cryptoWallets: { evm } } })
  expect(answer.status).toBe(200)
  return merchant
}

let wallets = 0
const freshWallet = (): string => `0x${(++wallets).toString(16).padStart(2, '0').repeat(20)}`

describe('a sweep is refused', () => {
  const of = (...args: string[]) => ['--merchant', shop.id, ...args]
  const refused = async (args: string[], words: RegExp, change: Record<string, string> = {}) => {
    const { exitCode, stdout, stderr } = await run(args, change)
    expect([exitCode, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(words)
    expect(stderr).not.toMatch(/is a bug|undefined/)
  }

  test('without a merchant, with or without an export', async () => {
    await refused(['--merchant', NOBODY], /No merchant/)
    await refused(['--merchant', NOBODY, '--export'], /No merchant/)
  })

  test('for an asset of another kind of chain, and for an invalid amount', async () => {
    for (const asset of ['ethereum/nonsense', 'btc', 'solana/usdc', 'nonsense', '', `btc/${EVM_WALLET}`]) {
      await refused(of('--asset', asset), /asset: must be an asset of an EVM chain/)
    }
    for (const least of ['', 'much', '-1', '1e3', '.5']) await refused(of(`--min=${least}`), /min: must be/)
  })

  test('without an endpoint, in the sandbox, and if the endpoint is unreachable or of another chain', async () => {
    await opened('ethereum/eth')
    const none = { FLORIN_ETHEREUM_URL: '', FLORIN_POLYGON_URL: '' }
    await refused(of(), /No endpoint of an EVM chain or Solana is configured/, none)
    await refused(of(), /No endpoint of ethereum is configured/, { FLORIN_ETHEREUM_URL: '' })
    await refused(of(), /sandbox simulates/, { FLORIN_SANDBOX: 'true' })
    await refused(of(), /cannot be reached/, { FLORIN_ETHEREUM_URL: 'http://127.0.0.1:9' })
    await refused(of(), /serves chain 31338/, { FLORIN_ETHEREUM_URL: other.url })
  })

  test('for a token that does not exist', () =>
    refused(of('--asset', `ethereum/${EVM_WALLET}`), /no token at 0x1111/))
})

test('the command reports that there is nothing to sweep, before and after the first payment was opened', async () => {
  const merchant = await shopWith(freshWallet())
  const { stdout, exitCode } = await run(['--merchant', merchant.id])
  expect([stdout.trim(), exitCode]).toEqual(['Nothing to sweep on 0 addresses.', 0])
  await opened('ethereum/usdt', merchant)
  expect((await run(['--merchant', merchant.id])).stdout.trim()).toBe('Nothing to sweep on 1 address.')
  expect(await sweep(merchant)).toEqual({
    addresses: 1,
    holdings: [],
    transactions: [],
    faults: [],
    ownMoney: [],
    costs: [],
  })
})

describe('a sweep', () => {
  test('moves payments to several forwarders, also after the watch has ended, and later payments again', async () => {
    const wallet = freshWallet()
    const merchant = await shopWith(wallet)
    const paid = [
      await opened('ethereum/usdt', merchant),
      await opened('ethereum/eth', merchant),
      await opened('ethereum/eth', merchant),
    ]
    await anvil.sendToken(tether, paid[0]!.address, 25_000_000n)
    await anvil.sendNative(paid[1]!.address, ETHER / 100n)
    await anvil.mine(3)
    await app.advance(40 * DAY_MS)
    await anvil.sendNative(paid[2]!.address, 3n)
    await anvil.sendToken(tether, paid[2]!.address, 7n)
    await anvil.mine(1)
    const { holdings, transactions } = await sweep(merchant)
    const seen = holdings.map((held: Record<string, unknown>) => [
      held.orderUUID,
      held.address,
      held.assetId,
      held.amount,
      held.deployed,
      held.payoutWallet,
    ])
    const [a, b, c] = paid.map(({ id, address }) => [id, address])
    expect(seen).toEqual([
      [...c!, 'ethereum/eth', '0.000000000000000003', false, wallet],
      [...c!, 'ethereum/usdt', '0.000007', false, wallet],
      [...b!, 'ethereum/eth', '0.01', false, wallet],
      [...a!, 'ethereum/usdt', '25', false, wallet],
    ])
    const actions = transactions.map(({ action }: Call) => action)
    expect(actions).toEqual(['deploy', 'flush', 'flush', 'deploy', 'flush', 'deploy', 'flush'])
    const incomingPayments = await send(transactions)
    expect(incomingPayments.map(({ status }) => status)).toEqual(actions.map(() => '0x1'))
    expect(await anvil.balance(wallet)).toBe(ETHER / 100n + 3n)
    expect(await anvil.balanceOf(tether, wallet)).toBe(25_000_007n)
    expect((await sweep(merchant)).holdings).toEqual([])

    await anvil.sendToken(tether, paid[0]!.address, 5n)
    await anvil.sendNative(paid[1]!.address, 6n)
    await anvil.mine(1)
    const second = await sweep(merchant)
    expect(second.transactions.map(({ action }: Call) => action)).toEqual(['flush', 'flush'])
    expect(second.holdings.map(({ deployed }: { deployed: boolean }) => deployed)).toEqual([true, true])
    await send(second.transactions)
    expect(await anvil.balance(wallet)).toBe(ETHER / 100n + 9n)
    expect(await anvil.balanceOf(tether, wallet)).toBe(25_000_012n)
  })

  test('can be limited to one asset, and to a minimum amount', async () => {
    const merchant = await shopWith(freshWallet())
    const { address } = await opened('ethereum/usdt', merchant)
    await anvil.sendToken(tether, address, 2_500_000n)
    await anvil.sendNative(address, ETHER)
    await anvil.mine(1)
    const assets = async (...args: string[]) =>
      (await sweep(merchant, ...args)).holdings.map(({ assetId }: Call) => assetId)
    expect(await assets()).toEqual(['ethereum/eth', 'ethereum/usdt'])
    expect(await assets('--asset', 'ethereum/usdt')).toEqual(['ethereum/usdt'])
    expect(await assets('--min', '2.5')).toEqual(['ethereum/usdt'])
    expect(await assets('--min', '2.50000001')).toEqual([])
    expect(await assets('--asset', 'ethereum/usdt', '--min', '2.6')).toEqual([])
    expect(await assets('--asset', `ethereum/${tether.toLowerCase()}`)).toEqual(['ethereum/usdt'])
  })

  test('finds and moves a token that is not listed, by its contract', async () => {
    const wallet = freshWallet()
    const merchant = await shopWith(wallet)
    const { address } = await opened('ethereum/eth', merchant)
    await anvil.sendToken(unlisted, address, 4_200_000n)
    await anvil.mine(1)
    expect((await sweep(merchant)).holdings).toEqual([])
    const { holdings, transactions } = await sweep(merchant, '--asset', `ethereum/${unlisted}`)
    expect(holdings).toMatchObject([{ contract: unlisted, amount: '4.2', address }])
    await send(transactions)
    expect(await anvil.balanceOf(unlisted, wallet)).toBe(4_200_000n)
  })

  test.each([[], ['--asset', 'polygon/pol']])(
    "finds and moves payments on another chain than the order's %p",
    async (...args) => {
      const wallet = freshWallet()
      const merchant = await shopWith(wallet)
      const { address } = await opened('ethereum/eth', merchant)
      await other.sendNative(address, 8n)
      await other.mine(1)
      const { holdings, transactions } = await sweep(merchant, ...args)
      expect(holdings).toMatchObject([{ assetId: 'polygon/pol', address, atomic: '8' }])
      expect(transactions.map(({ chainId }: Call) => chainId)).toEqual([31338, 31338])
      await send(transactions, other)
      expect(await other.balance(wallet)).toBe(8n)
    },
  )

  test('leaves money at addresses whose payout wallet may not exist on the chain, and says so', async () => {
    const merchant = await shopWith(await anvil.deploy('TestPayer'))
    const { address } = await opened('ethereum/usdt', merchant)
    await other.sendNative(address, 8n)
    await other.mine(1)
    const { exitCode, stdout } = await run(['--merchant', merchant.id, '--json'])
    const { holdings, transactions, faults } = JSON.parse(stdout)
    expect([exitCode, holdings, transactions]).toEqual([1, [], []])
    expect(faults).toEqual([
      {
        chain: 'polygon',
        message: expect.stringMatching(/contract on ethereum and does not exist on polygon/),
      },
    ])
  })

  test("reports why money can't be moved now, and prints no transaction for it", async () => {
    const merchant = await shopWith(await anvil.deploy('TestRefuser'))
    const { address } = await opened('ethereum/usdt', merchant)
    await anvil.sendNative(address, 5n)
    await anvil.mine(1)
    const { holdings, transactions } = await sweep(merchant)
    expect(holdings).toMatchObject([{ atomic: '5', fault: expect.stringMatching(/revert/) }])
    expect(transactions).toEqual([])
    const { stdout } = await run(['--merchant', merchant.id])
    expect(stdout).toMatch(/cannot be moved yet: .*revert/)
  })

  test('and doctor name money of orders that are not paid, even after the watch', async () => {
    const merchant = await shopWith(freshWallet())
    const [late, paid] = [await opened('ethereum/usdt', merchant), await opened('ethereum/usdt', merchant)]
    await anvil.sendToken(tether, paid.address, 25_000_000n)
    await anvil.mine(3)
    expect((await check(app, paid.id)).status).toBe('PAID')
    app.time.now += 9 * 24 * 3600_000
    await app.jobs.settle()
    await anvil.sendToken(tether, late.address, 25_000_000n)
    await anvil.mine(3)
    const { holdings } = await sweep(merchant)
    const status = (id: string) => holdings.find((held: Held) => held.orderUUID === id).orderStatus
    expect([status(late.id), status(paid.id)]).toEqual(['EXPIRED', 'PAID'])
    const { stdout } = await run(['--merchant', merchant.id])
    expect(stdout).toContain('1 balance belongs to an order that is not PAID.')
    const doctor = await runInProcess({ ...settings, ...app.forCommands }, 'doctor', '--json')
    const { findings } = JSON.parse(doctor.stdout) as { findings: { message: string; remedy: string }[] }
    const own = findings.filter(({ remedy }) => remedy?.includes(merchant.id) && remedy.includes('sweep'))
    expect(own.map(({ message }) => message)).toEqual([
      `25 ethereum/usdt is at ${late.address}, but its order ${late.id} is EXPIRED.`,
    ])
    app.time.now = Date.now()
  })

  test('prints for people what they have to sign', async () => {
    const wallet = freshWallet()
    const merchant = await shopWith(wallet)
    const { id, address } = await opened('ethereum/usdt', merchant)
    await anvil.sendToken(tether, address, 25_000_000n)
    await anvil.mine(1)
    const { transactions } = await sweep(merchant)
    const { stdout } = await run(['--merchant', merchant.id])
    for (const words of [id, address, wallet, 'ethereum/usdt', '25', 'chainId 31337', 'value 0']) {
      expect(stdout).toContain(words)
    }
    for (const { to, data, gas } of transactions as Call[]) {
      for (const words of [to, data, `gas about ${gas}`]) expect(stdout).toContain(words)
    }
  })
})

test('an export alone, without an endpoint, is enough to recover the money', async () => {
  const wallet = freshWallet()
  const merchant = await shopWith(wallet)
  const { id, address } = await opened('ethereum/usdt', merchant)
  await anvil.sendToken(tether, address, 11n)
  await anvil.sendNative(address, 12n)
  await anvil.mine(1)
  const none = { FLORIN_ETHEREUM_URL: '', FLORIN_POLYGON_URL: '' }
  const { stdout } = await run(['--merchant', merchant.id, '--export', '--json'], none)
  const [one, ...more] = JSON.parse(stdout)
  expect(more).toEqual([])
  expect(one).toMatchObject({ orderUUID: id, address, payoutWallet: wallet, assetId: 'ethereum/usdt' })
  expect(one.deployData).toBe(one.salt + one.initCode.slice(2))
  const call = (to: string, data: string) => anvil.run({ to, data })
  await call(one.deployer, one.deployData)
  await call(address, one.flushCoinData)
  await call(address, one.flushTokenPrefix + tether.slice(2))
  expect([await anvil.balance(wallet), await anvil.balanceOf(tether, wallet)]).toEqual([12n, 11n])
  const people = await run(['--merchant', merchant.id, '--export'], none)
  for (const part of [one.salt, one.initCode, one.deployer, wallet, address]) {
    expect(people.stdout).toContain(part)
  }
})

test('the oldest of many orders is included, and comes last', async () => {
  const merchant = await shopWith(freshWallet())
  const oldest = await opened('ethereum/eth', merchant)
  for (let orders = 0; orders < 205; orders++) await givenOrder(app, merchant)
  const newest = await opened('ethereum/eth', merchant)
  for (const { address } of [oldest, newest]) await anvil.sendNative(address, 2n)
  await anvil.mine(1)
  const { addresses, holdings } = await sweep(merchant)
  expect(addresses).toBe(2)
  expect(holdings.map(({ orderUUID }: { orderUUID: string }) => orderUUID)).toEqual([newest.id, oldest.id])
})

test('if one of two chains is unreachable, that is reported and the other is swept', async () => {
  const merchant = await shopWith(freshWallet())
  const { address } = await opened('ethereum/eth', merchant)
  await opened('polygon/pol', merchant)
  await anvil.sendNative(address, 9n)
  await anvil.mine(1)
  await other.stop()
  const { exitCode, stdout } = await run(['--merchant', merchant.id, '--json'])
  const { holdings, faults } = JSON.parse(stdout)
  expect(exitCode).toBe(1)
  expect(holdings).toMatchObject([{ address, atomic: '9' }])
  expect(faults).toMatchObject([{ chain: 'polygon', message: expect.stringMatching(/cannot be reached/) }])
})
