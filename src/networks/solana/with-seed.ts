import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { assert } from '../../domain/errors.ts'
import type { OwnAddress, SeedRecipe } from '../port.ts'
import { isSeed } from './chain-config.ts'

/** The owner of all accounts that hold coins and nothing else. Its address is 32 zeros. */
export const SYSTEM_PROGRAM = '11111111111111111111111111111111'

/** What the system program makes of a wallet and a seed; only the wallet's signature moves coins from it. */
export const addressWithSeed = (payout: string, seed: string): string =>
  base58.encode(sha256(concatBytes(base58.decode(payout), utf8ToBytes(seed), base58.decode(SYSTEM_PROGRAM))))

/** All that leads to the money of an address made by a seed; null for what is none. */
export function seedRecipeOf({ address, source }: OwnAddress): SeedRecipe | null {
  if (!isSeed(source)) return null
  const { payout, seed } = source
  assert(addressWithSeed(payout, seed) === address, 'an address is where its seed leads')
  return { kind: 'seed', payoutAddress: payout, seed, program: SYSTEM_PROGRAM }
}
