import type { Locale } from '../../views/locale.ts'
import type { LinkModel, ReceiptMailModel } from '../../views/mail/model.ts'
import type { Receipt } from '../domain/receipt.ts'
import { money } from './amounts.ts'
import { orderUrl, referenceOf } from './checkout.ts'
import { presentShopFor, shopInMail } from './help.ts'
import { presentReceipt, type ReceiptContext } from './receipt.ts'

export function presentLinkMail(
  locale: Locale,
  { order, merchant }: Pick<Receipt, 'order' | 'merchant'>,
  checkoutUrl: string,
): LinkModel {
  const reference = referenceOf(order)
  const url = orderUrl(locale, checkoutUrl, order.id)
  const topic = { reference, url, method: null, transactionId: null }
  return {
    shop: shopInMail(presentShopFor(locale, merchant, topic), merchant),
    reference,
    item: order.productName ?? order.description,
    total: money(locale, order),
    url,
  }
}

export function presentReceiptMail(
  locale: Locale,
  receipt: Receipt,
  context: ReceiptContext,
): ReceiptMailModel {
  const shown = presentReceipt(locale, receipt, context)
  return {
    receipt: { ...shown, shop: shopInMail(shown.shop, receipt.merchant) },
    url: orderUrl(locale, context.checkoutUrl, `${receipt.order.id}/receipt`),
    invoiceUrl: receipt.hasInvoice
      ? orderUrl(locale, context.checkoutUrl, `${receipt.order.id}/invoice`)
      : null,
    isSandbox: context.isSandbox,
  }
}
