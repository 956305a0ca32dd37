import type { Command } from 'commander'
import { fromUnitsShort } from '../../domain/money.ts'
import {
  listSkipped,
  lookAtSkipped,
  type SkippedAddress,
  type SkippedLook,
} from '../../operations/addresses/skipped.ts'
import type { Context } from '../../operations/context.ts'
import { type Answer, type Cli, command, MERCHANT_ID, tableOf } from '../cli.ts'

/** Advice about payments to skipped addresses. */
const ADVICE =
  'Buyers may have been given some of these addresses after the backup. For 30 days, the server ' +
  'looks for payments to them and notifies you. It cannot look on Monero or with Bitcoin Core: look in ' +
  'your wallet. To look at all of them now, add --look. Then refund the buyers, or deliver what they paid ' +
  'for.'

const NOTHING = 'No restore has skipped any addresses.'

function listOf(items: SkippedAddress[]): Answer {
  const rows = items.map(({ network, index, address }) => [network, `${index}`, address])
  const table = tableOf([['network', 'index', 'address'], ...rows])
  return { json: { items }, text: items.length === 0 ? NOTHING : `${ADVICE}\n\n${table}` }
}

const presentFound = ({ network, index, address, asset, amountAtomic }: SkippedLook['found'][number]) => ({
  network,
  index,
  address,
  assetId: asset.id,
  amount: fromUnitsShort(amountAtomic, asset.decimals),
})

async function lookAt(context: Context, items: SkippedAddress[]): Promise<Answer> {
  const { found, faults } = await lookAtSkipped(context, items)
  const shown = found.map(presentFound)
  const rows = shown.map(one => [one.assetId, one.amount, `${one.index}`, one.address])
  const texts = [
    rows.length > 0
      ? tableOf([['asset', 'amount', 'index', 'address'], ...rows])
      : `Nothing was found at ${items.length} addresses.`,
    ...faults.map(fault => `${fault} Look in your wallet.`),
  ]
  return { json: { found: shown, faults }, text: texts.join('\n\n'), exitCode: faults.length > 0 ? 1 : 0 }
}

export const skipped = (cli: Cli): Command =>
  command('skipped', 'list addresses that buyers may have been given after the backup that was restored')
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .option('--look', 'ask your endpoints which of them received money, and list only those')
    .action(
      cli.withContext(async (context, { merchant, look }: { merchant: string; look?: true }) => {
        const items = await listSkipped(context, merchant)
        return look && items.length > 0 ? lookAt(context, items) : listOf(items)
      }),
    )
