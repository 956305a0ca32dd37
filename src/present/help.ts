import type { Locale } from '../../views/locale.ts'
import type { ShopModel } from '../../views/shop.ts'
import type { Merchant } from '../domain/merchant.ts'
import { presentShop } from './shop.ts'

/** Details with which a shop finds the payment that a buyer writes about. */
export interface HelpTopic {
  /** the order's number as buyers see it */
  reference: string
  /** URL of the order's page */
  url: string
  /** "USDC on Polygon", or the provider; null if nothing was chosen */
  method: string | null
  transactionId: string | null
}

/**
 * Invisible marks that isolate names in a page. A mail program would show them, or include them in a search.
 */
const isolates = /[\u2066-\u2069]/g

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed().replace(isolates, ''))

/**
 * The shop as the pages and mails of an order show it. A mail to the shop names the payment. If the shop has
 * a help page instead, the footer shows the order's number beside the link.
 */
export function presentShopFor({ texts }: Locale, merchant: Merchant, topic: HelpTopic): ShopModel {
  const shop = presentShop(merchant)
  const { reference, url, method, transactionId } = topic
  if (!shop.supportUrl?.startsWith('mailto:')) return { ...shop, quote: shop.supportUrl && reference }
  const transaction = transactionId && `${texts.receipt.transaction}: ${transactionId}`
  // The first two lines are left to the buyer.
  const body = ['', '', url, method, transaction].filter(line => line !== null).join('\r\n')
  const subject = texts.receipt.thisOrder({ reference })
  return { ...shop, supportUrl: `${shop.supportUrl}?subject=${encoded(subject)}&body=${encoded(body)}` }
}

/** The shop as a mail shows it, with the logo as an attachment. */
export const shopInMail = (shop: ShopModel, { logo }: Merchant): ShopModel => ({
  ...shop,
  logo: logo && { url: `cid:${logo.id}`, width: logo.width, height: logo.height },
})
