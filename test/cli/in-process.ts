import { expect } from 'bun:test'
import { Cli } from '../../src/cli/cli.ts'
import { program } from '../../src/cli/program.ts'
import { type Ran, runCli } from '../support/process.ts'
import { florinIn, snapshotOf, summaryOf } from './commands.ts'

/** Runs a command in this process, which is many times faster than starting one. */
export async function runInProcess(environment: Record<string, string>, ...args: string[]): Promise<Ran> {
  const printed: string[] = []
  const complained: string[] = []
  const cli = new Cli({
    environment,
    print: text => printed.push(`${text}\n`),
    complain: text => complained.push(`${text}\n`),
  })
  const exitCode = await cli.run(await program(cli, args), args)
  return { exitCode, stdout: printed.join(''), stderr: complained.join('') }
}

const servers = ['serve', 'demo']

/**
 * Like `florinIn`, but runs commands in this process, one after another: for tests of what commands do. Only
 * a server gets a process of its own.
 */
export const florinHere = (dataDir?: string, environment?: Record<string, string>) => {
  const start: typeof runInProcess = (settings, ...args) =>
    servers.includes(args[0]!) ? runCli(args, settings) : runInProcess(settings, ...args)
  return florinIn(dataDir, environment, { start, atOnce: 1 })
}

export type Refused = [why: string, args: string[], words: RegExp]

/** Expects each command to be refused with exit code 1 and this message, and to change no row. */
export async function expectRefusals(dataDir: string, rows: Refused[]): Promise<void> {
  const before = snapshotOf(dataDir)
  for (const [why, args, words] of rows) {
    const ran = await runInProcess({ FLORIN_DATA_DIR: dataDir }, ...args)
    const message = words.test(ran.stderr) ? words : ran.stderr
    expect({ why, ...summaryOf(ran), message }).toEqual({
      why,
      exitCode: 1,
      stdout: '',
      isSentence: true,
      message: words,
    })
  }
  expect(snapshotOf(dataDir)).toBe(before)
}
