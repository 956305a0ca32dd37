import { type Html, html } from '../html.ts'
import type { Locale } from '../locale.ts'
import type { TransactionModel } from '../parts.ts'
import type { ReceiptModel, ReceivedModel } from '../receipt/model.ts'
import { initialOf, type ShopModel } from '../shop.ts'
import type { LinkModel, Mail, ReceiptMailModel } from './model.ts'

/** A label and its value, which may be a link. */
export interface Row {
  label: string
  value: string
  url?: string | null
}

/** The content of a mail, from top to bottom, for both its plain text and its HTML. */
interface Parts {
  shop: ShopModel
  subject: string
  greeting: string
  /** rows in sections that are set apart, such as one section for each payment */
  sections: Row[][]
  button: { label: string; url: string }
  /** last lines, such as where to ask for help */
  end: Row[]
  notes: string[]
}

const textOf = ({ greeting, sections, button, end, notes }: Parts): string => {
  const lines = (all: Row[]) =>
    all.map(
      ({ label, value, url }) =>
        `${label}: ${value}${url?.startsWith('http') && url !== value ? `\n${url}` : ''}`,
    )
  const blocks = [[greeting], ...sections.map(lines), [`${button.label}:`, button.url], lines(end), notes]
  return `${blocks
    .filter(block => block.length > 0)
    .map(block => block.join('\n'))
    .join('\n\n')}\n`
}

const shownValue = ({ value, url }: Row): Html =>
  url ? html`<a href="${url}"><bdi>${value}</bdi></a>` : html`<bdi>${value}</bdi>`

/** A row of a section. The first row keeps a distance from the section above. */
const rowOf = (row: Row, at: number): Html => {
  const top = `${at === 0 ? 16 : 4}px`
  return html`<tr><th scope="row" style="${CELL};padding:${top} 0 4px">${row.label}</th>
<td style="${CELL};padding:${top} 16px 4px;overflow-wrap:anywhere">${shownValue(row)}</td></tr>`
}

const CELL = 'text-align:start;vertical-align:top'
const NAME = 'font-size:20px;font-weight:700;margin:0 0 16px;overflow-wrap:anywhere'
const FLORIN = { button: '#14614a', ink: '#fff' }

/**
 * The style of a filled area. Its border is visible on light and dark backgrounds, unlike some colors of
 * shops.
 */
const filledWith = ({ button, ink }: typeof FLORIN, rest: string): string =>
  `display:inline-block;border:1px solid #857d6c;background:${button};color:${ink};${rest}`
const BUTTON = 'padding:12px 20px;border-radius:8px;font-weight:600;text-decoration:none'
const LETTER = 'width:34px;border-radius:8px;line-height:34px;text-align:center;margin-inline-end:10px'

const LOGO = { width: 160, height: 40 }

/** The logo in its proportions. Some mail programs know the size of an image only from its attributes. */
function logoOf({ url, width, height }: NonNullable<ShopModel['logo']>): Html {
  const scale = Math.min(LOGO.width / width, LOGO.height / height)
  const [shownWidth, shownHeight] = [width * scale, height * scale].map(size => Math.max(1, Math.round(size)))
  return html`<img src="${url}" width="${shownWidth}" height="${shownHeight}" alt=""
style="vertical-align:middle;border-radius:8px;margin-inline-end:10px">`
}

/** The logo of the shop, or the first letter of its name. */
const signOf = (shop: ShopModel, color: typeof FLORIN): Html =>
  shop.logo
    ? logoOf(shop.logo)
    : html`<span style="${filledWith(color, LETTER)}" aria-hidden="true">${initialOf(shop)}</span>`

/** The HTML of a mail. It has no scripts or external resources, which would reveal when the mail is read. */
const htmlOf = ({ tag, dir }: Locale, parts: Parts): string => {
  const { shop, subject, greeting, sections, button, end, notes } = parts
  const color = shop.color ?? FLORIN
  return html`<!doctype html>
<html lang="${tag}" dir="${dir}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${subject}</title></head>
<body style="font-family:system-ui,sans-serif;line-height:1.5;max-width:36em;margin:0 auto;padding:16px">
<p style="${NAME}">${signOf(shop, color)}
<bdi>${shop.name}</bdi></p>
<p>${greeting}</p>
<table style="border-collapse:collapse">${sections.map(rows => rows.map(rowOf))}</table>
<p><a href="${button.url}" style="${filledWith(color, BUTTON)}">${button.label}</a></p>
${end.map(row => html`<p>${row.label}: ${shownValue(row)}</p>`)}
${notes.map(note => html`<p>${note}</p>`)}
</body>
</html>
`.toString()
}

export const mailOf = (locale: Locale, parts: Parts): Mail => ({
  subject: parts.subject,
  text: textOf(parts),
  html: htmlOf(locale, parts),
})

export const contact = ({ texts: { page } }: Locale, { name, supportUrl }: ShopModel): Row[] =>
  supportUrl === null
    ? []
    : [{ label: page.contact({ shop: name }), value: shownAddress(supportUrl), url: supportUrl }]

const shownAddress = (supportUrl: string): string =>
  supportUrl.startsWith('mailto:') ? decodeURIComponent(supportUrl.slice(7).split('?')[0] ?? '') : supportUrl

/** A mail with the link to an order, for a buyer who loses the page. */
export function linkMail(locale: Locale, model: LinkModel): Mail {
  const { mail, receipt } = locale.texts
  return mailOf(locale, {
    shop: model.shop,
    subject: mail.linkSubject({ shop: model.shop.name }),
    greeting: mail.opened,
    sections: [
      [
        { label: receipt.order, value: model.reference },
        ...(model.item === null ? [] : [{ label: receipt.item, value: model.item }]),
        { label: receipt.total, value: model.total },
      ],
    ],
    button: { label: receipt.backToOrder, url: model.url },
    end: contact(locale, model.shop),
    notes: [mail.ignore],
  })
}

function paymentRows(locale: Locale, shown: ReceivedModel, isOne: boolean): Row[] {
  const { receipt, paymentMail } = locale.texts
  const row = (label: string, value: string | null): Row[] => (value === null ? [] : [{ label, value }])
  const transaction = (found: TransactionModel | null): Row[] =>
    found === null ? [] : [{ label: receipt.transaction, value: found.id, url: found.url }]
  return [
    ...row(receipt.paidWith, shown.method),
    ...row(receipt.received, shown.received),
    ...row(paymentMail.worth, shown.worth),
    ...row(receipt.rate, shown.rate),
    ...(isOne ? [] : row(receipt.paidOn, timeOf(locale, shown.at))),
    ...transaction(shown.transaction),
  ]
}

/**
 * A time in a mail. A mail may be read at any time and anywhere, so it contains neither "in 30 minutes" nor a
 * local time.
 */
export const timeOf = (locale: Locale, at: string): string => `${locale.longDateTime(at)} UTC`

/** Rows for the refunds that were made before the mail was sent. */
const refundRows = (locale: Locale, { refunds, afterRefunds }: ReceiptModel): Row[] => {
  const { receipt: texts } = locale.texts
  return [
    ...refunds.map(({ at, amount }) => ({
      label: texts.refunded({ date: timeOf(locale, at) }),
      value: `−${amount}`,
    })),
    ...(afterRefunds === null ? [] : [{ label: texts.afterRefunds, value: afterRefunds }]),
  ]
}

/** A mail with the receipt of a paid order. */
export function receiptMail(locale: Locale, model: ReceiptMailModel): Mail {
  const { mail, receipt: texts } = locale.texts
  const { shop, payments, reference, item, total, paidAt } = model.receipt
  return mailOf(locale, {
    shop,
    subject: texts.titleOf({ shop: shop.name }),
    greeting: mail.paid({ shop: shop.name }),
    sections: [
      [
        { label: texts.order, value: reference },
        ...(item === null ? [] : [{ label: texts.item, value: item }]),
        { label: texts.total, value: total },
        { label: texts.paidOn, value: timeOf(locale, paidAt) },
      ],
      ...payments.map(shown => paymentRows(locale, shown, payments.length === 1)),
      refundRows(locale, model.receipt),
    ],
    button: { label: texts.show, url: model.url },
    end: [
      ...(model.invoiceUrl === null
        ? []
        : [{ label: locale.texts.invoice.show, value: model.invoiceUrl, url: model.invoiceUrl }]),
      ...contact(locale, shop),
    ],
    notes: model.isSandbox ? [texts.sandbox] : [],
  })
}
