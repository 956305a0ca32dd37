import type { Command } from 'commander'
import { prefixesOf, registry } from '../../coins/registry.ts'
import { type Script, scripts } from '../../domain/address-source.ts'
import { invalid } from '../../domain/errors.ts'
import { joinWithOr } from '../../domain/join-with-or.ts'
import { walletFaultText } from '../../domain/wallet-fault.ts'
import {
  previewAccount,
  type SourcePreview,
  setUpSource,
  stopSource,
} from '../../operations/addresses/set-up-source.ts'
import { type Answer, type Cli, command, MERCHANT_ID } from '../cli.ts'
import { confirm, readKey, readNetwork, refuseArguments, unconfirmed } from './prompts.ts'

interface Options {
  merchant: string
  network: string
  script?: string
  keyFile?: string
  yes?: true
  stop?: true
}

function readScript(text: string | undefined): Script | null {
  if (text === undefined) return null
  const script = scripts.find(name => name === text)
  if (!script) throw invalid('script', `must be one of ${scripts.join(', ')}`)
  return script
}

const withKeys = registry.wallets.filter(({ sources }) => sources.includes('xpub'))
const networkNames = joinWithOr(withKeys.map(({ network }) => network))
const prefixNames = joinWithOr([...new Set(withKeys.flatMap(prefixesOf).map(({ name }) => name))])

/** The details that a person compares with their wallet. */
function shown({ source, first, warnings, others }: SourcePreview): string {
  const rest = others.map(({ script, address }) => `   --script ${script}  ${address}`)
  return [
    `The first addresses of this account on ${source.network}:`,
    ...first.map((address, index) => `   0/${index}  ${address}`),
    'Compare them with the receive addresses in your wallet; they must be the same.',
    ...(rest.length > 0
      ? ['If your wallet shows one of these instead, add the option beside it:', ...rest]
      : []),
    ...warnings.map(walletFaultText),
  ].join('\n')
}

export const presentPreview = ({ source, first, warnings }: SourcePreview) => ({
  merchantId: source.merchantId,
  network: source.network,
  kind: source.kind,
  ...(source.script && { script: source.script }),
  addresses: first,
  ...(warnings.length > 0 && { warnings: warnings.map(walletFaultText) }),
})

export const xpub = (cli: Cli): Command =>
  refuseArguments(
    command('xpub', "derive a new address for each payment from an account's extended public key"),
  )
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .requiredOption('--network <network>', `${networkNames} (evm: all EVM chains, trc20: TRON)`)
    .option('--script <script>', `address type: ${scripts.join(', ')} (default: taken from the key)`)
    .option(
      '--key-file <file>',
      `file with the extended public key (${prefixNames}); default: standard input`,
    )
    .option('--yes', 'save without asking for confirmation')
    .option('--stop', 'stop deriving; addresses already given to buyers stay monitored')
    .action(
      cli.withContext(async (context, options: Options): Promise<Answer> => {
        const { merchant, yes, stop } = options
        const network = readNetwork(options.network)
        if (stop) {
          await stopSource(context, merchant, network, 'xpub')
          return {
            json: { merchantId: merchant, network, kind: 'xpub', stopped: true },
            text: 'Stopped. Addresses already given to buyers stay monitored.',
          }
        }
        const [key = ''] = await readKey(options.keyFile, ['extended public key'])
        const proposal = await previewAccount(context, merchant, network, key, readScript(options.script))
        const json = presentPreview(proposal)
        if (!(await confirm(shown(proposal), yes === true))) return unconfirmed(json, shown(proposal))
        await setUpSource(context, proposal)
        return {
          json,
          text: `${shown(proposal)}\n\nSaved. Each payment uses the next address.`,
        }
      }),
    )
