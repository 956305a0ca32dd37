import { describe, expect, test } from 'bun:test'
import { payGate } from '../../src/providers/paygate/paygate.ts'
import { errorKind, fakeServer, inbound, keyPair, options } from './given-paygate.ts'

const ours = keyPair()
const stranger = keyPair()
const weak = keyPair(1024)
const base = 'https://shop.example:8443/callback/gateway'
const address = '0x32e8aF3A4F1aaB0c5e8e2c4E9b8bDb9cC0000001'
const txIn = `0x${'a1'.repeat(32)}`
const txOut = `0x${'b2'.repeat(32)}`
const attempt = {
  callbackUrl: `${base}?attempt=7&secret=s3cr3t`,
  reference: 'Tn/pV+q==',
  credentials: null,
  address,
  assetId: 'polygon/usdc',
}
const split = encodeURIComponent('{"0xA":"0.01","0xB":"0.98"}').toLowerCase()
const ownQuery = 'attempt=7&secret=s3cr3t'
const payment = `value_coin=24.75&coin=polygon_usdc&txid_in=${txIn}&txid_out=${txOut}&address_in=${address}`
const rawQuery = `${ownQuery}&${payment}&value_forwarded_coin=24.5025&address_out=${split}&note=a%20b+c~`

const pems: Record<string, string> = { v1: ours.pem, k2: stranger.pem, weak: weak.pem, broken: 'no pem' }
const publicKeys = async (keyId: string): Promise<string | null> => pems[keyId] ?? null

/** A gateway whose status look-up gives this answer. */
const saying = (answer: object | string, status = 200) =>
  fakeServer(() => new Response(typeof answer === 'string' ? answer : JSON.stringify(answer), { status }))

const received = async (
  query: string,
  headers: Record<string, string>,
  answer: object = { status: 'unpaid' },
) => {
  using server = saying(answer)
  const provider = payGate(options(server.url, { publicKeys }))
  const facts = await provider.receive(inbound(query, headers), attempt)
  return { facts, lookups: server.requests.length }
}
const signed = (query: string, url = base) => ({ 'X-PayGate-Signature': ours.sign(`${url}?${query}`) })
const receiveSigned = (query: string) => received(query, signed(query))
const paid = {
  status: 'paid',
  value_coin: '10.5',
  txid_out: txOut.toUpperCase().replace('0X', '0x'),
  coin: 'polygon_usdt',
}

describe('a signed callback is rejected', () => {
  const right = signed(rawQuery)['X-PayGate-Signature']

  test.each([
    ['with another amount', rawQuery.replace('24.75', '2475'), {}],
    ['with its parameters in another order', `${payment}&${ownQuery}`, signed(`${ownQuery}&${payment}`)],
    ['with an extra parameter', `${rawQuery}&x=1`, {}],
    ['with its text encoded differently', rawQuery.replace('a%20b', 'a+b'), {}],
    ['with upper-case escapes', rawQuery.replace(split, split.replaceAll('%7b', '%7B')), {}],
    ['for another host', rawQuery, signed(rawQuery, base.replace('shop', 'evil'))],
    ['for another port', rawQuery, signed(rawQuery, base.replace(':8443', ''))],
    ['for another path', rawQuery, signed(rawQuery, `${base}/`)],
    ['for another scheme', rawQuery, signed(rawQuery, base.replace('https', 'http'))],
    ['signed over the query alone', rawQuery, { 'X-PayGate-Signature': ours.sign(rawQuery) }],
    ['signed over the query twice', rawQuery, signed(`${ownQuery}&${rawQuery}`)],
    ['signed with another key', rawQuery, { 'X-PayGate-Signature': stranger.sign(`${base}?${rawQuery}`) }],
    ['signed with SHA-1', rawQuery, { 'X-PayGate-Signature': ours.sign(`${base}?${rawQuery}`, 'sha1') }],
    ['with an empty signature', rawQuery, { 'X-PayGate-Signature': '' }],
    ['with a signature that is not base64', rawQuery, { 'X-PayGate-Signature': '!!!' }],
    ['with half a signature', rawQuery, { 'X-PayGate-Signature': right.slice(0, 172) }],
    ['with a signature in base64url', rawQuery, { 'X-PayGate-Signature': right.replace(/[+/]/g, '_') }],
    ['with the signature of another key id', rawQuery, { 'X-PayGate-Key-Id': 'k2' }],
    ['with an unknown key id', rawQuery, { 'X-PayGate-Key-Id': 'v9' }],
    ['with an empty key id', rawQuery, { 'X-PayGate-Key-Id': '' }],
    ['with a key id that is a path', rawQuery, { 'X-PayGate-Key-Id': '../v1' }],
    ['with a key id that is too long', rawQuery, { 'X-PayGate-Key-Id': 'v'.repeat(33) }],
    ['by a key that is broken', rawQuery, { 'X-PayGate-Key-Id': 'broken' }],
    [
      'by a key of 1024 bits',
      rawQuery,
      { 'X-PayGate-Key-Id': 'weak', 'X-PayGate-Signature': weak.sign(`${base}?${rawQuery}`) },
    ],
  ])('%s, even if the look-up reports paid', async (_what, query, headers) => {
    const sent = { 'X-PayGate-Signature': right, ...headers }
    expect(await errorKind(received(query, sent, paid))).toBe('invalid proof')
  })

  test.each([
    ['of another address', rawQuery.replace(address, `0x${'9'.repeat(40)}`)],
    ['without an address', rawQuery.replace('address_in', 'address')],
    ['with two amounts', `${rawQuery}&value_coin=9999`],
    ['without an amount', rawQuery.replace('value_coin=', 'value=')],
    ['with an amount of zero', rawQuery.replace('24.75', '0.00')],
    ['with a negative amount', rawQuery.replace('24.75', '-24.75')],
    ['with an exponent', rawQuery.replace('24.75', '2475e-2')],
    ['with a comma', rawQuery.replace('24.75', '24,75')],
    ['with spaces around the amount', rawQuery.replace('24.75', '%2024.75')],
    ['with digits of another script', rawQuery.replace('24.75', encodeURIComponent('٢٤'))],
    ['without a coin', rawQuery.replace('coin=polygon_usdc', 'coin=')],
    ['with a malformed coin', rawQuery.replace('polygon_usdc', 'polygon_usdc%0a')],
    ['without a transaction', rawQuery.replace('txid_in', 'in').replace('txid_out', 'out')],
    ['with a malformed transaction id', rawQuery.replace(txOut, '%3Cb%3E')],
  ])('%s', async (_what, query) => {
    expect(await errorKind(receiveSigned(query))).toBe('invalid proof')
  })

  test.each(['../v1', 'v1.pem', 'v 1', 'v'.repeat(33), 'é'])(
    'whose key id is "%s", without a look-up of that key',
    async id => {
      const asked: string[] = []
      const provider = payGate(
        options('http://127.0.0.1:1', {
          publicKeys: async keyId => {
            asked.push(keyId)
            return ours.pem
          },
        }),
      )
      const headers = { ...signed(rawQuery), 'X-PayGate-Key-Id': id }
      expect(await errorKind(provider.receive(inbound(rawQuery, headers), attempt))).toBe('invalid proof')
      expect(asked).toEqual([])
    },
  )

  test('before the address of the payment is stored, and can be repeated', async () => {
    const provider = payGate(options('http://127.0.0.1:1', { publicKeys }))
    const read = provider.receive(inbound(rawQuery, signed(rawQuery)), { ...attempt, address: null })
    expect(await errorKind(read)).toBe('unavailable')
  })
})

describe('a callback without a signature', () => {
  test.each([
    ['unpaid', { status: 'unpaid' }, 'invalid proof'],
    ['failed', { status: 'failed' }, 'invalid proof'],
    ['an unknown status', { status: 'pending' }, 'unavailable'],
    ['an incomplete payment', { status: 'paid', value_coin: '10.5' }, 'unavailable'],
  ])('is refused if the look-up reports %s', async (_what, answer, kind) => {
    expect(await errorKind(received(rawQuery, {}, answer))).toBe(kind)
  })

  test('is rejected for another address, without a status look-up', async () => {
    using server = saying(paid)
    const provider = payGate(options(server.url, { publicKeys }))
    const query = rawQuery.replace(address, `0x${'9'.repeat(40)}`)
    expect(await errorKind(provider.receive(inbound(query), attempt))).toBe('invalid proof')
    expect(server.requests).toEqual([])
  })

  test('counts if a status look-up reports paid, with the data of the look-up', async () => {
    const { facts, lookups } = await received(rawQuery.replace('24.75', '999999'), {}, paid)
    expect(lookups).toBe(1)
    expect(facts).toMatchObject([
      {
        status: 'settled',
        proof: 'status_lookup',
        amount: '10.5',
        assetId: 'polygon/usdt',
        txIn: null,
        txOut,
      },
    ])
    expect(JSON.stringify(facts)).not.toContain('s3cr3t')
  })
})

describe('a callback beside a status that reports paid', () => {
  const own = { ...paid, coin: 'polygon_usdc' }

  test.each([
    ['less than the status', '10.25', '10.25'],
    ['as much', '10.50', '10.5'],
    ['more', '10.500001', '10.5'],
    ['far more', '900000', '10.5'],
  ])(
    'counts at the smaller amount if it has %s, and adds the buyer’s transaction',
    async (_what, value, amount) => {
      const { facts } = await received(rawQuery.replace('24.75', value), {}, own)
      expect(facts).toMatchObject([{ proof: 'status_lookup', amount, txIn, txOut, assetId: 'polygon/usdc' }])
      expect(facts[0]!.evidence).toMatchObject({ lookup: { answer: own }, callback: { value_coin: value } })
    },
  )

  test.each([
    ['of another transaction', rawQuery.replace(txOut, `0x${'d4'.repeat(32)}`)],
    ['of no outgoing transaction', rawQuery.replace('txid_out', 'out')],
    ['of another coin', rawQuery.replace('polygon_usdc', 'erc20_usdc')],
    ['without an amount', rawQuery.replace('value_coin', 'value')],
    ['that is pending', `${rawQuery}&pending=1`],
  ])('%s adds nothing to what the status reports', async (_what, query) => {
    const { facts } = await received(query, {}, own)
    expect(facts).toMatchObject([{ amount: '10.5', txIn: null, txOut }])
  })

  test('is rejected if the buyer’s transaction in it is malformed', async () => {
    expect(await errorKind(received(rawQuery.replace(txIn, '%3Cb%3E'), {}, own))).toBe('invalid proof')
  })
})

describe('a signed callback', () => {
  test('reports a payment without a status look-up', async () => {
    const { facts, lookups } = await receiveSigned(rawQuery)
    expect(lookups).toBe(0)
    expect(facts).toEqual([
      {
        status: 'settled',
        proof: 'signature',
        txIn,
        txOut,
        assetId: 'polygon/usdc',
        amount: '24.75',
        evidence: {
          proof: 'signature',
          keyId: 'v1',
          callback: {
            value_coin: '24.75',
            coin: 'polygon_usdc',
            txid_in: txIn,
            txid_out: txOut,
            address_in: address,
            value_forwarded_coin: '24.5025',
            address_out: '{"0xa":"0.01","0xb":"0.98"}',
            note: 'a b c~',
          },
        },
      },
    ])
  })

  test('can name its key', async () => {
    const headers = { 'x-paygate-signature': stranger.sign(`${base}?${rawQuery}`), 'x-paygate-key-id': 'k2' }
    expect((await received(rawQuery, headers)).facts[0]!.evidence).toMatchObject({ keyId: 'k2' })
  })

  test('stores neither the secret nor the token as evidence', async () => {
    const { facts } = await receiveSigned(`${rawQuery}&token=${encodeURIComponent(attempt.reference)}`)
    expect(JSON.stringify(facts)).not.toMatch(/s3cr3t|Tn\/pV|attempt/)
  })

  test('can have the address in upper or lower case', async () => {
    const query = rawQuery.replace(address, address.toLowerCase())
    expect((await receiveSigned(query)).facts.length).toBe(1)
  })

  test('is about the same transaction in every spelling of its id', async () => {
    const query = rawQuery.replace(txOut, txOut.toUpperCase().replace('0X', '0x'))
    expect((await receiveSigned(query)).facts[0]!.txOut).toBe(txOut)
  })

  test.each([
    ['polygon_usdc', 'polygon/usdc'],
    ['POLYGON_USDT', 'polygon/usdt'],
    ['erc20_usdt', 'ethereum/usdt'],
    ['eth', 'ethereum/eth'],
    ['bep20_bnb', 'bsc/bnb'],
    ['trx', 'trc20/trx'],
    ['sol_sol', 'solana/sol'],
    ['bch', 'bitcoincash'],
    ['avax-c_usdc.e', 'unknown/avax-c_usdc.e'],
    ['constructor', 'unknown/constructor'],
  ])('in %s is a payment of %s', async (coin, assetId) => {
    expect((await receiveSigned(rawQuery.replace('polygon_usdc', coin))).facts[0]!.assetId).toBe(assetId)
  })

  test.each([
    ['105.60', '105.6'],
    ['25', '25'],
    ['25.000000', '25'],
    ['0.000001', '0.000001'],
    ['90071992547409931.000000000000000001', '90071992547409931.000000000000000001'],
  ])('of %s coins is of exactly %s', async (reported, amount) => {
    expect((await receiveSigned(rawQuery.replace('24.75', reported))).facts[0]!.amount).toBe(amount)
  })

  test.each(['failed', 'Expired', 'canceled', 'cancelled'])(
    'can report that the payment %s',
    async status => {
      const { facts } = await receiveSigned(`${ownQuery}&status=${status}&address_in=${address}`)
      expect(facts).toMatchObject([
        { status: 'failed', proof: 'signature', amount: '0', txIn: null, txOut: null },
      ])
    },
  )

  test.each(['1', 'true', 'yes'])('that is pending (%s) reports no payment yet', async pending => {
    expect((await receiveSigned(`${rawQuery}&pending=${pending}`)).facts).toEqual([])
    expect((await receiveSigned(`${rawQuery}&pending=0`)).facts).toHaveLength(1)
    expect(await errorKind(receiveSigned(`${rawQuery}&pending=0&pending=${pending}`))).toBe('invalid proof')
  })

  test('can have a CashAddr with or without its prefix', async () => {
    using server = saying({ status: 'unpaid' })
    const provider = payGate(options(server.url, { publicKeys }))
    const cash = 'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'
    const spellings = [cash, `bitcoincash:${cash}`, `BITCOINCASH:${cash.toUpperCase()}`]
    for (const [reported, kept] of spellings.flatMap(one => spellings.map(other => [one, other] as const))) {
      const query = rawQuery.replace(address, encodeURIComponent(reported))
      const read = provider.receive(inbound(query, signed(query)), { ...attempt, address: kept })
      expect(await read).toHaveLength(1)
    }
  })

  test('that reports neither paid nor failed has no payment', async () => {
    expect((await receiveSigned(`${rawQuery}&status=pending`)).facts).toEqual([])
  })
})
