import { makeLog } from '../boot/log.ts'
import { realPlatform } from '../boot/platform.ts'
import { amountOf } from '../domain/money.ts'
import { DatabaseError, type MoveResult, moveToServer } from '../storage/index.ts'
import { type Cli, command } from './cli.ts'

const HELP = `
Set FLORIN_DATABASE_URL to an empty database and stop the server of FLORIN_DATA_DIR first. All rows are
copied in one transaction and compared with those of the file: their number, their SHA-256 hash, and
the sums of paid orders. Then the file gets another name, so that no server starts with it by mistake.
If the command fails, nothing has changed: correct what it says and run it again.`

const paidText = ({ orders, currency, amount }: MoveResult['paid'][number]): string =>
  `${orders === 1 ? '1 paid order' : `${orders} paid orders`} in ${currency} (${amountOf(amount, currency)})`

const textOf = ({ from, to, kept, wasCopied, tables, paid }: MoveResult): string => {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  return [
    wasCopied
      ? `An earlier run had already copied the ${rows} rows of ${from} to ${to}.`
      : `Copied ${rows} rows of ${tables.length} tables from ${from} to ${to}.`,
    'Both sides are the same: the number and the hash of the rows of each table, and the sums of',
    paid.length === 0 ? 'paid orders (there are none).' : `${paid.map(paidText).join(', ')}.`,
    `The file is kept as ${kept}. Nothing uses it any more.`,
    'Now start florin serve with FLORIN_DATABASE_URL, and run florin doctor.',
  ].join('\n')
}

export const migrateTo = (cli: Cli) =>
  command('migrate-to', 'move the database file to PostgreSQL; stop the server first')
    .addHelpText('after', HELP)
    .action(
      cli.answering(async () => {
        const { dataDir, databaseUrl } = cli.settings()
        if (!databaseUrl) {
          throw new DatabaseError('Set FLORIN_DATABASE_URL to the empty database to move to.')
        }
        const { now } = realPlatform(makeLog('silent'))
        const moved = await moveToServer(dataDir, databaseUrl, now())
        const paid = moved.paid.map(sum => ({ ...sum, amount: amountOf(sum.amount, sum.currency) }))
        return { json: { ...moved, paid }, text: textOf(moved) }
      }),
    )
