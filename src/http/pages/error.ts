import { errorPage } from '../../../views/error.ts'
import type { Locale } from '../../../views/locale.ts'
import type { Refusal } from '../../domain/errors.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { Context } from '../../operations/context.ts'
import { findShop } from '../../operations/merchants/read.ts'
import { presentShop } from '../../present/shop.ts'
import type { PageExtras } from '../extras.ts'
import { frameOf } from './assets.ts'
import { buyerMessage } from './buyer-message.ts'
import { pageHeaders, shopHeaders } from './headers.ts'

type Links = Pick<Parameters<typeof errorPage>[1], 'requestId' | 'backUrl' | 'url'>

/** Renders an error page, with its headers and status. */
export type RenderError = (
  locale: Locale,
  refusal: Refusal,
  links: Links,
  path: string,
) => Promise<{ page: string; headers: Record<string, string>; status: number }>

const shopPath = /^[/](pay|payment[/]process|checkout)[/]([0-9a-f-]{36})(?:[/]|$)/i

/**
 * The merchant of the requested page; null if the page has no merchant, or if the database does not answer.
 */
async function shopOf(context: Context, path: string): Promise<Merchant | null> {
  const [, page, id] = shopPath.exec(path) ?? []
  if (page === undefined || id === undefined) return null
  try {
    return await findShop(context, page === 'checkout' ? 'product' : 'order', id)
  } catch {
    return null
  }
}

const GONE = 410

/**
 * The message about something that no longer exists, which is no fault of the buyer's link: a closed shop, or
 * a product that is no longer sold.
 */
function endOf({ texts: { errors } }: Locale, refusal: Refusal, merchant: Merchant | null) {
  if (merchant?.status === 'suspended' && refusal.code === 'not_found')
    return { message: errors.shopClosed, status: refusal.status, hasImages: false }
  if (merchant && refusal.reason?.kind === 'product_archived')
    return { message: errors.notSold({ shop: merchant.name }), status: GONE, hasImages: true }
  return null
}

/** Error pages in the design of their shop. They say what a buyer can do. */
export const errorPages =
  (context: Context, extras: PageExtras): RenderError =>
  async (locale, refusal, links, path) => {
    const merchant = await shopOf(context, path)
    const end = endOf(locale, refusal, merchant)
    // Images of a closed shop are not served, so its logo is left out.
    const shop = merchant && { ...presentShop(merchant), ...(end?.hasImages === false && { logo: null }) }
    const { message, status } = end ?? { message: buyerMessage(locale, refusal), status: refusal.status }
    const model = { ...links, status, message, isOver: end !== null, shop }
    return {
      status,
      page: errorPage(locale, model, frameOf(extras)),
      headers: shop ? shopHeaders({ style: shop.style, imageUrl: null }) : pageHeaders,
    }
  }
