import type { MedusaContainer } from '@medusajs/framework/types'
import { optionsOf, shopOf } from '../medusa.ts'
import { clientOf } from '../options.ts'
import { Payments } from '../payments.ts'
import { catchUp } from '../settle.ts'

const MINUTE_MS = 60_000
/** How far back it looks after a start, and at most: as long as Florin repeats events at first. */
const LONGEST_MS = 3 * 24 * 60 * MINUTE_MS
/** The clocks of both servers may differ. */
const OVERLAP_MS = 10 * MINUTE_MS

let doneUntil = 0

/** Catches up with what happened in Florin while the shop was down. */
export default async function florinCatchUp(container: MedusaContainer): Promise<void> {
  const options = optionsOf(container)
  const now = Date.now()
  const since = new Date(Math.max(doneUntil - OVERLAP_MS, now - LONGEST_MS))
  const isDone = await catchUp(shopOf(container), new Payments(clientOf(options), options), since)
  if (isDone) doneUntil = now
}

export const config = { name: 'florin-catch-up', schedule: '* * * * *' }
