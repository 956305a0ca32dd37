import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { KeyPairSigner } from '@solana/kit'
import { fillPool } from '../../src/operations/addresses/fill-pool.ts'
import { changeWallet } from '../../src/operations/addresses/wallet.ts'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { listNotifications } from '../../src/operations/notices/list.ts'
import { said } from '../support/notifications.ts'
import { type OpenShop, openShop } from './checkout-scene.ts'
import { ataOf, createAta, openScene, pay, payToken, type Scene } from './solana-scene.ts'

const MINUTE_MS = 60_000

let scene: Scene
let payout: KeyPairSigner
let pooled: KeyPairSigner
let shop: OpenShop

beforeAll(async () => {
  scene = await openScene()
  payout = await scene.solana.wallet()
  pooled = await scene.solana.wallet()
  shop = await openShop({
    environment: { FLORIN_SOLANA_URL: scene.solana.url },
    rates: { 'solana/sol': { USD: '150' }, 'solana/usdc': { USD: '1' } },
    assets: [{ id: 'solana/usdc', contract: scene.usdc.contract }],
    cryptoWallets: { solana: payout.address },
  })
})
afterAll(async () => {
  await shop.close()
  scene.solana.stop()
})

describe('on Solana', () => {
  test('SOL is paid to a separate address, derived from the payout wallet and a seed', async () => {
    const { id, address, dueAtomic } = await shop.opened('solana/sol', 9)
    expect(address).not.toBe(payout.address)
    const signature = await scene.solana.send(scene.payer, [pay(scene.payer, address, dueAtomic)])
    scene.solana.advance(2)
    expect((await shop.check(id)).attempt.state).toBe('confirming')
    scene.solana.advance(40)
    expect(await shop.check(id)).toMatchObject({ status: 'PAID', attempt: { state: 'settled' } })
    expect(await shop.getOrder(id)).toMatchObject({
      providerAddressIn: address,
      providerPayoutAddress: payout.address,
      providerTxIn: signature,
      receivedCurrency: 'solana/sol',
    })
    expect(await shop.eventsOf(id)).toEqual([['order.paid', true]])
    expect(shop.app.audit()).toEqual([])
  })

  test.each([
    ['is in time if it was seen in time, however late it is final', 10, 'PAID'],
    ['is late if it was first seen after the extra time', 120, 'UNPAID'],
  ])('SOL in a block whose time the node does not know %s', async (_, minutes, status) => {
    const { solana, payer } = scene
    const { app } = shop
    await changeMerchant(app.context, shop.shop.id, { late: 'ask' })
    const { id, address, dueAtomic } = await shop.opened('solana/sol', 9)
    await app.advance(minutes * MINUTE_MS)
    const { blockTime } = solana.state
    solana.state.blockTime = () => null
    await solana.send(payer, [pay(payer, address, dueAtomic)])
    solana.state.blockTime = blockTime
    solana.advance(2)
    expect((await shop.check(id)).status).toBe('UNPAID')
    await app.advance(7 * 60 * MINUTE_MS)
    solana.advance(40)
    expect((await shop.check(id)).status).toBe(status)
    expect(app.audit()).toEqual([])
  })

  test('SOL is not offered to a payout wallet that belongs to a program', async () => {
    const setWallet = (solana: string) =>
      changeWallet(shop.app.context, shop.shop.id, { cryptoWallets: { solana } })
    await setWallet(scene.fake)
    await expect(shop.opened('solana/sol', 9)).rejects.toThrow('method_not_offered')
    const notices = await listNotifications(shop.app.context, shop.shop.id)
    const notice = notices.find(({ kind }) => kind === 'payout_unusable')
    expect(notice && said(notice)).toContain(
      'Customers cannot pay with the native coin of Solana: the payout wallet belongs to the',
    )
    await setWallet(payout.address)
  })

  test('a token is offered only with a pool, and is paid to an address of it', async () => {
    const usdc = scene.usdc.contract!
    await expect(shop.opened('solana/usdc', 6)).rejects.toThrow('method_not_offered')
    await fillPool(shop.app.context, shop.shop.id, 'solana', [pooled.address])
    const { id, address, dueAtomic } = await shop.opened('solana/usdc', 6)
    expect(address).toBe(pooled.address)
    const ata = await ataOf(address, usdc)
    await scene.solana.send(scene.payer, [
      createAta(scene.payer, address, usdc, ata),
      await payToken(scene.payer, address, usdc, dueAtomic),
    ])
    scene.solana.advance(40)
    expect((await shop.check(id)).status).toBe('PAID')
    expect(await shop.eventsOf(id)).toEqual([['order.paid', true]])
    expect(shop.app.audit()).toEqual([])
  })

  test('SOL is paid to a seed address although the pool has addresses', async () => {
    const spare = await scene.solana.wallet()
    await fillPool(shop.app.context, shop.shop.id, 'solana', [spare.address])
    expect((await shop.opened('solana/sol', 9)).address).not.toBe(spare.address)
    expect((await shop.opened('solana/usdc', 6)).address).toBe(spare.address)
  })

  test('a pool refuses token accounts, mints and programs, and keeps nothing', async () => {
    const wallet = (await scene.solana.wallet()).address
    const fill = (address: string) => fillPool(shop.app.context, shop.shop.id, 'solana', [wallet, address])
    const account = await ataOf(payout.address, scene.usdc.contract!)
    await expect(fill(account)).rejects.toThrow(/line 2: is an address of a program, such as a token account/)
    await expect(fill(scene.fake)).rejects.toThrow(/line 2: .* is not a wallet: it belongs to the program/)
    await expect(fill('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')).rejects.toThrow(/is a public program/)
    await expect(fill('So11111111111111111111111111111111111111112')).rejects.toThrow(/is reserved by the/)
    expect((await fillPool(shop.app.context, shop.shop.id, 'solana', [wallet])).added).toBe(1)
  })
})
