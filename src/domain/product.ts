import type { Metadata } from './metadata.ts'
import type { Amount } from './money.ts'

export const NAME_MAX = 120
export const DESCRIPTION_MAX = 512
export const IMAGE_DISPLAY_MIN = 160
export const IMAGE_DISPLAY_MAX = 512

/** A reusable template of orders, with a checkout page of its own. */
export interface Product {
  id: string
  merchantId: string
  name: string
  description: string | null
  /** an image that lies elsewhere; null where there is none, or one of ours */
  imageUrl: string | null
  /** an image that was uploaded */
  imageId: string | null
  /** the width at which the checkout shows the image, in pixels */
  imageDisplaySize: number
  /** false for an archived product */
  active: boolean
  /** whether a buyer or a caller may name another amount and currency */
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

/** A product with its defaults where nothing is said. */
export const madeProduct = (members: Partial<Product> & Omit<Product, keyof typeof defaults>): Product => ({
  ...defaults,
  ...members,
})

export type ImageType = 'image/png' | 'image/jpeg' | 'image/webp'

/** An uploaded image. It is never changed nor deleted: orders that were made with it go on showing it. */
export interface ProductImage {
  /** a digest of the merchant and the bytes */
  id: string
  merchantId: string
  type: ImageType
  bytes: Uint8Array
  createdAt: number
}

/** Where an uploaded image is served, below the checkout's address. */
const imagePath = (imageId: string): string => `/images/${imageId}`

/** What an order keeps of its product's image: a URL, or a path of ours. */
export const imageOf = ({ imageUrl, imageId }: Product): string | null =>
  imageId === null ? imageUrl : imagePath(imageId)
