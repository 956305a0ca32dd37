import { describe, expect, test } from 'bun:test'
import { fillPool } from '../../src/operations/addresses/fill-pool.ts'
import { check, givenMerchant, givenOrder, openCrypto, type Shop, simulate } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { attemptsOf, wallets } from './payments.ts'
import { data, refused } from './request.ts'

/** One script of Litecoin, as old wallets and current wallets write it. */
const OLD = '3MSvaVbVFFLML86rt5eqgA9SvW23upaXdY'
const TODAY = 'MTf4tP1TCNBn8dNkyxeBVoPrFCcVzxJvvh'

const { app } = suite()

const fill = ({ id }: Shop, lines: string[]) => fillPool(app.context, id, 'ltc', lines)
const setWallet = ({ live }: Shop, cryptoWallets: object) =>
  data(app, 'PUT', '/v1/wallet', { key: live, body: { cryptoWallets } })

describe.each([
  ['the old spelling first', OLD, TODAY],
  ['today’s spelling first', TODAY, OLD],
])('an address of Litecoin in both spellings, %s', (_, first, second) => {
  test('cannot be a payout wallet and a pool address at once', async () => {
    const shop = await givenMerchant(app)
    await setWallet(shop, { ltc: first })
    await expect(fill(shop, [wallets.ltc, second])).rejects.toThrow('line 2: is the payout wallet')
    await setWallet(shop, { ltc: '' })
  })
})

test('an address of Litecoin in both spellings is one address of one pool, in its current spelling', async () => {
  const [shop, other] = [await givenMerchant(app), await givenMerchant(app)]
  expect(await fill(shop, [OLD, TODAY])).toEqual({ added: 1, known: 0, free: 1 })
  for (const spelling of [OLD, TODAY]) {
    expect(await fill(shop, [spelling])).toEqual({ added: 0, known: 1, free: 1 })
    await expect(fill(other, [spelling])).rejects.toThrow('line 1: is already in use')
  }
  const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
  expect((await openCrypto(app, orderUUID, 'ltc')).attempt.address).toBe(TODAY)
  const refusal = { status: 400, code: 'validation_error', path: 'ltc' }
  for (const ltc of [OLD, TODAY]) {
    const body = { cryptoWallets: { ltc } }
    await refused(app, refusal, 'PUT', '/v1/wallet', { key: other.live, body })
  }
})

/** One script of Bitcoin Cash, as wallets for tokens and all others write it. */
const TOKEN_AWARE = 'bitcoincash:zr6m7j9njldwwzlg9v7v53unlr4jkmx6eycnjehshe'
const PLAIN = 'bitcoincash:qr6m7j9njldwwzlg9v7v53unlr4jkmx6eylep8ekg2'

test('a token-aware address of Bitcoin Cash is accepted, and buyers see its plain spelling', async () => {
  const shop = await givenMerchant(app)
  await setWallet(shop, { bitcoincash: TOKEN_AWARE })
  const fillCash = (line: string) => fillPool(app.context, shop.id, 'bitcoincash', [line])
  await expect(fillCash(PLAIN)).rejects.toThrow('line 1: is the payout wallet')
  await setWallet(shop, { bitcoincash: '' })
  expect(await fillCash(TOKEN_AWARE)).toMatchObject({ added: 1 })
  const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
  expect((await openCrypto(app, orderUUID, 'bitcoincash')).attempt.address).toBe(PLAIN)
})

test('a buyer enters a token-aware refund address, and the shop sees its plain spelling', async () => {
  const shop = await givenMerchant(app)
  await setWallet(shop, { bitcoincash: wallets.bitcoincash })
  const { orderUUID } = await givenOrder(app, shop, { paymentMethodsKeys: ['crypto'] })
  await openCrypto(app, orderUUID, 'bitcoincash')
  await simulate(app, orderUUID, 'overpaid')
  await check(app, orderUUID)
  const form = {
    attempt: String(attemptsOf(app, orderUUID)[0]!.id),
    address: 'zz7xc0vl85nck65ffrsx5wvewjznp9lflg3p4x6pp5',
  }
  const answer = await app.call('POST', `/pay/${orderUUID}/refund-address`, { form })
  expect(answer.status).toBe(303)
  expect(attemptsOf(app, orderUUID)).toMatchObject([
    { refund_address: 'bitcoincash:qz7xc0vl85nck65ffrsx5wvewjznp9lflgktxc5878' },
  ])
})
