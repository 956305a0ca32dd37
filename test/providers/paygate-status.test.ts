import { describe, expect, test } from 'bun:test'
import { type PayGate, payGate } from '../../src/providers/paygate/paygate.ts'
import { errorKind, fakeServer, options, request, withResponse } from './given-paygate.ts'

const attempt = {
  callbackUrl: 'https://shop.example/c?attempt=1&secret=s3cr3t',
  reference: 'Tn/pV+q==',
  credentials: null,
  address: `0x${'3'.repeat(40)}`,
  assetId: 'polygon/usdc',
}
const statusOf = (text: string, status = 200) =>
  withResponse(text, provider => provider.lookup(attempt), status)
const tx = `0x${'c3'.repeat(32)}`

describe('a status is refused', () => {
  test.each([
    ['a page', '<html></html>'],
    ['nothing', ''],
    ['a list', '[]'],
    ['a word alone', '"paid"'],
    ['without status', '{}'],
    ['of another kind', '{"status":true}'],
    ['unknown', '{"status":"pending"}'],
    ['paid without amount', `{"status":"paid","txid_out":"${tx}","coin":"polygon_usdc"}`],
    ['paid with nothing', `{"status":"paid","value_coin":0,"txid_out":"${tx}","coin":"polygon_usdc"}`],
    [
      'paid with less than nothing',
      `{"status":"paid","value_coin":-1,"txid_out":"${tx}","coin":"polygon_usdc"}`,
    ],
    ['paid without coin', `{"status":"paid","value_coin":"1","txid_out":"${tx}"}`],
    ['paid without transaction', '{"status":"paid","value_coin":"1","coin":"polygon_usdc"}'],
    [
      'paid with an empty transaction',
      '{"status":"paid","value_coin":"1","coin":"polygon_usdc","txid_out":""}',
    ],
  ])('that is %s', async (_what, text) => {
    expect(await errorKind(statusOf(text))).toBe('unavailable')
  })

  test.each([400, 404, 429, 500, 503])('that comes with HTTP %i', async status => {
    expect(await errorKind(statusOf('{"status":"unpaid"}', status))).toBe('unavailable')
  })
})

describe('a status', () => {
  test('of unpaid reports no payment', async () => {
    expect(await statusOf('{"status":"unpaid"}')).toEqual([])
  })

  test.each(['failed', 'expired', 'canceled', 'cancelled'])('of %s is a failure', async status => {
    expect(await statusOf(`{"status":"${status}"}`)).toEqual([
      {
        status: 'failed',
        proof: 'status_lookup',
        txIn: null,
        txOut: null,
        assetId: 'polygon/usdc',
        amount: '0',
        evidence: { proof: 'status_lookup', answer: { status } },
      },
    ])
  })

  test.each([
    ['"10.50"', '10.5'],
    ['10.50', '10.5'],
    ['1.05e1', '10.5'],
    ['1.0e-6', '0.000001'],
    ['90071992547409931.123456', '90071992547409931.123456'],
  ])('of paid with %s is a payment of exactly %s, and keeps no secret', async (value, amount) => {
    const paid = `"status":"paid","value_coin":${value},"txid_out":"${tx}","coin":"Polygon_USDC"`
    expect(await statusOf(`{${paid},"ipn_token":"Tn/pV+q=="}`)).toEqual([
      {
        status: 'settled',
        proof: 'status_lookup',
        txIn: null,
        txOut: tx,
        assetId: 'polygon/usdc',
        amount,
        evidence: {
          proof: 'status_lookup',
          answer: {
            status: 'paid',
            value_coin: value.replaceAll('"', ''),
            coin: 'Polygon_USDC',
            txid_out: tx,
          },
        },
      },
    ])
  })
})

const calls: [name: string, call: (provider: PayGate) => Promise<unknown>][] = [
  ['methods', provider => provider.forwarding.methods()],
  ['openPage in euros', provider => provider.forwarding.openPage(request({ currency: 'EUR' }))],
  ['openPage', provider => provider.forwarding.openPage(request())],
  ['coins', provider => provider.forwarding.coins()],
  ['openAddress', provider => provider.forwarding.openAddress('btc', request())],
  ['lookup', provider => provider.lookup(attempt)],
]

describe.each(calls)('%s fails without a secret in its message', (_name, call) => {
  const faultWith = async (answer: () => Response, timeoutMs = 5000): Promise<string> => {
    using server = fakeServer(answer)
    return await errorKind(call(payGate(options(server.url, { timeoutMs }))))
  }
  const endless = (piece: string, again: boolean) =>
    new Response(
      new ReadableStream({
        start: controller => controller.enqueue(new TextEncoder().encode(piece)),
        pull: controller =>
          again ? controller.enqueue(new TextEncoder().encode(piece)) : new Promise(() => {}),
      }),
    )

  test('when no server listens', async () => {
    const server = fakeServer(() => new Response(''))
    server.stop()
    expect(await errorKind(call(payGate(options(server.url))))).toBe('unavailable')
  })

  test('when no answer comes', async () => {
    const started = performance.now()
    using server = fakeServer(() => new Promise<Response>(() => {}))
    expect(await errorKind(call(payGate(options(server.url, { timeoutMs: 100 }))))).toBe('unavailable')
    expect(performance.now() - started).toBeLessThan(4_500)
  })

  test('when the answer stops in the middle', async () => {
    expect(await faultWith(() => endless('{"status":', false), 100)).toBe('unavailable')
  })

  test('when the answer is huge, before all of it is read', async () => {
    expect(await faultWith(() => endless(' '.repeat(100_000), true))).toBe('unavailable')
  })

  test('when the answer is a page', async () => {
    expect(await faultWith(() => new Response('<!doctype html><p>Just a moment'))).toBe('unavailable')
  })

  test('when the answer is JSON of another kind', async () => {
    expect(await faultWith(() => Response.json({ hello: 'world' }))).toBe('unavailable')
  })

  test('when the gateway fails', async () => {
    expect(await faultWith(() => new Response('503 Service Unavailable', { status: 503 }))).toBe(
      'unavailable',
    )
    expect(await faultWith(() => new Response('400 Bad request method!', { status: 400 }))).toBe(
      'unavailable',
    )
  })
})
