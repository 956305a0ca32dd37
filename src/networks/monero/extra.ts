/** The keys that a payer left in a transaction, of which payees derive what is theirs. */
export interface TransactionKeys {
  /** each is valid for every output */
  main: Uint8Array[]
  /** the key of an output at its index */
  additional: Uint8Array[]
}

const KEY_BYTES = 32
/** Wallets write one. */
const MAIN_KEYS_MAX = 16
const VARINT_BYTES_MAX = 5

const MAIN_KEY = 0x01
const ADDITIONAL_KEYS = 0x04
/** A nonce, the mark of merge mining, and a miner's own field: each a length and so many bytes. */
const measuredFields = new Set([0x02, 0x03, 0xde])

/** Bytes that are taken one after another; null for more than there are. */
class Bytes {
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
    for (let place = 0; place < VARINT_BYTES_MAX; place++) {
      const byte = this.take(1)?.[0]
      if (byte === undefined) return null
      value += (byte & 0x7f) * 2 ** (7 * place)
      if (byte < 0x80) return value
    }
    return null
  }
}

/**
 * Reads the keys out of a transaction's extra field, in which a payer may write anything: as Monero's own
 * wallet, it takes what stands before the first byte that makes no sense.
 */
export function readExtra(extra: Uint8Array): TransactionKeys {
  const keys: TransactionKeys = { main: [], additional: [] }
  const bytes = new Bytes(extra)
  for (let field = nextField(bytes); field; field = nextField(bytes)) {
    const { tag, content } = field
    if (tag === MAIN_KEY && keys.main.length < MAIN_KEYS_MAX) keys.main.push(content)
    if (tag === ADDITIONAL_KEYS && keys.additional.length === 0) keys.additional = keysOf(content)
  }
  return keys
}

/** null at the end, and for what makes no sense. */
function nextField(bytes: Bytes): { tag: number; content: Uint8Array } | null {
  const tag = bytes.take(1)?.[0]
  if (tag === undefined) return null
  const length = lengthOf(tag, bytes)
  const content = length === null ? null : bytes.take(length)
  return content && { tag, content }
}

function lengthOf(tag: number, bytes: Bytes): number | null {
  if (tag === MAIN_KEY) return KEY_BYTES
  if (measuredFields.has(tag)) return bytes.varint()
  const count = tag === ADDITIONAL_KEYS ? bytes.varint() : null
  return count === null ? null : count * KEY_BYTES
}

const keysOf = (content: Uint8Array): Uint8Array[] =>
  Array.from({ length: content.length / KEY_BYTES }, (_, index) =>
    content.slice(index * KEY_BYTES, (index + 1) * KEY_BYTES),
  )
