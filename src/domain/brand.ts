import type { ImageSize } from './image.ts'

/** The uploaded logo of a shop. */
export interface Logo {
  id: string
  /** width of the image, in pixels */
  width: number
  height: number
}

/** Appearance and contact of a shop, as buyers see them. */
export interface Brand {
  logo: Logo | null
  /** color of buttons and links: "#14614a", in lower case */
  color: string | null
  /** contact for buyers: a mail address, or the page `supportUrl`, which takes precedence */
  supportEmail: string | null
  supportUrl: string | null
  termsUrl: string | null
  privacyUrl: string | null
  /** true if search engines may list product pages */
  searchable: boolean
  /** true if buyers get a link to their order and a receipt by mail */
  receipts: boolean
  /** true if buyers get mails about what happened to their payments; null: the same as `receipts` */
  paymentMails: boolean | null
  /** origins whose pages may show the checkout in a frame, such as "https://shop.example"; null for none */
  embedOrigins: readonly string[] | null
}

export const LOGO_BYTES_MAX = 102_400
export const logoSize: ImageSize = { min: 32, max: 1024 }

/** Color of shops that have not chosen one. */
export const DEFAULT_COLOR = '#14614a'

export const EMBED_ORIGINS_MAX = 10

/**
 * An accepted origin. Its host is stricter than that of a URL: a ";" or "," would end a directive of the
 * page's Content Security Policy.
 */
const embedPattern = /^(?:https:\/\/[a-z0-9.-]+|http:\/\/(?:localhost|127[.]0[.]0[.]1))(?::\d{1,5})?$/

/** True for the origin of a site with HTTPS, or of a server on this computer, as browsers write it. */
export const isEmbedOrigin = (text: string): boolean =>
  embedPattern.test(text) && URL.parse(text)?.origin === text

export const colorPattern = /^#[0-9a-f]{6}$/

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
  embedOrigins: null,
}

/** True if buyers get mails about partial, late or superfluous payments, refunds and vanished payments. */
export const hasPaymentMails = ({
  paymentMails,
  receipts,
}: Pick<Brand, 'paymentMails' | 'receipts'>): boolean => paymentMails ?? receipts
