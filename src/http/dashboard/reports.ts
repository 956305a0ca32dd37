import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { reportsBody } from '../../../views/dashboard/reports.ts'
import { dateAt } from '../../domain/calendar.ts'
import type { Refusal } from '../../domain/errors.ts'
import { exportMovements } from '../../operations/reports/movements.ts'
import { type Report, readReport } from '../../operations/reports/read.ts'
import { movementsCsv } from '../../present/movement.ts'
import { reportCsv } from '../../present/report.ts'
import { type ReportQuery, rangeOfQuery, readReportQuery } from '../../present/report-range.ts'
import { presentReportsPage } from '../../present/reports-page.ts'
import { requirePerson, shopOf } from './access.ts'
import { csvFileResponse } from './csv-file.ts'
import type { DashboardDeps } from './deps.ts'
import { methodNamesOf } from './orders/rows.ts'
import { renderPage } from './page.ts'
import { refusalOf, refusedFields } from './problem.ts'

const text = Type.Optional(Type.String({ maxLength: 20 }))
const Query = Type.Object({ period: text, from: text, to: text, by: text, currency: text, lang: text })

type Shop = Awaited<ReturnType<typeof shopOf>>

/** The report that a URL asks for, or why there is none. */
async function reportOf({ context, merchant }: Shop, query: ReportQuery) {
  const range = rangeOfQuery(query, dateAt(context.clock(), merchant.timeZone))
  const { from, to, by } = range
  let report: Report | null = null
  const refusal: Refusal | null = await refusalOf(async () => {
    report = await readReport(context, { merchantId: merchant.id, from, to, by, currency: query.currency })
  })
  return { range, report: report as Report | null, refusal }
}

export const reportsPages = (deps: DashboardDeps) => {
  const { context } = deps
  const hooks = { ...requirePerson(context, 'viewer'), query: Query }
  return new Elysia()
    .get(
      '/dashboard/reports',
      async ({ query: given, request, set }) => {
        const query = readReportQuery(given)
        const shop = await shopOf(context, request)
        const { range, report, refusal } = await reportOf(shop, query)
        if (refusal) set.status = refusal.status
        const methods = await methodNamesOf(shop.context, shop.merchant.id)
        const names = {
          method: (key: string): string => methods.get(key) ?? key,
          asset: (id: string): string => context.networks.asset(id)?.name ?? id,
        }
        return renderPage(deps, request, set, locale => {
          const { reports } = locale.texts
          const isCurrency = refusal !== null && refusedFields(refusal).includes('currency')
          const problem = refusal && (isCurrency ? reports.wrongCurrency : reports.wrongRange)
          const model = presentReportsPage(locale, query, range, report, problem, names)
          return { title: reports.title, body: reportsBody(locale, model) }
        })
      },
      hooks,
    )
    .get(
      '/dashboard/reports/table.csv',
      async ({ query, request }) => {
        const { range, report, refusal } = await reportOf(
          await shopOf(context, request),
          readReportQuery(query),
        )
        if (refusal || !report) throw refusal
        return csvFileResponse(`report-${range.from}-${range.to}-${range.by}`, reportCsv(report))
      },
      hooks,
    )
    .get(
      '/dashboard/reports/export.csv',
      async ({ query, request }) => {
        const shop = await shopOf(context, request)
        const { from, to } = rangeOfQuery(
          readReportQuery(query),
          dateAt(context.clock(), shop.merchant.timeZone),
        )
        const exported = await exportMovements(shop.context, { merchantId: shop.merchant.id, from, to })
        return csvFileResponse(`accounts-${from}-${to}`, movementsCsv(exported))
      },
      hooks,
    )
}
