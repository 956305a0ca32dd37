import {
  type InvoiceRow,
  type InvoiceSettingsModel,
  invoicesBody,
  sellerNames,
} from '../../../views/dashboard/invoices.ts'
import type { Refusal } from '../../domain/errors.ts'
import { type Invoice, invoicePolicies } from '../../domain/invoice.ts'
import { listInvoices, placeOf } from '../../operations/invoices/read.ts'
import { hasPdf } from '../../operations/invoices/write-pdf.ts'
import { changeMerchant } from '../../operations/merchants/change.ts'
import { invoiceUrl } from '../../present/invoice.ts'
import { optional } from './fields.ts'
import { form, page, type Route } from './kit.ts'
import type { View } from './page.ts'
import { problemText, refusedFields } from './problem.ts'
import type { ShopVisit } from './visit.ts'

const PATH = '/dashboard/invoices'
const SIZE = 25

export function invoiceRow(context: ShopVisit['context'], invoice: Invoice): InvoiceRow {
  const { checkoutUrl } = context.policy
  const { number, orderId, content, xml } = invoice
  const { kind, issueDate, buyer, gross, currency } = content
  return {
    ...{ number, kind, orderId, date: issueDate, buyer: buyer.name },
    total: { amount: gross, currency },
    url: invoiceUrl(checkoutUrl, invoice),
    xmlUrl: xml === null ? null : invoiceUrl(checkoutUrl, invoice, '.xml'),
    pdfUrl: hasPdf(context, { invoice }) ? invoiceUrl(checkoutUrl, invoice, '.pdf') : null,
  }
}

type Entered = Record<string, string>

/** The refused fields by their names in the form: "seller-vatId" is the field "vatId". */
const fieldsOf = (refusal: Refusal): string[] =>
  refusedFields(refusal).map(name => name.replace('seller-', ''))

function settingsOf(
  { merchant, may }: ShopVisit,
  entered: Entered | null,
  wrong: readonly string[],
): InvoiceSettingsModel | null {
  if (!may('owner')) return null
  const { invoicing, tax, name } = merchant
  const known: Entered = { name, country: tax?.country ?? '', vatId: tax?.vatId ?? '' }
  const stored = { ...known, ...invoicing?.seller, ...entered } as Record<string, string | null>
  const policy = entered?.invoices ?? invoicing?.policy
  return {
    policy: invoicePolicies.find(one => one === policy) ?? 'off',
    seller: Object.fromEntries(
      sellerNames.map(one => [one, stored[one] ?? '']),
    ) as InvoiceSettingsModel['seller'],
    wrong,
    hasTax: tax !== null,
  }
}

async function showInvoices(
  visit: ShopVisit,
  { isSaved = false, refusal, entered }: { isSaved?: boolean; refusal?: Refusal; entered?: Entered },
): Promise<View> {
  const { context, merchant, request } = visit
  const before = placeOf(new URL(request.url).searchParams.get('before') ?? '')
  const { items, next } = await listInvoices(context, merchant.id, SIZE, before)
  const last = items.at(-1)
  const wrong = refusal ? fieldsOf(refusal) : []
  return locale => ({
    title: locale.texts.invoices.title,
    body: invoicesBody(locale, {
      rows: items.map(one => invoiceRow(context, one)),
      newestUrl: before && PATH,
      olderUrl: next && last ? `${PATH}?before=${last.number}` : null,
      settings: settingsOf(visit, entered ?? null, wrong),
      isSaved,
      problem: refusal
        ? wrong.length > 0
          ? locale.texts.invoices.wrong
          : problemText(locale, refusal)
        : null,
    }),
  })
}

/** The list of invoices, and the settings for issuing them. */
export const invoiceRoutes: readonly Route[] = [
  page({
    path: PATH,
    access: 'viewer',
    show(visit) {
      const isSaved = new URL(visit.request.url).searchParams.get('done') === 'saved'
      return showInvoices(visit, { isSaved })
    },
  }),
  form({
    path: `${PATH}/settings`,
    proof: 'owner',
    fields: {
      invoices: optional(20),
      ...(Object.fromEntries(sellerNames.map(name => [name, optional(8000)])) as Record<
        (typeof sellerNames)[number],
        ReturnType<typeof optional>
      >),
    },
    run({ context, merchant, body }) {
      const { invoices: chosen, ...seller } = body
      const invoices = invoicePolicies.find(one => one === chosen)
      return changeMerchant(context, merchant.id, { invoices, seller })
    },
    done: `${PATH}?done=saved`,
    refused: (refusal, visit) => showInvoices(visit, { refusal, entered: visit.body as Entered }),
  }),
]
