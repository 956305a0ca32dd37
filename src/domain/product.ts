import type { Metadata } from './metadata.ts'
import type { Amount } from './money.ts'
import type { TaxClass } from './tax.ts'

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
  /** URL of an external image; null if there is none, or an uploaded one */
  imageUrl: string | null
  imageId: string | null
  /** width in the checkout, in pixels */
  imageDisplaySize: number
  /** false if archived */
  active: boolean
  /** true if orders may have a different amount and currency */
  allowPriceOverride: boolean
  amount: Amount
  currency: string
  methodKeys: string[]
  /** class of the tax rate that applies to it, if the shop uses tax settings */
  taxClass: TaxClass
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
  taxClass: 'standard' as const,
}

/** Fills in the defaults of missing fields. */
export const newProduct = (fields: Partial<Product> & Omit<Product, keyof typeof defaults>): Product => ({
  ...defaults,
  ...fields,
})

export type ImageType = 'image/png' | 'image/jpeg' | 'image/webp'

/** Types of stored images. Only logos may be SVG. */
export type StoredImageType = ImageType | 'image/svg+xml'

/** An uploaded image. Never changed or deleted, because existing orders still show it. */
export interface ProductImage {
  /** digest of the merchant and the bytes */
  id: string
  merchantId: string
  type: StoredImageType
  bytes: Uint8Array
  createdAt: number
}

/** Path of an uploaded image, relative to the public URL. */
const imagePath = (imageId: string): string => `/images/${imageId}`

/** The image of an order: the URL of an external image, or the path of an uploaded one. */
export const imageOf = ({ imageUrl, imageId }: Product): string | null =>
  imageId === null ? imageUrl : imagePath(imageId)
