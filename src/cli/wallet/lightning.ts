import type { Command } from 'commander'
import { invalid } from '../../domain/errors.ts'
import { setUpLightning, stopLightning, tryLightning } from '../../operations/addresses/lightning.ts'
import { type Answer, type Cli, command, MERCHANT_ID } from '../cli.ts'

interface Options {
  merchant: string
  address?: string
  stop?: true
}

export const lightning = (cli: Cli): Command =>
  command('lightning', 'let a wallet with a Lightning address issue an invoice for each payment')
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .option('--address <name@host>', 'Lightning address or LNURL of your wallet, which is tried first')
    .option('--stop', 'issue no more invoices; those that buyers have are still looked up')
    .action(
      cli.withContext(async (context, { merchant, address, stop }: Options): Promise<Answer> => {
        if (stop) {
          await stopLightning(context, merchant)
          return { json: { merchantId: merchant, source: null, stopped: true }, text: 'Stopped.' }
        }
        if (address === undefined) throw invalid('address', 'is required, or --stop')
        const account = await tryLightning(context, merchant, address)
        await setUpLightning(context, merchant, account)
        const lines = [
          `Saved ${account.account}. Its wallet issued an invoice, and its server reports its state.`,
          `Payments go to the node ${account.node}. The server at ${account.host} learns the amounts.`,
        ]
        return { json: { merchantId: merchant, source: account, verified: true }, text: lines.join('\n') }
      }),
    )
