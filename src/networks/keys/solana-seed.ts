import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { assert } from '../../domain/errors.ts'
import { encodeSolana, isOnCurve, readSolana } from '../addresses/solana.ts'

/** An address from which only the payout wallet can spend, by TransferWithSeed of the System program. */
interface SeedAddress {
  address: string
  /** 32 hexadecimal digits, without which the money cannot be moved */
  seed: string
}

const SYSTEM_PROGRAM = new Uint8Array(32)

const SEED_DOMAIN = 'florin/solana/seed/1\n'
/** The longest seed that the System program accepts. */
const SEED_LETTERS = 32
/** Max seeds that are tried, more than are ever needed: each succeeds with a probability of one half. */
const TRIES = 256

function keyOf(address: string): Uint8Array {
  const key = readSolana(address)
  assert(key !== null, 'a Solana address was checked before')
  return key
}

const seedOf = (attemptId: string, count: number): string =>
  bytesToHex(sha256(utf8ToBytes(`${SEED_DOMAIN}${attemptId}\n${count}`))).slice(0, SEED_LETTERS)

/**
 * Derives the address of an attempt from the payout wallet and the attempt's ID alone. Seeds are tried until
 * the address is on the curve, since some wallets and exchanges do not pay to other addresses.
 *
 * Null if the payout wallet is off the curve. Such a wallet belongs to a program, such as a multisig vault,
 * which may be unable to spend from the address.
 */
export function seedAddress(payout: string, attemptId: string): SeedAddress | null {
  assert(attemptId !== '', 'an attempt has an id')
  const base = keyOf(payout)
  if (!isOnCurve(base)) return null
  for (let count = 0; count < TRIES; count++) {
    const seed = seedOf(attemptId, count)
    const key = sha256(concatBytes(base, utf8ToBytes(seed), SYSTEM_PROGRAM))
    if (isOnCurve(key)) return { address: encodeSolana(key), seed }
  }
  assert(false, 'one of many hashes is a point on the curve')
}
