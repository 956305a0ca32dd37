import { recipeOf as forwarderRecipeOf } from './evm/forwarder/recovery.ts'
import type { OwnAddress, Recipe } from './port.ts'
import { seedRecipeOf } from './solana/with-seed.ts'

/** How to recover funds from an address, by what is stored of it; null where the merchant has its key. */
export const recipeOf = (own: OwnAddress): Recipe | null => forwarderRecipeOf(own) ?? seedRecipeOf(own)
