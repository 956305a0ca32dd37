import { describe, expect, test } from 'bun:test'
import type { AddressSource, SourceAddress } from '../../../src/domain/address-source.ts'
import type { ProviderMethod } from '../../../src/domain/catalogue.ts'
import type { Product, ProductImage } from '../../../src/domain/product.ts'
import {
  failureOf,
  givenAttempt,
  givenMerchant,
  JSON_VALUE,
  LARGE_AMOUNT,
  LATEST,
  newId,
  type Open,
  opening,
  pagesOf,
  TEXT,
} from './given.ts'

const productRow = (merchantId: string, change: Partial<Product> = {}): Product => ({
  id: newId(),
  merchantId,
  name: 'House blend',
  description: null,
  imageUrl: null,
  imageId: null,
  imageDisplaySize: 320,
  active: true,
  allowPriceOverride: false,
  amount: '12.50',
  currency: 'USD',
  methodKeys: ['*'],
  taxClass: 'reduced',
  metadata: {},
  createdAt: 1,
  updatedAt: 1,
  ...change,
})

const imageRow = (merchantId: string, bytes: Uint8Array): ProductImage => ({
  id: newId(),
  merchantId,
  type: 'image/webp',
  bytes,
  createdAt: LATEST,
})

export function productsContract(open: Open): void {
  const engine = opening(open)
  const { read, write } = engine

  describe('products', () => {
    const find = (id: string) => read(tables => tables.products.find(id))
    test('are found by a part of their name, and by their archived state', async () => {
      const merchantId = (await givenMerchant(engine)).id
      const rows = [
        productRow(merchantId, { name: 'House Blend', updatedAt: 1 }),
        productRow(merchantId, { name: '50%_off', updatedAt: 2 }),
        productRow(merchantId, { name: 'Decaf blend', updatedAt: 3, active: false }),
        productRow((await givenMerchant(engine)).id, { name: 'Blend of another shop', updatedAt: 4 }),
      ]
      for (const row of rows) await write(tables => tables.products.insert(row))
      const names = async (query: object, start: Product | null = null) => {
        const after = start && { at: start.updatedAt, id: start.id }
        const found = await read(tables => tables.products.browse({ merchantId, ...query }, 9, after))
        return found.map(({ name }) => name)
      }
      expect(await names({})).toEqual(['Decaf blend', '50%_off', 'House Blend'])
      expect(await names({ name: 'BLEND' })).toEqual(['Decaf blend', 'House Blend'])
      expect(await names({ name: '%' })).toEqual(['50%_off'])
      expect(await names({ active: true })).toEqual(['50%_off', 'House Blend'])
      expect(await names({ active: false })).toEqual(['Decaf blend'])
      expect(await names({ name: 'blend' }, rows[2])).toEqual(['House Blend'])
      expect(await read(tables => tables.products.countOrders(rows[0]!.id, 9))).toBe(0)
    })

    const whole: Partial<Product> = {
      name: TEXT,
      description: TEXT,
      imageUrl: `https://shop.example/${TEXT}`,
      imageDisplaySize: 512,
      active: false,
      allowPriceOverride: true,
      amount: LARGE_AMOUNT,
      methodKeys: [],
      metadata: JSON_VALUE as Product['metadata'],
      createdAt: 0,
      updatedAt: LATEST,
    }

    test.each([
      ['with extreme values', whole],
      ['with few values', {}],
    ])('%s are read as they were inserted', async (_, change) => {
      const product = productRow((await givenMerchant(engine)).id, change)
      await write(tables => tables.products.insert(product))
      expect([await find(product.id), await find(newId())]).toEqual([product, null])
    })

    test('are updated only in the given fields', async () => {
      const { id } = await givenMerchant(engine)
      const [product, other] = [productRow(id, whole), productRow(id)]
      for (const row of [product, other]) await write(tables => tables.products.insert(row))
      const change = { active: true, description: null, metadata: {}, updatedAt: 4 }
      await write(tables => tables.products.update(product.id, change))
      expect([await find(product.id), await find(other.id)]).toEqual([{ ...product, ...change }, other])
    })

    test('are listed by merchant, last updated first, over several pages', async () => {
      const { id: merchantId } = await givenMerchant(engine)
      const rows = [1, 1, 2, 2, 2, 3].map(updatedAt => productRow(merchantId, { updatedAt }))
      for (const row of [4, 1, 5, 0, 3, 2].map(at => rows[at]!)) {
        await write(tables => tables.products.insert(row))
      }
      const other = productRow((await givenMerchant(engine)).id)
      await write(tables => tables.products.insert(other))
      for (const size of [1, 2, 3, 100]) {
        const listed = await pagesOf(
          size,
          (limit, after) => read(tables => tables.products.list(merchantId, limit, after)),
          ({ updatedAt, id }) => ({ at: updatedAt, id }),
        )
        expect(listed).toEqual(rows.toReversed())
      }
    })

    test('have unique IDs, an existing merchant, and either an existing image or an image URL', async () => {
      const { id } = await givenMerchant(engine)
      const image = imageRow(id, new Uint8Array([1]))
      await write(tables => tables.images.insertIfNew(image))
      const product = productRow(id, { imageId: image.id })
      const insert = (row: Product) => failureOf(write(tables => tables.products.insert(row)))
      expect(await insert({ ...product, merchantId: newId() })).toMatch(/^failed/)
      expect(await insert({ ...product, imageId: newId() })).toMatch(/^failed/)
      expect(await insert({ ...product, imageUrl: 'https://shop.example/a.png' })).toMatch(/^failed/)
      expect(await insert(product)).toBe('nothing failed')
      expect(await insert(product)).toMatch(/^failed/)
    })
  })

  describe('images', () => {
    test('are stored byte for byte, and only once', async () => {
      const { id: merchantId } = await givenMerchant(engine)
      const bytes = Uint8Array.from({ length: 100_000 }, (_, at) => at % 256)
      const image = imageRow(merchantId, bytes)
      const found = async (id: string) => {
        const kept = await read(tables => tables.images.find(id))
        return kept && { ...kept, bytes: Buffer.from(kept.bytes).toString('hex') }
      }
      const expected = { ...image, bytes: Buffer.from(bytes).toString('hex') }
      await write(tables => tables.images.insertIfNew(image))
      await write(tables => tables.images.insertIfNew({ ...image, bytes: new Uint8Array([1]) }))
      expect([await found(image.id), await found(newId())]).toEqual([expected, null])
    })
  })

  describe('catalogues', () => {
    test('of methods and of coins are replaced per provider', async () => {
      const methods: ProviderMethod[] = [
        {
          key: 'card',
          name: TEXT,
          minimum: { amount: LARGE_AMOUNT, currency: 'USD' },
          currencies: ['EUR'],
          capability: 'charge',
        },
        { key: 'bank', name: '', minimum: null, currencies: null, capability: 'forwarding' },
      ]
      const coins = [{ assetId: 'btc', minimum: '0.000000000000000001' }]
      const find = (provider: string) =>
        read(async tables => [
          await tables.catalogues.find(provider),
          await tables.coinCatalogues.find(provider),
        ])
      const put = (provider: string, fetchedAt: number, isFull: boolean) =>
        write(async tables => {
          await tables.catalogues.put({ provider, methods: isFull ? methods : [], fetchedAt })
          await tables.coinCatalogues.put({ provider, coins: isFull ? coins : [], fetchedAt })
        })
      expect(await find('gateway')).toEqual([null, null])
      await put('gateway', 1, false)
      await put('gateway', LATEST, true)
      await put(TEXT, 0, false)
      expect(await find('gateway')).toEqual([
        { provider: 'gateway', methods, fetchedAt: LATEST },
        { provider: 'gateway', coins, fetchedAt: LATEST },
      ])
      expect(await find(TEXT)).toEqual([
        { provider: TEXT, methods: [], fetchedAt: 0 },
        { provider: TEXT, coins: [], fetchedAt: 0 },
      ])
    })

    test('of rates are replaced as a whole', async () => {
      const unanswered = { source: newId(), prices: null, fetchedAt: null, askedUntil: LATEST }
      const answered = { ...unanswered, prices: '{"rows":[]}', fetchedAt: LATEST, askedUntil: 0 }
      const find = () => read(tables => tables.fetchedRates.find(unanswered.source))
      expect(await find()).toBe(null)
      for (const row of [unanswered, answered, unanswered]) {
        await write(tables => tables.fetchedRates.put(row))
        expect(await find()).toEqual(row)
      }
    })
  })
}

export function sourcesContract(open: Open): void {
  const engine = opening(open)
  const { read, write } = engine

  const sourceRow = (merchantId: string, change: Partial<AddressSource> = {}): AddressSource => ({
    id: newId(),
    merchantId,
    network: 'btc',
    kind: 'pool',
    key: null,
    script: null,
    payoutAddress: null,
    nextIndex: 0,
    skippedAt: null,
    active: true,
    createdAt: 1,
    updatedAt: 1,
    ...change,
  })
  const addressRow = (source: AddressSource, position: number): SourceAddress => ({
    network: source.network,
    address: `${source.id} at ${position}`,
    sourceId: source.id,
    merchantId: source.merchantId,
    position,
    attemptId: null,
    allocatedAt: null,
  })

  test('the code of a payout wallet on a chain is replaced per address and chain', async () => {
    const check = {
      chain: 'polygon',
      address: '0xAb',
      isContract: true,
      coinRefusal: TEXT,
      checkedAt: LATEST,
    }
    const put = (change: object) => write(tables => tables.payoutChecks.put({ ...check, ...change }))
    const listOf = (address: string) => read(tables => tables.payoutChecks.listOf(address))
    expect(await listOf('0xAb')).toEqual([])
    await put({ isContract: false, coinRefusal: null, checkedAt: 0 })
    await put({ chain: 'ethereum' })
    await put({ address: '0xCd' })
    await put({})
    expect(await listOf('0xAb')).toEqual([{ ...check, chain: 'ethereum' }, check])
  })

  const insert = (source: AddressSource) => write(tables => tables.sources.insert(source))
  const listOf = (id: string) => read(tables => tables.sources.listOf(id))
  const findAddress = ({ network, address }: SourceAddress) =>
    read(tables => tables.sources.findAddress(network, address))
  const take = ({ network, address }: SourceAddress, attemptId: string, at: number) =>
    write(tables => tables.sources.allocate(network, address, attemptId, at))

  async function givenPool(size: number) {
    const source = sourceRow((await givenMerchant(engine)).id)
    await insert(source)
    const addresses = Array.from({ length: size }, (_, position) => addressRow(source, position))
    for (const address of addresses.toReversed()) await write(tables => tables.sources.insertAddress(address))
    return { source, addresses }
  }

  describe('address sources', () => {
    test('are listed by merchant, oldest first, as they were inserted', async () => {
      const { id } = await givenMerchant(engine)
      const key = `xpub ${TEXT}`
      const rows = [
        sourceRow(id, { createdAt: 0, updatedAt: LATEST, nextIndex: 2147483647 }),
        sourceRow(id, { kind: 'xpub', key, script: 'p2wpkh' }),
        sourceRow(id, { network: 'xmr', kind: 'viewkey', key: 'view', payoutAddress: '4x', active: false }),
      ]
      for (const row of [rows[2]!, rows[1]!, rows[0]!]) await insert(row)
      expect(await listOf(id)).toEqual(rows)
      expect(await listOf(newId())).toEqual([])
      const listWithKey = async (network: 'btc' | 'ltc' | 'xmr') =>
        (await read(tables => tables.sources.listWithKey(network))).filter(row => row.merchantId === id)
      expect(await listWithKey('btc')).toEqual([rows[1]!])
      expect(await listWithKey('xmr')).toEqual([rows[2]!])
      expect(await listWithKey('ltc')).toEqual([])
    })

    test('know their last paid position, and count the positions allocated after it', async () => {
      const { source, addresses } = await givenPool(6)
      const other = await givenPool(4)
      await take(other.addresses[3]!, (await givenAttempt(engine, { receivedAtomic: 5n })).id, 1)
      const { lastPaid, countGiven } = {
        lastPaid: () => read(tables => tables.sources.lastPaid(source.id)),
        countGiven: (after: number) => read(tables => tables.sources.countGiven(source.id, after)),
      }
      expect([await lastPaid(), await countGiven(-1)]).toEqual([null, 0])
      expect(await read(tables => tables.sources.listPositions(source.id))).toEqual([0, 1, 2, 3, 4, 5])
      for (const [position, receivedAtomic] of [
        [0, 5n],
        [1, 7n],
        [2, 0n],
        [4, 0n],
      ] as const) {
        const attempt = await givenAttempt(engine, { receivedAtomic })
        await take(addresses[position]!, attempt.id, 1)
      }
      await take(addresses[5]!, newId(), 1)
      expect([await lastPaid(), await countGiven(-1), await countGiven(1), await countGiven(5)]).toEqual([
        ...[1, 5, 3, 0],
      ])
    })

    test('list the attempts of addresses that were never paid, and take these addresses back', async () => {
      const { source, addresses } = await givenPool(4)
      const ids: string[] = []
      for (const [position, change] of [
        { watchUntil: 9 },
        { watchUntil: 9, receivedAtomic: 1n },
        { watchUntil: 10 },
      ].entries()) {
        ids.push((await givenAttempt(engine, { receivedAtomic: 0n, ...change })).id)
        await take(addresses[position]!, ids[position]!, 1)
      }
      const deleted = newId()
      await take(addresses[3]!, deleted, 1)
      expect(await read(tables => tables.sources.listUnpaid(source.id, 10))).toEqual([ids[0]!])
      expect(await read(tables => tables.sources.listDeleted(source.id, 2))).toEqual([deleted])
      expect(await read(tables => tables.sources.listDeleted(source.id, 1))).toEqual([])
      const reclaim = () => write(tables => tables.sources.reclaim(ids[0]!))
      expect([await reclaim(), await reclaim()]).toEqual([true, false])
      expect(await findAddress(addresses[0]!)).toEqual(addresses[0]!)
    })

    test('have one active source per network and kind, and one per key', async () => {
      const { id } = await givenMerchant(engine)
      const other = await givenMerchant(engine)
      const inserted = (change: Partial<AddressSource>, merchantId = id) =>
        failureOf(insert(sourceRow(merchantId, change)))
      const account = { kind: 'xpub', script: 'p2wpkh' } as const
      expect(await inserted({})).toBe('nothing failed')
      expect(await inserted({})).toMatch(/^failed/)
      expect(await inserted({ active: false })).toBe('nothing failed')
      expect(await inserted({ ...account, key: 'a' })).toBe('nothing failed')
      expect(await inserted({ ...account, key: 'a' }, other.id)).toMatch(/^failed/)
      expect(await inserted({ ...account, key: 'a', network: 'ltc' }, other.id)).toBe('nothing failed')
      expect(await inserted({}, newId())).toMatch(/^failed/)
    })

    test('are listed if a restore skipped addresses since a time', async () => {
      const { id } = await givenMerchant(engine)
      const [earlier, later] = [3, 5].map(skippedAt =>
        sourceRow(id, { skippedAt, active: false, kind: 'xpub', script: 'p2wpkh', key: newId() }),
      )
      for (const one of [earlier!, later!, sourceRow(id)]) await insert(one)
      const listSkipped = (since: number) => read(tables => tables.sources.listSkipped(since))
      expect(await listSkipped(2)).toEqual([earlier!, later!])
      expect(await listSkipped(3)).toEqual([later!])
    })

    test('are updated only in the given fields', async () => {
      const { source } = await givenPool(0)
      const change = { nextIndex: 7, active: false, updatedAt: LATEST }
      await write(tables => tables.sources.update(source.id, change))
      expect(await listOf(source.merchantId)).toEqual([{ ...source, ...change }])
    })
  })

  describe('addresses', () => {
    test('are unique by network and address, and by position', async () => {
      const { source, addresses } = await givenPool(2)
      expect(await findAddress(addresses[1]!)).toEqual(addresses[1]!)
      expect(await findAddress({ ...addresses[1]!, network: 'ltc' })).toBe(null)
      const inserted = (change: Partial<SourceAddress>) =>
        failureOf(write(tables => tables.sources.insertAddress({ ...addressRow(source, 9), ...change })))
      expect(await inserted({ address: addresses[0]!.address })).toMatch(/^failed/)
      expect(await inserted({ position: 0 })).toMatch(/^failed/)
      expect(await inserted({ sourceId: newId() })).toMatch(/^failed/)
      expect(await inserted({ attemptId: newId(), allocatedAt: LATEST })).toBe('nothing failed')
    })

    test('are free in order of position, except excluded ones, until they are allocated', async () => {
      const { source, addresses } = await givenPool(3)
      const [a, b, c] = addresses as [SourceAddress, SourceAddress, SourceAddress]
      const free = (but?: string[]) => read(tables => tables.sources.findFree(source.id, but))
      const tally = () => read(tables => tables.sources.countAddresses(source.id))
      expect([await free(), await free([a.address])]).toEqual([a, b])
      expect(await free([a.address, b.address, c.address])).toBe(null)
      expect(await tally()).toEqual({ free: 3, all: 3, last: 2 })
      expect(await take(a, newId(), 5)).toBe(true)
      expect([await free(), await tally()]).toEqual([b, { free: 2, all: 3, last: 2 }])
      const none = await givenPool(0)
      const empty = await read(tables => tables.sources.countAddresses(none.source.id))
      expect(empty).toEqual({ free: 0, all: 0, last: null })
    })

    test('are listed and deleted while they are free, and never afterwards', async () => {
      const { source, addresses } = await givenPool(5)
      const [a, b, c, d, e] = addresses as SourceAddress[]
      const attempt = await givenAttempt(engine, { receivedAtomic: 7n })
      await take(a!, attempt.id, 5)
      await take(c!, (await givenAttempt(engine)).id, 5)
      const listed = () => read(tables => tables.sources.listFree(source.id, 2))
      const remove = (address: string | null) =>
        write(tables => tables.sources.removeFree(source.id, address))
      expect(await read(tables => tables.sources.countPaid(source.id))).toBe(1)
      expect(await listed()).toEqual([b!.address, d!.address])
      expect(await remove(b!.address)).toBe(1)
      expect(await remove(b!.address)).toBe(0)
      expect(await remove(a!.address)).toBe(0)
      expect(await listed()).toEqual([d!.address, e!.address])
      const other = await givenPool(1)
      expect(await write(tables => tables.sources.removeFree(other.source.id, d!.address))).toBe(0)
      expect(await remove(null)).toBe(2)
      expect(await read(tables => tables.sources.countAddresses(source.id))).toEqual({
        ...{ free: 0, all: 2, last: 2 },
      })
      expect(await read(tables => tables.sources.countAddresses(other.source.id))).toMatchObject({ free: 1 })
    })

    test('are allocated to one attempt', async () => {
      const { addresses } = await givenPool(1)
      const [address] = addresses as [SourceAddress]
      const ids = [newId(), newId(), newId()]
      const taken = await Promise.all(ids.map((id, at) => take(address, id, at)))
      expect(taken).toEqual([true, false, false])
      expect(await findAddress(address)).toEqual({ ...address, attemptId: ids[0]!, allocatedAt: 0 })
      expect(await take({ ...address, address: 'unknown' }, newId(), 1)).toBe(false)
    })

    test('are released only if their attempt was never stored', async () => {
      const { addresses } = await givenPool(2)
      const [a, b] = addresses as [SourceAddress, SourceAddress]
      const attempt = await givenAttempt(engine)
      const lost = newId()
      await take(a, attempt.id, 5)
      await take(b, lost, 6)
      for (const id of [attempt.id, lost, newId()]) await write(tables => tables.sources.release(id))
      expect(await findAddress(a)).toEqual({ ...a, attemptId: attempt.id, allocatedAt: 5 })
      expect(await findAddress(b)).toEqual(b)
    })
  })
}
