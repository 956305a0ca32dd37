import type { Command } from 'commander'
import { type Cli, command, MERCHANT_ID } from './cli.ts'
import { exportRecovery } from './sweep/recovery-export.ts'
import { reportFunds } from './sweep/report.ts'

interface Options {
  merchant: string
  asset?: string
  min?: string
  export?: true
}

export const sweep = (cli: Cli): Command =>
  command(
    'sweep',
    'list payments that wait on payment addresses (forwarders and seed addresses), and print the ' +
      'transactions that move them to the payout wallets, for you to sign and send',
  )
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .option(
      '--asset <id>',
      'only this asset; use chain/0xCONTRACT for an EVM token that Florin does not list',
    )
    .option(
      '--min <amount>',
      'skip balances below this amount, in units of the coin (0.5 means 0.5 USDC or 0.5 ETH)',
    )
    .option(
      '--export',
      'print everything needed to recover the funds without Florin, without contacting any endpoint',
    )
    .action(
      cli.withContext((context, { merchant, asset, min, export: isExport }: Options) =>
        isExport
          ? exportRecovery(context, merchant, asset)
          : reportFunds(context, { merchantId: merchant, assetId: asset ?? null, least: min ?? null }),
      ),
    )
