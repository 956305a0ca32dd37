import { type ChainConfig, coinOf } from '../../evm-like/chain-config.ts'
import { codeOf, decimalsOf } from '../../evm-like/rpc-calls.ts'
import { isStale, type Tip, tipQuestions } from '../../evm-like/tip.ts'
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
import { deployerFault } from '../readiness.ts'
import { deployment, flush, type Move, type Purse } from './calls.ts'
import { type GasAnswer, holdingOf } from './queries.ts'

/** Of which it is not known whether the forwarder stands. */
type UnseenPurse = Omit<Purse, 'isDeployed'>

const COIN_DECIMALS = 18
/** A token that tells more is not believed, and is counted in its smallest unit. */
const DECIMALS_MAX = 36n

/** Looks at all that is asked for, at the head of the chain, and writes the calls that move it. */
export async function sweep(node: Node, config: ChainConfig, request: SweepRequest): Promise<Swept> {
  const tokens = await tokensAsked(node, config, request.assetId)
  const purses = await withCodes(node, config, await filled(node, config, tokens, request))
  const moves = purses.flatMap(purse => [
    ...(purse.isDeployed ? [] : [deployment(purse)]),
    ...purse.contents.map(content => flush(purse, content)),
  ])
  const gas = await ask<GasAnswer[]>(
    node,
    moves.map(({ question }) => question),
  )
  return told(config.chainId, moves, gas)
}

/** The coin and every token of the table; or the one that is asked for, which its contract describes. */
async function tokensAsked(node: Node, config: ChainConfig, assetId: string | null): Promise<Token[]> {
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
  const [decimals] = await ask<[bigint | null]>(node, [decimalsOf(contract)])
  return [
    { id: assetId, decimals: decimals === null || decimals > DECIMALS_MAX ? 0 : Number(decimals), contract },
  ]
}

/** The forwarders that hold something worth its while, by a node that follows its chain. */
async function filled(
  node: Node,
  config: ChainConfig,
  tokens: Token[],
  { addresses, assetId, isWorth }: SweepRequest,
): Promise<UnseenPurse[]> {
  const [head, finalized, ...amounts] = await ask<[Tip['head'], Tip['finalized'], ...(bigint | null)[]]>(
    node,
    [
      ...tipQuestions,
      ...addresses.flatMap(({ address }) => tokens.map(({ contract }) => holdingOf(address, contract))),
    ],
  )
  if (isStale(config.blockTimeMs, { head, finalized }, config.clock())) {
    throw new NetworkError(`stands still at block ${head.height}`)
  }
  await checkMissing(
    node,
    tokens.filter((_, place) => addresses.length > 0 && amounts[place] === null),
    assetId,
  )
  return addresses.flatMap((own, index) => {
    const recipe = recipeOf(own)
    const contents = tokens
      .map((token, place) => ({ token, amount: amounts[index * tokens.length + place] ?? 0n }))
      .filter(({ token, amount }) => amount > 0n && isWorth(token, amount))
    if (!recipe || contents.length === 0) return []
    return [{ attemptId: own.attemptId, address: own.address, recipe, contents }]
  })
}

/** A row of the table that is wrong must not keep other assets from being fetched; a mute contract must. */
async function checkMissing(node: Node, missing: Token[], assetId: string | null): Promise<void> {
  const codes = await ask(
    node,
    missing.map(({ contract }) => codeOf(contract!)),
  )
  const mute = missing.find((_, index) => assetId !== null || codes[index] !== '0x')
  if (mute) throw new NetworkError(`has no token at ${mute.contract}`)
}

async function withCodes(node: Node, config: ChainConfig, unseen: UnseenPurse[]): Promise<Purse[]> {
  const codes = await ask(
    node,
    unseen.map(({ address }) => codeOf(address)),
  )
  const purses = unseen.map((purse, index) => ({ ...purse, isDeployed: codes[index] !== '0x' }))
  if (purses.every(({ isDeployed }) => isDeployed)) return purses
  const fault = await deployerFault(node, config.chainId)
  if (fault) throw new NetworkError(fault)
  return purses
}

/** What would fail is told and not written as a call; nor is a deployment that nothing follows. */
function told(chainId: number, moves: Move[], gas: GasAnswer[]): Swept {
  const faults = new Map(
    moves.flatMap((move, index) => {
      const answer = gas[index]
      return answer !== null && typeof answer === 'object' ? [[move, answer.fails] as const] : []
    }),
  )
  const useful = new Set(moves.filter(move => move.content && !faults.has(move)).map(({ purse }) => purse))
  const holdings = moves.flatMap((move): Holding[] => {
    const { purse, content } = move
    if (!content) return []
    const { attemptId, address, isDeployed } = purse
    const { payoutAddress } = purse.recipe
    return [
      { attemptId, address, payoutAddress, isDeployed, ...content, stuckReason: faults.get(move) ?? null },
    ]
  })
  const calls = moves.flatMap((move, index): EvmSweepCall[] => {
    const { purse, content, call, usualGas, isUncertain } = move
    if (faults.has(move) || !useful.has(purse)) return []
    const answer = Number(gas[index] ?? usualGas)
    return [
      {
        kind: 'evm',
        attemptId: purse.attemptId,
        action: content ? 'flush' : 'deploy',
        assetId: content?.token.id ?? null,
        chainId,
        ...call,
        gas: isUncertain ? Math.max(answer, usualGas) : answer,
      },
    ]
  })
  return { holdings, calls }
}
