import type { DeliveryAnswer } from '../domain/webhook.ts'

const BODY_BYTES_MAX = 4 * 1024
const TYPE_LENGTH_MAX = 100
/** A character has at most four bytes, so four more bytes show if the last character is cut off. */
const READ_BYTES_MAX = BODY_BYTES_MAX + 4

/**
 * Matches a last word that may be a part of an email address which was cut off. The word is removed, because
 * the erasure of a customer would not find the incomplete address.
 */
const cutAddress = /[^\s"'<>,;:()&=]*(?:@|%40)[^\s"'<>,;:()&=]*$/i

/** Replaces invisible characters, which could change the text around them, for example its direction. */
const visible = (text: string): string =>
  text.replace(/\r\n/g, '\n').replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, sign => {
    if (sign === '\n' || sign === '\t') return sign
    const code = sign.codePointAt(0)!
    if (code < 0x20) return String.fromCodePoint(0x2400 + code)
    return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
  })

function cutBody(bytes: Uint8Array): Pick<DeliveryAnswer, 'body' | 'isCut'> {
  const isLong = bytes.length > BODY_BYTES_MAX
  const text = visible(new TextDecoder().decode(bytes, { stream: isLong }))
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(BODY_BYTES_MAX))
  const isCut = isLong || read < text.length
  const body = text.slice(0, read)
  return { body: isCut ? body.replace(cutAddress, '') : body, isCut }
}

/** Keeps the beginning of a response, as text that is safe to store and to show. */
export class AnswerReader {
  #chunks: Uint8Array[] = []
  #length = 0
  readonly #type: string | null

  constructor(contentType: string | undefined) {
    this.#type = contentType ? visible(contentType).slice(0, TYPE_LENGTH_MAX) : null
  }

  add(chunk: Uint8Array): void {
    const rest = READ_BYTES_MAX - this.#length
    if (rest <= 0) return
    this.#chunks.push(chunk.subarray(0, rest))
    this.#length += Math.min(rest, chunk.length)
  }

  read(): DeliveryAnswer {
    return { type: this.#type, ...cutBody(Buffer.concat(this.#chunks)) }
  }
}
