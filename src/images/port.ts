import type { ImageSize } from '../domain/image.ts'
import type { ImageType } from '../domain/product.ts'

export interface ReadImage {
  bytes: Uint8Array
  /** width of the image, in pixels */
  width: number
  height: number
}

/** Decodes image files to check them. */
export interface ImageReader {
  /**
   * Returns the image without metadata, such as the place where a photograph was taken, or a problem, as
   * words that follow "must". Pixels, colour profile and orientation stay. Decodes the whole file outside the
   * event loop, with limits on time and memory.
   */
  read(type: ImageType, bytes: Uint8Array, size: ImageSize): Promise<ReadImage | { problem: string }>
  /** Like `read`, for an SVG drawing. Keeps only harmless elements and attributes. */
  readSvg(bytes: Uint8Array, size: ImageSize): ReadImage | { problem: string }
}
