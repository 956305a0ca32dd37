import { reportsBody } from '../../../views/dashboard/reports.ts'
import { soldBody } from '../../../views/dashboard/sold.ts'
import { taxReportBody } from '../../../views/dashboard/tax-report.ts'
import { dateAt } from '../../domain/calendar.ts'
import { Refusal } from '../../domain/errors.ts'
import { exportInvoices } from '../../operations/invoices/export.ts'
import { emailsOfUsers } from '../../operations/people/emails.ts'
import { exportMovements } from '../../operations/reports/movements.ts'
import { readReport } from '../../operations/reports/read.ts'
import { readSold } from '../../operations/reports/sold.ts'
import { readTaxed } from '../../operations/reports/taxed.ts'
import { bookFormatNames, bookFormats } from '../../present/books/formats.ts'
import { movementsCsv } from '../../present/movement.ts'
import { reportCsv } from '../../present/report.ts'
import { type ReportQuery, rangeOfQuery, readReportQuery } from '../../present/report-range.ts'
import { presentReportsPage } from '../../present/reports-page.ts'
import { presentSold } from '../../present/sold.ts'
import { presentTaxPage, taxReportCsv } from '../../present/tax-report.ts'
import { csvFileResponse, fileResponse } from './csv-file.ts'
import { optional } from './fields.ts'
import { file, isOfForm, page, type Route } from './kit.ts'
import { methodNamesOf } from './orders/rows.ts'
import { dashboardLocaleOf } from './page.ts'
import { refusedFields } from './problem.ts'
import type { ShopVisit } from './visit.ts'

const text = optional(20)
const query = { period: text, from: text, to: text, by: text, currency: text }

const rangeOf = ({ context, merchant }: ShopVisit, query: ReportQuery) =>
  rangeOfQuery(query, dateAt(context.clock(), merchant.timeZone))

const reportOf = (
  { context, merchant }: ShopVisit,
  { currency }: ReportQuery,
  { from, to, by }: ReturnType<typeof rangeOf>,
) => readReport(context, { merchantId: merchant.id, from, to, by, currency })

const taxedOf = (visit: ShopVisit, given: ReportQuery) => {
  const { context, merchant } = visit
  const { from, to } = rangeOf(visit, given)
  const currency = given.currency ?? merchant.currency ?? 'USD'
  return readTaxed(context, { merchantId: merchant.id, from, to, currency })
}

const separators: Record<string, ',' | ';'> = { comma: ',', semicolon: ';' }

/** The pages of a shop's sales by day, week and month, and their files. */
export const reportRoutes: readonly Route[] = [
  page({
    path: '/dashboard/reports',
    access: 'viewer',
    query,
    async show(visit) {
      const { context, merchant } = visit
      const given = readReportQuery(visit.query)
      const range = rangeOf(visit, given)
      const found = await reportOf(visit, given, range).catch(error => {
        if (!isOfForm(error)) throw error
        return error
      })
      const refusal = found instanceof Refusal ? found : null
      const report = found instanceof Refusal ? null : found
      const methods = await methodNamesOf(context, merchant.id)
      const names = {
        method: (key: string): string => methods.get(key) ?? key,
        asset: (id: string): string => context.networks.asset(id)?.name ?? id,
      }
      return locale => {
        const { reports } = locale.texts
        const isCurrency = refusal !== null && refusedFields(refusal).includes('currency')
        const problem = refusal && (isCurrency ? reports.wrongCurrency : reports.wrongRange)
        const model = presentReportsPage(locale, given, range, report, problem, names)
        return {
          title: reports.title,
          body: reportsBody(locale, model),
          ...(refusal && { status: refusal.status }),
        }
      }
    },
  }),
  page({
    path: '/dashboard/reports/sold',
    access: 'viewer',
    query,
    async show(visit) {
      const given = readReportQuery(visit.query)
      const { from, to } = rangeOf(visit, given)
      const { context, merchant } = visit
      const currency = given.currency ?? merchant.currency ?? 'USD'
      const sold = await readSold(context, { merchantId: merchant.id, from, to, currency })
      const ids = sold.people.flatMap(({ name }) => (name?.startsWith('user:') ? [name.slice(5)] : []))
      const emails = await emailsOfUsers(context, ids)
      return locale => ({
        title: locale.texts.reports.sold,
        body: soldBody(locale, presentSold(locale, sold, currency, emails)),
      })
    },
  }),
  page({
    path: '/dashboard/reports/tax',
    access: 'viewer',
    query,
    async show(visit) {
      const report = await taxedOf(visit, readReportQuery(visit.query))
      const { firstDay: from, lastDay: to, currency } = report
      const csvUrl = `/dashboard/reports/tax.csv?${new URLSearchParams({ from, to, currency })}`
      const links = { csvUrl, hasSettings: visit.may('owner') }
      return locale => ({
        title: locale.texts.reports.tax,
        body: taxReportBody(locale, presentTaxPage(locale, report, links)),
      })
    },
  }),
  file({
    path: '/dashboard/reports/tax.csv',
    access: 'viewer',
    query,
    async show(visit) {
      const report = await taxedOf(visit, readReportQuery(visit.query))
      return csvFileResponse(`tax-${report.firstDay}-${report.lastDay}`, taxReportCsv(report))
    },
  }),
  file({
    path: '/dashboard/reports/table.csv',
    access: 'viewer',
    query,
    async show(visit) {
      const given = readReportQuery(visit.query)
      const range = rangeOf(visit, given)
      const report = await reportOf(visit, given, range)
      return csvFileResponse(`report-${range.from}-${range.to}-${range.by}`, reportCsv(report))
    },
  }),
  file({
    path: '/dashboard/reports/books',
    access: 'viewer',
    query: { ...query, format: optional(20), separator: optional(20) },
    async show(visit) {
      const given = readReportQuery(visit.query)
      const { from, to } = rangeOf(visit, given)
      const format = bookFormatNames.find(name => name === visit.query.format) ?? 'csv'
      const { extension, type, write } = bookFormats[format]
      const { context, merchant } = visit
      const { timeZone, movements } = await exportMovements(context, { merchantId: merchant.id, from, to })
      const books = {
        ...{ timeZone, movements, firstDay: from, lastDay: to, now: context.clock() },
        invoices: exportInvoices(context, merchant.id, from, to),
        locale: dashboardLocaleOf(context, visit.request, visit),
        currency: given.currency ?? merchant.currency ?? 'EUR',
        separator: separators[visit.query.separator ?? ''] ?? null,
      }
      return fileResponse(`books-${from}-${to}-${format}.${extension}`, type, write(books))
    },
  }),
  file({
    path: '/dashboard/reports/export.csv',
    access: 'viewer',
    query,
    async show(visit) {
      const { from, to } = rangeOf(visit, readReportQuery(visit.query))
      const { context, merchant } = visit
      const exported = await exportMovements(context, { merchantId: merchant.id, from, to })
      return csvFileResponse(`accounts-${from}-${to}`, movementsCsv(exported))
    },
  }),
]
