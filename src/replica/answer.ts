import { concatBytes } from '@noble/ciphers/utils.js'

const MB = 1024 * 1024
/** A segment is larger than this only if one commit is. */
export const USUAL_BYTES_MAX = 8 * MB
export const MANIFEST_BYTES_MAX = 32 * MB
/** Larger than any object: the write-ahead log, from which segments are made, is given up earlier. */
export const OBJECT_BYTES_MAX = 320 * MB

export interface Answer {
  status: number
  bytes: Uint8Array
  /** the store's clock; NaN if not reported */
  date: number
  etag: string | undefined
}

/** An object is larger than any that Florin writes. */
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

/** Reads an answer up to a size, because a hostile store could make it endless. Throws TooLarge. */
export async function readAnswer(response: Response, bytesMax: number): Promise<Answer> {
  const { status, headers } = response
  const etag = headers.get('etag')
  const date = Date.parse(headers.get('date') ?? '')
  const bytes = await readBody(response, bytesMax)
  return { status, bytes, date, etag: etag?.startsWith('"') ? etag : undefined }
}
