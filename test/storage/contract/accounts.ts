import { describe, expect, test } from 'bun:test'
import type { Merchant } from '../../../src/domain/merchant.ts'
import type { Webhook } from '../../../src/domain/webhook.ts'
import { saying } from '../../support/notifications.ts'
import {
  customerRow,
  failureOf,
  givenMerchant,
  givenOrder,
  keyRow,
  LATEST,
  merchantRow,
  newId,
  type Open,
  opening,
  TEXT,
  webhookRow,
} from './given.ts'

export function accountsContract(open: Open): void {
  const engine = opening(open)
  const { read, write } = engine

  describe('merchants', () => {
    const whole = {
      name: TEXT,
      feePercent: '89.9999',
      status: 'suspended',
      returnUrl: `https://shop.example/${'x'.repeat(2000)}?ü=😀`,
      supportEmail: 'Help@Shop.example',
      supportUrl: 'https://shop.example/help?ü=😀',
      termsUrl: 'https://shop.example/terms',
      privacyUrl: 'https://shop.example/privacy',
      searchable: false,
      receipts: true,
      paymentMails: false,
      secondFactor: 'required',
      color: '#09afaf',
      logo: { id: 'f'.repeat(64), width: 1024, height: 32 },
      cryptoFirst: 'provider',
      staffPrices: true,
      tax: {
        country: 'DE',
        vatId: 'DE123456788',
        prices: 'added',
        exemption: TEXT,
        sells: 'goods',
        reverseCharge: true,
        rates: [{ country: 'DE', standard: 1900, reduced: null }],
      },
      invoicing: {
        policy: 'paid',
        seller: {
          ...{ name: TEXT, street: TEXT, postcode: '10115', town: TEXT, country: 'DE', vatId: 'DE123456788' },
          ...{ taxNumber: null, contact: null, phone: null, email: null },
        },
      },
      createdAt: 0,
      updatedAt: LATEST,
    } as const
    const rows: [what: string, change: Partial<Merchant>][] = [
      ['with extreme values', whole],
      ['with few values', {}],
    ]

    test.each(rows)('%s are read as they were inserted', async (_, change) => {
      const merchant = await givenMerchant(engine, change)
      expect(await read(tables => tables.merchants.find(merchant.id))).toMatchObject(merchant)
    })

    test('are found by email in any case', async () => {
      const merchant = await givenMerchant(engine, { email: 'Ann.Shop@Example.com' })
      const find = (email: string) => read(tables => tables.merchants.findByEmail(email))
      expect(await find('ann.shop@EXAMPLE.com')).toMatchObject(merchant)
      expect(await find('ann@example.com')).toBe(null)
      const again = write(tables => tables.merchants.insert(merchantRow({ email: 'ANN.SHOP@example.com' })))
      expect(await failureOf(again)).toMatch(/^failed/)
    })

    test('are listed oldest first, then by ID', async () => {
      const ids = [newId(), newId(), newId(), newId()]
      for (const [id, createdAt] of [
        [ids[3]!, 7],
        [ids[0]!, 9],
        [ids[2]!, 7],
        [ids[1]!, 7],
      ] as const) {
        await write(tables => tables.merchants.insert(merchantRow({ id, createdAt })))
      }
      const listed = await read(tables => tables.merchants.list())
      expect(listed.map(({ id }) => id).filter(id => ids.includes(id))).toEqual([
        ids[1]!,
        ids[2]!,
        ids[3]!,
        ids[0]!,
      ])
    })

    test('are updated only in the given fields', async () => {
      const merchant = await givenMerchant(engine, whole)
      const other = await givenMerchant(engine)
      const change = { name: 'New', returnUrl: null, updatedAt: 9 }
      const changed = await write(tables => tables.merchants.update(merchant.id, change))
      const found = (id: string) => read(tables => tables.merchants.find(id))
      expect(changed).toMatchObject({ ...merchant, ...change })
      expect(await found(merchant.id)).toMatchObject({ ...merchant, ...change })
      expect(await found(other.id)).toMatchObject(other)
      expect(await write(tables => tables.merchants.update(newId(), change))).toBe(null)
    })

    test('have unique IDs', async () => {
      const { id } = await givenMerchant(engine)
      expect(await failureOf(write(tables => tables.merchants.insert(merchantRow({ id }))))).toMatch(
        /^failed/,
      )
      expect(await read(tables => tables.merchants.find(newId()))).toBe(null)
    })
  })

  describe('keys', () => {
    test('are read as they were inserted', async () => {
      const { id } = await givenMerchant(engine)
      const extremes = { label: TEXT, expiresAt: LATEST, lastUsedAt: 0 }
      const keys = [
        keyRow(id),
        keyRow(id, { mode: 'test', scopes: [], revokedAt: LATEST, createdAt: 0, ...extremes }),
      ]
      for (const key of keys) await write(tables => tables.keys.insert(key))
      for (const key of keys) expect(await read(tables => tables.keys.find(key.id))).toEqual(key)
      expect(await read(tables => tables.keys.find(newId()))).toBe(null)
    })

    test('are listed by merchant, oldest first', async () => {
      const mine = await givenMerchant(engine)
      const other = await givenMerchant(engine)
      const [a, b, c] = [keyRow(mine.id, { createdAt: 5 }), keyRow(mine.id), keyRow(mine.id)]
      for (const key of [c, a, keyRow(other.id), b]) await write(tables => tables.keys.insert(key))
      expect(await read(tables => tables.keys.listOf(mine.id))).toEqual([b, c, a])
      expect(await read(tables => tables.keys.listOf(newId()))).toEqual([])
    })

    test('can be revoked once', async () => {
      const key = keyRow((await givenMerchant(engine)).id)
      await write(tables => tables.keys.insert(key))
      const revoke = (at: number) => write(tables => tables.keys.revoke(key.id, at))
      expect(await Promise.all([revoke(7), revoke(8), revoke(9)])).toEqual([true, false, false])
      expect((await read(tables => tables.keys.find(key.id)))?.revokedAt).toBe(7)
      expect(await write(tables => tables.keys.revoke(newId(), 1))).toBe(false)
    })

    test('are replaced once, unless they are revoked', async () => {
      const { id } = await givenMerchant(engine)
      const [key, next, revoked] = [keyRow(id), keyRow(id), keyRow(id, { revokedAt: 3 })]
      for (const one of [key, next, revoked]) await write(tables => tables.keys.insert(one))
      const replace = (replaced: string, expiresAt: number, replacedBy = next.id) =>
        write(tables => tables.keys.replace(replaced, { replacedBy, expiresAt }))
      expect([await replace(key.id, 7), await replace(key.id, 8)]).toEqual([true, false])
      expect([await replace(revoked.id, 7), await replace(newId(), 7)]).toEqual([false, false])
      expect(await read(tables => tables.keys.find(key.id))).toEqual({
        ...key,
        replacedBy: next.id,
        expiresAt: 7,
      })
      expect(await failureOf(replace(next.id, 7, newId()))).toMatch(/^failed/)
    })

    test('are found by their secret, which is replaced once', async () => {
      const key = keyRow((await givenMerchant(engine)).id, { secretHash: newId(), expiresAt: 7 })
      await write(tables => tables.keys.insert(key))
      const findBySecret = (hash: string) => read(tables => tables.keys.findBySecret(hash))
      expect([await findBySecret(key.secretHash), await findBySecret(newId())]).toEqual([key, null])
      const change = { secretHash: newId(), expiresAt: null }
      const pair = () => write(tables => tables.keys.pair(key, change))
      expect([await pair(), await pair()]).toEqual([true, false])
      expect(await findBySecret(key.secretHash)).toBe(null)
      expect(await findBySecret(change.secretHash)).toEqual({ ...key, ...change })
    })

    test('have the time of their last use, which is not written again before it is due', async () => {
      const key = keyRow((await givenMerchant(engine)).id)
      await write(tables => tables.keys.insert(key))
      const used = async (at: number, unusedSince: number) => {
        await write(tables => tables.keys.recordUse(key.id, at, unusedSince))
        return (await read(tables => tables.keys.find(key.id)))?.lastUsedAt
      }
      expect([await used(50, 40), await used(60, 49), await used(70, 50)]).toEqual([50, 50, 70])
      await write(tables => tables.keys.recordUse(newId(), 1, 0))
    })

    test('need an existing merchant', async () => {
      expect(await failureOf(write(tables => tables.keys.insert(keyRow(newId()))))).toMatch(/^failed/)
    })
  })

  describe('customers', () => {
    test('are found by merchant and email in any case', async () => {
      const mine = await givenMerchant(engine)
      const other = await givenMerchant(engine)
      const customer = customerRow(mine.id, { email: 'Sam@Buyer.example', blockedAt: LATEST, createdAt: 0 })
      await write(tables => tables.customers.insert(customer))
      const find = (merchantId: string, email: string) =>
        read(tables => tables.customers.findByEmail(merchantId, email))
      expect(await find(mine.id, 'sAM@buyer.EXAMPLE')).toMatchObject(customer)
      expect(await find(other.id, customer.email)).toBe(null)
      expect(await find(mine.id, 'am@buyer.example')).toBe(null)
    })

    test('have a unique email per merchant, and need an existing merchant', async () => {
      const mine = await givenMerchant(engine)
      const other = await givenMerchant(engine)
      const insert = (merchantId: string, email: string) =>
        failureOf(write(tables => tables.customers.insert(customerRow(merchantId, { email }))))
      expect(await insert(mine.id, 'sam@buyer.example')).toBe('nothing failed')
      expect(await insert(other.id, 'sam@buyer.example')).toBe('nothing failed')
      expect(await insert(mine.id, 'SAM@buyer.example')).toMatch(/^failed/)
      expect(await insert(newId(), 'sam@buyer.example')).toMatch(/^failed/)
    })

    test('are blocked and unblocked individually', async () => {
      const mine = await givenMerchant(engine)
      const [one, two] = [customerRow(mine.id), customerRow(mine.id)]
      for (const customer of [one, two]) await write(tables => tables.customers.insert(customer))
      const blockedAt = async ({ email }: typeof one) =>
        (await read(tables => tables.customers.findByEmail(mine.id, email)))?.blockedAt
      await write(tables => tables.customers.setBlocked(one.id, 5))
      expect([await blockedAt(one), await blockedAt(two)]).toEqual([5, null])
      await write(tables => tables.customers.setBlocked(one.id, null))
      expect(await blockedAt(one)).toBe(null)
    })
  })

  describe('wallets', () => {
    test('are replaced per merchant', async () => {
      const mine = await givenMerchant(engine)
      const other = await givenMerchant(engine)
      const wallet = {
        merchantId: mine.id,
        addresses: { evm: '0xAb', btc: TEXT },
        includeCrypto: true,
        orderWalletOverride: false,
        createdAt: 0,
        updatedAt: LATEST,
      }
      const find = (id: string) => read(tables => tables.wallets.find(id))
      await write(tables => tables.wallets.put(wallet))
      expect([await find(mine.id), await find(other.id)]).toEqual([wallet, null])
      const next = { ...wallet, addresses: {}, includeCrypto: false, orderWalletOverride: true, updatedAt: 2 }
      await write(tables => tables.wallets.put(next))
      await write(tables => tables.wallets.put({ ...wallet, merchantId: other.id }))
      expect([await find(mine.id), await find(other.id)]).toEqual([next, { ...wallet, merchantId: other.id }])
      const nobody = write(tables => tables.wallets.put({ ...wallet, merchantId: newId() }))
      expect(await failureOf(nobody)).toMatch(/^failed/)
    })
  })

  describe('provider accounts', () => {
    test('are replaced per merchant and provider', async () => {
      const [mine, other] = [await givenMerchant(engine), await givenMerchant(engine)]
      const account = {
        merchantId: mine.id,
        provider: 'stripe',
        credentials: { secret: TEXT, ids: [1, null] },
        createdAt: 0,
        updatedAt: LATEST,
      }
      const find = (merchantId: string, provider: string) =>
        read(tables => tables.providerAccounts.find(merchantId, provider))
      const put = (row: typeof account) => write(tables => tables.providerAccounts.put(row))
      expect(await find(mine.id, 'stripe')).toBe(null)
      await put(account)
      await put({ ...account, provider: 'mollie' })
      const elsewhere = { ...account, merchantId: other.id }
      await put(elsewhere)
      await put({ ...account, credentials: { secret: 'new', ids: [] }, createdAt: 7, updatedAt: 8 })
      const replaced = { ...account, credentials: { secret: 'new', ids: [] }, updatedAt: 8 }
      expect(await find(mine.id, 'stripe')).toEqual(replaced)
      expect(await find(mine.id, 'mollie')).toEqual({ ...account, provider: 'mollie' })
      expect(await find(other.id, 'stripe')).toEqual(elsewhere)
      const owners = [mine.id, other.id]
      const all = (await read(tables => tables.providerAccounts.list())).map(({ merchantId }) => merchantId)
      expect(all.filter(id => owners.includes(id)).length).toBe(3)
      const own = await read(tables => tables.providerAccounts.listOf(mine.id))
      expect(own.map(({ provider }) => provider)).toEqual(['mollie', 'stripe'])
      expect(await failureOf(put({ ...account, merchantId: newId() }))).toMatch(/^failed/)
    })
  })

  describe('webhooks', () => {
    test('are replaced by ID', async () => {
      const { id } = await givenMerchant(engine)
      const webhook = webhookRow(id)
      const find = () => read(tables => tables.webhooks.find(id))
      expect(await find()).toBe(null)
      await write(tables => tables.webhooks.put(webhook))
      expect(await find()).toEqual(webhook)
      const next: Webhook = { ...webhook, events: [], status: 'disabled', failingSince: null, failures: 0 }
      await write(tables => tables.webhooks.put(next))
      expect(await find()).toEqual(next)
    })

    test('are unique per merchant, and need an existing merchant', async () => {
      const { id } = await givenMerchant(engine)
      await write(tables => tables.webhooks.put(webhookRow(id)))
      expect(await failureOf(write(tables => tables.webhooks.put(webhookRow(id))))).toMatch(/^failed/)
      expect(await failureOf(write(tables => tables.webhooks.put(webhookRow(newId()))))).toMatch(/^failed/)
    })
  })

  describe('notifications', () => {
    test('are listed by merchant, newest first, up to the limit', async () => {
      const order = await givenOrder(engine)
      const other = await givenOrder(engine)
      const row = (merchantId: string, createdAt: number, orderId: string | null, text = TEXT) => ({
        id: newId(),
        merchantId,
        kind: 'pool_low' as const,
        orderId,
        facts: saying(text),
        createdAt,
      })
      const rows = [
        row(order.merchantId, 0, null),
        row(order.merchantId, 5, order.id),
        row(order.merchantId, 5, null, ''),
        row(order.merchantId, LATEST, null),
      ]
      for (const one of [rows[2]!, rows[0]!, rows[3]!, row(other.merchantId, 3, null), rows[1]!]) {
        await write(tables => tables.notifications.insert(one))
      }
      const list = (limit: number) => read(tables => tables.notifications.list(order.merchantId, limit))
      const unsent = rows.map(one => ({ ...one, sentTo: [] })).toReversed()
      expect(await list(10)).toEqual(unsent)
      expect(await list(2)).toEqual(unsent.slice(0, 2))
      const nobody = write(tables => tables.notifications.insert(row(order.merchantId, 1, newId())))
      expect(await failureOf(nobody)).toMatch(/^failed/)
    })
  })
}
