import { recipeOf as forwarderRecipeOf } from './evm/forwarder/recovery.ts'
import type { OwnAddress, Recipe } from './port.ts'
import { seedRecipeOf } from './solana/seed-address.ts'

/** How to reach the money at an address without Florin; null where the merchant has its key. */
export const recipeOf = (own: OwnAddress): Recipe | null => forwarderRecipeOf(own) ?? seedRecipeOf(own)
