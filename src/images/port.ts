import type { ImageSize } from '../domain/image.ts'
import type { ImageType } from '../domain/product.ts'

export interface ReadImage {
  bytes: Uint8Array
  /** in pixels */
  width: number
  height: number
}

/** Reads image files by decoding them. */
export interface ImageReader {
  /**
   * The file of an image of this type without its metadata, such as the place where a photograph was taken;
   * or what is wrong with it, as words that follow "must". The pixels, the colour profile and the
   * orientation stay. Decodes the whole file outside the event loop, with limits on time and memory.
   */
  read(type: ImageType, bytes: Uint8Array, size: ImageSize): Promise<ReadImage | { problem: string }>
  /** The same for an SVG drawing, of which only what is harmless is kept. */
  readSvg(bytes: Uint8Array, size: ImageSize): ReadImage | { problem: string }
}
