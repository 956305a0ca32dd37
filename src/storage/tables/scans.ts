import { and, asc, desc, eq, inArray } from 'drizzle-orm'
import type { BlindChains, ElsewhereTable, SharedScans } from '../port.ts'
import { askedChecks, blindChains, chainScans, elsewhere } from '../schema/index.ts'
import type { Db } from './db.ts'
import { columnParams, first, lazy, limitParam, param, putInto } from './statements.ts'

function takeAsked(db: Db) {
  const { chain, attemptId, isLocked, askedAt } = askedChecks
  const next = db
    .select({ attemptId })
    .from(askedChecks)
    .where(eq(chain, param('chain')))
    .orderBy(desc(isLocked), asc(askedAt), asc(attemptId))
    .limit(limitParam())
  return db
    .delete(askedChecks)
    .where(and(eq(chain, param('chain')), inArray(attemptId, next)))
    .returning({ attemptId })
    .prepare()
}

export function sharedScansTable(db: Db): SharedScans {
  const { chain, beganAt } = chainScans
  const ofChain = lazy(() =>
    db
      .select()
      .from(chainScans)
      .where(eq(chain, param('chain')))
      .prepare(),
  )
  const isScan = and(eq(chain, param('chain')), eq(beganAt, param('beganAt')))
  const ending = lazy(() => db.update(chainScans).set({ leasedUntil: null }).where(isScan).prepare())
  const asking = lazy(() =>
    db.insert(askedChecks).values(columnParams(askedChecks)).onConflictDoNothing().prepare(),
  )
  const taking = lazy(() => takeAsked(db))
  return {
    find: async chain => first(await ofChain().execute({ chain })),
    put: putInto(db, chainScans, chain),
    async end(chain, beganAt) {
      await ending().execute({ chain, beganAt })
    },
    async ask(check) {
      await asking().execute({ ...check })
    },
    take: async (chain, limit) =>
      (await taking().execute({ chain, limit })).map(({ attemptId }) => attemptId),
  }
}

export function elsewhereTable(db: Db): ElsewhereTable {
  const { attemptId } = elsewhere
  const ofAttempt = lazy(() =>
    db
      .select()
      .from(elsewhere)
      .where(eq(attemptId, param('attemptId')))
      .prepare(),
  )
  return {
    find: async attemptId => first(await ofAttempt().execute({ attemptId })),
    put: putInto(db, elsewhere, attemptId),
  }
}

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
