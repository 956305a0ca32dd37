import type { App } from './app.ts'

/** Makes money arrive at an address that a restore skipped. Returns the ID of its row. */
export async function givenSkippedPayment(app: App, merchantId: string, address: string): Promise<string> {
  const id = Bun.randomUUIDv7()
  await app.context.storage.write(tables =>
    tables.skippedPayments.insert({
      ...{ id, merchantId, network: 'evm', position: 12, address, assetId: 'polygon/usdc', decimals: 6 },
      ...{ amountAtomic: 25_000_000n, status: 'open', note: null, decidedBy: null },
      ...{ createdAt: app.time.now, updatedAt: app.time.now },
    }),
  )
  return id
}
