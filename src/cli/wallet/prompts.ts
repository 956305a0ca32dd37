import { createInterface } from 'node:readline/promises'
import { type WalletNetwork, walletNetworks } from '../../domain/asset.ts'
import { invalid, Refusal } from '../../domain/errors.ts'

/** Reads a network as it is named in the wallet API. */
export function readNetwork(text: string): WalletNetwork {
  const network = walletNetworks.find(name => name === text)
  if (!network) throw invalid('network', `must be one of ${walletNetworks.join(', ')}`)
  return network
}

/** Lets a person at a terminal look before anything is kept; a script has decided already. */
export async function confirm(shown: string, isSure: boolean): Promise<void> {
  if (isSure || !process.stdin.isTTY || !process.stderr.isTTY) return
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question(`${shown}\n\nAre these the first addresses of your wallet? [y/N] `)
    if (!/^y(es)?$/i.test(answer.trim())) throw new Refusal('conflict', 'Nothing was kept.')
  } finally {
    terminal.close()
  }
}
