import { bytesToHex } from '@noble/hashes/utils.js'
import type { Registry } from '../../coins/registry.ts'
import type { AddressFormat, BitcoinAddressFormat } from '../../coins/types.ts'
import type { WalletNetwork } from '../../domain/asset.ts'
import type { WalletFault } from '../../domain/wallet-fault.ts'
import { readBitcoin } from './bitcoin.ts'
import { evmBytes } from './evm.ts'
import { readTron } from './tron.ts'

const RESERVED: WalletFault = { kind: 'reserved' }
const DEAD: WalletFault = { kind: 'ownerless' }
const CONTRACT: WalletFault = { kind: 'publicContract' }

/** Matches the lowest addresses, such as 0x1 or 0x…1010, which belong to precompiled and system contracts. */
const LOW_ADDRESS = /^0{36}/
/** Matches the addresses of contracts that come with a chain of the OP Stack. */
const OP_STACK = /^4200000000000000000000000000000000000|^deaddeaddeaddeaddeaddeaddeaddeaddead/

const evmNames = new Map<string, WalletFault>([
  ['000000000000000000000000000000000000dead', DEAD],
  ['dead000000000000000000000000000000000000', DEAD],
  ['dead000000000000000042069420694206942069', DEAD],
  // Many contracts use this address as a symbol of the chain's own coin.
  ['eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee', DEAD],
  ['ffffffffffffffffffffffffffffffffffffffff', DEAD],
  ['fffffffffffffffffffffffffffffffffffffffe', RESERVED],
  ['00000000219ab540356cbb839cbe05303d7705fa', CONTRACT], // deposits of Ethereum's validators
  ['4e59b44847b379578588920ca78fbf26c0b4956c', CONTRACT], // deterministic deployment proxy
  ['ca11bde05977b3631167028862be2a173976ca11', CONTRACT], // Multicall3
  ['000000000022d473030f116ddee9f6b43ac78ba3', CONTRACT], // Permit2
  ['5ff137d4b0fdcd49dca30c7cf57e578a026d2789', CONTRACT], // EntryPoint of ERC-4337
  ['0000000071727de22e5e9d8baf0edac6f37da032', CONTRACT], // EntryPoint of ERC-4337, version 0.7
  ['c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2', CONTRACT], // wrapped ETH
  ['82af49447d8a07e3bd95bd0d56f35241523fbab1', CONTRACT], // wrapped ETH of Arbitrum
  ['0d500b1d8e8ef31e21c99d1db9a6444d3adf1270', CONTRACT], // wrapped POL
  ['bb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c', CONTRACT], // wrapped BNB
  ['77944d19c052b73ee2286823aa83f8138cb7032f', DEAD], // black hole of TRON
])

function evmReason(account: Uint8Array): WalletFault | null {
  const digits = bytesToHex(account)
  const known = evmNames.get(digits)
  if (known) return known
  return LOW_ADDRESS.test(digits) || OP_STACK.test(digits) ? RESERVED : null
}

/** Matches public keys that were chosen for their letters and padded with ones. */
const RESERVED_ON_SOLANA = /1{10}/
const solanaPrograms = new Set([
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s',
])

function solanaReason(address: string): WalletFault | null {
  if (solanaPrograms.has(address)) return { kind: 'publicProgram' }
  return RESERVED_ON_SOLANA.test(address) ? RESERVED : null
}

/**
 * Hashes for which nobody has a key: they were chosen for the letters of their address, or are of the empty
 * key.
 */
const deadHashes = new Set([
  '759d6677091e973b9e9d99f19c68fbf43e3f05f9', // 1BitcoinEaterAddressDontSend…
  '818895f3dc2c178629d3d2d8fa3ec4a3f8179821', // 1CounterpartyXXXX…
  'b472a266d0bd89c13706a4132ccfb16f7c3b9fcb', // the empty key
])
const ONE_BYTE = /^(..)\1*$/

function bitcoinReason(format: BitcoinAddressFormat, address: string): WalletFault | null {
  const found = readBitcoin(format, address)
  if (found === null) return null
  const digits = bytesToHex(found.type === 'witness' ? found.program : found.hash)
  return deadHashes.has(digits) || ONE_BYTE.test(digits) ? DEAD : null
}

function reasonOf(format: AddressFormat, address: string): WalletFault | null {
  if (format.kind === 'bitcoin') return bitcoinReason(format, address)
  if (format.kind === 'evm') return evmReason(evmBytes(address))
  if (format.kind === 'solana') return solanaReason(address)
  const account = format.kind === 'tron' ? readTron(address) : null
  return account && evmReason(account)
}

/** Returns the reason why nobody could spend money at a valid address; null if no reason is known. */
export const makeUnspendable =
  ({ wallet }: Registry) =>
  (network: WalletNetwork, address: string): WalletFault | null =>
    reasonOf(wallet(network).address, address)
