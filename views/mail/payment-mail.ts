import type { Locale } from '../locale.ts'
import { contact, mailOf, type Row, timeOf } from './mail.ts'
import type { Mail, MailedPaymentModel, PaymentMailModel } from './model.ts'

function rowsOf(locale: Locale, { method, amount, worth, at, transaction }: MailedPaymentModel): Row[] {
  const { receipt, paymentMail: texts } = locale.texts
  return [
    { label: receipt.paidWith, value: method },
    { label: receipt.payment, value: amount },
    ...(worth === null ? [] : [{ label: texts.worth, value: worth }]),
    { label: receipt.paidOn, value: timeOf(locale, at) },
    ...(transaction === null
      ? []
      : [{ label: receipt.transaction, value: transaction.id, url: transaction.url }]),
  ]
}

/** A mail about payments of an order, which says why it was sent. */
export function paymentMail(locale: Locale, model: PaymentMailModel): Mail {
  const { mail, receipt, paymentMail: texts } = locale.texts
  const { shop, subject, greeting, reference, item, payments, refunds, sums, button } = model
  return mailOf(locale, {
    shop,
    subject,
    greeting,
    sections: [
      [
        { label: receipt.order, value: reference },
        ...(item === null ? [] : [{ label: receipt.item, value: item }]),
      ],
      ...payments.map(payment => rowsOf(locale, payment)),
      [
        ...refunds.map(({ at, amount }) => ({
          label: receipt.refunded({ date: timeOf(locale, at) }),
          value: `−${amount}`,
        })),
        ...sums,
      ],
    ],
    button,
    end: contact(locale, shop),
    notes: [texts.why({ shop: shop.name }), mail.ignore, ...(model.isSandbox ? [receipt.sandbox] : [])],
  })
}
