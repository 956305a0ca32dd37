import { asc, eq } from 'drizzle-orm'
import type { BlindChains } from '../port.ts'
import { blindChains } from '../schema/index.ts'
import type { Db } from './db.ts'
import { first } from './results.ts'
import { lazy, param, putInto } from './statements.ts'

export function blindChainsTable(db: Db): BlindChains {
  const { chain } = blindChains
  const ofChain = lazy(() =>
    db
      .select()
      .from(blindChains)
      .where(eq(chain, param('chain')))
      .prepare(),
  )
  const all = lazy(() => db.select().from(blindChains).orderBy(asc(chain)).prepare())
  return {
    find: async chain => first(await ofChain().execute({ chain })),
    list: async () => all().execute(),
    put: putInto(db, blindChains, chain),
  }
}
