import { type ChainConfig, coinOf } from '../../evm-like/chain-config.ts'
import { codeOf, decimalsOf } from '../../evm-like/rpc-calls.ts'
import { requireFresh, type Tip, tipQueries } from '../../evm-like/tip.ts'
import {
  type EvmSweepCall,
  type Holding,
  NetworkError,
  type SweepRequest,
  type Swept,
  type Token,
} from '../../port.ts'
import { ask, type Node } from '../../rpc/batch.ts'
import { recipeOf } from '../forwarder/recovery.ts'
import { deployerProblem } from '../readiness.ts'
import { deploymentStep, type FundedForwarder, flushStep, type SweepStep } from './calls.ts'
import { balanceQuery, type GasEstimate } from './queries.ts'

const COIN_DECIMALS = 18
/** Max decimals of a token. Amounts of a token that reports more decimals are shown in its smallest unit. */
const DECIMALS_MAX = 36n

/** Reads the balances of forwarders, and writes the calls that move them. Throws NetworkError. */
export async function sweep(node: Node, config: ChainConfig, request: SweepRequest): Promise<Swept> {
  const tokens = await requestedTokens(node, config, request.assetId)
  const forwarders = await withDeployment(node, config, await findFunded(node, config, tokens, request))
  const steps = forwarders.flatMap(forwarder => [
    ...(forwarder.isDeployed ? [] : [deploymentStep(forwarder)]),
    ...forwarder.balances.map(balance => flushStep(forwarder, balance)),
  ])
  const gas = await ask<GasEstimate[]>(
    node,
    steps.map(({ query }) => query),
  )
  return toSwept(config.chainId, steps, gas)
}

/** Returns the coin and all tokens of the table, or the requested token, which need not be in the table. */
async function requestedTokens(node: Node, config: ChainConfig, assetId: string | null): Promise<Token[]> {
  const { chain, assets } = config
  const coin: Token = coinOf(config) ?? { id: chain, decimals: COIN_DECIMALS, contract: null }
  const listed = [coin, ...assets.filter(({ contract }) => contract !== null)]
  if (assetId === null) return listed
  const contract = assetId.slice(chain.length + 1)
  const known = listed.find(
    token => token.id === assetId || token.contract?.toLowerCase() === contract.toLowerCase(),
  )
  if (known) return [known]
  if (!contract.startsWith('0x')) return []
  const [decimals] = await ask(node, [decimalsOf(contract)])
  return [
    { id: assetId, decimals: decimals === null || decimals > DECIMALS_MAX ? 0 : Number(decimals), contract },
  ]
}

/** Finds the forwarders with balances worth moving. Throws NetworkError, also if the node is out of date. */
async function findFunded(
  node: Node,
  config: ChainConfig,
  tokens: Token[],
  { addresses, assetId, isWorth }: SweepRequest,
): Promise<Omit<FundedForwarder, 'isDeployed'>[]> {
  const [head, finalized, ...amounts] = await ask<[Tip['head'], Tip['finalized'], ...(bigint | null)[]]>(
    node,
    [
      ...tipQueries,
      ...addresses.flatMap(({ address }) => tokens.map(({ contract }) => balanceQuery(address, contract))),
    ],
  )
  requireFresh(config, { head, finalized })
  await checkMissing(
    node,
    tokens.filter((_, index) => addresses.length > 0 && amounts[index] === null),
    assetId,
  )
  return addresses.flatMap((own, index) => {
    const recipe = recipeOf(own)
    const balances = tokens
      .map((token, column) => ({ token, amount: amounts[index * tokens.length + column] ?? 0n }))
      .filter(({ token, amount }) => amount > 0n && isWorth(token, amount))
    if (!recipe || balances.length === 0) return []
    return [{ attemptId: own.attemptId, address: own.address, recipe, balances }]
  })
}

/**
 * Throws NetworkError if a token's contract does not report balances. A wrong row of the table, with no
 * contract at its address, is tolerated unless that asset was requested, so that other assets can still be
 * swept.
 */
async function checkMissing(node: Node, missing: Token[], assetId: string | null): Promise<void> {
  const codes = await ask(
    node,
    missing.map(({ contract }) => codeOf(contract!)),
  )
  const silent = missing.find((_, index) => assetId !== null || codes[index] !== '0x')
  if (silent) throw new NetworkError(`has no token at ${silent.contract}`)
}

async function withDeployment(
  node: Node,
  config: ChainConfig,
  found: Omit<FundedForwarder, 'isDeployed'>[],
): Promise<FundedForwarder[]> {
  const codes = await ask(
    node,
    found.map(({ address }) => codeOf(address)),
  )
  const forwarders = found.map((forwarder, index) => ({ ...forwarder, isDeployed: codes[index] !== '0x' }))
  if (forwarders.every(({ isDeployed }) => isDeployed)) return forwarders
  const problem = await deployerProblem(node, config.chainId)
  if (problem) throw new NetworkError(problem)
  return forwarders
}

/**
 * Leaves out calls that would fail, and deployments that no other call needs. The balances that they concern
 * are still reported.
 */
function toSwept(chainId: number, steps: SweepStep[], gas: GasEstimate[]): Swept {
  const failures = new Map(
    steps.flatMap((step, index) => {
      const estimate = gas[index]
      return estimate !== null && typeof estimate === 'object' ? [[step, estimate.failure] as const] : []
    }),
  )
  const useful = new Set(
    steps.filter(step => step.balance && !failures.has(step)).map(({ forwarder }) => forwarder),
  )
  const holdings = steps.flatMap((step): Holding[] => {
    const { forwarder, balance } = step
    if (!balance) return []
    const { attemptId, address, isDeployed } = forwarder
    const { payoutAddress } = forwarder.recipe
    const stuckReason = failures.get(step) ?? null
    return [{ attemptId, address, payoutAddress, isDeployed, ...balance, stuckReason }]
  })
  const calls = steps.flatMap((step, index): EvmSweepCall[] => {
    const { forwarder, balance, call, usualGas, isUncertain } = step
    if (failures.has(step) || !useful.has(forwarder)) return []
    const estimate = Number(gas[index] ?? usualGas)
    return [
      {
        kind: 'evm',
        attemptId: forwarder.attemptId,
        action: balance ? 'flush' : 'deploy',
        assetId: balance?.token.id ?? null,
        chainId,
        ...call,
        gas: isUncertain ? Math.max(estimate, usualGas) : estimate,
      },
    ]
  })
  return { holdings, calls }
}
