import { Argument } from 'commander'
import php from '../../clients/php/Florin.php' with { type: 'text' }
import python from '../../clients/python/florin.py' with { type: 'text' }
import * as types from '../../clients/typescript/api.ts' with { type: 'text' }
import * as runtime from '../../clients/typescript/client.ts' with { type: 'text' }
import { type Cli, command } from './cli.ts'

/**
 * Returns the text of an imported file. The compiler types a TypeScript file as a module, even if its text is
 * imported.
 */
const textOf = (imported: object): string => (imported as { default: string }).default

/** Joins the two files of the TypeScript client. */
const inOneFile = (): string =>
  textOf(types) + textOf(runtime).replace(/^import [^\n]*'[.]\/api[.]ts'\n/m, '')

const clients: Readonly<Record<string, () => string>> = {
  typescript: inOneFile,
  php: () => php,
  python: () => python,
}

export const client = (cli: Cli) =>
  command('client', 'print the client of this version: one file without dependencies')
    .addArgument(new Argument('<language>').choices(Object.keys(clients)))
    .action(
      cli.answering((language: string) => {
        const text = clients[language]?.() ?? ''
        return { json: { language, text }, text: text.trimEnd() }
      }),
    )
