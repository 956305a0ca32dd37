import { expect } from 'bun:test'
import { Cli } from '../../src/cli/cli.ts'
import { program } from '../../src/cli/program.ts'
import type { Ran } from '../support/process.ts'
import { snapshotOf, summaryOf } from './commands.ts'

/** Runs a command in this process, which is many times faster than one of its own. */
export async function runWithin(environment: Record<string, string>, ...args: string[]): Promise<Ran> {
  const printed: string[] = []
  const complained: string[] = []
  const cli = new Cli({
    environment,
    print: text => printed.push(`${text}\n`),
    complain: text => complained.push(`${text}\n`),
  })
  const exitCode = await cli.run(program(cli), args)
  return { exitCode, stdout: printed.join(''), stderr: complained.join('') }
}

export type Refused = [why: string, args: string[], words: RegExp]

/** Expects each command to be refused with exit code 1, in these words, and to change no row. */
export async function refusesWithin(dataDir: string, rows: Refused[]): Promise<void> {
  const before = snapshotOf(dataDir)
  for (const [why, args, words] of rows) {
    const ran = await runWithin({ FLORIN_DATA_DIR: dataDir }, ...args)
    const told = words.test(ran.stderr) ? words : ran.stderr
    expect({ why, ...summaryOf(ran), told }).toEqual({
      why,
      exitCode: 1,
      stdout: '',
      isSentence: true,
      told: words,
    })
  }
  expect(snapshotOf(dataDir)).toBe(before)
}
