import { type Attempt, isCharge, isOpen } from '../../domain/attempt.ts'
import type { Tables } from '../../storage/port.ts'

/**
 * Has the pages of charges looked at now, because the order has ended: a check closes those on which a buyer
 * could still pay. In the write that ends the order, so that no crash loses it.
 */
export async function closePages(tables: Tables, attempts: readonly Attempt[], now: number): Promise<void> {
  for (const attempt of attempts) {
    if (isCharge(attempt) && isOpen(attempt)) {
      await tables.jobs.bringForward('attempt.check', attempt.id, now)
    }
  }
}
