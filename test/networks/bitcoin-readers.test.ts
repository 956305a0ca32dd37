import { describe, expect, test } from 'bun:test'
import type { Json } from '../../src/domain/metadata.ts'
import { parseAmounts, readAtomic, readCoins } from '../../src/networks/bitcoin/amounts.ts'
import { readInputs } from '../../src/networks/bitcoin/inputs.ts'
import { AddressPages, type Page } from '../../src/networks/bitcoin/readers/address-pages.ts'
import { BlockbookReader } from '../../src/networks/bitcoin/readers/blockbook.ts'
import { CoreReader } from '../../src/networks/bitcoin/readers/core.ts'
import { CoreMempool } from '../../src/networks/bitcoin/readers/core-mempool.ts'
import { coveredTo, planOf } from '../../src/networks/bitcoin/readers/core-plan.ts'
import { amountOf, readOutputs } from '../../src/networks/bitcoin/readers/core-rpc.ts'
import { EsploraReader } from '../../src/networks/bitcoin/readers/esplora.ts'
import { merkleRoot } from '../../src/networks/bitcoin/readers/merkle-root.ts'
import type { Payment, Target, Tip } from '../../src/networks/bitcoin/readers/reader.ts'
import { TooLong } from '../../src/networks/bitcoin/readers/rest.ts'
import { NetworkError } from '../../src/networks/port.ts'
import { HttpEndpoint } from '../../src/networks/rpc/http.ts'
import { JsonRpc } from '../../src/networks/rpc/json-rpc.ts'
import { addressOfScript } from '../support/bitcoin-front.ts'

const script = `0014${'11'.repeat(20)}`
const id = (number: number): string => number.toString(16).padStart(64, '0').replace(/^00/, 'ab')

describe('an amount', () => {
  test.each([
    '',
    '-1',
    '0.000000001',
    '1e-9',
    '1e99',
    '1,5',
    ' 1',
    'Infinity',
    '0x10',
    7,
    null,
    {},
    undefined,
  ])('of whole coins cannot be %p', json => {
    expect(() => readCoins(json as Json)).toThrow(NetworkError)
  })

  test.each(['1.5', '-1', '', '1e-1', 5, null])('of the smallest unit cannot be %p', json => {
    expect(() => readAtomic(json as Json)).toThrow(NetworkError)
  })

  test.each([
    ['0.00000001', 1n],
    ['1e-8', 1n],
    ['1.0E-8', 1n],
    ['0', 0n],
    ['21000000.00000000', 2_100_000_000_000_000n],
    ['123456789012.12345678', 12_345_678_901_212_345_678n],
    ['1.23456789e2', 12_345_678_900n],
  ])('of %s coins is exact', (text, atomic) => {
    expect(readCoins(text)).toBe(atomic)
  })

  test('is kept as its digits at any depth', () => {
    const text =
      '{"value": 90071992547.40993001,"vout":[{"value":1e-8,"n":0},{"value":"5"}],"a\\"value":7,"b":"\\"value\\":1"}'
    expect(parseAmounts(text)).toEqual({
      value: '90071992547.40993001',
      vout: [{ value: '1e-8', n: 0 }, { value: '5' }],
      'a"value': expect.anything(),
      b: '"value":1',
    })
  })
})

describe('the outputs of a transaction from Bitcoin Core', () => {
  const transaction = (output: Json): Json => ({
    txid: id(1),
    vin: [{ txid: id(2), vout: 0 }],
    vout: [output],
  })
  const output = { value: '1.5', n: 0, scriptPubKey: { hex: script } }

  test.each([
    ['no script', { value: '1', n: 0 }],
    ['a script that is not hexadecimal', { ...output, scriptPubKey: { hex: 'OP_TRUE' } }],
    ['a negative index', { ...output, n: -1 }],
    ['nothing', null],
  ])('are refused with %s', (_, wrong) => {
    expect(() => readOutputs(transaction(wrong))).toThrow(NetworkError)
  })

  test('have their amounts, except hidden outputs and block rewards', () => {
    const [only] = readOutputs(transaction(output))
    expect([only!.script, amountOf(only!)]).toEqual([script, 150_000_000n])
    for (const mark of [{ ismweb: true }, {}])
      expect(readOutputs(transaction({ ...mark, output_id: id(3) }))).toEqual([])
    expect(readOutputs({ txid: id(1), vin: [{ coinbase: '00' }], vout: [output] })).toEqual([])
  })
})

/** An endpoint that answers each request with this JSON. */
const endpointWith = (answer: (path: string, body: string) => unknown): HttpEndpoint =>
  new HttpEndpoint('http://127.0.0.1:1', {
    fetch: async (url, init) => {
      const { pathname, search } = new URL(url)
      return new Response(JSON.stringify(answer(pathname + search, String(init?.body))))
    },
    clock: () => 0,
  })

const tip: Tip = { height: 100, hash: id(100), at: null, problem: null }
const target = (from = 90, reportedTo = from): Target => ({
  script,
  address: addressOfScript('ltc', script)!,
  starts: [{ from, reportedTo }],
  listedAbove: from,
  since: from,
  wantsReceived: false,
  pending: [],
})

describe('a transaction from Esplora', () => {
  const good = {
    txid: id(1),
    vin: [{ txid: id(2), vout: 0, is_coinbase: false }],
    vout: [{ scriptpubkey: script, value: 5 }],
    status: { confirmed: true, block_height: 95, block_hash: id(95), block_time: 1_700_000_000 },
  }
  const read = (transaction: object) =>
    new EsploraReader(endpointWith(() => [transaction])).read([target()], tip)

  test.each<[string, object]>([
    ['no id', { ...good, txid: 'abc' }],
    ['no inputs', { ...good, vin: null }],
    ['a negative amount', { ...good, vout: [{ scriptpubkey: script, value: -5 }] }],
    ['a fraction', { ...good, vout: [{ scriptpubkey: script, value: 0.5 }] }],
    ['no script', { ...good, vout: [{ value: 5 }] }],
    ['no status', { ...good, status: undefined }],
    ['an empty status', { ...good, status: {} }],
    ['no height', { ...good, status: { ...good.status, block_height: null } }],
    ['a negative height', { ...good, status: { ...good.status, block_height: -1 } }],
    ['no hash', { ...good, status: { ...good.status, block_hash: 'latest' } }],
    ['no time', { ...good, status: { ...good.status, block_time: 'noon' } }],
  ])('is refused with %s', async (_, wrong) => {
    await expect(read(wrong)).rejects.toThrow(NetworkError)
  })

  test('is read as a payment', async () => {
    const reading = (await read(good)).get(script)!
    expect(reading.payments).toEqual([
      {
        txId: id(1),
        index: 0,
        script,
        amount: 5n,
        inputs: ['ab00000000000000:0'],
        block: { height: 95, hash: id(95), at: 1_700_000_000_000 },
      },
    ])
    expect(reading.coveredFrom(90)).toBe(100)
  })
})

describe('a transaction from Blockbook', () => {
  const good = {
    txid: id(1),
    vin: [{ txid: id(2), n: 0 }],
    vout: [{ value: '5', n: 3, hex: script, addresses: [target().address] }],
    blockHash: id(95),
    blockHeight: 95,
    blockTime: 1_700_000_000,
  }
  const read = (transaction: object) =>
    new BlockbookReader(
      endpointWith(() => ({ page: 1, totalPages: 1, transactions: [transaction] })),
      'ltc',
    ).read([target()], tip)

  test.each<[string, object]>([
    ['no id', { ...good, txid: null }],
    ['no outputs', { ...good, vout: undefined }],
    ['a negative amount', { ...good, vout: [{ ...good.vout[0], value: '-5' }] }],
    ['no index', { ...good, vout: [{ ...good.vout[0], n: undefined }] }],
    ['neither script nor address', { ...good, vout: [{ value: '5', n: 0 }] }],
    ['a block without a height', { ...good, blockHeight: -1 }],
    ['a height without a block', { ...good, blockHash: undefined }],
    ['no time', { ...good, blockTime: 'noon' }],
  ])('is refused with %s', async (_, wrong) => {
    await expect(read(wrong)).rejects.toThrow(NetworkError)
  })

  test('is matched by its script, or by its address where there is no script', async () => {
    const addressed = { ...good, vout: [{ ...good.vout[0], hex: undefined }] }
    for (const transaction of [good, addressed]) {
      const { payments } = (await read(transaction)).get(script)!
      expect(payments).toMatchObject([{ index: 3, amount: 5n, block: { height: 95 } }])
    }
    const elsewhere = { ...good, vout: [{ ...good.vout[0], hex: `0014${'22'.repeat(20)}` }] }
    expect((await read(elsewhere)).get(script)!.payments).toEqual([])
  })
})

test('further pages of Blockbook are read even if it does not count them', async () => {
  const transaction = (number: number) => ({
    ...{ txid: id(number), vin: [], vout: [{ value: '1', n: 0, hex: script, addresses: [] }] },
    ...{ blockHash: id(95), blockHeight: 95, blockTime: 1_700_000_000 },
  })
  const all = Array.from({ length: 60 }, (_, number) => transaction(number + 200))
  let asked = 0
  const endpoint = endpointWith(path => {
    asked += 1
    const number = Number(new URLSearchParams(path.split('?')[1]).get('page'))
    // As on the real server, a page after the last one is the last one, and -1 is an unknown number of pages.
    const page = Math.min(3, number)
    return { page, totalPages: -1, transactions: all.slice((page - 1) * 25, page * 25) }
  })
  const reading = (await new BlockbookReader(endpoint, 'ltc').read([target()], tip)).get(script)!
  expect(reading.payments).toHaveLength(60)
  expect(asked).toBe(4)
})

test('a transaction that Bitcoin Core lists twice is one payment', async () => {
  const transaction = {
    ...{ txid: id(1), vin: [] },
    vout: [{ value: 0.5, n: 0, scriptPubKey: { hex: script } }],
  }
  // A block that repeats the last of an odd number of transactions has the same Merkle root.
  const others = [id(3), id(4)].map(txid => ({ txid, vin: [], vout: [] }))
  const tx = [...others, transaction, transaction]
  const merkleroot = merkleRoot([id(3), id(4), id(1)])
  const answers: Record<string, unknown> = {
    getblockhash: id(95),
    getblock: { hash: id(95), height: 95, time: 1_700_000_000, merkleroot, tx },
    getrawmempool: [id(2), id(2)],
    getrawtransaction: { ...transaction, txid: id(2) },
  }
  const endpoint = endpointWith((_, body) => {
    const calls = [JSON.parse(body) as { id: number; method: string }].flat()
    return calls.map(call => ({ id: call.id, result: answers[call.method] }))
  })
  const reading = await new CoreReader(endpoint).read([target(94)], { ...tip, height: 95 })
  expect(reading.get(script)!.payments).toHaveLength(2)
})

describe('the inputs of a transaction', () => {
  const spending = (numbers: number[]): Json[] =>
    numbers.map(number => ({ txid: `${number}`.padStart(64, '5'), vout: number }))
  const many = Array.from({ length: 500 }, (_, number) => number)

  test('suffice to recognise a replacement that spends them in another order', () => {
    const inputs = readInputs(spending(many))
    expect(inputs).toHaveLength(32)
    expect(readInputs(spending(many.toReversed()))).toEqual(inputs)
  })

  test('are listed except those of hidden coins; an index that is missing is 0', () => {
    expect(
      readInputs([{ txid: id(2) }, { txid: id(2), vout: 1 }, { ismweb: true, output_id: id(3) }]),
    ).toEqual(['ab00000000000000:0', 'ab00000000000000:1'])
  })
})

describe('an address with very many payments', () => {
  const PAGE = 10
  const payment = (height: number): Payment => ({
    txId: id(height),
    index: 0,
    script,
    amount: 1n,
    inputs: [],
    block: { height, hash: id(height), at: 0 },
  })
  /** Pages of ten payments, one in each block, from the tip down. */
  const pagesOf = (counted: { pages: number }) =>
    new AddressPages(async (_, token): Promise<Page> => {
      counted.pages += 1
      const top = Number(token ?? 2000)
      const payments = Array.from({ length: PAGE }, (_, index) => payment(top - index))
      return { payments, oldest: top - PAGE + 1, next: `${top - PAGE}` }
    })
  const top = { ...tip, height: 2000 }

  test('is read in bounded scans, each below the last, and each part is reported at once', async () => {
    const counted = { pages: 0 }
    const pages = pagesOf(counted)
    const first = (await pages.read([target(1000)], top)).get(script)!
    expect(counted.pages).toBe(40)
    expect(first.payments).toHaveLength(400)
    expect(first.coveredFrom(1000)).toBe(1000)
    expect(first.coveredFrom(1900)).toBe(2000)
    await pages.read([target(1000)], { ...top, height: 2001 })
    const last = (await pages.read([target(1000)], { ...top, height: 2002 })).get(script)!
    expect(last.coveredFrom(1000)).toBe(2000)
    const heights = new Set(last.payments.map(({ block }) => block!.height))
    for (let height = 1001; height <= 2000; height++) expect(heights.has(height)).toBe(true)
    expect(counted.pages).toBeLessThanOrEqual(120)
  })

  test('is read from the start again if the chain was replaced or a lower start is needed', async () => {
    const counted = { pages: 0 }
    const pages = pagesOf(counted)
    await pages.read([target(1000)], top)
    pages.forget()
    expect((await pages.read([target(1700)], top)).get(script)!.coveredFrom(1700)).toBe(2000)
    await pages.read([target(1000)], top)
    const deeper = (await pages.read([target(900)], top)).get(script)!
    expect(deeper.payments).toHaveLength(400)
  })

  test('that cannot be read is left out, without an effect on others', async () => {
    const pages = new AddressPages(async (one): Promise<Page> => {
      if (one.script === script) throw new TooLong()
      return { payments: [], oldest: null, next: null }
    })
    const readings = await pages.read([target(), { ...target(), script: 'other' }], tip)
    expect([...readings.keys()]).toEqual(['other'])
  })
})

describe('the blocks that a scan reads', () => {
  const start = (from: number, reportedTo = from) => ({ from, reportedTo })

  test('are empty when there is no new block', () => {
    expect(planOf([start(100)], 100)).toEqual({ now: [], later: [] })
  })

  test('are the new ones, once for all watches', () => {
    expect(planOf([start(98), start(97), start(99)], 100)).toEqual({ now: [98, 99, 100], later: [] })
  })

  test('are those near the tip, then a bounded number above the lowest start', () => {
    const { now, later } = planOf([start(9998), start(100), start(5000)], 10_000)
    expect(now).toEqual([9999, 10_000])
    expect([later[0], later.at(-1), later.length]).toEqual([101, 300, 200])
  })

  test('always include those that were reported before', () => {
    const { now, later } = planOf([start(100, 104)], 10_000)
    expect([now, later[0]]).toEqual([[101, 102, 103, 104], 105])
  })

  test('cover a watch up to the first block that was not read', () => {
    expect(coveredTo(5, new Set([6, 7, 9]))).toBe(7)
    expect(coveredTo(5, new Set([7]))).toBe(5)
  })
})

describe('a mempool of very many transactions', () => {
  const MANY = 6000
  const asked: string[] = []
  const ids = Array.from({ length: MANY }, (_, index) => id(index + 1))
  const answer = ({ id: number, method, params }: { id: number; method: string; params: string[] }) => {
    if (method === 'getrawmempool') return { id: number, result: ids }
    asked.push(params[0]!)
    const own = params[0] === ids.at(-1) ? script : `0014${params[0]!.slice(-40)}`
    const vout = [{ value: 1, n: 0, scriptPubKey: { hex: own } }]
    return { id: number, result: { txid: params[0], vin: [{ txid: id(9) }], vout } }
  }
  const rpc = new JsonRpc(
    endpointWith((_, body) => {
      const sent = JSON.parse(body)
      return Array.isArray(sent) ? sent.map(answer) : answer(sent)
    }),
    '',
    parseAmounts,
  )

  test('is read in bounded scans, each transaction once, known ones first', async () => {
    const scripts = new Set([script])
    expect(await new CoreMempool(rpc).read(scripts, [])).toEqual([])
    expect(asked.length).toBe(5000)
    const mempool = new CoreMempool(rpc)
    expect((await mempool.read(scripts, [ids.at(-1)!])).map(({ txId }) => txId)).toEqual([ids.at(-1)!])
    asked.length = 0
    expect(await mempool.read(scripts, [])).toHaveLength(1)
    expect(asked.length).toBe(MANY - 5000 + 1)
  })
})
