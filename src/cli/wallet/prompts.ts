import { createInterface } from 'node:readline/promises'
import { type WalletNetwork, walletNetworks } from '../../domain/asset.ts'
import { invalid, Refusal } from '../../domain/errors.ts'

/** Parses a network name of the wallet API. */
export function readNetwork(text: string): WalletNetwork {
  const network = walletNetworks.find(name => name === text)
  if (!network) throw invalid('network', `must be one of ${walletNetworks.join(', ')}`)
  return network
}

/** Asks a person at a terminal to confirm before anything is saved. Scripts are not asked. */
export async function confirm(shown: string, isSure: boolean): Promise<void> {
  if (isSure || !process.stdin.isTTY || !process.stderr.isTTY) return
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question(`${shown}\n\nAre these the first addresses of your wallet? [y/N] `)
    if (!/^y(es)?$/i.test(answer.trim())) throw new Refusal('conflict', 'Cancelled; nothing was saved.')
  } finally {
    terminal.close()
  }
}
