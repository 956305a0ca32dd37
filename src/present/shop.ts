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

const styles = new LruCache<string>(500)

/** A merchant as pages show it. */
export const presentShop = (merchant: Merchant): ShopModel => {
  const { name, logo, color, supportUrl, supportEmail, termsUrl, privacyUrl } = merchant
  return {
    name,
    logo: logo && { url: `/images/${logo.id}`, width: logo.width, height: logo.height },
    style: color === null ? null : styles.get(color, () => styleOf(color as Color)),
    supportUrl:
      supportUrl ?? (supportEmail && `mailto:${supportEmail.replace(/[?&%#]/g, encodeURIComponent)}`),
    quote: null,
    color: color === null ? null : { button: color, ink: inkOn(color as Color) },
    termsUrl,
    privacyUrl,
    isListed: merchant.searchable,
    embedOrigins: merchant.embedOrigins ?? [],
  }
}
