import type { Asset } from '../domain/asset.ts'
import type { Json } from '../domain/metadata.ts'

/** An address that Florin allocated, with its source. */
export interface OwnAddress {
  attemptId: string
  address: string
  source: Json
}

/** A coin or token, which the table of assets need not contain. */
export type Token = Pick<Asset, 'id' | 'decimals' | 'contract'>

/** The balance of one address in one token. */
export interface Holding {
  attemptId: string
  address: string
  /** the only wallet that the balance can be moved to */
  payoutAddress: string
  /** true if the forwarder is deployed; null where no contract is needed */
  isDeployed: boolean | null
  token: Token
  /** the balance, in atomic units */
  amount: bigint
  /** the reason why the balance cannot be moved now; null if it can */
  stuckReason: string | null
}

/** A transaction that any wallet can sign and send. It transfers no coin. */
export interface EvmSweepCall {
  kind: 'evm'
  attemptId: string
  action: 'deploy' | 'flush'
  /** the asset that is paid out; null for a deployment */
  assetId: string | null
  chainId: number
  to: string
  data: string
  /** the node's estimate, or a typical value if the node gave no estimate */
  gas: number
}

export interface SolanaInstruction {
  program: string
  accounts: { address: string; isSigner: boolean; isWritable: boolean }[]
  /** the instruction's content in base64 */
  content: string
}

/** A transaction for the payout wallet, the only key that can move the balance of its seed addresses. */
export interface SolanaSweepCall {
  kind: 'solana'
  /** the attempts whose addresses the transaction empties */
  attemptIds: string[]
  assetId: string
  /** the payout wallet, which signs, pays the fee, and receives the money */
  signer: string
  instructions: SolanaInstruction[]
  /** the unsigned transaction in the base64 form that wallets accept; valid for about a minute */
  transaction: string
}

export type SweepCall = EvmSweepCall | SolanaSweepCall

/** The balances of addresses on one chain, and the transactions that move them, in the order to send them. */
export interface Swept {
  holdings: Holding[]
  calls: SweepCall[]
}

export interface SweepRequest {
  addresses: OwnAddress[]
  /**
   * distinguishes the EVM chains that an assets file can put under one chain's name; null where the chain has
   * no chain ID
   */
  chainId: number | null
  /** an asset's ID, or the chain, a slash and a contract; null for all assets of the chain */
  assetId: string | null
  /** True if this amount of a token is worth the fee. */
  isWorth(token: Token, amount: bigint): boolean
}

/** Everything that is needed to move money from a forwarder without Florin. */
export interface ForwarderRecipe {
  kind: 'create2'
  /** the contract that creates the forwarder by CREATE2 */
  deployer: string
  salt: string
  initCode: string
  payoutAddress: string
  /** calldata for the deployer */
  deployData: string
  /** calldata for the deployed forwarder to pay out the coin */
  flushCoinData: string
  /** calldata to pay out a token, to be followed by the 20 bytes of the token's contract */
  flushTokenPrefix: string
}

/** Everything that the payout wallet needs to move money from a seed address without Florin. */
export interface SeedRecipe {
  kind: 'seed'
  payoutAddress: string
  seed: string
  /** the owner program that is part of the address */
  program: string
}

export type Recipe = ForwarderRecipe | SeedRecipe
