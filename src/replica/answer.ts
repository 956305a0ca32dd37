import { concatBytes } from '@noble/ciphers/utils.js'

const MB = 1024 * 1024
/** Size that objects usually stay below. A segment is larger only if a single commit is. */
export const USUAL_BYTES_MAX = 8 * MB
export const MANIFEST_BYTES_MAX = 32 * MB
/**
 * Max size of an object. No segment reaches it, because a generation is given up before the write-ahead log,
 * from which segments are made, grows as large.
 */
export const OBJECT_BYTES_MAX = 320 * MB

export interface Answer {
  status: number
  bytes: Uint8Array
  /** time by the clock of the store; NaN if it reports none */
  date: number
  etag: string | undefined
}

/** Thrown if an object is larger than the allowed size. */
export class TooLarge extends Error {}

async function readBody(response: Response, bytesMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new TooLarge('The answer is larger than any object of a replica')
    chunks.push(chunk)
  }
  return concatBytes(...chunks)
}

/**
 * Reads an answer of up to `bytesMax` bytes, because a hostile store could make it endless. Throws TooLarge.
 */
export async function readAnswer(response: Response, bytesMax: number): Promise<Answer> {
  const { status, headers } = response
  const etag = headers.get('etag')
  const date = Date.parse(headers.get('date') ?? '')
  const bytes = await readBody(response, bytesMax)
  return { status, bytes, date, etag: etag?.startsWith('"') ? etag : undefined }
}
