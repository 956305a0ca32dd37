import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { invoicePage } from '../../../views/invoice/page.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Context } from '../../operations/context.ts'
import { loadInvoice } from '../../operations/invoices/read.ts'
import { hasPdf, writePdf } from '../../operations/invoices/write-pdf.ts'
import { presentInvoice } from '../../present/invoice.ts'
import type { PageExtras } from '../extras.ts'
import { frameOf } from './assets.ts'
import { shopHeaders } from './headers.ts'
import { languageCookie, languageHeaders, localeOf } from './language.ts'
import { OrderParams } from './request.ts'

// Mail programs append parameters to links, so unknown ones are allowed.
const query = Type.Object(
  { number: Type.Optional(Type.String({ maxLength: 20 })) },
  { additionalProperties: true },
)

/**
 * The refusal for an invoice without a file. EN 16931 cannot express every invoice, such as one in dinars,
 * which have three decimals.
 */
const noFile = () => new Refusal('not_found', 'There is no e-invoice of this invoice.')

/** The headers of a file of an invoice, which browsers save. */
const fileHeaders = (type: string, name: string): Record<string, string> => ({
  'content-type': type,
  'content-disposition': `attachment; filename="${name}"`,
})

/** The invoice and the credit notes of an order, as a page and as files. */
export const invoicePages = (context: Context, extras: PageExtras) =>
  new Elysia()
    .get(
      '/pay/:orderUUID/invoice',
      async ({ params, query, request, set }) => {
        const locale = localeOf(request)
        const found = await loadInvoice(context, params.orderUUID, query.number)
        const model = presentInvoice(locale, found, hasPdf(context, found))
        const headers = shopHeaders({ style: model.shop.style, imageUrl: null })
        const cookie = languageCookie(request, context.policy.checkoutUrl)
        Object.assign(set.headers, headers, languageHeaders(locale), cookie)
        return invoicePage(locale, model, frameOf(extras))
      },
      { params: OrderParams, query },
    )
    .get(
      '/pay/:orderUUID/invoice.xml',
      async ({ params, query, set }) => {
        const { invoice } = await loadInvoice(context, params.orderUUID, query.number)
        if (invoice.xml === null) throw noFile()
        Object.assign(set.headers, fileHeaders('application/xml', `${invoice.number}.xml`))
        return invoice.xml
      },
      { params: OrderParams, query },
    )
    .get(
      '/pay/:orderUUID/invoice.pdf',
      async ({ params, query, set }) => {
        const found = await loadInvoice(context, params.orderUUID, query.number)
        const pdf = await writePdf(context, found)
        Object.assign(set.headers, fileHeaders('application/pdf', `${found.invoice.number}.pdf`))
        return pdf
      },
      { params: OrderParams, query },
    )
