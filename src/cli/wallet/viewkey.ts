import type { Command } from 'commander'
import { invalid } from '../../domain/errors.ts'
import {
  previewViewKey,
  type SourcePreview,
  setUpSource,
  stopSource,
} from '../../operations/addresses/set-up-source.ts'
import { type Answer, type Cli, command } from '../cli.ts'
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
    'Your wallet must show the same ones. The view key tells what was received, and can spend nothing.',
  ].join('\n')

export const viewkey = (cli: Cli): Command =>
  command('viewkey', 'show a Monero subaddress to each attempt, and see what arrives by the private view key')
    .argument('[key]', 'the private VIEW key of the payout wallet; never its spend key or its seed')
    .requiredOption('--merchant <id>', 'merchantId')
    .option('--yes', 'do not ask whether the addresses are right')
    .option('--stop', 'give out no more; what was given out is watched on')
    .action(
      cli.withContext(
        async (context, key: string | undefined, { merchant, yes, stop }: Options): Promise<Answer> => {
          if (stop) {
            await stopSource(context, merchant, 'xmr', 'viewkey')
            return {
              json: { merchantId: merchant, network: 'xmr', kind: 'viewkey', stopped: true },
              text: 'Stopped.',
            }
          }
          if (key === undefined) throw invalid('key', 'is missing')
          const proposal = await previewViewKey(context, merchant, key)
          await confirm(shown(proposal), yes === true)
          await setUpSource(context, proposal)
          return {
            json: presentPreview(proposal),
            text: `${shown(proposal)}\n\nKept: each attempt gets the next one.`,
          }
        },
      ),
    )
