import { expect, test } from 'bun:test'
import type { KeptTable, Storage, Tables } from '../../../src/storage/port.ts'
import {
  failureOf,
  givenAttempt,
  givenMerchant,
  givenOrder,
  keyRow,
  newId,
  type Open,
  opening,
} from './given.ts'

type Find = (tables: Tables) => Promise<unknown>
type Change = (tables: Tables) => Promise<unknown>

/** For each repository: the remembered rows, and changes that follow one another. */
async function changesOf(engine: ReturnType<typeof opening>) {
  const { id: merchantId } = await givenMerchant(engine)
  const attempt = await givenAttempt(engine, await givenOrder(engine))
  const key = keyRow(merchantId)
  const source = {
    id: newId(),
    merchantId,
    network: 'btc' as const,
    kind: 'xpub' as const,
    key: newId(),
    script: null,
    payoutAddress: null,
    nextIndex: 0,
    active: true,
    skippedAt: null,
    createdAt: 1,
    updatedAt: 1,
  }
  const address = {
    network: 'btc' as const,
    address: newId(),
    sourceId: source.id,
    merchantId,
    position: 0,
    attemptId: null,
    allocatedAt: null,
  }
  const wallet = {
    merchantId,
    addresses: {},
    includeCrypto: true,
    orderWalletOverride: false,
    createdAt: 1,
    updatedAt: 1,
  }
  const check = { chain: 'polygon', address: newId(), isContract: false, coinRefusal: null, checkedAt: 1 }
  const blind = { chain: 'btc', since: 1, failedAt: 1, failures: 2, readAt: null, notified: [] }
  const account = { merchantId, provider: 'stripe', credentials: {}, createdAt: 1, updatedAt: 1 }
  const provider = newId()
  const addressesOf = async (tables: Tables) => ({
    sources: await tables.sources.listOf(merchantId),
    count: await tables.sources.countGiven(source.id, -1),
    free: await tables.sources.findFree(source.id),
    paid: await tables.sources.lastPaid(source.id),
  })
  await engine.write(tables => tables.keys.insert(key))
  const changes: [names: KeptTable[], find: Find, changes: Change[]][] = [
    [
      ['merchants'],
      tables => tables.merchants.find(merchantId),
      [tables => tables.merchants.update(merchantId, { status: 'suspended' })],
    ],
    [['keys'], tables => tables.keys.find(key.id), [tables => tables.keys.revoke(key.id, 5)]],
    [['wallets'], tables => tables.wallets.find(merchantId), [tables => tables.wallets.put(wallet)]],
    [
      ['sources', 'attempts'],
      addressesOf,
      [
        tables => tables.sources.insert(source),
        tables => tables.sources.insertAddress(address),
        tables => tables.sources.allocate('btc', address.address, attempt.id, 5),
        tables => tables.attempts.update(attempt.id, { receivedAtomic: 7n }),
        tables => tables.sources.update(source.id, { active: false }),
      ],
    ],
    [
      ['payoutChecks'],
      tables => tables.payoutChecks.listOf(check.address),
      [
        tables => tables.payoutChecks.put(check),
        tables => tables.payoutChecks.put({ ...check, checkedAt: 2 }),
      ],
    ],
    [
      ['blindChains'],
      tables => tables.blindChains.list(),
      [tables => tables.blindChains.put(blind), tables => tables.blindChains.put({ ...blind, readAt: 2 })],
    ],
    [
      ['catalogues'],
      tables => tables.catalogues.find(provider),
      [tables => tables.catalogues.put({ provider, methods: [], fetchedAt: 1 })],
    ],
    [
      ['coinCatalogues'],
      tables => tables.coinCatalogues.find(provider),
      [tables => tables.coinCatalogues.put({ provider, coins: [], fetchedAt: 1 })],
    ],
    [
      ['providerAccounts'],
      tables => tables.providerAccounts.find(merchantId, account.provider),
      [tables => tables.providerAccounts.put(account)],
    ],
  ]
  return changes
}

/** Wraps the result in an object, because null would not be remembered. */
const remembered = (storage: Storage, names: KeptTable[], find: Find, key: string) =>
  storage.remember(names, key, async tables => ({ found: await find(tables as Tables) }))

export function rememberedContract(open: Open): void {
  const engine = opening(open)
  const { read, write } = engine

  test('remembered rows of each repository follow its changes at once', async () => {
    const { storage } = engine
    for (const [names, find, changes] of await changesOf(engine)) {
      const key = names.join()
      for (const change of changes) {
        const before = await remembered(storage, names, find, key)
        expect(await remembered(storage, names, find, key)).toEqual(before)
        await write(change)
        const after = await remembered(storage, names, find, key)
        expect(after).toEqual({ found: await read(find) })
        expect({ key, after }).not.toEqual({ key, after: before })
      }
    }
  })

  test('remembered rows stay the same when a write fails', async () => {
    const { storage } = engine
    const { id } = await givenMerchant(engine)
    const find = () => storage.remember(['merchants'], `one ${id}`, tables => tables.merchants.find(id))
    await find()
    const failing = write(async tables => {
      await tables.merchants.update(id, { name: 'Other' })
      throw new Error('no')
    })
    expect(await failureOf(failing)).toContain('no')
    expect((await find())?.name).toBe('Corner Coffee')
  })
}
