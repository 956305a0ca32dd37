import type { Locale } from '../../views/locale.ts'
import type { LinkModel, ReceiptMailModel } from '../../views/mail/model.ts'
import type { Receipt } from '../operations/payments/load-receipt.ts'
import { money } from './amounts.ts'
import { referenceOf } from './checkout.ts'
import type { TransactionContext } from './explorer.ts'
import { presentReceipt } from './receipt.ts'
import { presentShop } from './shop.ts'

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
  url: `${checkoutUrl}/pay/${order.id}`,
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
  url: `${checkoutUrl}/pay/${receipt.order.id}/receipt`,
  isSandbox: context.isSandbox,
})
