import type { ForwarderRecipe, Token } from '../../port.ts'
import type { Query } from '../../rpc/batch.ts'
import { type EvmCall, flushCall } from '../forwarder/forwarder.ts'
import { type GasAnswer, gasOf, gasOnceDeployed } from './queries.ts'

interface Content {
  token: Token
  amount: bigint
}

/** A forwarder, and what it holds that is to be moved. */
export interface Purse {
  attemptId: string
  address: string
  recipe: ForwarderRecipe
  isDeployed: boolean
  contents: Content[]
}

/** A call that may be sent, and the question what it would use. */
export interface Move {
  purse: Purse
  /** what it flushes; null where it deploys */
  content: Content | null
  call: EvmCall
  question: Query<GasAnswer>
  /** where the node cannot tell */
  usualGas: number
  /** a node that does not know how to suppose a contract supposes none, and tells too little */
  isUncertain: boolean
}

/** As measured, with room for tokens and wallets that do more than keep accounts. */
const USUAL_DEPLOY_GAS = 95_000
const USUAL_COIN_GAS = 60_000
const USUAL_TOKEN_GAS = 90_000

export function deployment(purse: Purse): Move {
  const { deployer, deployData } = purse.recipe
  const call = { to: deployer, data: deployData }
  return { purse, content: null, call, question: gasOf(call), usualGas: USUAL_DEPLOY_GAS, isUncertain: false }
}

export function flush(purse: Purse, content: Content): Move {
  const { address, isDeployed, recipe } = purse
  const { contract } = content.token
  const call = { to: address, data: flushCall(contract) }
  return {
    purse,
    content,
    call,
    question: isDeployed ? gasOf(call) : gasOnceDeployed(call, recipe.payoutAddress),
    usualGas: contract === null ? USUAL_COIN_GAS : USUAL_TOKEN_GAS,
    isUncertain: !isDeployed,
  }
}
