import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import { type WalletNetwork, walletNetworks } from '../../domain/asset.ts'
import { invalid, Refusal } from '../../domain/errors.ts'
import type { Answer } from '../cli.ts'

/** Parses a network name of the wallet API. */
export function readNetwork(text: string): WalletNetwork {
  const network = walletNetworks.find(name => name === text)
  if (!network) throw invalid('network', `must be one of ${walletNetworks.join(', ')}`)
  return network
}

/**
 * Refuses arguments: a key in an argument would stay in the shell's history, and other users could read it
 * while the command runs.
 */
export const refuseArguments = (command: Command): Command =>
  command.allowExcessArguments(true).hook('preAction', (_, { args }) => {
    if (args.length === 0) return
    command.error('error: keys are not accepted as arguments; use standard input or --key-file FILE', {
      exitCode: 2,
    })
  })

/** Reads the lines of a key from a file, or from standard input. */
export async function readKey(file: string | undefined, prompts: readonly string[]): Promise<string[]> {
  const content = file === undefined && process.stdin.isTTY ? await ask(prompts) : contentOf(file)
  const lines = content.split(/\r?\n/).flatMap(line => line.trim() || [])
  if (lines.length === prompts.length) return lines
  throw invalid('key', `must be given as ${prompts.length} line(s): ${prompts.join(', then ')}`)
}

function contentOf(file: string | undefined): string {
  try {
    return readFileSync(file ?? 0, 'utf8')
  } catch (error) {
    throw invalid('key-file', `cannot be read (${(error as { code?: string }).code ?? 'unknown error'})`)
  }
}

async function ask(prompts: readonly string[]): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const lines: string[] = []
    for (const prompt of prompts) lines.push(await terminal.question(`${prompt}: `))
    return lines.join('\n')
  } finally {
    terminal.close()
  }
}

/** Returns true if a person at a terminal confirms, or with --yes. Throws if that person says no. */
export async function confirm(shown: string, isSure: boolean): Promise<boolean> {
  if (isSure) return true
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question(`${shown}\n\nAre these the first addresses of your wallet? [y/N] `)
    if (!/^y(es)?$/i.test(answer.trim())) throw new Refusal('conflict', 'Cancelled; nothing was saved.')
    return true
  } finally {
    terminal.close()
  }
}

/** The answer about a key that nobody has confirmed. */
export const unconfirmed = (json: object, shown: string): Answer => ({
  json: { ...json, saved: false },
  text: `${shown}\n\nNothing was saved. If the addresses are right, run this again with --yes.`,
  exitCode: 1,
})
