import type { MedusaContainer } from '@medusajs/framework/types'
import { catchUp } from '../catch-up.ts'
import { paymentsOf, shopOf } from '../medusa.ts'
import { Window } from '../window.ts'

const window = new Window()

/** Completes the carts of paid orders whose events did not arrive. */
export default async function florinCatchUp(container: MedusaContainer): Promise<void> {
  const { since, close } = window.open()
  if (await catchUp(shopOf(container), paymentsOf(container), since)) close()
}

export const config = { name: 'florin-catch-up', schedule: '* * * * *' }
