/** The public keys that a payer puts into a transaction, with which payees find their outputs. */
export interface TransactionKeys {
  /** keys for all outputs */
  main: Uint8Array[]
  /** the key of each output, at the output's index */
  additional: Uint8Array[]
}

const KEY_BYTES = 32
/** Max main keys that are read. Wallets write one. */
const MAIN_KEYS_MAX = 16
const VARINT_BYTES_MAX = 5

const MAIN_KEY = 0x01
const ADDITIONAL_KEYS = 0x04
/** The tags of fields with a length before their bytes: a nonce, merge mining, and the miner's own. */
const sizedFields = new Set([0x02, 0x03, 0xde])

/** Reads bytes one after another. All methods return null at the end. */
class ByteReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  take(count: number): Uint8Array | null {
    if (count > this.#bytes.length - this.#at) return null
    this.#at += count
    return this.#bytes.slice(this.#at - count, this.#at)
  }

  varint(): number | null {
    let value = 0
    for (let index = 0; index < VARINT_BYTES_MAX; index++) {
      const byte = this.take(1)?.[0]
      if (byte === undefined) return null
      value += (byte & 0x7f) * 2 ** (7 * index)
      if (byte < 0x80) return value
    }
    return null
  }
}

/**
 * Reads the keys from the extra field of a transaction, up to the first invalid byte, as Monero's own wallet
 * does. A payer may write anything there.
 */
export function readExtra(extra: Uint8Array): TransactionKeys {
  const keys: TransactionKeys = { main: [], additional: [] }
  const bytes = new ByteReader(extra)
  for (let field = nextField(bytes); field; field = nextField(bytes)) {
    const { tag, content } = field
    if (tag === MAIN_KEY && keys.main.length < MAIN_KEYS_MAX) keys.main.push(content)
    if (tag === ADDITIONAL_KEYS && keys.additional.length === 0) keys.additional = keysOf(content)
  }
  return keys
}

/** Reads the next field; null at the end, and for an invalid field. */
function nextField(bytes: ByteReader): { tag: number; content: Uint8Array } | null {
  const tag = bytes.take(1)?.[0]
  if (tag === undefined) return null
  const length = lengthOf(tag, bytes)
  const content = length === null ? null : bytes.take(length)
  return content && { tag, content }
}

function lengthOf(tag: number, bytes: ByteReader): number | null {
  if (tag === MAIN_KEY) return KEY_BYTES
  if (sizedFields.has(tag)) return bytes.varint()
  const count = tag === ADDITIONAL_KEYS ? bytes.varint() : null
  return count === null ? null : count * KEY_BYTES
}

const keysOf = (content: Uint8Array): Uint8Array[] =>
  Array.from({ length: content.length / KEY_BYTES }, (_, index) =>
    content.slice(index * KEY_BYTES, (index + 1) * KEY_BYTES),
  )
