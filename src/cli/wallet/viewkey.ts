import type { Command } from 'commander'
import { invalid } from '../../domain/errors.ts'
import {
  previewViewKey,
  type SourcePreview,
  setUpSource,
  stopSource,
} from '../../operations/addresses/set-up-source.ts'
import { type Answer, type Cli, command, MERCHANT_ID } from '../cli.ts'
import { confirm } from './prompts.ts'
import { presentPreview } from './xpub.ts'

interface Options {
  merchant: string
  yes?: true
  stop?: true
}

const shown = ({ first }: SourcePreview): string =>
  [
    'The first subaddresses of this wallet (account 0):',
    ...first.map((address, at) => `   ${at + 1}  ${address}`),
    'Compare them with your wallet; they must be the same.',
    'A view key shows incoming payments and cannot spend.',
  ].join('\n')

export const viewkey = (cli: Cli): Command =>
  command(
    'viewkey',
    'derive a Monero subaddress for each payment and detect payments with the private view key',
  )
    .argument(
      '[key]',
      'private VIEW key of the payout wallet, never the spend key or the seed ' +
        '(required unless --stop is given)',
    )
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .option('--yes', 'save without asking for confirmation')
    .option('--stop', 'stop deriving; subaddresses already given to buyers stay monitored')
    .action(
      cli.withContext(
        async (context, key: string | undefined, { merchant, yes, stop }: Options): Promise<Answer> => {
          if (stop) {
            await stopSource(context, merchant, 'xmr', 'viewkey')
            return {
              json: { merchantId: merchant, network: 'xmr', kind: 'viewkey', stopped: true },
              text: 'Stopped. Subaddresses already given to buyers stay monitored.',
            }
          }
          if (key === undefined) throw invalid('key', 'is required')
          const proposal = await previewViewKey(context, merchant, key)
          await confirm(shown(proposal), yes === true)
          await setUpSource(context, proposal)
          return {
            json: presentPreview(proposal),
            text: `${shown(proposal)}\n\nSaved. Each payment uses the next subaddress.`,
          }
        },
      ),
    )
