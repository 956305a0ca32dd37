import type { ImageSize } from './image.ts'

/** An uploaded image that stands for a shop. */
export interface Logo {
  /** the id of the image */
  id: string
  /** in pixels */
  width: number
  height: number
}

/** What buyers see of a shop besides its name. */
export interface Brand {
  logo: Logo | null
  /** of buttons and links: "#14614a", in lower case */
  color: string | null
  /** where buyers ask for help: an address, or a page, which is preferred */
  supportEmail: string | null
  supportUrl: string | null
  termsUrl: string | null
  privacyUrl: string | null
  /** whether search engines may list the pages of products */
  searchable: boolean
  /** whether buyers get a link to their order and a receipt by mail */
  receipts: boolean
  /** whether buyers get mails about what happened to their payments; null: where they get receipts */
  paymentMails: boolean | null
}

export const LOGO_BYTES_MAX = 102_400
export const logoSize: ImageSize = { min: 32, max: 1024 }

/** Of a shop that has set none. */
export const DEFAULT_COLOR = '#14614a'

export const colorPattern = /^#[0-9a-f]{6}$/

/** The brand of a merchant that has not set any. */
export const plainBrand: Brand = {
  logo: null,
  color: null,
  supportEmail: null,
  supportUrl: null,
  termsUrl: null,
  privacyUrl: null,
  searchable: true,
  receipts: false,
  paymentMails: null,
}

/** Whether buyers get mails about parts, late or superfluous payments, refunds and payments that vanished. */
export const hasPaymentMails = ({
  paymentMails,
  receipts,
}: Pick<Brand, 'paymentMails' | 'receipts'>): boolean => paymentMails ?? receipts
