import type { Locale } from '../../views/locale.ts'
import type { LinkModel, ReceiptMailModel } from '../../views/mail/model.ts'
import type { Receipt } from '../operations/payments/load-receipt.ts'
import { money } from './amounts.ts'
import { referenceOf } from './checkout.ts'
import type { TransactionContext } from './explorer.ts'
import { presentReceipt } from './receipt.ts'
import { presentShop } from './shop.ts'

/** A mail may be opened in another browser than the payment, so its links name the language. */
const urlOf = ({ tag }: Locale, checkoutUrl: string, path: string): string =>
  `${checkoutUrl}/pay/${path}?lang=${tag}`

/** The model of a mail with a link to an order. */
export const presentLinkMail = (
  locale: Locale,
  { order, merchant }: Pick<Receipt, 'order' | 'merchant'>,
  checkoutUrl: string,
): LinkModel => ({
  shopName: merchant.name,
  support: presentShop(merchant).supportUrl,
  reference: referenceOf(order),
  item: order.productName ?? order.description,
  total: money(locale, order),
  url: urlOf(locale, checkoutUrl, order.id),
})

/** The model of a mail with a receipt. */
export const presentReceiptMail = (
  locale: Locale,
  receipt: Receipt,
  checkoutUrl: string,
  context: TransactionContext,
): ReceiptMailModel => ({
  receipt: presentReceipt(locale, receipt, context),
  support: presentShop(receipt.merchant).supportUrl,
  url: urlOf(locale, checkoutUrl, `${receipt.order.id}/receipt`),
  isSandbox: context.isSandbox,
})
