import type { Asset } from '../../domain/asset.ts'
import type { WalletFault } from '../../domain/wallet-fault.ts'
import { NetworkError, type PayoutState } from '../port.ts'
import { ask, type Node } from '../rpc/batch.ts'
import { WrongChain } from '../rpc/failover.ts'
import { ACCOUNTS_MAX, type Account, accountOf, genesisHash } from './rpc-calls.ts'
import { SYSTEM_PROGRAM } from './seed-address.ts'
import { TOKEN_PROGRAM } from './token-account.ts'
import { type AccountStates, stateQueries } from './tracked-accounts.ts'

/** The hash of the mainnet's first block. */
const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
const otherChains = new Map([
  ['EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG', 'the devnet of Solana'],
  ['4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY', 'the testnet of Solana'],
  ['EAQLJCV2mh23BsK2P9oYpV5CHVLDNHTxYss3URrNmg3s', 'Eclipse'],
  ['CX4huckiV9QNAkKNVKi5Tj8nxzBive5kQimd94viMKsU', 'the testnet of Eclipse'],
])

/**
 * Accepts the mainnet anywhere, and a private chain on this machine only. Throws WrongChain for another
 * chain, NetworkError for an endpoint that does not report its genesis.
 */
export async function verifyChain(chain: string, node: Node, isLocal: boolean): Promise<void> {
  const [reply] = await node.ask([genesisHash.call])
  const isRefused = !reply || 'error' in reply
  if (isRefused && isLocal) return
  if (isRefused) throw new NetworkError(`does not report its genesis block: "${reply?.error.message ?? ''}"`)
  const genesis = genesisHash.read(reply.result)
  if (genesis === MAINNET || (isLocal && !otherChains.has(genesis))) return
  const name = otherChains.get(genesis) ?? `the chain of genesis ${genesis}`
  throw new WrongChain(`serves ${name}, not ${chain}: configure another endpoint`)
}

const MINT_BYTES = 82
const DECIMALS_AT = 44

/**
 * Returns the fault of a token's row in the table of assets; null if the row has no fault. Throws
 * NetworkError.
 */
export async function mintProblem(node: Node, { id, contract, decimals }: Asset): Promise<string | null> {
  if (contract === null) return null
  const [mint] = await ask<[Account | null]>(node, [accountOf(contract)])
  const row = `Correct the row ${id} in the file of FLORIN_ASSETS_FILE.`
  if (mint?.owner !== TOKEN_PROGRAM || mint.content.length !== MINT_BYTES) {
    return `There is no mint of the token program at ${contract}. ${row}`
  }
  const reported = mint.content[DECIMALS_AT]
  if (reported === decimals) return null
  return `The mint ${contract} has ${reported} decimals; the table says ${decimals}. ${row}`
}

/** Reads the state of a payout wallet's address, which must be able to sign for its seed addresses. */
export async function payoutState(node: Node, address: string): Promise<PayoutState> {
  const [account] = await ask<[Account | null]>(node, [accountOf(address)])
  const isWallet = walletProblem(address, account) === null
  const refusal = `the payout wallet belongs to the program ${account?.owner}, so no wallet can use it`
  return { isContract: false, coinRefusal: isWallet ? null : refusal }
}

/** Returns the reason why an address cannot take payments; null if the address is unused, or is a wallet. */
export const walletProblem = (address: string, account: Account | null): WalletFault | null =>
  account === null || (account.owner === SYSTEM_PROGRAM && !account.isExecutable)
    ? null
    : { kind: 'notAWallet', address, program: account.owner }

/** Asks for the `walletProblem` of many addresses; null if the node cannot report many accounts at once. */
export async function walletProblems(node: Node, addresses: string[]): Promise<(WalletFault | null)[]> {
  const states = await ask<AccountStates[]>(node, stateQueries(addresses))
  return addresses.map((address, index) => {
    const account = states[Math.floor(index / ACCOUNTS_MAX)]?.[index % ACCOUNTS_MAX]
    return walletProblem(address, account ?? null)
  })
}
