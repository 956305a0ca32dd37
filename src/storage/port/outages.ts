import type { Outage } from '../../domain/outage.ts'

export interface Outages {
  list(): Promise<Outage[]>
  /** Inserts or replaces the outage of a service. */
  put(outage: Outage): Promise<void>
  remove(id: string): Promise<void>
}
