import type { ServiceFacts } from '../domain/notification-facts.ts'
import type { Service } from '../domain/outage.ts'
import type { OpenHooks } from '../storage/engine.ts'

/** Report a replica that lags by more than this. */
const BEHIND_MS = 5 * 60_000

/** The replica of a running server. */
export interface Replica {
  replicate: NonNullable<OpenHooks['replicate']>
  /** Age of the newest restorable moment; null if nothing can be restored. */
  lagMs(): number | null
  problem(): string | null
}

/** Describes the problem of a replica for a notification; null if there is none. */
const replicaFacts = (reason: string | null, lagMs: number | null): ServiceFacts | null =>
  replicaProblem(reason, lagMs) === null
    ? null
    : { about: 'replica_behind', lagMinutes: lagMs === null ? null : minutesOf(lagMs), reason }

/** Describes the same problem as a sentence. */
export function replicaProblem(problem: string | null, lagMs: number | null): string | null {
  if (lagMs !== null && lagMs < BEHIND_MS) return null
  const lag =
    lagMs === null ? 'No copy of the database can be restored from the store yet' : behindText(lagMs)
  return `${lag}. ${problem ?? 'The store may be too slow for the first copy.'}`
}

const minutesOf = (lagMs: number): number => Math.floor(lagMs / 60_000)

const behindText = (lagMs: number): string =>
  `The copy of the database in the store is ${minutesOf(lagMs)} minutes behind`

export const replicaServices = (replica: Replica | null): Service[] =>
  replica === null
    ? []
    : [
        {
          id: 'replica',
          kind: 'replica_behind',
          afterMs: BEHIND_MS,
          recovered: { about: 'replica_good' },
          check: async () => replicaFacts(replica.problem(), replica.lagMs()),
        },
      ]
