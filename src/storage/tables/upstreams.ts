import { and, asc, eq } from 'drizzle-orm'
import type {
  Catalogues,
  ChosenEndpoints,
  ChosenMailServers,
  ChosenRateSources,
  CoinCatalogues,
  LightningInvoices,
  Outages,
  ProviderAccounts,
} from '../port.ts'
import {
  catalogues,
  chosenEndpoints,
  chosenMailServers,
  chosenRateSources,
  coinCatalogues,
  lightningInvoices,
  outages,
  providerAccounts,
} from '../schema/index.ts'
import type { Db } from './db.ts'
import { changed, conflictOn, first, lazy, param, putInto } from './statements.ts'

export function chosenEndpointsTable(db: Db): ChosenEndpoints {
  const { chain, position, id } = chosenEndpoints
  const all = lazy(() =>
    db.select().from(chosenEndpoints).orderBy(asc(chain), asc(position), asc(id)).prepare(),
  )
  return {
    list: async () => all().execute(),
    put: putInto(db, chosenEndpoints, id),
    async remove(endpointId) {
      const rows = await db.delete(chosenEndpoints).where(eq(id, endpointId)).returning({ id })
      return changed(rows)
    },
  }
}

export function chosenRateSourcesTable(db: Db): ChosenRateSources {
  const { name, createdAt } = chosenRateSources
  const all = lazy(() =>
    db.select({ name }).from(chosenRateSources).orderBy(asc(createdAt), asc(name)).prepare(),
  )
  return {
    list: async () => (await all().execute()).map(row => row.name),
    async add(source, at) {
      const rows = await db
        .insert(chosenRateSources)
        .values({ name: source, createdAt: at })
        .onConflictDoNothing()
        .returning({ name })
      return changed(rows)
    },
    async remove(source) {
      const rows = await db.delete(chosenRateSources).where(eq(name, source)).returning({ name })
      return changed(rows)
    },
  }
}

export function chosenMailServersTable(db: Db): ChosenMailServers {
  const all = lazy(() => db.select().from(chosenMailServers).prepare())
  return {
    find: async () => first(await all().execute()),
    put: putInto(db, chosenMailServers, chosenMailServers.id),
    remove: async () => changed(await db.delete(chosenMailServers).returning({ id: chosenMailServers.id })),
  }
}

export function outagesTable(db: Db): Outages {
  const all = lazy(() => db.select().from(outages).orderBy(asc(outages.id)).prepare())
  return {
    list: async () => all().execute(),
    put: putInto(db, outages, outages.id),
    async remove(id) {
      await db.delete(outages).where(eq(outages.id, id))
    },
  }
}

export function cataloguesTable(db: Db): Catalogues {
  const ofProvider = lazy(() =>
    db
      .select()
      .from(catalogues)
      .where(eq(catalogues.provider, param('provider')))
      .prepare(),
  )
  return {
    find: async provider => first(await ofProvider().execute({ provider })),
    put: putInto(db, catalogues, catalogues.provider),
  }
}

export function coinCataloguesTable(db: Db): CoinCatalogues {
  const ofProvider = lazy(() =>
    db
      .select()
      .from(coinCatalogues)
      .where(eq(coinCatalogues.provider, param('provider')))
      .prepare(),
  )
  return {
    find: async provider => first(await ofProvider().execute({ provider })),
    put: putInto(db, coinCatalogues, coinCatalogues.provider),
  }
}

const isOf = and(
  eq(providerAccounts.merchantId, param('merchantId')),
  eq(providerAccounts.provider, param('provider')),
)

export function providerAccountsTable(db: Db): ProviderAccounts {
  const one = lazy(() => db.select().from(providerAccounts).where(isOf).prepare())
  return {
    list: async () => db.select().from(providerAccounts),
    listOf: async merchantId =>
      db
        .select()
        .from(providerAccounts)
        .where(eq(providerAccounts.merchantId, merchantId))
        .orderBy(asc(providerAccounts.provider)),
    find: async (merchantId, provider) => first(await one().execute({ merchantId, provider })),
    async put(account) {
      const { credentials, updatedAt } = account
      await db
        .insert(providerAccounts)
        .values(account)
        .onConflictDoUpdate({
          target: conflictOn(providerAccounts.merchantId, providerAccounts.provider),
          set: { credentials, updatedAt },
        })
    },
    async remove(merchantId, provider) {
      const { merchantId: shop, provider: id } = providerAccounts
      const isOne = and(eq(shop, merchantId), eq(id, provider))
      return changed(await db.delete(providerAccounts).where(isOne).returning({ provider: id }))
    },
  }
}

export function lightningInvoicesTable(db: Db): LightningInvoices {
  const { paymentHash: hash } = lightningInvoices
  return {
    take: async (paymentHash, attemptId) =>
      changed(
        await db
          .insert(lightningInvoices)
          .values({ paymentHash, attemptId })
          .onConflictDoNothing()
          .returning({ hash }),
      ),
  }
}
