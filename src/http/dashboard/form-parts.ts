import { invalid } from '../../domain/errors.ts'

/** Max parts of a form. A product has some dozens of payment methods, with a box for each. */
export const PARTS_MAX = 200

const FIRST_BYTES = 16 * 1024

const NAMED =
  /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;,"]{1,70}))\s*(?:;|$)/i

/** The boundary between the parts of a form with files; null if the body is not such a form. */
export const boundaryOf = (contentType: string): string | null => {
  const [, quoted, plain] = NAMED.exec(contentType) ?? []
  return quoted ?? plain ?? null
}

interface PartLimits {
  /** max bytes of a part that are kept, including its headers; the rest is left out */
  part: number
  /** max bytes of all parts that are kept */
  all: number
}

/**
 * Takes the body of a form as it arrives and shortens its parts, so that a file that is too large is not
 * kept. Throws as soon as there are too many parts, or too many bytes in them.
 */
export class FormParts {
  readonly #delimiter: Buffer
  #kept = Buffer.alloc(FIRST_BYTES)
  #rest = Buffer.from('\r\n')
  #parts = 0
  #partBytes = 0
  #keptBytes = 0

  constructor(
    boundary: string,
    readonly limits: PartLimits,
  ) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`)
  }

  add(chunk: Uint8Array): void {
    const bytes = Buffer.concat([this.#rest, chunk])
    let from = 0
    for (let at = bytes.indexOf(this.#delimiter); at >= 0; at = bytes.indexOf(this.#delimiter, from)) {
      this.#keep(bytes.subarray(from, at))
      // The end of the form has a delimiter too.
      if (++this.#parts > PARTS_MAX + 1) throw invalid('', `must have at most ${PARTS_MAX} fields`)
      this.#partBytes = 0
      from = at + this.#delimiter.length
      this.#append(this.#delimiter)
    }
    // The last bytes may be the beginning of a delimiter, so they wait for the next chunk.
    const whole = Math.max(from, bytes.length - this.#delimiter.length + 1)
    this.#keep(bytes.subarray(from, whole))
    this.#rest = bytes.subarray(whole)
  }

  /** The form with its shortened parts. */
  end(): Uint8Array<ArrayBuffer> {
    this.#keep(this.#rest)
    return new Uint8Array(this.#kept.subarray(0, this.#keptBytes))
  }

  #keep(bytes: Uint8Array): void {
    const room = this.limits.part - this.#partBytes
    const kept = bytes.subarray(0, room)
    this.#partBytes += kept.length
    this.#append(kept)
  }

  /**
   * Copies the bytes, so that the rest of a chunk is not kept in memory. All go into one buffer, since chunks
   * can be tiny.
   */
  #append(bytes: Uint8Array): void {
    const size = this.#keptBytes + bytes.length
    if (size > this.limits.all) throw invalid('', `must be at most ${this.limits.all} bytes`)
    if (size > this.#kept.length) this.#kept = Buffer.concat([this.#kept], 2 * size)
    this.#kept.set(bytes, this.#keptBytes)
    this.#keptBytes = size
  }
}
