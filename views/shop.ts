import { type Html, html, raw } from './html.ts'
import type { Locale } from './locale.ts'

/** What pages show of the shop that is paid. */
export interface ShopModel {
  name: string
  logo: { url: string; width: number; height: number } | null
  /** the content of a style element: the colors of the shop; null for those of the stylesheet */
  style: string | null
  /** the color of the shop and that of text on it; null for those of the stylesheet */
  color: { button: string; ink: string } | null
  /** where a buyer asks for help: the URL of a page or a mail */
  supportUrl: string | null
  /** the number of the order that a buyer quotes there; null where there is none, or where a mail has it */
  quote: string | null
  termsUrl: string | null
  privacyUrl: string | null
  /** whether search engines may list its products */
  isListed: boolean
}

export const initialOf = ({ name }: ShopModel): string => [...name.trim()][0]?.toUpperCase() ?? ''

/** The first letter stands in for a missing logo. */
const sign = (shop: ShopModel): Html => {
  const { logo } = shop
  return logo
    ? html`<img class="logo" src="${logo.url}" width="${logo.width}" height="${logo.height}" alt="">`
    : html`<span class="logo letter" aria-hidden="true">${initialOf(shop)}</span>`
}

/** Whose page it is. */
export const shopLine = (shop: ShopModel): Html => html`<div class="shop">${sign(shop)}
<p class="merchant" dir="auto">${shop.name}</p></div>`

/** The colors of the shop. The policy of the page allows exactly this style, by its hash. */
export const shopStyle = ({ style }: ShopModel): Html | null =>
  style === null ? null : html`<style>${raw(style)}</style>`

const link = (url: string | null, label: string): Html | null =>
  url === null ? null : html`<a href="${url}">${label}</a>`

/** The links of the shop, for the footer. */
export const shopLinks = ({ texts: { page } }: Locale, shop: ShopModel): (Html | null)[] => [
  link(shop.supportUrl, page.contact({ shop: shop.name })),
  link(shop.termsUrl, page.terms),
  link(shop.privacyUrl, page.privacy),
]
