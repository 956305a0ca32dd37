import { afterAll, expect, test } from 'bun:test'
import { toUnits } from '../../src/domain/money.ts'
import { openOrder, startOver } from '../networks/checkout-scene.ts'
import { families } from '../simulation/lies.ts'
import { plans } from '../simulation/plans.ts'
import { check, givenMerchant } from '../support/given.ts'
import { endProcesses } from '../support/process.ts'
import { runBattery } from './battery.ts'
import { serveControl } from './control.ts'
import startFlorin from './florin.ts'
import { HONEST, liarsOf } from './liars.ts'
import { Stand, setupOf } from './stand.ts'

afterAll(endProcesses)

/** The first request of a client to an endpoint of each kind. */
const first: Record<Stand['family'], [path: string, body: object | null]> = {
  evm: ['', { jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: ['latest', false] }],
  bitcoin: ['/blocks/tip/height', null],
  blockbook: ['/api/v2', null],
  core: ['', { id: 1, method: 'getblockchaininfo', params: [] }],
  tron: ['/wallet/getnowblock', {}],
  solana: ['', { jsonrpc: '2.0', id: 1, method: 'getSlot', params: [{}] }],
  monero: ['/json_rpc', { jsonrpc: '2.0', id: 1, method: 'get_info', params: {} }],
}

/** The time limit of a request to an endpoint that never answers in time, and to any other endpoint. */
const [NO_ANSWER_MS, ANSWER_MS] = [150, 10_000]
const unanswered = ['silent', 'drip', 'slow']

test.each(families)('every lie of %s is served, and the endpoint beside it stays honest', async family => {
  const stand = new Stand(family)
  const [path, body] = first[family]
  const ask = async (url: string, ms = ANSWER_MS): Promise<string> => {
    const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    const signal = AbortSignal.timeout(ms)
    const answer = await fetch(url + path, { ...init, signal, redirect: 'manual' })
    return `${answer.status} ${(await answer.text()).slice(0, 500)}`
  }
  try {
    const honest = await ask(stand.honest.url)
    expect(honest).toMatch(/^200 /)
    for (const { name } of liarsOf(family)) {
      if (['endless', 'inflate'].includes(name)) continue
      stand.lieLike(name)
      const isUnanswered = unanswered.includes(name)
      const said = await ask(stand.liar.url, isUnanswered ? NO_ANSWER_MS : ANSWER_MS).catch(() => 'nothing')
      expect([name, said.includes('Bad request')]).toEqual([name, false])
      if (isUnanswered || name === 'break') expect([name, said]).toEqual([name, 'nothing'])
    }
    expect(await ask(stand.honest.url)).toBe(honest)
    stand.lieLike(HONEST)
    expect(await ask(stand.liar.url)).toBe(honest)
  } finally {
    await stand.stop()
  }
})

test('the control API pays, mines, replaces blocks and chooses lies, and refuses unknown commands', async () => {
  const stand = new Stand('evm')
  const control = serveControl(stand)
  const call = async (name: string, body?: unknown) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const init = body === undefined ? {} : { method: 'POST', body: text }
    const answer = await fetch(`${control.url}/${name}`, init)
    return { status: answer.status, json: await answer.json() }
  }
  try {
    const before = (await call('')).json
    expect(before).toMatchObject({ family: 'evm', asset: 'polygon/usdc', lie: HONEST })
    const address = `0x${'AB'.repeat(20)}`
    await call('pay', { address, amount: '25000000' })
    expect((await call('mine', { blocks: 3 })).json.head).toBe(before.head + 3)
    expect(stand.chain.between(before.head + 1, before.head + 1)).toHaveLength(1)
    await call('reorganise', { depth: 3, loses: true })
    expect(stand.chain.transfers).toEqual([])
    expect((await call('lie', { name: 'omit' })).json.lie).toBe('omit')
    for (const [name, body] of [
      ['pay', { address, amount: '1.5' }],
      ['mine', { blocks: 0 }],
      ['lie', { name: 'nothing' }],
      ['pay', 'no JSON'],
    ] as const)
      expect([name, (await call(name, body)).status]).toEqual([name, 400])
    expect((await call('constructor', {})).status).toBe(404)
  } finally {
    control.stop()
    await stand.stop()
  }
})

/**
 * The number of checks of an order, and the time between two of them. Every third check uses another
 * endpoint.
 */
const [LOOKS, LOOK_MS] = [6, 60_000]
/** Enough blocks for a payment to be final, and so deep that scans do not read its block again anyway. */
const BLOCKS = 12
/**
 * Few blocks at once: a false start height is found by comparing the growth of the chain with its usual pace.
 */
const FEW_BLOCKS = 4
/** The blocks that make a payment just final: an endpoint that lags behind does not report it as final. */
const justFinal: Partial<Record<Stand['family'], number>> = { bitcoin: 1, blockbook: 1, core: 1, monero: 10 }

/** Lies that never stop, and whether the payment is opened only after the lie has begun. */
const corrected: [lie: string, family: Stand['family'], isOpenedDuring: boolean][] = [
  ...families.map(family => ['less', family, false] as [string, Stand['family'], boolean]),
  ...families.map(family => ['farTip', family, true] as [string, Stand['family'], boolean]),
  ['ahead', 'tron', true],
  ['ahead', 'monero', true],
  ...(['bitcoin', 'blockbook', 'core', 'monero'] as const).map(
    family => ['lag', family, true] as [string, Stand['family'], boolean],
  ),
]

test.each(corrected)(
  'an honest endpoint corrects an endpoint that lies by "%s" (%s)',
  async (lie, family, isOpenedDuring) => {
    const stand = new Stand(family)
    stand.chain.mine(BLOCKS)
    const urls = [stand.liar, stand.honest].map(one => stand.settingOf(one)).join()
    const { app, close } = await startOver({
      environment: { [plans[family].setting]: urls },
      rates: { [stand.asset]: { USD: '50' } },
    })
    try {
      const shop = await givenMerchant(app)
      await plans[family].setUpWallet(app.context, shop.id, setupOf(family))
      if (isOpenedDuring) stand.lieLike(lie)
      const { id, address, amount } = await openOrder(app, shop, stand.asset)
      stand.lieLike(lie)
      stand.pay(address, toUnits(amount, stand.decimals)!)
      const few = lie === 'lag' ? justFinal[family] : family === 'monero' ? BLOCKS : FEW_BLOCKS
      stand.chain.mine((isOpenedDuring && few) || BLOCKS)
      let status = 'UNPAID'
      for (let looks = 0; looks < LOOKS && status !== 'PAID'; looks++) {
        await app.advance(LOOK_MS)
        await check(app, id)
        status = (await app.call('GET', `/v1/orders/${id}`, { key: shop.live })).json.data.status
      }
      expect(status).toBe('PAID')
    } finally {
      await close()
      await stand.stop()
    }
  },
)

test('a real server finds the payments of an honest endpoint beside a lying one', async () => {
  const [outcome] = await runBattery({
    start: startFlorin,
    settings: ['beside an honest one'],
    families: ['evm'],
    lies: ['mistype'],
    patienceMs: 60_000,
    healthMs: 10_000,
    memoryMb: 300,
    say: () => {},
  })
  const { trials, faults } = outcome!
  expect([trials.map(trial => [trial.lie, trial.faults]), faults]).toEqual([[['mistype', []]], []])
}, 240_000)
