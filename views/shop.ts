import { type Html, html, raw } from './html.ts'
import type { Locale } from './locale.ts'

/** A shop, as its pages show it. */
export interface ShopModel {
  name: string
  logo: { url: string; width: number; height: number } | null
  /** content of a style element with the shop's colors; null for the stylesheet's */
  style: string | null
  /** color of the shop's buttons and of the text on them; null for those of the stylesheet */
  color: { button: string; ink: string } | null
  /** URL at which a buyer asks for help: a page or a mail */
  supportUrl: string | null
  /** order number that a buyer quotes at that URL; null if there is none, or if the mail contains it */
  quote: string | null
  termsUrl: string | null
  privacyUrl: string | null
  /** true if search engines may list its products */
  isListed: boolean
  /** the origins whose pages may show its checkout in a frame */
  embedOrigins: readonly string[]
}

export const initialOf = ({ name }: ShopModel): string => [...name.trim()][0]?.toUpperCase() ?? ''

/** The sign of a shop: its logo, or the first letter of its name. */
const sign = (shop: ShopModel): Html => {
  const { logo } = shop
  return logo
    ? html`<img class="logo" src="${logo.url}" width="${logo.width}" height="${logo.height}" alt="">`
    : html`<span class="logo letter" aria-hidden="true">${initialOf(shop)}</span>`
}

/** The logo and name of the shop. */
export const shopLine = (shop: ShopModel): Html => html`<div class="shop">${sign(shop)}
<p class="merchant" dir="auto">${shop.name}</p></div>`

/** The colors of the shop. The page's content security policy allows exactly this style, by its hash. */
export const shopStyle = ({ style }: ShopModel): Html | null =>
  style === null ? null : html`<style>${raw(style)}</style>`

const link = (url: string | null, label: string): Html | null =>
  url === null ? null : html`<a href="${url}">${label}</a>`

export const shopLinks = ({ texts: { page } }: Locale, shop: ShopModel): (Html | null)[] => [
  link(shop.supportUrl, page.contact({ shop: shop.name })),
  link(shop.termsUrl, page.terms),
  link(shop.privacyUrl, page.privacy),
]
