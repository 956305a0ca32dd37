import type { Asset } from '../domain/asset.ts'
import type { Json } from '../domain/metadata.ts'

/** An address that Florin gave out, with how it was created. */
export interface OwnAddress {
  attemptId: string
  address: string
  source: Json
}

/** A coin or token, also one that is not in the table of assets. */
export type Token = Pick<Asset, 'id' | 'decimals' | 'contract'>

/** The balance of one address in one token. */
export interface Holding {
  attemptId: string
  address: string
  /** the only wallet that it can be moved to */
  payoutAddress: string
  /** whether the contract that moves it is deployed; null where none is needed */
  isDeployed: boolean | null
  token: Token
  /** atomic */
  amount: bigint
  /** why it cannot be moved now; null where it can */
  stuckReason: string | null
}

/** A transaction for any wallet to sign and send. It carries no value. */
export interface EvmSweepCall {
  kind: 'evm'
  attemptId: string
  action: 'deploy' | 'flush'
  /** what is flushed; null for a deployment */
  assetId: string | null
  chainId: number
  to: string
  data: string
  /** an estimate; a typical value where the node gave none */
  gas: number
}

export interface SolanaInstruction {
  program: string
  accounts: { address: string; isSigner: boolean; isWritable: boolean }[]
  /** base64 */
  content: string
}

/** A transaction for the payout wallet to sign. No other key can move the balance of its seed addresses. */
export interface SolanaSweepCall {
  kind: 'solana'
  /** the attempts whose addresses it empties */
  attemptIds: string[]
  assetId: string
  /** the payout wallet: signs, pays the fee, and receives */
  signer: string
  instructions: SolanaInstruction[]
  /** without its signature, in base64 as wallets accept it; valid for about a minute */
  transaction: string
}

export type SweepCall = EvmSweepCall | SolanaSweepCall

/** The balances of addresses on one chain, and the calls that move them, in the order to send them. */
export interface Swept {
  holdings: Holding[]
  calls: SweepCall[]
}

export interface SweepRequest {
  addresses: OwnAddress[]
  /**
   * the chain id, since an assets file can put assets of several under one chain; null where the chain has
   * none
   */
  chainId: number | null
  /** an asset of the chain, or the chain, a slash and a contract; null for all assets of the chain */
  assetId: string | null
  /** whether this amount of a token is worth moving */
  isWorth(token: Token, amount: bigint): boolean
}

/** How to move money from a forwarder without Florin. */
export interface ForwarderRecipe {
  kind: 'create2'
  /** the contract that creates the forwarder by CREATE2 */
  deployer: string
  salt: string
  initCode: string
  payoutAddress: string
  /** calldata for the deployer */
  deployData: string
  /** calldata for the forwarder, once deployed */
  flushCoinData: string
  /** the same for a token, to be followed by the 20 bytes of its contract */
  flushTokenPrefix: string
}

/** How the payout wallet moves money from one of its seed addresses without Florin. */
export interface SeedRecipe {
  kind: 'seed'
  payoutAddress: string
  seed: string
  /** the owner program that is part of the address */
  program: string
}

export type Recipe = ForwarderRecipe | SeedRecipe
