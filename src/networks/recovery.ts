import { recipeOf as forwarderRecipeOf } from './evm/forwarder/recovery.ts'
import type { OwnAddress, Recipe } from './port.ts'
import { seedRecipeOf } from './solana/seed-address.ts'

/** By what an attempt kept of its address, asking no chain; null where the merchant holds its key. */
export const recipeOf = (own: OwnAddress): Recipe | null => forwarderRecipeOf(own) ?? seedRecipeOf(own)
