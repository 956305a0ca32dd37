import type { Metadata } from './metadata.ts'
import type { Amount } from './money.ts'

export const NAME_MAX = 120
export const DESCRIPTION_MAX = 512
export const IMAGE_DISPLAY_MIN = 160
export const IMAGE_DISPLAY_MAX = 512

/** A reusable template for orders, with its own checkout page. */
export interface Product {
  id: string
  merchantId: string
  name: string
  description: string | null
  /** the URL of an external image; null when there is no image, or an uploaded one */
  imageUrl: string | null
  /** an uploaded image */
  imageId: string | null
  /** the width at which the checkout shows the image, in pixels */
  imageDisplaySize: number
  /** false for an archived product */
  active: boolean
  /** whether an order may have a different amount and currency */
  allowPriceOverride: boolean
  amount: Amount
  currency: string
  methodKeys: string[]
  metadata: Metadata
  createdAt: number
  updatedAt: number
}

const defaults = {
  description: null,
  imageUrl: null,
  imageId: null,
  imageDisplaySize: IMAGE_DISPLAY_MAX,
  active: true,
  allowPriceOverride: true,
}

/** A new product, with the default for each field that is left out. */
export const newProduct = (fields: Partial<Product> & Omit<Product, keyof typeof defaults>): Product => ({
  ...defaults,
  ...fields,
})

export type ImageType = 'image/png' | 'image/jpeg' | 'image/webp'

/** A logo may also be a drawing. */
export type StoredImageType = ImageType | 'image/svg+xml'

/** An uploaded image. It is never changed or deleted, because existing orders still show it. */
export interface ProductImage {
  /** a digest of the merchant and the bytes */
  id: string
  merchantId: string
  type: StoredImageType
  bytes: Uint8Array
  createdAt: number
}

/** The path of an uploaded image, below the public URL. */
const imagePath = (imageId: string): string => `/images/${imageId}`

/** The image that an order stores: the URL of an external image, or the path of an uploaded one. */
export const imageOf = ({ imageUrl, imageId }: Product): string | null =>
  imageId === null ? imageUrl : imagePath(imageId)
