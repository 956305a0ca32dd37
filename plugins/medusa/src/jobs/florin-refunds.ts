import type { MedusaContainer } from '@medusajs/framework/types'
import { catchUpOnRefunds } from '../catch-up.ts'
import { paymentsOf, shopOf } from '../medusa.ts'
import { Window } from '../window.ts'

const window = new Window()

/** Notes in Medusa the refunds that were made in Florin. */
export default async function florinRefunds(container: MedusaContainer): Promise<void> {
  const { since, close } = window.open()
  await catchUpOnRefunds(shopOf(container), paymentsOf(container), since)
  close()
}

export const config = { name: 'florin-refunds', schedule: '*/2 * * * *' }
