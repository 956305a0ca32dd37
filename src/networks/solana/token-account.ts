import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { assert } from '../../domain/errors.ts'
import { isOnCurve } from '../addresses/solana.ts'

/** The original token program. No token of the table uses Token-2022, whose extensions can take fees. */
export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
const BUMP_MAX = 255
const DOMAIN = utf8ToBytes('ProgramDerivedAddress')

/** Derives the associated token account of an owner, to which wallets send a token of this mint. */
export function tokenAccountOf(owner: string, mint: string): string {
  const seeds = [owner, TOKEN_PROGRAM, mint].map(address => base58.decode(address))
  const program = base58.decode(ASSOCIATED_TOKEN_PROGRAM)
  for (let bump = BUMP_MAX; bump >= 0; bump--) {
    const key = sha256(concatBytes(...seeds, Uint8Array.of(bump), program, DOMAIN))
    if (!isOnCurve(key)) return base58.encode(key)
  }
  assert(false, 'one of 256 hashes is not on the curve')
}
