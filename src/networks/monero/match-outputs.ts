import { ed25519 } from '@noble/curves/ed25519.js'
import { bytesToNumberLE, numberToBytesLE } from '@noble/curves/utils.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Output, Transaction } from './transaction.ts'

/** An output that the owner of a view key can read, whoever of its subaddresses it is for. */
export interface Found {
  transaction: string
  index: number
  /** the one-time key, which can be spent once, in hex */
  key: string
  /** the public spend key of the subaddress that it belongs to, in hex */
  spendKey: string
  /** atomic; proven by the commitment */
  amount: bigint
  commitment: string
  isLocked: boolean
}

const Point = ed25519.Point
type CurvePoint = InstanceType<typeof Point>

const G = Point.BASE
/** Amounts are committed to in multiples of it. */
const H = Point.fromHex('8b655970153799af2aeadc9ff1add0ea6c7251d54154cfa92c173a0dd39c1f94')
const KEY_BYTES = 32
const AMOUNT_BYTES = 8

const viewTagWord = utf8ToBytes('view_tag')
const amountWord = utf8ToBytes('amount')
const maskWord = utf8ToBytes('commitment_mask')

const toScalar = (bytes: Uint8Array): bigint => Point.Fn.create(bytesToNumberLE(keccak_256(bytes)))

function varint(value: number): Uint8Array {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 0x80)) {
    if (rest < 0x80) return Uint8Array.from([...bytes, rest])
    bytes.push((rest % 0x80) + 0x80)
  }
}

function pointOf(bytes: Uint8Array): CurvePoint | null {
  try {
    return Point.fromBytes(bytes)
  } catch {
    return null
  }
}

/** A multiple of the base by any scalar; `multiply` takes none that is 0. */
const timesG = (scalar: bigint): CurvePoint => (scalar === 0n ? Point.ZERO : G.multiply(scalar))

/** What payer and payee alone can make; null for a key that is no point. */
function sharedSecret(key: Uint8Array, viewKey: bigint): Uint8Array | null {
  const point = pointOf(key)
  return point?.multiplyUnsafe(viewKey).clearCofactor().toBytes() ?? null
}

/**
 * The outputs of a transaction whose view tag fits and whose amount is proven. Which of them are for a
 * subaddress that was given out is told by their spend key alone. Never throws.
 */
export function scan(transaction: Transaction, viewKey: bigint): Found[] {
  const { main, additional } = transaction.keys
  const secrets = main.map(key => sharedSecret(key, viewKey))
  return transaction.outputs.flatMap((output, index): Found[] => {
    if (output === null) return []
    const own = additional[index]
    const tried = own === undefined ? secrets : [...secrets, sharedSecret(own, viewKey)]
    for (const secret of tried) {
      const found = secret && readOutput(transaction, output, index, secret)
      if (found) return [found]
    }
    return []
  })
}

function readOutput(
  { hash, isLocked }: Transaction,
  { key, viewTag, maskedAmount, commitment }: Output,
  index: number,
  secret: Uint8Array,
): Found | null {
  const place = concatBytes(secret, varint(index))
  if (keccak_256(concatBytes(viewTagWord, place))[0] !== viewTag) return null
  const scalar = toScalar(place)
  const scalarBytes = numberToBytesLE(scalar, KEY_BYTES)
  const pad = keccak_256(concatBytes(amountWord, scalarBytes)).subarray(0, AMOUNT_BYTES)
  const amount = bytesToNumberLE(maskedAmount.map((byte, at) => byte ^ pad[at]!))
  if (amount === 0n || !isProven(amount, scalarBytes, commitment)) return null
  const oneTime = pointOf(hexToBytes(key))
  if (oneTime === null) return null
  const spendKey = bytesToHex(oneTime.subtract(timesG(scalar)).toBytes())
  return { transaction: hash, index, key, spendKey, amount, commitment, isLocked }
}

/** A payer can write any amount beside the commitment; what the network accepted is the commitment alone. */
function isProven(amount: bigint, scalarBytes: Uint8Array, commitment: string): boolean {
  const mask = toScalar(concatBytes(maskWord, scalarBytes))
  const point = timesG(mask).add(H.multiplyUnsafe(amount))
  return bytesToHex(point.toBytes()) === commitment
}
