import type { ForwarderRecipe, Token } from '../../port.ts'
import type { Query } from '../../rpc/batch.ts'
import { type EvmCall, flushCall } from '../forwarder/forwarder.ts'
import { type GasEstimate, gasOnceDeployedQuery, gasQuery } from './queries.ts'

interface Balance {
  token: Token
  amount: bigint
}

/** A forwarder with the balances to move. */
export interface FundedForwarder {
  attemptId: string
  address: string
  recipe: ForwarderRecipe
  isDeployed: boolean
  balances: Balance[]
}

/** A call that would move money, or that has to come before it, with the query for its gas. */
export interface SweepStep {
  forwarder: FundedForwarder
  /** the balance that the call pays out; null for a deployment */
  balance: Balance | null
  call: EvmCall
  query: Query<GasEstimate>
  /** the gas to assume if the node cannot estimate it */
  usualGas: number
  /**
   * true if the estimate may be too low: without state overrides, a node calls an address that has no code
   * yet
   */
  isUncertain: boolean
}

/**
 * The usual gas of each call, as measured, with room for tokens and wallets that do more than update
 * balances.
 */
export const USUAL_DEPLOY_GAS = 95_000
export const USUAL_COIN_GAS = 60_000
export const USUAL_TOKEN_GAS = 90_000

export function deploymentStep(forwarder: FundedForwarder): SweepStep {
  const { deployer, deployData } = forwarder.recipe
  const call = { to: deployer, data: deployData }
  return {
    forwarder,
    balance: null,
    call,
    query: gasQuery(call),
    usualGas: USUAL_DEPLOY_GAS,
    isUncertain: false,
  }
}

export function flushStep(forwarder: FundedForwarder, balance: Balance): SweepStep {
  const { address, isDeployed, recipe } = forwarder
  const { contract } = balance.token
  const call = { to: address, data: flushCall(contract) }
  return {
    forwarder,
    balance,
    call,
    query: isDeployed ? gasQuery(call) : gasOnceDeployedQuery(call, recipe.payoutAddress),
    usualGas: contract === null ? USUAL_COIN_GAS : USUAL_TOKEN_GAS,
    isUncertain: !isDeployed,
  }
}
