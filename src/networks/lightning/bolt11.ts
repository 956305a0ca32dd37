import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { bech32 } from '@scure/base'

/** The part of an invoice that Florin checks before a buyer sees it (BOLT #11). */
export interface Invoice {
  /** the human-readable prefix without the amount: "bc" for Bitcoin's main chain */
  prefix: string
  /** the amount in thousandths of a satoshi; null for an invoice of any amount */
  amountMsat: bigint | null
  /** the payment hash in lower-case hex, like all hashes and keys here */
  paymentHash: string
  /**
   * the SHA-256 hash of a description that is kept elsewhere; null if the invoice contains the description
   */
  descriptionHash: string | null
  /** the public key that signed the invoice: the node that is paid */
  node: string
  /** the time of the invoice in milliseconds since 1970 UTC, like `expiresAt` */
  createdAt: number
  expiresAt: number
  /**
   * a feature that wallets must know to pay the invoice, and that Florin does not know; null if there is no
   * such feature
   */
  unknownFeature: number | null
}

/**
 * Thrown for a text that is not an invoice, or an invoice that no wallet would pay. The message says why, to
 * an operator.
 */
export class InvoiceError extends Error {}

const SIGNATURE_WORDS = 104
const TIME_WORDS = 7
const HASH_WORDS = 52
const KEY_WORDS = 53
const DEFAULT_EXPIRY_S = 3600
const WORD_BITS = 5

/** The types of the fields, which are letters in the order of bech32's alphabet. */
const field = { paymentHash: 1, features: 5, expiry: 6, paymentSecret: 16, node: 19, descriptionHash: 23 }

/** Thousandths of a satoshi in a bitcoin, and in a thousandth, millionth and billionth of a bitcoin. */
const multipliers: Record<string, bigint> = { '': 100_000_000_000n, m: 100_000_000n, u: 100_000n, n: 100n }

/**
 * The features that Florin knows, by the even number with which an invoice requires a wallet to know them:
 * the form of the onion, the payment secret, payments in parts, route blinding, payment metadata and
 * trampoline routing.
 */
const knownFeatures: readonly number[] = [8, 14, 16, 24, 48, 56, 148]

/** Reads an invoice and verifies its signature. Throws an InvoiceError. */
export function readInvoice(text: string): Invoice {
  const { prefix: whole, words } = decode(text)
  const found = /^ln([a-z]+?)(?:([1-9][0-9]*)([munp]?))?$/.exec(whole)
  if (!found) throw new InvoiceError('does not begin like an invoice')
  const [, prefix = '', number, unit = ''] = found
  if (words.length < TIME_WORDS + SIGNATURE_WORDS) throw new InvoiceError('is too short')
  const signed = words.slice(0, -SIGNATURE_WORDS)
  const fields = fieldsOf(signed.slice(TIME_WORDS))
  const paymentHash = bytesIn(fields, field.paymentHash, HASH_WORDS)
  if (!paymentHash) throw new InvoiceError('has no payment hash')
  if (!bytesIn(fields, field.paymentSecret, HASH_WORDS)) throw new InvoiceError('has no payment secret')
  const signature = bytesOf(words.slice(-SIGNATURE_WORDS))
  const node = signerOf(signature, hashOf(whole, signed))
  const named = bytesIn(fields, field.node, KEY_WORDS)
  if (named && bytesToHex(named) !== node) throw new InvoiceError('is signed by another node than it names')
  const descriptionHash = bytesIn(fields, field.descriptionHash, HASH_WORDS)
  const createdAt = numberOf(signed.slice(0, TIME_WORDS)) * 1000
  const expiry = fields.get(field.expiry)
  return {
    prefix,
    amountMsat: number === undefined ? null : amountOf(BigInt(number), unit),
    paymentHash: bytesToHex(paymentHash),
    descriptionHash: descriptionHash && bytesToHex(descriptionHash),
    node,
    createdAt,
    expiresAt: createdAt + (expiry ? numberOf(expiry) : DEFAULT_EXPIRY_S) * 1000,
    unknownFeature: unknownFeatureIn(fields.get(field.features) ?? []),
  }
}

function decode(text: string) {
  try {
    return bech32.decode(text as `${string}1${string}`, false)
  } catch {
    throw new InvoiceError('has a wrong checksum')
  }
}

function amountOf(number: bigint, unit: string): bigint {
  if (unit !== 'p') return number * (multipliers[unit] ?? 0n)
  if (number % 10n !== 0n) throw new InvoiceError('asks for less than a thousandth of a satoshi')
  return number / 10n
}

/**
 * Returns the first field of each type. A reader has to ignore fields of types and lengths that it does not
 * know.
 */
function fieldsOf(words: readonly number[]): Map<number, number[]> {
  const fields = new Map<number, number[]>()
  for (let at = 0; at < words.length; ) {
    const [type = 0, high, low] = words.slice(at, at + 3)
    if (high === undefined || low === undefined) throw new InvoiceError('ends in the middle of a field')
    const end = at + 3 + high * 32 + low
    if (end > words.length) throw new InvoiceError('ends in the middle of a field')
    if (!fields.has(type)) fields.set(type, words.slice(at + 3, end))
    at = end
  }
  return fields
}

function bytesIn(fields: Map<number, number[]>, type: number, length: number): Uint8Array | null {
  const words = fields.get(type)
  return words?.length === length ? bytesOf(words).slice(0, (length * WORD_BITS) >> 3) : null
}

const numberOf = (words: readonly number[]): number => words.reduce((sum, word) => sum * 32 + word, 0)

/** Converts words of five bits to bytes. The last byte is filled up with zeros, as the signature requires. */
function bytesOf(words: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(Math.ceil((words.length * WORD_BITS) / 8))
  let bit = 0
  for (const word of words) {
    for (let mask = 16; mask > 0; mask >>= 1, bit++) {
      if (word & mask) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (128 >> (bit & 7))
    }
  }
  return bytes
}

const hashOf = (prefix: string, words: readonly number[]): Uint8Array =>
  sha256(concatBytes(utf8ToBytes(prefix), bytesOf(words)))

/** Returns the key that made a signature, which has 64 bytes and a recovery number. */
function signerOf(signature: Uint8Array, hash: Uint8Array): string {
  try {
    const recovery = signature[64] ?? 0
    const recovered = concatBytes(Uint8Array.of(recovery), signature.slice(0, 64))
    return bytesToHex(secp256k1.recoverPublicKey(recovered, hash, { prehash: false }))
  } catch {
    throw new InvoiceError('has no valid signature')
  }
}

/**
 * Returns the first feature that an invoice requires and Florin does not know; null if there is no such
 * feature. Features are counted from the last bit.
 */
function unknownFeatureIn(words: readonly number[]): number | null {
  const bits = words.flatMap(word => [16, 8, 4, 2, 1].map(mask => (word & mask) !== 0)).reverse()
  const unknown = bits.findIndex((isSet, bit) => isSet && bit % 2 === 0 && !knownFeatures.includes(bit))
  return unknown === -1 ? null : unknown
}
