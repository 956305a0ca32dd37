import type { Locale } from '../../views/locale.ts'
import type { MailedPaymentModel, PaymentMailModel } from '../../views/mail/model.ts'
import { asserted } from '../domain/errors.ts'
import type { Amount } from '../domain/money.ts'
import { isPastExpiry, type Order } from '../domain/order.ts'
import type { PaymentNews, ValuedPayment } from '../domain/payment-news.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import type { PaymentLetter } from '../operations/letters.ts'
import { money, tickerOf } from './amounts.ts'
import { orderUrl, referenceOf } from './checkout.ts'
import { presentTransactionLink } from './explorer.ts'
import { presentShopFor, shopInMail } from './help.ts'
import { amountIn } from './payment-amounts.ts'
import { methodOf, type ReceiptContext } from './receipt.ts'
import { noticeOf, overpaidSentence, receivedSentence, wantedOf } from './received-sentence.ts'

/** The parts of a mail that depend on its kind. */
interface Story extends Partial<Pick<PaymentMailModel, 'refunds' | 'sums'>> {
  title: string
  sentences: string[]
  payments?: ValuedPayment[]
  /** label of the button, instead of "Back to the order" */
  label?: string
}

interface Subject extends PaymentLetter {
  locale: Locale
  context: ReceiptContext
}

type Kind = PaymentNews['kind']
type NewsOf<Name extends Kind> = Extract<PaymentNews, { kind: Name }>

const inMoney = ({ locale, order }: Pick<Subject, 'locale' | 'order'>, amount: Amount): string =>
  money(locale, { amount, currency: order.currency })

/**
 * The amount of a payment, for people. For a provider's page it is in money, because buyers pay money there,
 * whatever coin the provider pays out. An unknown coin is only called another coin.
 */
function amountOf(subject: Subject, { attempt, payment, value }: ValuedPayment): string {
  if (attempt.kind !== 'address' && value !== null) return inMoney(subject, value)
  const isKnown = payment.assetId === attempt.assetId || subject.context.asset(payment.assetId) !== undefined
  if (!isKnown) return subject.locale.texts.notices.otherCoin
  return `${amountIn(subject.context, attempt, payment)} ${tickerOf(payment.assetId)}`
}

const leftOf = (subject: Subject, left: Amount) => ({
  label: subject.locale.texts.crypto.amountLeft,
  value: subject.locale.texts.crypto.partOf({
    received: inMoney(subject, left),
    due: money(subject.locale, subject.order),
  }),
})

/**
 * Says that the shop was notified and decides. Asks for a refund address only if the payment arrived at an
 * address.
 */
function decisionOf({ locale, merchant }: Subject, canLeaveAddress: boolean): string[] {
  const { notices, paymentMail: texts } = locale.texts
  return [
    notices.notLost({ shop: merchant.name }),
    texts.decides,
    ...(canLeaveAddress ? [texts.leaveAddress] : []),
  ]
}

const stories: { [Name in Kind]: (subject: Subject, news: NewsOf<Name>) => Story } = {
  part(subject, { payments, left }) {
    const { paymentMail: texts, crypto } = subject.locale.texts
    const isConfirmed = payments.every(({ payment }) => payment.state === 'final')
    const last = asserted(payments.at(-1), 'a letter is about a payment')
    // Past the expiry of an order, only payments that are open can still pay it.
    const isLastWay = last.attempt.kind === 'address' && isPastExpiry(subject.order, last.payment.paidAt)
    const sentence = isLastWay
      ? crypto.sendRest({ received: amountOf(subject, last) })
      : texts.left({ left: inMoney(subject, left), total: money(subject.locale, subject.order) })
    return {
      title: texts.part,
      sentences: isConfirmed ? [sentence] : [sentence, crypto.unconfirmed],
      payments,
      sums: [leftOf(subject, left)],
      label: texts.payRest,
    }
  },

  unmatched(subject, { payments }) {
    const { locale, context } = subject
    const { notices } = locale.texts
    const newest = asserted(payments.at(-1), 'a letter is about a payment')
    const { attempt, value } = newest
    const { title, reason } = noticeOf(subject.order, newest.reason, newest.payment)
    const received = receivedSentence(locale, reason, {
      amount: amountOf(subject, newest),
      worth: value === null ? null : inMoney(subject, value),
      wanted: wantedOf(locale, attempt, context),
    })
    const canLeave = payments.some(one => one.attempt.kind === 'address')
    return {
      title: notices.titles[title],
      sentences: [received, ...decisionOf(subject, canLeave)],
      payments,
    }
  },

  overpaid(subject, { over }) {
    const { locale, order } = subject
    return {
      title: locale.texts.notices.titles.overpaid,
      sentences: [
        overpaidSentence(locale, over, order),
        ...decisionOf(subject, over.attempt.kind === 'address'),
      ],
    }
  },

  refund(subject, { refunds, isPaidBack }) {
    const { locale, order, merchant } = subject
    const { paymentMail: texts, crypto } = locale.texts
    const total = inMoney(
      subject,
      order.refundedAmount ?? asserted(refunds.at(-1), 'a letter is about a refund').amount,
    )
    return {
      title: texts.refund,
      sentences: [
        texts.recorded({
          shop: merchant.name,
          amount: inMoney(subject, asserted(refunds.at(-1), 'a letter is about a refund').amount),
        }),
        isPaidBack ? texts.sentBack : texts.sentApart({ shop: merchant.name }),
      ],
      refunds: refunds.map(({ createdAt, amount }) => ({
        at: formatTimestamp(createdAt),
        amount: inMoney(subject, amount),
      })),
      sums: [
        { label: texts.refundedTotal, value: crypto.partOf({ received: total, due: money(locale, order) }) },
      ],
    }
  },

  vanished(subject, { payments, left }) {
    const { choose, money: moneyTexts, paymentMail } = subject.locale.texts
    const last = asserted(payments.at(-1), 'a letter is about a payment')
    const { kind, methodName: method } = last.attempt
    const [title, sentence] =
      kind === 'redirect'
        ? [choose.declined({ method }), choose.tryAgainOrOther]
        : [paymentMail.vanished, moneyTexts.vanished({ amount: amountOf(subject, last) })]
    return { title, sentences: [sentence], payments, sums: [leftOf(subject, left)] }
  },
}

const storyOf = <Name extends Kind>(subject: Subject, news: NewsOf<Name>): Story =>
  stories[news.kind as Name](subject, news)

function presentPayment(subject: Subject, valued: ValuedPayment): MailedPaymentModel {
  const { locale, context } = subject
  const { attempt, payment, value } = valued
  return {
    method: methodOf(locale, valued, context),
    amount: amountOf(subject, valued),
    worth: attempt.kind === 'address' && value !== null ? inMoney(subject, value) : null,
    at: formatTimestamp(payment.paidAt),
    transaction: presentTransactionLink(payment, context),
  }
}

const itemOf = ({ productName, description }: Order): string | null => productName ?? description

/** The model of a mail about payments of an order. */
export function presentPaymentMail(
  locale: Locale,
  letter: PaymentLetter,
  context: ReceiptContext,
): PaymentMailModel {
  const { order, merchant, news } = letter
  const subject = { ...letter, locale, context }
  const { title, sentences, payments = [], refunds = [], sums = [], label } = storyOf(subject, news)
  const { paymentMail: texts, receipt } = locale.texts
  const reference = referenceOf(order)
  const url = orderUrl(locale, context.checkoutUrl, order.id)
  const topic = { reference, url, method: null, transactionId: null }
  return {
    shop: shopInMail(presentShopFor(locale, merchant, topic), merchant),
    subject: texts.subject({ title, shop: merchant.name }),
    greeting: sentences.join(' '),
    reference,
    item: itemOf(order),
    payments: payments.map(valued => presentPayment(subject, valued)),
    refunds,
    sums,
    button: { label: label ?? receipt.backToOrder, url },
    isSandbox: context.isSandbox,
  }
}
