import type { MedusaContainer } from '@medusajs/framework/types'
import { optionsOf, shopOf } from '../medusa.ts'
import { clientOf } from '../options.ts'
import { Payments } from '../payments.ts'
import { catchUp } from '../settle.ts'

const MINUTE_MS = 60_000
/** After a start, as long as Florin repeats events at first. */
const FIRST_MS = 3 * 24 * 60 * MINUTE_MS
/** The clocks of both servers may differ. */
const OVERLAP_MS = 10 * MINUTE_MS

let doneUntil: number | null = null

/** Catches up with what happened in Florin while the shop was down. */
export default async function florinCatchUp(container: MedusaContainer): Promise<void> {
  const options = optionsOf(container)
  const now = Date.now()
  const since = doneUntil === null ? now - FIRST_MS : doneUntil - OVERLAP_MS
  await catchUp(shopOf(container), new Payments(clientOf(options), options), new Date(since))
  doneUntil = now
}

export const config = { name: 'florin-catch-up', schedule: '* * * * *' }
