import { digestLetter } from '../../views/dashboard/digest.ts'
import { personLetter } from '../../views/dashboard/letters.ts'
import { dashboardLocale } from '../../views/dashboard/locale.ts'
import { english, type Locale, locales } from '../../views/locale.ts'
import { linkMail, receiptMail } from '../../views/mail/mail.ts'
import { paymentMail } from '../../views/mail/payment-mail.ts'
import { makeLooks } from '../coins/look.ts'
import { registry } from '../coins/registry.ts'
import type { Networks } from '../networks/port.ts'
import type { Context } from '../operations/context.ts'
import type { Letters } from '../operations/letters.ts'
import { presentLinkMail, presentReceiptMail } from '../present/letter.ts'
import { writeNotification } from '../present/notification.ts'
import { notificationUrl } from '../present/notification-page.ts'
import { presentPaymentMail } from '../present/payment-letter.ts'
import type { Settings } from '../settings/table.ts'

const localeOf = (language: string): Locale => locales.find(({ tag }) => tag === language) ?? english

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
