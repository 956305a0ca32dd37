import { invalid } from './errors.ts'
import type { ImageType } from './product.ts'

export const IMAGE_BASE64_MAX = 410_000
const IMAGE_BYTES_MAX = 307_200

/** Limits of the width and the height of an image, in pixels. */
export interface ImageSize {
  min: number
  max: number
}

export const productImageSize: ImageSize = { min: 800, max: 800 }

const dataUriPattern = /^data:(image\/(?:png|jpeg|webp));base64,/i

/** Detects the type of an image by the first bytes of its file; null if the type is not supported. */
export function imageTypeOf(bytes: Uint8Array): ImageType | null {
  const head = String.fromCharCode(...bytes.subarray(0, 12))
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (head.startsWith('RIFF') && head.startsWith('WEBP', 8)) return 'image/webp'
  return null
}

/** True if a file looks like SVG: it begins with an element, a comment or a declaration. */
export const looksLikeSvg = (bytes: Uint8Array): boolean =>
  /^\s*<[a-z?!]/i.test(new TextDecoder().decode(bytes.subarray(0, 256)))

/**
 * Reads an image from Base64 or a data URI, without decoding its pixels. Refuses images that are too large or
 * whose type differs from the data URI's.
 */
export function parseBase64Image(text: string, path: string): { type: ImageType; bytes: Uint8Array } {
  const uri = dataUriPattern.exec(text)
  const bytes = fromBase64(uri ? text.slice(uri[0].length) : text)
  if (!bytes) {
    throw invalid(
      path,
      'must be padded Base64, or a data URI of the type image/png, image/jpeg or image/webp',
    )
  }
  if (bytes.length > IMAGE_BYTES_MAX)
    throw invalid(path, `must be at most ${IMAGE_BYTES_MAX} bytes when decoded`)
  const type = imageTypeOf(bytes)
  if (!type) throw invalid(path, 'must be a PNG, JPEG or WebP file')
  if (uri && uri[1]?.toLowerCase() !== type)
    throw invalid(path, 'must have the image type that its data URI declares')
  return { type, bytes }
}

function fromBase64(text: string): Uint8Array | null {
  if (/\s/.test(text)) return null
  try {
    return Uint8Array.fromBase64(text, { lastChunkHandling: 'strict' })
  } catch {
    return null
  }
}
