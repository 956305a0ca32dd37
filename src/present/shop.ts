import type { ShopModel } from '../../views/shop.ts'
import { type Color, inkOn, readableOn } from '../domain/contrast.ts'
import { LruCache } from '../domain/lru-cache.ts'
import type { Merchant } from '../domain/merchant.ts'

/** Backgrounds of colored text, as in the stylesheet. */
const lightPapers: Color[] = ['#ffffff', '#f4f2ec', '#e6f2ec', '#fbefdd']
const darkPapers: Color[] = ['#1e1e1a', '#141411', '#1a2b24', '#2e2415']

const styleOf = (color: Color): string =>
  `:root{--button:${color};--button-ink:${inkOn(color)};--accent:${readableOn(color, lightPapers)}}` +
  `@media screen and (prefers-color-scheme:dark){:root{--accent:${readableOn(color, darkPapers)}}}`

interface Colors {
  style: string
  color: NonNullable<ShopModel['color']>
}

const known = new LruCache<Colors>(500)

const colorsOf = (color: Color): Colors =>
  known.get(color, () => ({ style: styleOf(color), color: { button: color, ink: inkOn(color) } }))

const noColors = { style: null, color: null }

/** A merchant as pages show it. */
export const presentShop = (merchant: Merchant): ShopModel => {
  const { name, logo, color, supportUrl, supportEmail, termsUrl, privacyUrl } = merchant
  return {
    name,
    logo: logo && { url: `/images/${logo.id}`, width: logo.width, height: logo.height },
    ...(color === null ? noColors : colorsOf(color as Color)),
    supportUrl:
      supportUrl ?? (supportEmail && `mailto:${supportEmail.replace(/[?&%#]/g, encodeURIComponent)}`),
    quote: null,
    termsUrl,
    privacyUrl,
    isListed: merchant.searchable,
    embedOrigins: merchant.embedOrigins ?? [],
  }
}
