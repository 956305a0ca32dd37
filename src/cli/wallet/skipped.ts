import type { Command } from 'commander'
import { listSkipped } from '../../operations/addresses/skipped.ts'
import { type Cli, command, MERCHANT_ID, tableOf } from '../cli.ts'

/** What to do about them. */
const ADVICE =
  'Buyers may have been given some of these addresses after the backup. Florin does not look there: look ' +
  'for payments in your wallet, and refund or handle them.'

export const skipped = (cli: Cli): Command =>
  command('skipped', 'list the addresses that a restore skipped, to look for payments to them in your wallet')
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .action(
      cli.withContext(async (context, { merchant }: { merchant: string }) => {
        const items = await listSkipped(context, merchant)
        const rows = items.map(({ network, index, address }) => [network, `${index}`, address])
        const table = tableOf([['network', 'index', 'address'], ...rows])
        const text = items.length === 0 ? 'A restore has skipped no addresses.' : `${ADVICE}\n\n${table}`
        return { json: { items }, text }
      }),
    )
