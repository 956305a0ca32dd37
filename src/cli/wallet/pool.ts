import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import type { WalletNetwork } from '../../domain/asset.ts'
import { invalid } from '../../domain/errors.ts'
import { fillPool } from '../../operations/addresses/fill-pool.ts'
import { stopSource } from '../../operations/addresses/set-up-source.ts'
import { takeOutOfPool } from '../../operations/addresses/take-out.ts'
import type { Context } from '../../operations/context.ts'
import { reclaimPool } from '../../operations/payments/reclaim-pool.ts'
import { type Answer, type Cli, command, MERCHANT_ID } from '../cli.ts'
import { readNetwork } from './prompts.ts'

interface Options {
  merchant: string
  network: string
  stop?: true
  reclaim?: true
  takeOut?: true
}

function linesIn(file: string): string[] {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8').split(/\r?\n/)
  } catch (error) {
    // The argument may be a key that was passed by mistake: don't repeat it.
    throw invalid('file', `cannot be read (${(error as { code?: string }).code ?? 'unknown error'})`)
  }
}

async function reclaimed(context: Context, merchantId: string, network: WalletNetwork): Promise<Answer> {
  const result = await reclaimPool(context, merchantId, network)
  const kept =
    result.kept > 0 ? ` ${result.kept} are kept: money has arrived there, or no endpoint could be asked.` : ''
  const text = `${result.reclaimed} addresses can be used again.${kept} ${result.free} are available.`
  return { json: { merchantId, network, kind: 'pool', ...result }, text }
}

async function takenOut(
  context: Context,
  merchantId: string,
  network: WalletNetwork,
  file: string | undefined,
): Promise<Answer> {
  const lines = file === undefined ? 'unused' : linesIn(file)
  const result = await takeOutOfPool(context, merchantId, network, lines)
  const text = `Took out ${result.takenOut} addresses. ${result.free} are available.`
  return { json: { merchantId, network, kind: 'pool', ...result }, text }
}

export const pool = (cli: Cli): Command =>
  command('pool', 'use a list of your own addresses, one for each payment')
    .argument(
      '[file]',
      'file with one address per line; - reads standard input (required unless --stop, --reclaim or ' +
        '--take-out is given)',
    )
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .requiredOption(
      '--network <network>',
      'network of the addresses: any except xmr (evm: all EVM chains, trc20: TRON)',
    )
    .option('--stop', 'stop using the list; addresses already given to buyers stay monitored')
    .option(
      '--take-out',
      'remove unused addresses from the list: those in the file, or all of them if no file is given',
    )
    .option(
      '--reclaim',
      'reuse addresses that were never paid and have not been monitored for 30 days; asks the chain first',
    )
    .action(
      cli.withContext(async (context, file: string | undefined, options: Options): Promise<Answer> => {
        const { merchant, stop, reclaim, takeOut } = options
        const network = readNetwork(options.network)
        if (reclaim) return reclaimed(context, merchant, network)
        if (takeOut) return takenOut(context, merchant, network, file)
        if (stop) {
          await stopSource(context, merchant, network, 'pool')
          return {
            json: { merchantId: merchant, network, kind: 'pool', stopped: true },
            text: 'Stopped. Addresses already given to buyers stay monitored.',
          }
        }
        if (file === undefined) throw invalid('file', 'is required')
        const filled = await fillPool(context, merchant, network, linesIn(file))
        const json = { merchantId: merchant, network, kind: 'pool', ...filled }
        const known = filled.known > 0 ? `, ${filled.known} already known` : ''
        return { json, text: `Added ${filled.added} addresses${known}. ${filled.free} are available.` }
      }),
    )
