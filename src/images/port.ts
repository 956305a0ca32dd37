import type { ImageType } from '../domain/product.ts'

/** Checks image files by decoding them. */
export interface ImageReader {
  /**
   * What is wrong with a product image of this type, as words that follow "must"; null for a valid file.
   * Decodes the whole file outside the event loop, with limits on time and memory.
   */
  problemOf(type: ImageType, bytes: Uint8Array): Promise<string | null>
}
