import { eq } from 'drizzle-orm'
import type { ElsewhereTable } from '../port.ts'
import { elsewhere } from '../schema/index.ts'
import type { Db } from './db.ts'
import { first } from './results.ts'
import { lazy, param, putInto } from './statements.ts'

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
