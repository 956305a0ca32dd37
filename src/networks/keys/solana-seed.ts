import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { assert } from '../../domain/errors.ts'
import { encodeSolana, isOnCurve, readSolana } from '../addresses/solana.ts'

/** An address that only the payout wallet can spend from, with the System program's TransferWithSeed. */
interface SeedAddress {
  address: string
  /** 32 letters and digits; without them the money cannot be moved */
  seed: string
}

const SYSTEM_PROGRAM = new Uint8Array(32)

const SEED_DOMAIN = 'florin/solana/seed/1\n'
/** The longest seed that the System program accepts. */
const SEED_LETTERS = 32
/** Half of all tries succeed. */
const TRIES = 256

function keyOf(address: string): Uint8Array {
  const key = readSolana(address)
  assert(key !== null, 'a Solana address was checked before')
  return key
}

const seedOf = (attemptId: string, count: number): string =>
  bytesToHex(sha256(utf8ToBytes(`${SEED_DOMAIN}${attemptId}\n${count}`))).slice(0, SEED_LETTERS)

/**
 * The address of an attempt, which depends on the payout wallet and the attempt's id only. Seeds are tried
 * until the address is on the curve, since some wallets and exchanges do not pay to an address off it.
 *
 * Null if the payout wallet is off the curve. Such a wallet belongs to a program, such as a multisig vault:
 * no key signs for it, and its program may be unable to spend from the address.
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
