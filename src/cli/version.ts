import { version as number } from '../version.ts'
import { type Cli, command } from './cli.ts'

export const version = (cli: Cli) =>
  command('version', 'print the version').action(
    cli.answering(() => ({ json: { version: number }, text: `florin ${number}` })),
  )
