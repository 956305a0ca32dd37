import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { START } from '../support/app.ts'
import { givenMerchant } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { productBody } from './products.ts'
import { data } from './request.ts'

const { app, once } = suite()
once(() => app.jobs.settle())

const PRODUCTS = 12

/** Changes between two pages: products are created or changed, at the same time or later. */
const change = fc.record({
  kind: fc.constantFrom('create', 'patch', 'archive', 'upsert'),
  targets: fc.uniqueArray(fc.nat(PRODUCTS - 1), { minLength: 1, maxLength: 3 }),
  elapsedMs: fc.constantFrom(0, 1, 1000),
})
const story = fc.record({
  pageSize: fc.integer({ min: 1, max: 5 }),
  elapsedMs: fc.constantFrom(0, 1),
  between: fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 8 }),
})
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

async function givenProducts(key: string, elapsedMs: number): Promise<string[]> {
  const ids: string[] = []
  for (let made = 0; made < PRODUCTS; made += 3) {
    const items = Array.from({ length: 3 }, () => productBody())
    const answer = await data(app, 'POST', '/v1/products/bulk', { key, body: { items } }, 201)
    ids.push(...answer.items.map(({ productUUID }: { productUUID: string }) => productUUID))
    app.time.now += elapsedMs
  }
  return ids
}

async function act({ kind, targets, elapsedMs }: Change, ids: string[], key: string): Promise<string[]> {
  app.time.now += elapsedMs
  if (kind === 'create') {
    await data(app, 'POST', '/v1/products', { key, body: productBody() }, 201)
    return []
  }
  const changed = targets.map(target => ids[target]!)
  const [first] = changed
  if (kind === 'patch') {
    await data(app, 'PATCH', `/v1/products/${first}`, { key, body: { name: 'Changed' } })
    return [first!]
  }
  if (kind === 'archive') {
    const body = { productUUIDs: changed, active: false }
    await data(app, 'PATCH', '/v1/products/bulk/status', { key, body })
  } else {
    const items = changed.map(productUUID => productBody({ productUUID }))
    await data(app, 'PUT', '/v1/products/bulk', { key, body: { items } })
  }
  return changed
}

test('while other products change, an unchanged product is never skipped or repeated', async () => {
  await fc.assert(
    fc.asyncProperty(story, async ({ pageSize, elapsedMs, between }) => {
      app.time.now = START
      const { live: key } = await givenMerchant(app)
      const ids = await givenProducts(key, elapsedMs)
      const changed = new Set<string>()
      const seen: { productUUID: string; updatedAt: string }[] = []
      let token: string | undefined
      for (let page = 0; page === 0 || token; page++) {
        expect(page).toBeLessThan(100)
        const query = `pageSize=${pageSize}${token ? `&pageToken=${token}` : ''}`
        const answer = await data(app, 'GET', `/v1/products?${query}`, { key })
        expect(answer.items.length).toBeLessThanOrEqual(pageSize)
        seen.push(...answer.items)
        token = answer.nextPageToken
        for (const step of between[page] ?? []) {
          for (const id of await act(step, ids, key)) changed.add(id)
        }
      }
      const seenIds = seen.map(({ productUUID }) => productUUID)
      expect(new Set(seenIds).size).toBe(seenIds.length)
      expect(ids.filter(id => !changed.has(id) && !seenIds.includes(id))).toEqual([])
      const times = seen.map(({ updatedAt }) => updatedAt)
      expect(times).toEqual([...times].sort().reverse())
    }),
    { numRuns: 40 },
  )
  expect(app.audit()).toEqual([])
})
