import { beforeAll, describe, expect, test } from 'bun:test'
import { type Network, NetworkError } from '../../src/networks/port.ts'
import { toHex } from '../support/tron-chain.ts'
import {
  freshAddress,
  heightOf,
  honest,
  openAttempt,
  SOLID_LAG,
  scanPayments,
  scanSummary,
  scanWatches,
  type Tap,
  useScene,
} from './tron-scene.ts'

type Line = Record<string, unknown>

const scene = useScene({ jsonrpc: false })
let network: Network
beforeAll(() => {
  network = scene.watching()
})

const LISTS = /transactions$/
const TOKEN_LISTS = /trc20$/
const OUTCOMES = /gettransactioninfobyid$/
const TRANSACTIONS = /gettransactionbyid$/

/** An endpoint that changes its responses on some paths. */
function changing(path: RegExp, change: (json: Line) => unknown) {
  scene.traffic.tap = async (url, _body, pass) => {
    const response = await pass()
    return path.test(url.pathname) ? Response.json(change((await response.json()) as Line)) : response
  }
}

const changingLines = (path: RegExp, change: (line: Line) => Line) =>
  changing(path, json => ({ ...json, data: (json.data as Line[]).map(change) }))

const paidCoin = (amount: bigint) => scene.openPaid(network, scene.coin, amount)
const paidToken = (amount: bigint) => scene.openPaid(network, scene.tether, amount)
const amountsOf = (attempt: Parameters<typeof scanPayments>[1]) => scanSummary(network, attempt)

describe('a wrong entry of the index', () => {
  test('for a transaction that is unknown to the node is ignored', async () => {
    const { attempt } = await paidCoin(5n)
    changingLines(LISTS, line => ({ ...line, txID: 'ab'.repeat(32) }))
    expect(await amountsOf(attempt)).toEqual([])
    const token = await paidToken(5n)
    changingLines(TOKEN_LISTS, line => ({ ...line, transaction_id: 'cd'.repeat(32) }))
    expect(await amountsOf(token.attempt)).toEqual([])
  })

  test('with another amount is corrected by the transaction', async () => {
    const { attempt } = await paidCoin(5n)
    changingLines(LISTS, line => JSON.parse(JSON.stringify(line).replace('"amount":5', '"amount":5000')))
    expect(await amountsOf(attempt)).toEqual([[5n, true]])
    const token = await paidToken(6n)
    changingLines(TOKEN_LISTS, line => ({ ...line, value: '6000000' }))
    expect(await amountsOf(token.attempt)).toEqual([[6n, true]])
  })

  test('with another receiver is corrected by the transaction', async () => {
    for (const asset of [scene.coin, scene.tether]) {
      const attempt = await openAttempt(network, asset)
      const { id } = await (asset.contract ? paidToken(7n) : paidCoin(7n))
      await scene.pay.token(asset, attempt.address, 8n)
      await scene.anvil.mine()
      changingLines(asset.contract ? TOKEN_LISTS : LISTS, line =>
        line.txID ? { ...line, txID: id } : { ...line, transaction_id: id },
      )
      expect(await amountsOf(attempt)).toEqual([])
    }
  })

  test('with another contract does not make it a listed token', async () => {
    const { fake, tether, anvil } = scene
    const attempt = await openAttempt(network, tether)
    const hash = await anvil.sendToken(fake, toHex(attempt.address), 25_000_000n)
    await scene.pay.token(tether, attempt.address, 1n)
    await anvil.mine(SOLID_LAG + 1)
    changingLines(TOKEN_LISTS, line => ({ ...line, transaction_id: hash.slice(2), value: '25000000' }))
    expect(await amountsOf(attempt)).toEqual([])
  })

  test('for a token that merely has the name USDT causes no further request', async () => {
    const { attempt } = await paidToken(5n)
    const token_info = { symbol: 'USDT', address: freshAddress(), decimals: 6, name: 'Tether USD' }
    changingLines(TOKEN_LISTS, line => ({ ...line, token_info }))
    expect(await amountsOf(attempt)).toEqual([])
    expect(scene.front.paths.at(-1)).not.toMatch(OUTCOMES)
  })
})

describe('a transaction', () => {
  test('that failed, or ran out of energy, is not a payment', async () => {
    const { attempt } = await paidCoin(5n)
    for (const failure of [{ result: 'FAILED' }, { receipt: { result: 'OUT_OF_ENERGY' } }]) {
      changing(OUTCOMES, json => ({ ...json, ...failure }))
      expect(await amountsOf(attempt)).toEqual([])
    }
    changing(TRANSACTIONS, json => ({ ...json, ret: [{ contractRet: 'REVERT' }] }))
    expect(await amountsOf(attempt)).toEqual([])
  })

  test('that is not in a solid block is not final', async () => {
    const { attempt } = await paidCoin(5n)
    changing(/walletsolidity[/]gettransactioninfobyid$/, () => ({}))
    expect(await amountsOf(attempt)).toEqual([[5n, false]])
  })

  test('with a rejected internal call, another token, or only an outgoing transfer is not a payment', async () => {
    const { attempt } = await paidToken(5n)
    const account = `41${toHex(attempt.address).slice(2)}`
    const inner = (changes: Line, value: Line = {}) => ({
      hash: 'ab'.repeat(32),
      caller_address: `41${'cd'.repeat(20)}`,
      transferTo_address: account,
      callValueInfo: [{ callValue: 70, ...value }],
      ...changes,
    })
    changing(OUTCOMES, json => ({
      ...json,
      internal_transactions: [
        inner({ rejected: true }),
        inner({}, { tokenId: '1000001' }),
        inner({ caller_address: account }),
        inner({ transferTo_address: `41${'ef'.repeat(20)}` }),
        inner({ callValueInfo: [{}] }),
        inner({}),
        inner({}),
      ],
    }))
    scene.traffic.tap = withInternalLine(scene.traffic.tap, attempt.address)
    const seen = await scanPayments(network, attempt)
    expect(seen.map(({ assetId, amountAtomic }) => [assetId, amountAtomic])).toEqual([
      ['trc20/usdt', 5n],
      ['trc20/trx', 70n],
      ['trc20/trx', 70n],
    ])
    expect(new Set(seen.map(({ txIndex }) => txIndex)).size).toBe(3)
  })

  test('that the node does not serve is taken from the index on this machine only', async () => {
    const { attempt } = await paidCoin(5n)
    scene.front.shape.transactionById = false
    expect(await amountsOf(attempt)).toEqual([[5n, true]])
    scene.front.shape.genesis = '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc'
    const remote = scene.watching({
      assets: [scene.coin],
      endpoints: [{ protocol: 'trongrid', url: 'https://tron.example' }],
    })
    await expect(remote.scan([attempt])).rejects.toThrow(/does not serve \/wallet\/gettransactionbyid/)
  })
})

/** Adds an entry to the list of TRX transfers that names the transaction of the last token payment. */
function withInternalLine(tap: Tap, address: string): Tap {
  return async (url, body, pass) => {
    if (!LISTS.test(url.pathname)) return tap(url, body, pass)
    const tokens = await fetch(`${scene.front.url}/v1/accounts/${address}/transactions/trc20`)
    const { data } = (await tokens.json()) as { data: Line[] }
    const line = {
      internal_tx_id: 'ab',
      tx_id: data[0]!.transaction_id,
      block_timestamp: data[0]!.block_timestamp,
    }
    return Response.json({ data: [line], success: true, meta: {} })
  }
}

describe('invalid responses', () => {
  const rubbish: [string, () => Response][] = [
    ['a page', () => new Response('<html>welcome</html>')],
    ['nothing', () => new Response('')],
    ['null', () => Response.json(null)],
    ['a list', () => Response.json([])],
    ['a number', () => Response.json(7)],
    ['an error', () => Response.json({ Error: 'class java.lang.NullPointerException : null' })],
    ['a refusal', () => Response.json({ success: false, error: 'no' }, { status: 400 })],
    ['a status', () => new Response('no', { status: 500 })],
  ]
  const interfaces: [string, RegExp][] = [
    ['the newest block', /wallet[/]getnowblock$/],
    ['the solid block', /walletsolidity[/]getnowblock$/],
    ['a list of TRX', LISTS],
    ['a list of tokens', TOKEN_LISTS],
    ['an outcome', OUTCOMES],
    ['a transaction', TRANSACTIONS],
  ]
  test.each(
    interfaces.flatMap(([name, path]) =>
      rubbish.map(([what, answer]) => [name, what, path, answer] as const),
    ),
  )('for %s, %s is an error', async (_name, _what, path, answer) => {
    const { attempt } = await paidCoin(5n)
    await scene.pay.token(scene.tether, attempt.address, 6n)
    await scene.anvil.mine()
    scene.traffic.tap = async (url, _body, pass) => (path.test(url.pathname) ? answer() : pass())
    const before = structuredClone(attempt.cursor)
    await expect(network.scan([attempt])).rejects.toThrow(NetworkError)
    expect(attempt.cursor).toEqual(before)
  })

  test.each<[string, RegExp, (json: Line) => unknown]>([
    ['an outcome of another transaction', OUTCOMES, json => ({ ...json, id: 'ab'.repeat(32) })],
    ['an outcome without its block', OUTCOMES, ({ blockNumber: _, ...json }) => json],
    ['an outcome below zero', OUTCOMES, json => ({ ...json, blockNumber: -1 })],
    ['a log without topics of their length', OUTCOMES, json => ({ ...json, log: [{ topics: ['ab'] }] })],
    ['a transaction of another id', TRANSACTIONS, json => ({ ...json, txID: 'ab'.repeat(32) })],
    [
      'an invalid amount',
      TRANSACTIONS,
      json => JSON.parse(JSON.stringify(json).replace('"amount":5', '"amount":1e300')),
    ],
    ['a list without its lines', LISTS, () => ({ success: true })],
    ['a line without its time', LISTS, json => ({ ...json, data: [{ txID: 'ab'.repeat(32) }] })],
  ])('%s is an error', async (_, path, change) => {
    const { attempt } = await paidCoin(5n)
    await scene.pay.token(scene.tether, attempt.address, 6n)
    await scene.anvil.mine()
    changing(path, change)
    await expect(network.scan([attempt])).rejects.toThrow(NetworkError)
  })
})

test('a payment in a block after the tip is reported in the next scan', async () => {
  const attempt = await openAttempt(network, scene.coin)
  scene.traffic.tap = async (url, _body, pass) => {
    if (LISTS.test(url.pathname)) {
      await scene.pay.coin(attempt.address, 5n)
      await scene.anvil.mine()
    }
    return pass()
  }
  expect(await amountsOf(attempt)).toEqual([])
  scene.traffic.tap = honest
  expect(await amountsOf(attempt)).toEqual([[5n, false]])
})

describe('a list', () => {
  test('with several pages is read to its end', async () => {
    const attempt = await openAttempt(network, scene.coin)
    for (let amount = 1n; amount <= 5n; amount++) await scene.pay.coin(attempt.address, amount)
    await scene.anvil.mine()
    scene.front.shape.pageSize = 2
    const amounts = (await amountsOf(attempt)).map(([amount]) => amount as bigint)
    expect(amounts.toSorted()).toEqual([1n, 2n, 3n, 4n, 5n])
  })

  test('that is too long reports nothing as gone, and is read from its start again', async () => {
    const attempt = await openAttempt(network, scene.coin)
    for (let amount = 1n; amount <= 12n; amount++) await scene.pay.coin(attempt.address, amount)
    await scene.anvil.mine(2)
    scene.front.shape.pageSize = 1
    const before = heightOf(attempt)
    const [watched] = await scanWatches(network, attempt)
    expect(watched!.detectedPayments).toHaveLength(10)
    expect(watched!.completeFrom).toBe((await scene.anvil.head()) + 1)
    expect(heightOf(attempt)).toBe(before)
  })
})
