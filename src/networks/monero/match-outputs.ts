import { ed25519 } from '@noble/curves/ed25519.js'
import { bytesToNumberLE, numberToBytesLE } from '@noble/curves/utils.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Output, Transaction } from './transaction.ts'
import { varint } from './varint.ts'

/** An output to a subaddress of a wallet, decrypted with the view key. */
export interface MatchedOutput {
  transaction: string
  index: number
  /** the one-time key in hexadecimal, which can be spent once */
  key: string
  /** the public spend key of the subaddress, in hexadecimal */
  spendKey: string
  /** the amount in atomic units, verified with the commitment */
  amount: bigint
  commitment: string
  isLocked: boolean
}

const Point = ed25519.Point
type CurvePoint = InstanceType<typeof Point>

const G = Point.BASE
/** The generator of the amounts in commitments. */
const H = Point.fromHex('8b655970153799af2aeadc9ff1add0ea6c7251d54154cfa92c173a0dd39c1f94')
const KEY_BYTES = 32
const AMOUNT_BYTES = 8

const VIEW_TAG = utf8ToBytes('view_tag')
const AMOUNT = utf8ToBytes('amount')
const COMMITMENT_MASK = utf8ToBytes('commitment_mask')

const toScalar = (bytes: Uint8Array): bigint => Point.Fn.create(bytesToNumberLE(keccak_256(bytes)))

function pointOf(bytes: Uint8Array): CurvePoint | null {
  try {
    return Point.fromBytes(bytes)
  } catch {
    return null
  }
}

/** Multiplies the base point by any scalar. `multiply` does not accept 0. */
const timesG = (scalar: bigint): CurvePoint => (scalar === 0n ? Point.ZERO : G.multiply(scalar))

/** Computes the secret that only payer and payee know; null for an invalid key. */
function sharedSecret(key: Uint8Array, viewKey: bigint): Uint8Array | null {
  const point = pointOf(key)
  return point?.multiplyUnsafe(viewKey).clearCofactor().toBytes() ?? null
}

/**
 * Finds the outputs of a transaction that a view key can read: with a matching view tag and a verified
 * amount. Their spend keys show which subaddress they pay. Never throws.
 */
export function matchOutputs(transaction: Transaction, viewKey: bigint): MatchedOutput[] {
  const { main, additional } = transaction.keys
  const secrets = main.map(key => sharedSecret(key, viewKey))
  return transaction.outputs.flatMap((output, index): MatchedOutput[] => {
    if (output === null) return []
    const own = additional[index]
    const candidates = own === undefined ? secrets : [...secrets, sharedSecret(own, viewKey)]
    for (const secret of candidates) {
      const match = secret && readOutput(transaction, output, index, secret)
      if (match) return [match]
    }
    return []
  })
}

function readOutput(
  { hash, isLocked }: Transaction,
  { key, viewTag, maskedAmount, commitment }: Output,
  index: number,
  secret: Uint8Array,
): MatchedOutput | null {
  const derivation = concatBytes(secret, varint(index))
  if (keccak_256(concatBytes(VIEW_TAG, derivation))[0] !== viewTag) return null
  const scalar = toScalar(derivation)
  const scalarBytes = numberToBytesLE(scalar, KEY_BYTES)
  const pad = keccak_256(concatBytes(AMOUNT, scalarBytes)).subarray(0, AMOUNT_BYTES)
  const amount = bytesToNumberLE(maskedAmount.map((byte, at) => byte ^ pad[at]!))
  if (amount === 0n || !isCommitted(amount, scalarBytes, commitment)) return null
  const oneTime = pointOf(hexToBytes(key))
  if (oneTime === null) return null
  const spendKey = bytesToHex(oneTime.subtract(timesG(scalar)).toBytes())
  return { transaction: hash, index, key, spendKey, amount, commitment, isLocked }
}

/**
 * True if the amount matches the commitment. The network verified only the commitment, and a payer can write
 * any amount.
 */
function isCommitted(amount: bigint, scalarBytes: Uint8Array, commitment: string): boolean {
  const mask = toScalar(concatBytes(COMMITMENT_MASK, scalarBytes))
  const point = timesG(mask).add(H.multiplyUnsafe(amount))
  return bytesToHex(point.toBytes()) === commitment
}
