import { IMAGE_SIDE } from '../domain/image.ts'
import type { ImageType } from '../domain/product.ts'
import { jpegFault } from './jpeg.ts'
import { pngFault } from './png.ts'
import type { ImageReader } from './port.ts'

const WRONG_SIZE = `be exactly ${IMAGE_SIDE}x${IMAGE_SIDE} pixels`
const options: Bun.Image.ConstructorOptions = { maxPixels: IMAGE_SIDE * IMAGE_SIDE }

const structureFaults: Record<ImageType, (bytes: Uint8Array) => Promise<string | null> | string | null> = {
  'image/png': pngFault,
  'image/jpeg': jpegFault,
  // Its decoder is strict by itself.
  'image/webp': () => null,
}

/** Bun's own decoders: they run on its worker threads, and refuse by the header what has too many pixels. */
export const imageReader: ImageReader = {
  async faultOf(type, bytes) {
    try {
      const header = await new Bun.Image(bytes, options).metadata()
      if (header.width !== IMAGE_SIDE || header.height !== IMAGE_SIDE) return WRONG_SIZE
      const fault = await structureFaults[type](bytes)
      if (fault) return fault
      // The least that makes every pixel be decoded.
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
