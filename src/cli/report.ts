import { closeSync, openSync, writeSync } from 'node:fs'
import { Command } from 'commander'
import { type PeriodLength, periodLengths } from '../domain/calendar.ts'
import { invalid } from '../domain/errors.ts'
import { exportMovements } from '../operations/reports/movements.ts'
import { readReport } from '../operations/reports/read.ts'
import { readTaxed } from '../operations/reports/taxed.ts'
import { movementsCsv } from '../present/movement.ts'
import { presentReport } from '../present/report.ts'
import { presentTaxReport } from '../present/tax-report.ts'
import { type Cli, command, MERCHANT_ID, tableOf } from './cli.ts'

interface Options {
  merchant: string
  from: string
  to?: string
  timeZone?: string
  force?: true
}

/** Creates a file that only its owner can read. */
function create(file: string, force: boolean): number {
  try {
    return openSync(file, force ? 'w' : 'wx', 0o600)
  } catch (error) {
    const code = (error as { code?: string }).code ?? 'unknown error'
    if (code === 'EEXIST') throw invalid('file', 'already exists; add --force to overwrite it')
    throw invalid('file', `must be a file that can be written (${code})`)
  }
}

const toCsv = (cli: Cli) =>
  command(
    'export',
    'write every payment, fee, refund, unmatched payment and order marked as paid to a CSV file ' +
      'for accounting',
  )
    .argument('<file>', 'file to write; only its owner can read it, because it contains email addresses')
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .requiredOption('--from <date>', 'first day, such as 2026-03-01')
    .option('--to <date>', 'last day (default: today)')
    .option('--time-zone <name>', "time zone of the days (default: the merchant's)")
    .option('--force', 'overwrite the file if it exists')
    .action(
      cli.withContext(async (context, file: string, options: Options) => {
        const { merchant, from, to, timeZone, force = false } = options
        const exported = await exportMovements(context, { merchantId: merchant, from, to, timeZone })
        const opened = create(file, force)
        let rows = 0
        async function* counted() {
          for await (const movement of exported.movements) {
            rows++
            yield movement
          }
        }
        try {
          for await (const text of movementsCsv({ ...exported, movements: counted() })) {
            writeSync(opened, text)
          }
        } finally {
          closeSync(opened)
        }
        return {
          json: { file, rows, from, to: exported.lastDay, timeZone: exported.timeZone },
          text: `Wrote ${rows} rows to ${file}: ${from} to ${exported.lastDay}, ${exported.timeZone}`,
        }
      }),
    )

interface ShowOptions extends Omit<Options, 'force'> {
  by: string
  currency?: string
}

function readLength(by: string): PeriodLength {
  const length = periodLengths.find(one => one === by)
  if (length === undefined) throw invalid('by', `must be one of ${periodLengths.join(', ')}`)
  return length
}

const show = (cli: Cli) =>
  command('show', 'show orders, payments, fees and refunds by day, week or month')
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .requiredOption('--from <date>', 'first day, such as 2026-03-01')
    .option('--to <date>', 'last day (default: today)')
    .option('--by <period>', 'day, week or month', 'day')
    .option('--currency <code>', 'currency of the amounts (default: the one with the most payments)')
    .option('--time-zone <name>', "time zone of the days (default: the merchant's)")
    .action(
      cli.withContext(async (context, { merchant, by, ...options }: ShowOptions) => {
        const request = { merchantId: merchant, by: readLength(by), ...options }
        const json = presentReport(await readReport(context, request))
        return { json, text: textOf(json) }
      }),
    )

/** Prints the periods that have orders or payments, and the total. */
function textOf({ currency, periods, total, timeZone, from, to }: ReturnType<typeof presentReport>): string {
  if (currency === null || total === null) return 'No orders yet.'
  const lines = [...periods, { ...total, from: 'total', to: '' }]
  const rows = lines.map(({ from: day, orders, conversion, paid, gross, fees, refunds, net }) => {
    const percent = conversion === null ? '-' : `${conversion}%`
    return [day, String(orders), percent, String(paid), gross, fees, refunds, net]
  })
  const head = ['first day', 'orders', 'conversion', 'paid', 'gross', 'fees', 'refunds', 'net']
  return `${tableOf([head, ...rows])}\n\n${currency}, ${from} to ${to} (${timeZone})`
}

interface TaxOptions extends Omit<Options, 'force'> {
  currency: string
}

const tax = (cli: Cli) =>
  command('tax', 'show net and tax of what was sold, less refunds, by country and rate')
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .requiredOption('--from <date>', 'first day, such as 2026-03-01')
    .requiredOption('--currency <code>', 'currency of the amounts, such as EUR')
    .option('--to <date>', 'last day (default: today)')
    .option('--time-zone <name>', "time zone of the days (default: the merchant's)")
    .action(
      cli.withContext(async (context, { merchant, ...options }: TaxOptions) => {
        const json = presentTaxReport(await readTaxed(context, { merchantId: merchant, ...options }))
        return { json, text: taxText(json) }
      }),
    )

function taxText({
  currency,
  items,
  total,
  untaxed,
  timeZone,
  from,
  to,
}: ReturnType<typeof presentTaxReport>) {
  const lines = [...items, { country: 'total', category: '', rate: '', ...total }]
  const rows = lines.map(({ country, category, rate, net, tax, gross }) => [
    ...[country, category, rate && `${rate}%`, net, tax, gross],
  ])
  const table = tableOf([['country', 'category', 'rate', 'net', 'tax', 'gross'], ...rows])
  return `${table}\n\nwithout tax settings: ${untaxed}\n${currency}, ${from} to ${to} (${timeZone})`
}

export const report = (cli: Cli): Command =>
  new Command('report')
    .description("show a merchant's sales, and export them for accounting")
    .addCommand(show(cli))
    .addCommand(tax(cli))
    .addCommand(toCsv(cli))
