import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { invalid } from '../../domain/errors.ts'
import { fillPool, getPool } from '../../operations/addresses/fill-pool.ts'
import { stopSource } from '../../operations/addresses/set-up-source.ts'
import { type Answer, type Cli, command } from '../cli.ts'
import { readNetwork } from './prompts.ts'

interface Options {
  merchant: string
  network: string
  stop?: true
}

function contentOf(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    // What was meant as a key, and given in the place of a file, is not repeated.
    throw invalid('file', `cannot be read (${(error as { code?: string }).code ?? 'unknown fault'})`)
  }
}

export const pool = (cli: Cli): Command =>
  command('pool', 'lend addresses of your own, one for each attempt, and never twice')
    .argument('[file]', 'one address a line; - reads them from standard input')
    .requiredOption('--merchant <id>', 'merchantId')
    .requiredOption('--network <network>', 'any but xmr')
    .option('--stop', 'lend no more; what was lent is watched on')
    .action(
      cli.withContext(async (context, file: string | undefined, options: Options): Promise<Answer> => {
        const { merchant, stop } = options
        const network = readNetwork(options.network)
        if (stop) {
          await stopSource(context, merchant, network, 'pool')
          return { json: { merchantId: merchant, network, kind: 'pool', stopped: true }, text: 'Stopped.' }
        }
        if (file === undefined) throw invalid('file', 'is missing')
        const filled = await fillPool(context, merchant, network, getPool(contentOf(file)))
        const json = { merchantId: merchant, network, kind: 'pool', ...filled }
        const known = filled.known > 0 ? `, ${filled.known} were there already` : ''
        return { json, text: `Added ${filled.added}${known}. ${filled.free} addresses are free.` }
      }),
    )
