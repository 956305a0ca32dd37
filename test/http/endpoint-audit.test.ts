import { expect, test } from 'bun:test'
import { listAudit } from '../../src/operations/audit/read.ts'
import { raiseEndpoint, removeEndpoint } from '../../src/operations/upstreams/choose-endpoints.ts'
import { removeRateSource } from '../../src/operations/upstreams/choose-rates.ts'
import { startApp } from '../support/app.ts'
import { givenMerchant } from '../support/given.ts'

test('an operator’s changes of endpoints and rates are in the audit log of every merchant', async () => {
  const app = await startApp({ FLORIN_SANDBOX: 'false' })
  const merchants = [await givenMerchant(app), await givenMerchant(app)]
  const endpoint = (id: string, position: number) => ({
    id,
    chain: 'bitcoin',
    position,
    protocol: 'esplora' as const,
    url: `https://${id}.node.example/secret-${id}`,
    header: null,
    createdAt: 0,
  })
  await app.context.storage.write(async tables => {
    await tables.chosenEndpoints.put(endpoint('first', 1))
    await tables.chosenEndpoints.put(endpoint('second', 2))
    for (const name of ['kraken', 'coinbase', 'coingecko']) await tables.chosenRateSources.add(name, 0)
  })
  await app.context.upstreams.reload()
  await raiseEndpoint(app.context, 'bitcoin', 'second')
  await removeEndpoint(app.context, 'bitcoin', 'first')
  await removeRateSource(app.context, 'kraken')
  for (const { id } of merchants) {
    const entries = await listAudit(app.context, id, 3)
    expect(entries.map(({ action }) => action).toSorted()).toEqual([
      'endpoint.moved',
      'endpoint.removed',
      'rates.removed',
    ])
    expect(JSON.stringify(entries)).not.toContain('secret-')
  }
  await app.close()
})
