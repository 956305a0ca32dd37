import type { ServiceFacts, ServiceKind } from './notification-facts.ts'

/** Something that Florin depends on, and how to check it. */
export interface Service {
  /** stable and without secrets: "endpoint:polygon:1:rpc.example" */
  id: string
  kind: ServiceKind
  /** people are notified only after the service has failed for this long */
  afterMs: number
  /** Returns the problem, or null. */
  check(): Promise<ServiceFacts | null>
  /**
   * the notification that the service works again; null if another service for the same thing has that
   * notification
   */
  recovered: ServiceFacts | null
}

/** A service that failed its last check. */
export interface Outage {
  id: string
  since: number
  /** when merchants were notified; null if the outage has not lasted long enough */
  notifiedAt: number | null
}

/** ID of the outage that lasts while a newer version repairs a security problem of this one. */
export const RELEASE_ID = 'release'

const SHOP_PREFIX = 'shop:'

/** ID of the outage of a shop that buyers can pay with nothing. */
export const unpayableId = (merchantId: string): string => `${SHOP_PREFIX}${merchantId}`

/** True for the outage of a shop, which is watched apart from what the server needs. */
export const isOfShop = ({ id }: Outage): boolean => id.startsWith(SHOP_PREFIX)

const MB = 1024 * 1024

/** If free space falls below this, orders will soon fail. */
export const DISK_LEAST_BYTES = 64 * MB

/** True if free space is too low for a copy of the database, which migrations and restores need. */
export const isDiskLow = (freeBytes: number, databaseBytes: number): boolean =>
  freeBytes < Math.max(1024 * MB, 2 * databaseBytes)

/**
 * A backup older than this is too old. The limit is longer than a week, so that weekly backups are recent
 * enough.
 */
export const BACKUP_OLD_MS = 8 * 24 * 3600_000
