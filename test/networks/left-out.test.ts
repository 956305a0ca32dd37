import { afterAll, describe, expect, test } from 'bun:test'
import { HDKey } from '@scure/bip32'
import { textOf } from '../../src/cli/order/text.ts'
import type { WalletNetwork } from '../../src/domain/asset.ts'
import type { OwnAttempt } from '../../src/domain/attempt.ts'
import { looksOf } from '../../src/domain/looks.ts'
import { scriptOf } from '../../src/networks/bitcoin/script.ts'
import { previewAccount, setUpSource } from '../../src/operations/addresses/set-up-source.ts'
import { inspectOrder } from '../../src/operations/orders/inspect.ts'
import { checkAttempts } from '../../src/operations/payments/check-attempts.ts'
import { checkOrder } from '../../src/operations/payments/check-order.ts'
import { presentOrderHistory } from '../../src/present/order-history.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { startFront } from '../support/bitcoin-front.ts'
import { EVM_WALLET, statusOf } from '../support/given.ts'
import { startLitecoind } from '../support/litecoind.ts'
import { isMissing } from '../support/programs.ts'
import { type Answer, changingCalls, honest, type ProxyServer, startProxy } from '../support/proxy.ts'
import { toHex, toTron } from '../support/tron-chain.ts'
import { startTronFront } from '../support/tron-front.ts'
import { evmRow, type OpenShop, openShop } from './checkout-scene.ts'

const MINUTE_MS = 60_000
/** Every third check uses another endpoint, so after 30 minutes at the latest. */
const LOCK_MINUTES = 30
/** After their grace, orders are checked once an hour, and every third time by another endpoint. */
const LATE_MINUTES = 4 * 60
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const SOLID_LAG = 3
/** Blocks in five minutes. After half an hour, the payment is below the blocks that scans read again. */
const BLOCKS = 20

const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

/** More settings of the server. */
type Settings = Record<string, string>

/** A chain with two endpoints. The first one can omit payments. */
interface Scene {
  shop: OpenShop
  first: ProxyServer
  pay(assetId: string, to: string, amount: bigint): Promise<unknown>
  mine(blocks: number): Promise<unknown>
  /** Makes the first endpoint lie about an address from now on. */
  lie(address: string): Promise<Answer>
}

async function withAccount(shop: OpenShop, network: WalletNetwork, path: string): Promise<void> {
  const key = HDKey.fromMasterSeed(new Uint8Array(32).fill(7)).derive(path).publicExtendedKey
  const { context } = shop.app
  await setUpSource(context, await previewAccount(context, shop.shop.id, network, key, null))
}

async function opened(options: Parameters<typeof openShop>[0]): Promise<OpenShop> {
  const shop = await openShop(options)
  closing.push(() => shop.close())
  return shop
}

function firstOf(url: string): ProxyServer {
  const first = startProxy(url)
  closing.push(() => first.stop())
  return first
}

async function openAnvil(): Promise<Anvil> {
  const anvil = await startAnvil()
  closing.push(() => anvil.stop())
  return anvil
}

/** Headers advance, while logs and balances stay as they are. */
async function standingStill(anvil: Anvil): Promise<Answer> {
  const height = await anvil.head()
  return changingCalls({
    params({ method, params }) {
      if (method === 'eth_getLogs') return [{ ...(params[0] as object), fromBlock: '0x0', toBlock: '0x0' }]
      if (!/^eth_(getBalance|getTransactionCount|call)$/.test(method)) return undefined
      return [params[0], `0x${Math.min(height, Number(params[1])).toString(16)}`]
    },
  })
}

async function openEvm(
  isAccount: boolean,
  more: Settings,
): Promise<Scene & { second: ProxyServer; anvil: Anvil }> {
  const anvil = await openAnvil()
  const token = await anvil.deploy('TestTether')
  await anvil.mine(100)
  const [first, second] = [firstOf(anvil.url), firstOf(anvil.url)]
  const shop = await opened({
    environment: { FLORIN_ETHEREUM_URL: `${first.url},${second.url}`, ...more },
    rates: { 'ethereum/usdc': { USD: '1' }, 'ethereum/eth': { USD: '2500' } },
    assets: [evmRow('ethereum/usdc', 6, { contract: token }), evmRow('ethereum/eth', 18)],
    cryptoWallets: { evm: EVM_WALLET },
  })
  if (isAccount) await withAccount(shop, 'evm', "m/44'/60'/0'")
  return {
    shop,
    first,
    second,
    anvil,
    pay: (assetId, to, amount) =>
      assetId === 'ethereum/eth' ? anvil.sendNative(to, amount) : anvil.sendToken(token, to, amount),
    mine: anvil.mine,
    lie: () => standingStill(anvil),
  }
}

async function openLitecoin(kind: 'core' | 'esplora', more: Settings): Promise<Scene> {
  const node = await startLitecoind()
  closing.push(() => node.stop())
  const front = startFront(node)
  closing.push(() => front.stop())
  const first = firstOf(kind === 'core' ? node.url : front.url)
  const shop = await opened({
    environment: { FLORIN_LITECOIN_URL: `${kind}+${first.url},core+${node.url}`, ...more },
    rates: { ltc: { USD: '80' } },
  })
  await withAccount(shop, 'ltc', "m/84'/2'/0'")
  return {
    shop,
    first,
    pay: (_, to, amount) => node.pay({ script: scriptOf('ltc', to)!, amount }),
    mine: node.mine,
    async lie(address) {
      if (kind === 'esplora') return withoutAddress(address)
      const state = await node.rpc<object>('getblockchaininfo')
      return changingCalls({
        result: ({ method }) =>
          method === 'getblockchaininfo' ? state : method === 'getrawmempool' ? [] : undefined,
      })
    },
  }
}

/** An index that omits everything of one address. */
const withoutAddress =
  (address: string): Answer =>
  async (path, _body, pass) => {
    if (!path.includes(address)) return pass()
    if (path.endsWith('/txs')) return Response.json([])
    return path.startsWith('/v1/')
      ? Response.json({ data: [], success: true, meta: {} })
      : Response.json({ chain_stats: { funded_txo_sum: 0 } })
  }

const failing: Answer = async () => new Response('Internal Server Error', { status: 500 })

async function openTron(more: Settings, isShared = false): Promise<Scene> {
  const anvil = await openAnvil()
  const front = startTronFront(anvil, { solidLag: SOLID_LAG, jsonrpc: false })
  closing.push(() => front.stop())
  const token = await anvil.deploy('TestTether')
  await anvil.mine(SOLID_LAG)
  const first = firstOf(front.url)
  const shop = await opened({
    environment: { FLORIN_TRON_URL: `trongrid+${first.url},trongrid+${front.url}`, ...more },
    rates: { 'trc20/trx': { USD: '0.25' }, 'trc20/usdt': { USD: '1' } },
    assets: [{ id: 'trc20/usdt', contract: toTron(token) }],
    cryptoWallets: isShared ? { trc20: toTron(EVM_WALLET) } : {},
  })
  if (!isShared) await withAccount(shop, 'trc20', "m/44'/195'/0'")
  return {
    shop,
    first,
    pay: (assetId, to, amount) =>
      assetId === 'trc20/trx'
        ? anvil.sendNative(toHex(to), amount)
        : anvil.sendToken(token, toHex(to), amount),
    mine: anvil.mine,
    lie: async address => withoutAddress(address),
  }
}

const noticesOf = async ({ app }: OpenShop, orderId: string): Promise<string[]> => {
  const notices = await app.context.storage.read(tables => tables.notifications.listOfOrder(orderId, 100))
  return notices.map(({ facts }) => facts.about)
}

const decimalsOf = (assetId: string): number => (assetId === 'ethereum/eth' ? 18 : assetId === 'ltc' ? 8 : 6)

const noNode = isMissing('Tests of what an endpoint of Litecoin leaves out', 'litecoind')

describe.each<[string, boolean, (more: Settings) => Promise<Scene>, string[]]>([
  [
    'forwarders, state and logs stand still',
    false,
    of => openEvm(false, of),
    ['ethereum/usdc', 'ethereum/eth'],
  ],
  ['accounts, state and logs stand still', false, of => openEvm(true, of), ['ethereum/usdc', 'ethereum/eth']],
  ['a node that lost its peers', noNode, of => openLitecoin('core', of), ['ltc']],
  ['an index that hides an address', noNode, of => openLitecoin('esplora', of), ['ltc']],
  ['TronGrid, which hides an address', false, openTron, ['trc20/usdt', 'trc20/trx']],
])('a payment that the first endpoint always omits (%s)', (_, isSkipped, open, assetIds) => {
  /** Opens the scene with the first test that needs it. */
  function sceneWith(more: Settings): () => Promise<Scene> {
    let scene: Scene | null = null
    return async () => {
      scene ??= await open(more)
      scene.first.answer = honest
      return scene
    }
  }

  describe.skipIf(isSkipped)('if two endpoints have to report it', () => {
    const sceneOf = sceneWith({ FLORIN_SECOND_OPINION: '5 USD' })

    test.each(
      assetIds.flatMap(assetId => (['omits it', 'fails'] as const).map(how => [how, assetId] as const)),
    )(
      'the shop is notified while the first endpoint %s, and the order is paid once that reports it: %s',
      async (how, assetId) => {
        const { shop, first, pay, mine, lie } = await sceneOf()
        const opened = await shop.opened(assetId, decimalsOf(assetId))
        first.answer = how === 'fails' ? failing : await lie(opened.address)
        // The first endpoint moves the watch above the block of the payment before another one sees it.
        await pay(assetId, opened.address, opened.dueAtomic)
        await mine(BLOCKS)
        const passed = async (minutes: number): Promise<void> => {
          for (let minute = 0; minute < minutes; minute += 5) {
            await mine(BLOCKS)
            await shop.app.advance(5 * MINUTE_MS)
          }
        }
        await passed(90)
        const { context } = shop.app
        const { attempts } = await inspectOrder(context, shop.shop.id, opened.id)
        expect([attempts[0]!.state, await noticesOf(shop, opened.id)]).toEqual([
          'confirming',
          ['payment_unproven'],
        ])
        first.answer = honest
        await passed(90)
        expect(await shop.getOrder(opened.id)).toMatchObject({ status: 'PAID' })
        expect(shop.app.audit()).toEqual([])
      },
    )
  })

  describe.skipIf(isSkipped)('is found by the second endpoint', () => {
    const sceneOf = sceneWith({})

    /** An order that is paid while the first endpoint lies, and was opened while the clock was ahead. */
    async function paidUnseen(assetId: string, hoursAhead = 0) {
      const { shop, first, pay, mine, lie } = await sceneOf()
      shop.app.time.now += hoursAhead * HOUR_MS
      const opened = await shop.opened(assetId, decimalsOf(assetId))
      shop.app.time.now -= hoursAhead * HOUR_MS
      first.answer = await lie(opened.address)
      await pay(assetId, opened.address, opened.dueAtomic)
      await mine(BLOCKS)
      return { shop, mine, first, id: opened.id }
    }

    test.each(assetIds)('before the lock ends, without an open page: %s', async assetId => {
      const { shop, mine, id } = await paidUnseen(assetId)
      let minutes = 0
      while (minutes < LOCK_MINUTES && (await shop.getOrder(id)).status !== 'PAID') {
        await mine(BLOCKS)
        await shop.app.advance(5 * MINUTE_MS)
        minutes += 5
      }
      expect(await shop.getOrder(id)).toMatchObject({ status: 'PAID' })
      expect(shop.app.audit()).toEqual([])
    })

    test.each(assetIds.slice(0, 1).flatMap(assetId => [-2, 2].map(hours => [hours, assetId] as const)))(
      'although the clock was %i hours ahead when the order was opened: %s',
      async (hours, assetId) => {
        const { shop, mine, id } = await paidUnseen(assetId, hours)
        let minutes = 0
        while (minutes < LATE_MINUTES && (await shop.getOrder(id)).status !== 'PAID') {
          await mine(BLOCKS)
          await shop.app.advance(5 * MINUTE_MS)
          minutes += 5
        }
        expect(await shop.getOrder(id)).toMatchObject({ status: 'PAID' })
        expect(shop.app.audit()).toEqual([])
      },
    )

    test.each(assetIds)('when the merchant requests a check that names the endpoints: %s', async assetId => {
      const { shop, first, id } = await paidUnseen(assetId)
      const { context } = shop.app
      await shop.check(id)
      const shown = async () => presentOrderHistory(context, await inspectOrder(context, shop.shop.id, id))
      const before = await shown()
      expect(before.attempts).toMatchObject([{ state: 'waiting', checkedBy: first.host }])
      const checkedAt = new Date(shop.app.time.now).toISOString()
      expect(textOf(before)).toMatch(`last checked  ${checkedAt}, by ${first.host}`)
      expect(textOf(before)).toMatch(
        `Nothing arrived for this order, as ${first.host} reported at ${checkedAt}. Ask the buyer`,
      )
      expect(await checkOrder(context, id)).toEqual([])
      const after = await shown()
      expect(after.order.status).toBe('PAID')
      expect(after.attempts[0]!.checkedBy).not.toBe(first.host)
    })
  })
})

test.each([
  ['grace', 'graceUntil'],
  ['watch', 'watchUntil'],
] as const)(
  'a payment that an endpoint omits just before the end of the %s is found by another at the end',
  async (_, end) => {
    const { shop, first, pay, mine, lie } = await openEvm(false, {})
    const { id, address, dueAtomic } = await shop.opened('ethereum/eth', 18)
    const { context, jobs, time, advance } = shop.app
    const attemptOf = async () =>
      (await context.storage.read(tables => tables.attempts.listOf(id)))[0] as OwnAttempt
    const attempt = await attemptOf()
    time.now = attempt[end] - MINUTE_MS
    await jobs.settle()
    const looks = async () => looksOf((await attemptOf()).cursor)
    // Then it is this endpoint's turn for the next check, too.
    for (let last = await looks(); last.by.at(-1) !== first.host || last.row !== 1; last = await looks())
      await checkAttempts(context, [attempt.id])
    first.answer = await lie(address)
    await pay('ethereum/eth', address, dueAtomic)
    await mine(BLOCKS)
    await advance(2 * MINUTE_MS)
    expect(await shop.getOrder(id)).toMatchObject({ status: 'PAID' })
  },
)

test('a payment that is found neither before an outage nor by the first endpoint after it is found by another', async () => {
  const { shop, first, second, pay, mine, lie } = await openEvm(false, {})
  const { id, address, dueAtomic } = await shop.opened('ethereum/eth', 18)
  const { context, advance } = shop.app
  const attemptOf = async () =>
    (await context.storage.read(tables => tables.attempts.listOf(id)))[0] as OwnAttempt
  // Then the first check after the end of the watch asks the first endpoint.
  while (looksOf((await attemptOf()).cursor).by.at(-1) !== second.host)
    await checkAttempts(context, [(await attemptOf()).id])
  const omitting = await lie(address)
  first.answer = second.answer = failing
  await pay('ethereum/eth', address, dueAtomic)
  await mine(BLOCKS)
  for (let days = 0; days < 10; days += 1) await advance(DAY_MS)
  first.answer = omitting
  second.answer = honest
  for (let hours = 0; hours < 3; hours += 1) await advance(HOUR_MS)
  expect(await shop.getOrder(id)).toMatchObject({ status: 'PAID' })
})

test('a payment that only one endpoint reports is notified for its own order, not for others at the same address', async () => {
  const { shop, first, pay, mine, lie } = await openTron(
    { FLORIN_SECOND_OPINION: '5 USD', FLORIN_SHARED_ADDRESS: 'true' },
    true,
  )
  const [own, other] = [await shop.opened('trc20/usdt', 6), await shop.opened('trc20/usdt', 6)]
  expect(other.address).toBe(own.address)
  first.answer = await lie(own.address)
  await pay('trc20/usdt', own.address, own.dueAtomic)
  await mine(BLOCKS)
  for (let minute = 0; minute < 60; minute += 5) {
    await mine(BLOCKS)
    await shop.app.advance(5 * MINUTE_MS)
  }
  expect(await noticesOf(shop, own.id)).toEqual(['payment_unproven'])
  expect(await noticesOf(shop, other.id)).toEqual([])
})

describe('while the second of two required endpoints fails', () => {
  /** An order whose payment arrives while the first endpoint fails. */
  async function sceneOf() {
    const scene = await openEvm(false, { FLORIN_SECOND_OPINION: '5 USD' })
    const { shop, first, mine, pay, anvil } = scene
    const passed = async (minutes: number): Promise<void> => {
      await mine(BLOCKS)
      for (let minute = 0; minute < minutes; minute += 5) await shop.app.advance(5 * MINUTE_MS)
    }
    const order = await shop.opened('ethereum/usdc', 6)
    const payLate = async () => {
      await passed(3 * 60)
      first.answer = failing
      await anvil.rpc('evm_setNextBlockTimestamp', [Math.floor(shop.app.time.now / 1000)])
      await pay('ethereum/usdc', order.address, order.dueAtomic)
      await passed(60)
    }
    return { ...scene, order, passed, payLate }
  }

  test('the shop is not notified of a payment that it reports soon after an outage of all', async () => {
    const { shop, first, second, pay, order, passed } = await sceneOf()
    first.answer = second.answer = failing
    await pay('ethereum/usdc', order.address, order.dueAtomic)
    await passed(60)
    second.answer = honest
    await passed(10)
    first.answer = honest
    await passed(15)
    expect([(await shop.getOrder(order.id)).status, await noticesOf(shop, order.id)]).toEqual(['PAID', []])
  })

  test('a late payment keeps its value, and pays its order even when the rates of its day are deleted', async () => {
    const { shop, first, order, passed, payLate } = await sceneOf()
    await payLate()
    const creditOf = async () => (await statusOf(shop.app, order.id)).credited
    const before = await creditOf()
    expect(before).toBe('25.00')
    for (let days = 0; days < 10; days += 1) await shop.app.advance(DAY_MS)
    expect(await creditOf()).toBe(before)
    first.answer = honest
    // After the watch, it is looked for every hour.
    await passed(65)
    expect(await shop.getOrder(order.id)).toMatchObject({ status: 'PAID' })
    expect(shop.app.audit()).toEqual([])
  })
  test('the shop gets a part of the amount that the second reports after the end of the watch', async () => {
    const { shop, first, pay, order, passed } = await sceneOf()
    first.answer = failing
    await pay('ethereum/usdc', order.address, order.dueAtomic / 2n)
    await passed(30)
    for (let days = 0; days < 10; days += 1) await shop.app.advance(DAY_MS)
    first.answer = honest
    await passed(2 * 60)
    expect([(await shop.getOrder(order.id)).status, await noticesOf(shop, order.id)]).toEqual([
      'EXPIRED',
      ['payment_unmatched', 'payment_unproven'],
    ])
    expect(shop.app.audit()).toEqual([])
  })
})
