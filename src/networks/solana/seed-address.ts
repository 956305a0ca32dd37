import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { assert } from '../../domain/errors.ts'
import { readOrigin } from '../address-origin.ts'
import type { OwnAddress, SeedRecipe } from '../port.ts'

/** The program that owns all accounts that hold only SOL. Its address is 32 zero bytes. */
export const SYSTEM_PROGRAM = '11111111111111111111111111111111'

/**
 * Derives an address from a wallet and a seed as the System program does. Only the wallet can spend from it.
 */
export const addressWithSeed = (payout: string, seed: string): string =>
  base58.encode(sha256(concatBytes(base58.decode(payout), utf8ToBytes(seed), base58.decode(SYSTEM_PROGRAM))))

/** Everything that is needed to reach the money of a seed address; null for an address of another origin. */
export function seedRecipeOf({ address, source }: OwnAddress): SeedRecipe | null {
  const origin = readOrigin(source)
  if (origin.kind !== 'seed') return null
  const { payout, seed } = origin
  assert(addressWithSeed(payout, seed) === address, 'an address follows from its wallet and its seed')
  return { kind: 'seed', payoutAddress: payout, seed, program: SYSTEM_PROGRAM }
}
