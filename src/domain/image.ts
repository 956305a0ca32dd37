import { invalid } from './errors.ts'
import type { ImageType } from './product.ts'

export const IMAGE_TEXT_MAX = 410_000
const IMAGE_BYTES_MAX = 307_200
/** Width and height of a product's image, in pixels. */
export const IMAGE_SIDE = 800

const dataUriPattern = /^data:(image\/(?:png|jpeg|webp));base64,/i

/** What the first bytes say a file is; null for none of the types that are taken. */
function imageTypeOf(bytes: Uint8Array): ImageType | null {
  const head = String.fromCharCode(...bytes.subarray(0, 12))
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (head.startsWith('RIFF') && head.startsWith('WEBP', 8)) return 'image/webp'
  return null
}

/**
 * The bytes of an image that came as raw Base64 or as a data URI, and their type; its content is not looked
 * at yet. Refuses what is neither, too large, or of another type than it says.
 */
export function parseImageText(text: string, path: string): { type: ImageType; bytes: Uint8Array } {
  const uri = dataUriPattern.exec(text)
  const bytes = fromBase64(uri ? text.slice(uri[0].length) : text)
  if (!bytes) {
    throw invalid(path, 'must be padded Base64, or a data:image/png, image/jpeg or image/webp URI of it')
  }
  if (bytes.length > IMAGE_BYTES_MAX) throw invalid(path, `must decode to at most ${IMAGE_BYTES_MAX} bytes`)
  const type = imageTypeOf(bytes)
  if (!type) throw invalid(path, 'must be a PNG, JPEG or WebP file')
  if (uri && uri[1]!.toLowerCase() !== type) throw invalid(path, 'must be of the type that its data URI says')
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
