import { type Attempt, isCharge, isOpen } from '../../domain/attempt.ts'
import type { Tables } from '../../storage/port.ts'

/**
 * Schedules checks of an order's charges for now, because the order has ended: the checks close the pages on
 * which a buyer could still pay. Call it in the write that ends the order, so that no crash loses them.
 */
export async function closePages(tables: Tables, attempts: readonly Attempt[], now: number): Promise<void> {
  for (const attempt of attempts) {
    if (isCharge(attempt) && isOpen(attempt)) {
      await tables.jobs.bringForward('attempt.check', attempt.id, now)
    }
  }
}
