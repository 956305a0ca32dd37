import type { ServiceFacts } from '../domain/notification-facts.ts'
import type { Service } from '../domain/outage.ts'
import type { OpenHooks } from '../storage/engine.ts'

/** A replica that lags by more than this is reported. */
const BEHIND_MS = 5 * 60_000

/** The replica of a running server. */
export interface Replica {
  replicate: NonNullable<OpenHooks['replicate']>
  /** Age of the newest restorable moment; null if nothing can be restored. */
  lagMs(): number | null
  /** The time for which this process has been running. After a start, a replica has to catch up first. */
  runningMs(): number
  problem(): string | null
  /** Starts another generation of the replica, which needs nothing that the store holds. */
  beginAgain(reason: string): void
}

/** Describes the problem of a replica for a notification; null if there is none. */
function replicaFacts(replica: Replica): ServiceFacts | null {
  const lagMs = replica.lagMs()
  if (Math.min(lagMs ?? Number.POSITIVE_INFINITY, replica.runningMs()) < BEHIND_MS) return null
  const lagMinutes = lagMs === null ? null : minutesOf(lagMs)
  return { about: 'replica_behind', lagMinutes, reason: replica.problem() }
}

/** Describes the problem of a replica as a sentence; null if there is none. */
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
          // No further delay: the lag is the time for which the replica has been behind.
          afterMs: 0,
          recovered: { about: 'replica_good' },
          check: async () => replicaFacts(replica),
        },
      ]
