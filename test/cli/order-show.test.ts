import { afterAll, describe, expect, test } from 'bun:test'
import { refundOf } from '../http/refunding.ts'
import { listen } from '../http/request.ts'
import { startWithReceiver } from '../support/app-with-receiver.ts'
import {
  check,
  givenOrder,
  givenShop,
  openCrypto,
  orderBody,
  paidInCash,
  simulate,
} from '../support/given.ts'
import { saying } from '../support/notifications.ts'
import { endProcesses, FLORIN, newFolder, startProcess } from '../support/process.ts'
import { suite } from '../support/suite.ts'
import { words } from '../support/words.ts'
import { EVM_WALLET, florinIn } from './commands.ts'
import { runInProcess } from './in-process.ts'

const NOBODY = '01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55'

describe('order show', () => {
  const { app, once, each } = suite({ start: startWithReceiver })
  const receiver = once(() => app.receiver)
  const shop = each(() => givenShop(app))

  const run = (...args: string[]) => runInProcess({ FLORIN_DATA_DIR: app.dataDir }, 'order', 'show', ...args)
  const show = async (id: string) => {
    const { exitCode, stdout, stderr } = await run(id, '--json')
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    return JSON.parse(stdout)
  }
  const create = async (change: object = {}): Promise<string> =>
    (await givenOrder(app, shop, change)).orderUUID
  const api = async (path: string) => (await app.call('GET', path, { key: shop.live })).json.data

  test('shows notes of people among the notifications, newest first', async () => {
    const id = await create()
    const note = { orderId: id, merchantId: shop.id, actor: 'user:ann' } as const
    await app.context.storage.write(async tables => {
      await tables.orderNotes.insert({ ...note, id: 'n1', text: 'They called.', createdAt: app.time.now })
      await tables.notifications.insert({
        ...{ id: 'n2', merchantId: shop.id, orderId: id, kind: 'payment_over' },
        ...{ facts: saying('They paid too much.'), createdAt: app.time.now + 1 },
      } as const)
    })
    const [notification, written] = (await show(id)).notes
    expect(notification).toMatchObject({ id: 'n2', kind: 'payment_over', text: 'They paid too much.' })
    expect(written).toEqual({
      id: 'n1',
      kind: 'note',
      orderUUID: id,
      text: 'They called.',
      createdAt: new Date(app.time.now).toISOString(),
      sentTo: [],
      by: 'user:ann',
    })
    expect((await run(id)).stdout).toContain('They called.')
  })

  test('shows an underpaid order with the amounts that arrived and are missing', async () => {
    const id = await create()
    const { attempt } = await openCrypto(app, id, 'ethereum/usdc')
    await simulate(app, id, 'underpaid')
    await check(app, id)
    const shown = await show(id)
    expect(Object.keys(shown)).toEqual([
      ...words(`
        order settlement credited settledCredit left awaited attempts payments transactions refunds events
        unmatched notes audit
      `),
    ])
    expect(shown.order).toMatchObject({ orderUUID: id, status: 'UNPAID', amount: '25.00' })
    const [own] = shown.attempts
    expect(shown.attempts).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        assetId: 'ethereum/usdc',
        methodKey: 'crypto',
        address: attempt.address,
        state: 'underpaid',
        due: '25',
        received: '12.5',
        confirmations: expect.any(Number),
        ...{ priced: '25.00', credited: '12.50', settledCredit: '12.50', awaited: '0.00' },
        lockedUntil: attempt.lockedUntil,
        isLocked: expect.any(Boolean),
        graceUntil: attempt.graceUntil,
        chainReadAt: new Date(app.time.now).toISOString(),
        blindSince: null,
        checkedAt: new Date(app.time.now).toISOString(),
        checkedBy: null,
        rate: expect.stringMatching(/^[\d.]+$/),
      },
    ])
    expect(shown.payments).toEqual([
      {
        attemptId: own.id,
        assetId: 'ethereum/usdc',
        amount: '12.5',
        value: '12.50',
        txId: expect.stringMatching(/^[0-9a-f]{64}$/),
        state: expect.stringMatching(/^(seen|final)$/),
        confirmations: expect.any(Number),
        seenAt: expect.stringMatching(/^2026-/),
      },
    ])
    const { stdout } = await run(id)
    expect(stdout).toContain(`Order ${id} is UNPAID`)
    expect(stdout).toContain('12.5 of 25 ethereum/usdc')
    expect(stdout).toContain(shown.payments[0].txId)
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(
      '12.50 of 25.00 USD arrived. The page asks the buyer for the rest, 12.50 USD.',
    )
  })

  test('shows an underpayment as an unmatched payment with its notification once the lock has ended', async () => {
    const id = await create()
    await openCrypto(app, id, 'ethereum/usdc')
    await simulate(app, id, 'underpaid')
    await app.advance(31 * 60_000)
    await app.advance(60 * 60_000)
    const { unmatched, notes } = await show(id)
    expect(unmatched).toEqual([
      expect.objectContaining({ orderUUID: id, reason: 'underpaid', status: 'open', amount: '12.5' }),
    ])
    expect(notes).toContainEqual(expect.objectContaining({ kind: 'unmatched_payment', orderUUID: id }))
    expect((await run(id)).stdout).toContain('did not pay this order')
  })

  test('shows the attempt of a card, before and after it is paid', async () => {
    const id = await create({ paymentMethodsKeys: ['moonpay'] })
    await app.call('GET', `/payment/process/${id}?method=moonpay`)
    const before = await show(id)
    expect(before.attempts).toEqual([
      expect.objectContaining({ methodKey: 'moonpay', state: 'waiting', assetId: 'polygon/usdc' }),
    ])
    expect(before.payments).toEqual([])
    expect((await run(id)).stdout).toContain('The provider reports no payment.')
    await simulate(app, id, 'paid')
    const after = await show(id)
    expect(after.attempts[0].state).toBe('settled')
    expect(after.payments).toEqual([expect.objectContaining({ state: 'final', assetId: 'polygon/usdc' })])
  })

  test('shows a paid order with the API’s data of its transaction, refunds and events', async () => {
    await listen(app, shop, receiver.url)
    const id = await create()
    await openCrypto(app, id, 'ethereum/eth')
    await simulate(app, id, 'paid')
    await check(app, id)
    await app.advance(600_000)
    await refundOf(app, shop, id, { amount: '5.00', reason: 'damaged' })
    const shown = await show(id)
    const { checkoutUrl: _, ...order } = await api(`/v1/orders/${id}`)
    expect(shown.order).toMatchObject(order)
    expect(shown.transactions).toMatchObject((await api(`/v1/transactions?orderUUID=${id}`)).items)
    expect(shown.refunds).toEqual((await api(`/v1/orders/${id}/refunds`)).items)
    expect(shown.events).toEqual((await api('/v1/events')).items)
    expect(shown.events).toEqual([expect.objectContaining({ type: 'order.paid', status: 'delivered' })])
    expect((await run(id)).stdout).toContain('your shop received its order.paid event')
  })

  test('reports that the shop has not received the event of a paid order, and how to send it', async () => {
    receiver.answerWith(() => new Response('no', { status: 503 }))
    await listen(app, shop, receiver.url)
    const id = await create()
    await paidInCash(app, shop, id)
    await app.jobs.settle()
    const shown = await show(id)
    expect(shown.audit).toEqual([expect.objectContaining({ action: 'order.forced', subject: `order:${id}` })])
    const { stdout } = await run(id)
    expect(stdout).toContain('1 try, last answer 503')
    expect(stdout).toContain(`florin event redeliver --merchant ${shop.id} ${shown.events[0].id}`)
  })

  test('shows an order that no buyer has started to pay', async () => {
    const id = await create()
    expect(await show(id.toUpperCase())).toMatchObject({ attempts: [], payments: [], events: [], audit: [] })
    expect((await run(id)).stdout).toContain('The buyer has not chosen a way to pay yet')
  })

  test('refuses an unknown order', async () => {
    const { exitCode, stdout, stderr } = await run(NOBODY)
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'No order has this ID.\n',
    })
  })
})

describe('order show --check', () => {
  afterAll(endProcesses)

  test('asks the chain first, and reports if it cannot be reached', async () => {
    const dataDir = newFolder()
    const server = await startProcess(FLORIN, ['serve'], { FLORIN_DATA_DIR: dataDir, FLORIN_SANDBOX: 'true' })
    const port = new URL(server.url).port
    const florin = florinIn(dataDir, { FLORIN_SANDBOX: 'true', FLORIN_PORT: port })
    const { merchantId } = await florin.merchant('shop@shop.example')
    const { key } = await florin.json('key', 'create', '--merchant', merchantId, '--mode', 'live')
    await server.call('PUT', '/v1/wallet', { key, body: { cryptoWallets: { evm: EVM_WALLET } } })
    const id = (await server.call('POST', '/v1/orders', { key, body: orderBody() })).json.data.orderUUID
    await server.call('POST', `/pay/${id}/crypto`, { form: { asset: 'ethereum/eth' } })
    await server.call('POST', '/sandbox/simulate', { body: { orderUUID: id, outcome: 'pending' } })
    expect(await florin.json('order', 'show', id)).toMatchObject({ payments: [] })

    await server.call('POST', '/sandbox/outage', { body: { upstream: 'chain', down: true } })
    const failed = await florin.run('order', 'show', id, '--check', '--json')
    expect(failed.exitCode).toBe(1)
    expect(failed.stderr).toMatch(/^Could not ask ethereum: .+\n$/)
    expect(JSON.parse(failed.stdout).attempts).toMatchObject([{ state: 'waiting', received: '0' }])

    await server.call('POST', '/sandbox/outage', { body: { upstream: 'chain', down: false } })
    const checked = await florin.json('order', 'show', id, '--check')
    expect(checked.payments).toMatchObject([{ state: 'seen', assetId: 'ethereum/eth' }])
    expect(checked.attempts).toMatchObject([{ state: 'confirming' }])
  })
})
