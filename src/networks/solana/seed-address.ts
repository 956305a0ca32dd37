import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { assert } from '../../domain/errors.ts'
import { readOrigin } from '../address-origin.ts'
import type { OwnAddress, SeedRecipe } from '../port.ts'

/** The owner of all accounts that hold only SOL. Its address is 32 zero bytes. */
export const SYSTEM_PROGRAM = '11111111111111111111111111111111'

/** The address that the System program derives from a wallet and a seed. Only the wallet can spend. */
export const addressWithSeed = (payout: string, seed: string): string =>
  base58.encode(sha256(concatBytes(base58.decode(payout), utf8ToBytes(seed), base58.decode(SYSTEM_PROGRAM))))

/** How to reach the money on an address made from a seed; null for an address of another origin. */
export function seedRecipeOf({ address, source }: OwnAddress): SeedRecipe | null {
  const origin = readOrigin(source)
  if (origin.kind !== 'seed') return null
  const { payout, seed } = origin
  assert(addressWithSeed(payout, seed) === address, 'an address follows from its wallet and its seed')
  return { kind: 'seed', payoutAddress: payout, seed, program: SYSTEM_PROGRAM }
}
