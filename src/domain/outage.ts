import type { ServiceFacts, ServiceKind } from './notification-facts.ts'

/** Something that Florin needs, and how to see whether it can be used. */
export interface Service {
  /** stable, without secrets: "endpoint:polygon:1:rpc.example" */
  id: string
  kind: ServiceKind
  /** how long it has to fail before anybody is notified */
  afterMs: number
  /** Returns what is wrong, or null. */
  check(): Promise<ServiceFacts | null>
  /** the notification that it can be used again */
  recovered: ServiceFacts
}

/** A service that could not be used when it was last checked. */
export interface Outage {
  /** of the service */
  id: string
  since: number
  /** when the merchants were notified; null if it has not lasted long enough */
  notifiedAt: number | null
}

const MB = 1024 * 1024

/** With less, no orders can be taken soon. */
export const DISK_LEAST_BYTES = 64 * MB

/** A migration or a restore needs space for a copy of the database. */
export const isDiskLow = (freeBytes: number, databaseBytes: number): boolean =>
  freeBytes < Math.max(1024 * MB, 2 * databaseBytes)

/** A backup once a week is recent enough. */
export const BACKUP_OLD_MS = 8 * 24 * 3600_000
