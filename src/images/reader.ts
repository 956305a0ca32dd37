import { IMAGE_SIDE } from '../domain/image.ts'
import type { ImageType } from '../domain/product.ts'
import { cleanJpeg, jpegProblem } from './jpeg.ts'
import { cleanPng, pngProblem } from './png.ts'
import type { ImageReader } from './port.ts'
import { cleanWebp } from './webp.ts'

const WRONG_SIZE = `be exactly ${IMAGE_SIDE}x${IMAGE_SIDE} pixels`
const options: Bun.Image.ConstructorOptions = { maxPixels: IMAGE_SIDE * IMAGE_SIDE }

interface Format {
  /** what the decoder accepts, but should not */
  problemOf: (file: Buffer) => Promise<string | null> | string | null
  /** the file without metadata */
  clean: (file: Buffer) => Buffer
}

const formats: Record<ImageType, Format> = {
  'image/png': { problemOf: pngProblem, clean: cleanPng },
  'image/jpeg': { problemOf: jpegProblem, clean: cleanJpeg },
  // The decoder of WebP is strict.
  'image/webp': { problemOf: () => null, clean: cleanWebp },
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)

async function findProblem(bytes: Buffer, { problemOf }: Format): Promise<string | null> {
  const header = await new Bun.Image(bytes, options).metadata()
  if (header.width !== IMAGE_SIDE || header.height !== IMAGE_SIDE) return WRONG_SIZE
  const problem = await problemOf(bytes)
  if (problem) return problem
  await decode(bytes)
  return null
}

/** The cheapest operation that decodes every pixel. */
const decode = (bytes: Buffer) =>
  new Bun.Image(bytes, options).resize(1, 1, { filter: 'nearest' }).png().bytes()

/** Uses Bun's decoders. They run on worker threads, and read the size from the header before decoding. */
export const imageReader: ImageReader = {
  async read(type, bytes) {
    try {
      const file = asBuffer(bytes)
      const problem = await findProblem(file, formats[type])
      if (problem) return { problem }
      const clean = formats[type].clean(file)
      if (!clean.equals(file)) await decode(clean)
      return { bytes: clean }
    } catch (error) {
      const { code } = error as { code?: unknown }
      if (code === 'ERR_IMAGE_TOO_MANY_PIXELS') return { problem: WRONG_SIZE }
      if (typeof code === 'string' && code.startsWith('ERR_IMAGE_')) {
        return { problem: 'be an undamaged still image' }
      }
      throw error
    }
  },
}
