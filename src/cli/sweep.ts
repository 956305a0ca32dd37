import type { Command } from 'commander'
import { type Cli, command } from './cli.ts'
import { recipes } from './sweep/recovery-export.ts'
import { found } from './sweep/report.ts'

interface Options {
  merchant: string
  asset?: string
  min?: string
  export?: true
}

export const sweep = (cli: Cli): Command =>
  command(
    'sweep',
    'what lies on forwarders and seeds, and the transactions that move it to the payout wallets',
  )
    .requiredOption('--merchant <id>', 'merchantId')
    .option(
      '--asset <id>',
      'this asset alone, on every address; or chain/0xCONTRACT for any other token of EVM',
    )
    .option('--min <amount>', 'leave what is less, in the unit of each asset')
    .option('--export', 'print all that is needed to fetch the money without Florin; asks no endpoint')
    .action(
      cli.withContext((context, { merchant, asset, min, export: isExport }: Options) =>
        isExport
          ? recipes(context, merchant, asset)
          : found(context, { merchantId: merchant, assetId: asset ?? null, least: min ?? null }),
      ),
    )
