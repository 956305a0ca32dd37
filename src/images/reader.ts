import { IMAGE_SIDE } from '../domain/image.ts'
import type { ImageType } from '../domain/product.ts'
import { jpegProblem } from './jpeg.ts'
import { pngProblem } from './png.ts'
import type { ImageReader } from './port.ts'

const WRONG_SIZE = `be exactly ${IMAGE_SIDE}x${IMAGE_SIDE} pixels`
const options: Bun.Image.ConstructorOptions = { maxPixels: IMAGE_SIDE * IMAGE_SIDE }

const structureChecks: Record<ImageType, (bytes: Uint8Array) => Promise<string | null> | string | null> = {
  'image/png': pngProblem,
  'image/jpeg': jpegProblem,
  // The decoder of WebP is strict.
  'image/webp': () => null,
}

/** Uses Bun's decoders. They run on worker threads, and read the size from the header before decoding. */
export const imageReader: ImageReader = {
  async problemOf(type, bytes) {
    try {
      const header = await new Bun.Image(bytes, options).metadata()
      if (header.width !== IMAGE_SIDE || header.height !== IMAGE_SIDE) return WRONG_SIZE
      const problem = await structureChecks[type](bytes)
      if (problem) return problem
      // The cheapest operation that decodes every pixel.
      await new Bun.Image(bytes, options).resize(1, 1, { filter: 'nearest' }).png().bytes()
      return null
    } catch (error) {
      const { code } = error as { code?: unknown }
      if (code === 'ERR_IMAGE_TOO_MANY_PIXELS') return WRONG_SIZE
      if (typeof code === 'string' && code.startsWith('ERR_IMAGE_')) return 'be an undamaged still image'
      throw error
    }
  },
}
