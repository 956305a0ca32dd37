import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { assert } from '../../domain/errors.ts'
import { isOnCurve } from '../addresses/solana.ts'

/** The classic program; the extensions of Token-2022, such as fees on transfers, are none of our tokens'. */
export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const ASSOCIATION_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
const BUMP_MAX = 255
const MARK = utf8ToBytes('ProgramDerivedAddress')

/** Where wallets send a token of a mint to, for an owner: the account that is named by both. */
export function tokenAccountOf(owner: string, mint: string): string {
  const names = [owner, TOKEN_PROGRAM, mint].map(text => base58.decode(text))
  const program = base58.decode(ASSOCIATION_PROGRAM)
  for (let bump = BUMP_MAX; bump >= 0; bump--) {
    const key = sha256(concatBytes(...names, Uint8Array.of(bump), program, MARK))
    if (!isOnCurve(key)) return base58.encode(key)
  }
  assert(false, 'one of 256 keys lies off the curve')
}
