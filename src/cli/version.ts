import { commit, version as number } from '../version.ts'
import { type Cli, command } from './cli.ts'

export const version = (cli: Cli) =>
  command('version', 'print the version and the commit of this executable').action(
    cli.answering(() => ({
      json: { version: number, commit },
      text: `florin ${number}${commit === null ? '' : ` (${commit})`}`,
    })),
  )
