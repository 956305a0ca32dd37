import { digestLetter } from '../../views/dashboard/digest.ts'
import { personLetter } from '../../views/dashboard/letters.ts'
import { dashboardLocale } from '../../views/dashboard/locale.ts'
import { invoicePage } from '../../views/invoice/page.ts'
import { english, type Locale, locales } from '../../views/locale.ts'
import { invoiceMail } from '../../views/mail/invoice-mail.ts'
import { linkMail, receiptMail } from '../../views/mail/mail.ts'
import { paymentMail } from '../../views/mail/payment-mail.ts'
import { makeLooks } from '../coins/look.ts'
import { registry } from '../coins/registry.ts'
import type { Networks } from '../networks/port.ts'
import type { Context } from '../operations/context.ts'
import type { Letters } from '../operations/letters.ts'
import { presentInvoice, presentInvoiceMail } from '../present/invoice.ts'
import { presentInvoiceDocument } from '../present/invoice-document.ts'
import { presentLinkMail, presentReceiptMail } from '../present/letter.ts'
import { writeNotification } from '../present/notification.ts'
import { notificationUrl } from '../present/notification-page.ts'
import { presentPaymentMail } from '../present/payment-letter.ts'
import type { Settings } from '../settings/table.ts'
import { files } from './page-files.ts'

const localeOf = (language: string): Locale => locales.find(({ tag }) => tag === language) ?? english

/** The stylesheet as a data URL, so that the page needs no other file. */
const ownAssets = () => ({
  css: `data:text/css;base64,${Buffer.from(files.css.text).toString('base64')}`,
  js: 'data:text/javascript,',
})

/** Writes mails from the texts and models of the pages. */
export const lettersOf = (
  { checkoutUrl, dashboardUrl }: Context['policy'],
  networks: Networks,
  { sandbox }: Pick<Settings, 'sandbox'>,
): Letters => {
  const shown = () => ({
    asset: (id: string) => networks.asset(id),
    look: makeLooks(registry),
    isSandbox: sandbox !== false,
    checkoutUrl,
  })
  return {
    link(content, language) {
      const locale = localeOf(language)
      return linkMail(locale, presentLinkMail(locale, content, checkoutUrl))
    },
    receipt(content, language) {
      const locale = localeOf(language)
      return receiptMail(locale, presentReceiptMail(locale, content, shown()))
    },
    invoice(content, language) {
      const locale = localeOf(language)
      return invoiceMail(locale, presentInvoiceMail(locale, content, checkoutUrl))
    },
    invoicePage(content, language) {
      const locale = localeOf(language)
      const frame = { assets: ownAssets(), isSandbox: sandbox !== false }
      return invoicePage(locale, presentInvoice(locale, content), frame)
    },
    invoiceDocument: (content, language) => presentInvoiceDocument(localeOf(language), content, checkoutUrl),
    payment(content, language) {
      const locale = localeOf(language)
      return paymentMail(locale, presentPaymentMail(locale, content, shown()))
    },
    toPerson: (content, language) => personLetter(dashboardLocale(language, 'UTC'), dashboardUrl, content),
    notification: (facts, { reader, language, timeZone }) =>
      writeNotification(dashboardLocale(language, timeZone), facts, reader),
    messageTexts: language => dashboardLocale(language, 'UTC').texts.messages,
    notificationUrl: notification => notificationUrl(dashboardUrl, notification),
    digest: (content, language) =>
      digestLetter(dashboardLocale(language, content.timeZone), dashboardUrl, content),
    channelCode({ code }, language) {
      const { subject, text } = dashboardLocale(language, 'UTC').texts.letters.channelCode
      return { subject: subject({ code }), text: text({ code }) }
    },
    invitation(content, language) {
      const { subject, text } = dashboardLocale(language, 'UTC').texts.letters.invitation
      return { subject, text: text(content) }
    },
    passwordLink(content, language) {
      const { subject, text } = dashboardLocale(language, 'UTC').texts.letters.passwordLink
      return { subject, text: text(content) }
    },
    channelTest({ shop }, language) {
      const { subject, text } = dashboardLocale(language, 'UTC').texts.letters.channelTest
      return { subject: subject({ shop }), text }
    },
  }
}
