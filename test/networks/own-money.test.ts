import { expect, test } from 'bun:test'
import { HDKey } from '@scure/bip32'
import { makeLog } from '../../src/boot/log.ts'
import { realPlatform } from '../../src/boot/platform.ts'
import type { DoctorContext } from '../../src/cli/doctor/finding.ts'
import { ownMoney } from '../../src/cli/doctor/unpaid-money.ts'
import { reportFunds } from '../../src/cli/sweep/report.ts'
import { diagnoseMerchants } from '../../src/operations/overview/diagnose.ts'
import { resolveUnmatched } from '../../src/operations/payments/unmatched.ts'
import { readSettings } from '../../src/settings/read.ts'
import { statusOf } from '../support/given.ts'
import { openPayments } from '../support/open-payments.ts'

const MINUTE_MS = 60_000
const account = HDKey.fromMasterSeed(new Uint8Array(32).fill(7)).derive("m/44'/60'/0'").publicExtendedKey

test('sweep and doctor name money of unpaid orders at addresses of an account key', async () => {
  const { app, shop, orders, chain } = await openPayments(4, 10, { account })
  const [short, paid, handled, other] = orders as [Order, Order, Order, Order]
  const send = ({ address }: Order, asset: string, amount: bigint) =>
    chain.add({ to: address.toLowerCase(), asset, amount, kind: 'payment' })
  const pay = (order: Order, part: bigint) => send(order, 'polygon/usdc', order.due / part)
  pay(short, 5n)
  send(other, 'polygon/pol', 10n ** 18n)
  pay(paid, 1n)
  pay(handled, 2n)
  const named = async (): Promise<string[]> => {
    const rows = {
      merchants: await diagnoseMerchants(app.context),
      overdueMs: 0,
      recipients: [],
      writeFault: null,
    }
    const found = await ownMoney({
      settings: readSettings({}),
      rows,
      platform: realPlatform(makeLog('silent')),
    } as unknown as DoctorContext)
    return found.map(({ message }) => message)
  }
  const swept = async () => {
    const { json, text } = await reportFunds(app.context, { merchantId: shop.id, assetId: null, least: null })
    return { own: (json as { ownMoney: object[] }).ownMoney, text }
  }

  await app.advance(11 * MINUTE_MS)
  expect((await swept()).own).toHaveLength(3)
  for (let hours = 0; hours < 200; hours += 8) await app.advance(8 * 60 * MINUTE_MS)
  expect((await statusOf(app, short.orderUUID)).status).toBe('EXPIRED')
  expect((await statusOf(app, paid.orderUUID)).status).toBe('PAID')
  const unmatched = await app.context.storage.read(tables => tables.unmatched.listOf(handled.orderUUID))
  await resolveUnmatched(app.context, shop.id, unmatched[0]!.payment.id)

  const { own, text } = await swept()
  expect(own).toMatchObject([
    { orderUUID: short.orderUUID, orderStatus: 'EXPIRED', address: short.address, amount: '5' },
    { orderUUID: other.orderUUID, address: other.address, assetId: 'polygon/pol', amount: '1' },
  ])
  expect(text).toContain('There is nothing to sweep.')
  expect(text).toContain(short.address)
  expect(await named()).toEqual([
    `5 polygon/usdc arrived at ${short.address}, but its order ${short.orderUUID} is EXPIRED.`,
    `1 polygon/pol arrived at ${other.address}, but its order ${other.orderUUID} is EXPIRED.`,
  ])
  await app.close()
})

type Order = Awaited<ReturnType<typeof openPayments>>['orders'][number]
