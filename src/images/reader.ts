import type { ImageSize } from '../domain/image.ts'
import type { ImageType } from '../domain/product.ts'
import { cleanJpeg, jpegProblem } from './jpeg.ts'
import { cleanPng, pngProblem } from './png.ts'
import type { ImageReader } from './port.ts'
import { readSvg } from './svg/read.ts'
import { cleanWebp } from './webp.ts'

const wrongSize = ({ min, max }: ImageSize): string =>
  min === max
    ? `be exactly ${max}x${max} pixels`
    : `be between ${min} and ${max} pixels wide, and between ${min} and ${max} pixels high`

const optionsOf = ({ max }: ImageSize): Bun.Image.ConstructorOptions => ({ maxPixels: max * max })

interface Format {
  /** finds faults that the decoder accepts */
  problemOf: (file: Buffer) => Promise<string | null> | string | null
  /** removes metadata */
  clean: (file: Buffer) => Buffer
}

const formats: Record<ImageType, Format> = {
  'image/png': { problemOf: pngProblem, clean: cleanPng },
  'image/jpeg': { problemOf: jpegProblem, clean: cleanJpeg },
  // The decoder of WebP is strict, so nothing else has to be checked.
  'image/webp': { problemOf: () => null, clean: cleanWebp },
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)

async function findProblem(bytes: Buffer, { problemOf }: Format, size: ImageSize): Promise<string | null> {
  const { width, height } = await new Bun.Image(bytes, optionsOf(size)).metadata()
  if (Math.min(width, height) < size.min || Math.max(width, height) > size.max) return wrongSize(size)
  const problem = await problemOf(bytes)
  if (problem) return problem
  await decode(bytes, size)
  return null
}

/** The cheapest operation that decodes every pixel. */
const decode = (bytes: Buffer, size: ImageSize) =>
  new Bun.Image(bytes, optionsOf(size)).resize(1, 1, { filter: 'nearest' }).png().bytes()

/** Uses Bun's decoders, which run on worker threads and read the size from the header before decoding. */
export const imageReader: ImageReader = {
  async read(type, bytes, size) {
    try {
      const file = asBuffer(bytes)
      const problem = await findProblem(file, formats[type], size)
      if (problem) return { problem }
      const clean = formats[type].clean(file)
      if (!clean.equals(file)) await decode(clean, size)
      const { width, height } = await new Bun.Image(clean, optionsOf(size)).metadata()
      return { bytes: clean, width, height }
    } catch (error) {
      const { code } = error as { code?: unknown }
      if (code === 'ERR_IMAGE_TOO_MANY_PIXELS') return { problem: wrongSize(size) }
      if (typeof code === 'string' && code.startsWith('ERR_IMAGE_')) {
        return { problem: 'be an undamaged still image' }
      }
      throw error
    }
  },
  readSvg,
}
