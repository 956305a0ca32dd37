import type { Command } from 'commander'
import { prefixesOf, registry } from '../../coins/registry.ts'
import { type Script, scripts } from '../../domain/address-source.ts'
import { invalid } from '../../domain/errors.ts'
import { joinWithOr } from '../../domain/join-with-or.ts'
import {
  previewAccount,
  type SourcePreview,
  setUpSource,
  stopSource,
} from '../../operations/addresses/set-up-source.ts'
import { type Answer, type Cli, command } from '../cli.ts'
import { confirm, readNetwork } from './prompts.ts'

interface Options {
  merchant: string
  network: string
  script?: string
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

/** What a person compares with his wallet. */
function shown({ source, first, warnings, others }: SourcePreview): string {
  const rest = others.map(({ script, address }) => `   --script ${script}  ${address}`)
  return [
    `The first addresses of this account on ${source.network}:`,
    ...first.map((address, index) => `   0/${index}  ${address}`),
    'Your wallet must show the same ones under "receive"; else buyers would pay where you never look.',
    ...(rest.length > 0 ? ['If it shows one of these instead, name the script:', ...rest] : []),
    ...warnings,
  ].join('\n')
}

export const presentPreview = ({ source, first, warnings }: SourcePreview) => ({
  merchantId: source.merchantId,
  network: source.network,
  kind: source.kind,
  ...(source.script && { script: source.script }),
  addresses: first,
  ...(warnings.length > 0 && { warnings }),
})

export const xpub = (cli: Cli): Command =>
  command('xpub', "derive addresses from an account's extended public key, one for each attempt")
    .argument('[key]', `${prefixNames} of the account; never a private key`)
    .requiredOption('--merchant <id>', 'merchantId')
    .requiredOption('--network <network>', networkNames)
    .option(
      '--script <script>',
      `what the addresses are like: ${scripts.join(', ')}; by the key when left out`,
    )
    .option('--yes', 'do not ask whether the addresses are right')
    .option('--stop', 'derive no more; what was given out is watched on')
    .action(
      cli.withContext(async (context, key: string | undefined, options: Options): Promise<Answer> => {
        const { merchant, yes, stop } = options
        const network = readNetwork(options.network)
        if (stop) {
          await stopSource(context, merchant, network, 'xpub')
          return { json: { merchantId: merchant, network, kind: 'xpub', stopped: true }, text: 'Stopped.' }
        }
        if (key === undefined) throw invalid('key', 'is missing')
        const proposal = await previewAccount(context, merchant, network, key, readScript(options.script))
        await confirm(shown(proposal), yes === true)
        await setUpSource(context, proposal)
        return {
          json: presentPreview(proposal),
          text: `${shown(proposal)}\n\nKept: each attempt gets the next one.`,
        }
      }),
    )
