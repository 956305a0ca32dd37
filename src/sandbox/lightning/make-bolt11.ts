import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { bech32 } from '@scure/base'

/** Invoices of the sandbox are for Bitcoin's regression test network: no wallet pays one by mistake. */
const SANDBOX_PREFIX = 'bcrt'

interface InvoiceParts {
  amountMsat: bigint
  preimage: Uint8Array
  /** the text that a wallet shows */
  description: string
  /** milliseconds since 1970 UTC */
  now: number
  expiryS: number
  /** 32 bytes */
  secret: Uint8Array
  /** private key of the node that is paid */
  key: Uint8Array
  prefix?: string
}

/** The fields that are written. Their letters p, s, d, x and 9 are numbers in the alphabet of bech32. */
const field = { paymentHash: 1, paymentSecret: 16, description: 13, expiry: 6, features: 5 }
/** The features that wallets have to know: bits 8 (variable onion) and 14 (payment secret), from the last. */
const FEATURES = [16, 8, 0]
const TIME_WORDS = 7
/** Thousandths of a satoshi in a billionth of a bitcoin. */
const MSAT_IN_NANO = 100n
const EXPIRY_WORDS = 3
/** The longest description. A longer one makes a QR code that phones read badly. */
const DESCRIPTION_BYTES_MAX = 100

/** Writes and signs an invoice (BOLT #11), as the node of a wallet does. */
export function makeInvoice(parts: InvoiceParts): string {
  const { amountMsat, preimage, description, now, expiryS, secret, key, prefix = SANDBOX_PREFIX } = parts
  const hrp = `ln${prefix}${amountMsat / MSAT_IN_NANO}n`
  const text = utf8ToBytes(description).slice(0, DESCRIPTION_BYTES_MAX)
  const words = [
    ...numberWords(Math.floor(now / 1000), TIME_WORDS),
    ...fieldWords(field.paymentHash, bech32.toWords(sha256(preimage))),
    ...fieldWords(field.paymentSecret, bech32.toWords(secret)),
    ...fieldWords(field.description, bech32.toWords(text)),
    ...fieldWords(field.expiry, numberWords(expiryS, EXPIRY_WORDS)),
    ...fieldWords(field.features, FEATURES),
  ]
  const signed = sha256(concatBytes(utf8ToBytes(hrp), bytesOf(words)))
  const [recovery = 0, ...signature] = secp256k1.sign(signed, key, { prehash: false, format: 'recovered' })
  return bech32.encode(hrp, [...words, ...bech32.toWords(Uint8Array.from([...signature, recovery]))], false)
}

const fieldWords = (type: number, words: number[]): number[] => [
  type,
  ...numberWords(words.length, 2),
  ...words,
]

/** A number as words of five bits, the highest first. */
const numberWords = (number: number, count: number): number[] =>
  Array.from({ length: count }, (_, at) => Math.floor(number / 32 ** (count - 1 - at)) % 32)

/** Words of five bits as bytes, filled up with zeros. */
function bytesOf(words: readonly number[]): Uint8Array {
  const bits = words.flatMap(word => [16, 8, 4, 2, 1].map(mask => ((word & mask) === 0 ? 0 : 1)))
  const bytes = new Uint8Array(Math.ceil(bits.length / 8))
  for (const [at, bit] of bits.entries()) bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (bit << (7 - (at & 7)))
  return bytes
}
