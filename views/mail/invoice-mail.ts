import type { InvoiceMailModel } from '../invoice/model.ts'
import type { Locale } from '../locale.ts'
import { contact, mailOf } from './mail.ts'
import type { Mail } from './model.ts'

/** A mail with the link to an invoice, on whose page the invoice can be paid. */
export function invoiceMail(
  locale: Locale,
  { shop, number, reference, total, due, url }: InvoiceMailModel,
): Mail {
  const { invoice, receipt } = locale.texts
  return mailOf(locale, {
    shop,
    subject: invoice.subject({ number, shop: shop.name }),
    greeting: invoice.sent({ shop: shop.name }),
    sections: [
      [
        { label: receipt.order, value: reference },
        { label: receipt.total, value: total },
        ...(due === null ? [] : [{ label: invoice.due, value: due }]),
      ],
    ],
    button: { label: invoice.show, url },
    end: contact(locale, shop),
    notes: [],
  })
}
