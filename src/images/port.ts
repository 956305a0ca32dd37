import type { ImageType } from '../domain/product.ts'

/** Judges image files by decoding them. */
export interface ImageReader {
  /**
   * What is wrong with a file of this type as a product's image, in words that follow "must"; null for a good
   * one. Decodes the whole of it, outside of the event loop, in time and memory that the file cannot raise.
   */
  faultOf(type: ImageType, bytes: Uint8Array): Promise<string | null>
}
