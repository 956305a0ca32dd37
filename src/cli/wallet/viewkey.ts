import type { Command } from 'commander'
import {
  previewViewKey,
  type SourcePreview,
  setUpSource,
  stopSource,
} from '../../operations/addresses/set-up-source.ts'
import { type Answer, type Cli, command, MERCHANT_ID } from '../cli.ts'
import { confirm, readKey, refuseArguments, unconfirmed } from './prompts.ts'
import { presentPreview } from './xpub.ts'

interface Options {
  merchant: string
  keyFile?: string
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
  refuseArguments(
    command(
      'viewkey',
      'derive a Monero subaddress for each payment and detect payments with the private view key',
    ),
  )
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .option(
      '--key-file <file>',
      'file with two lines, primary address and private VIEW key, never the spend key or the seed; ' +
        'default: standard input',
    )
    .option('--yes', 'save without asking for confirmation')
    .option('--stop', 'stop deriving; subaddresses already given to buyers stay monitored')
    .action(
      cli.withContext(async (context, { merchant, yes, stop, keyFile }: Options): Promise<Answer> => {
        if (stop) {
          await stopSource(context, merchant, 'xmr', 'viewkey')
          return {
            json: { merchantId: merchant, network: 'xmr', kind: 'viewkey', stopped: true },
            text: 'Stopped. Subaddresses already given to buyers stay monitored.',
          }
        }
        const [address = '', key = ''] = await readKey(keyFile, ['primary address', 'private view key'])
        const proposal = await previewViewKey(context, merchant, address, key)
        const json = presentPreview(proposal)
        if (!(await confirm(shown(proposal), yes === true))) return unconfirmed(json, shown(proposal))
        await setUpSource(context, proposal)
        return {
          json,
          text: `${shown(proposal)}\n\nSaved. Each payment uses the next subaddress.`,
        }
      }),
    )
