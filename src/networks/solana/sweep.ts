import { asserted } from '../../domain/errors.ts'
import type { Holding, SeedRecipe, SolanaSweepCall, SweepRequest, Swept } from '../port.ts'
import { ask, type Node } from '../rpc/batch.ts'
import type { ChainConfig } from './chain-config.ts'
import { balanceOf, health, latestBlockhash, rentOf } from './rpc-calls.ts'
import { seedRecipeOf } from './seed-address.ts'
import { instructionOf, TRANSFERS_MAX, unsignedTransaction } from './seed-transfer.ts'
import { type AccountStates, stateQueries } from './tracked-accounts.ts'

const FEE_LAMPORTS = 5000n

interface FundedAddress {
  attemptId: string
  address: string
  recipe: SeedRecipe
  lamports: bigint
}

/**
 * Reads the SOL on seed addresses, and writes the transactions that move it. Tokens cannot be moved from seed
 * addresses.
 */
export async function sweep(node: Node, config: ChainConfig, request: SweepRequest): Promise<Swept> {
  const coin = config.assets.find(({ contract }) => contract === null)
  const { addresses, assetId, isWorth } = request
  if (!coin || (assetId !== null && assetId !== coin.id)) return { holdings: [], calls: [] }
  const seeds = addresses.flatMap(own => {
    const recipe = seedRecipeOf(own)
    return recipe ? [{ attemptId: own.attemptId, address: own.address, recipe }] : []
  })
  const payouts = [...new Set(seeds.map(({ recipe }) => recipe.payoutAddress))]
  const lamports = await readBalances(node, [...payouts, ...seeds.map(({ address }) => address)])
  const funded = seeds
    .map(
      (seed): FundedAddress => ({
        ...seed,
        lamports: asserted(lamports.get(seed.address), 'each address has a balance'),
      }),
    )
    .filter(one => one.lamports > 0n && isWorth(coin, one.lamports))
  if (funded.length === 0) return { holdings: [], calls: [] }

  const [blockhash, rent] = await ask<[string, bigint]>(node, [latestBlockhash, rentOf])
  // The payout wallet pays the fee before it gets the money, and must keep the minimum balance of an account.
  const needed = rent + FEE_LAMPORTS
  const stuckReasonOf = ({ recipe }: FundedAddress): string | null =>
    asserted(lamports.get(recipe.payoutAddress), 'each address has a balance') >= needed
      ? null
      : `its payout wallet holds less than ${needed} lamports and cannot pay the fee: send it some SOL`
  return {
    holdings: funded.map(
      (one): Holding => ({
        attemptId: one.attemptId,
        address: one.address,
        payoutAddress: one.recipe.payoutAddress,
        isDeployed: null,
        token: coin,
        amount: one.lamports,
        stuckReason: stuckReasonOf(one),
      }),
    ),
    calls: callsOf(
      funded.filter(one => stuckReasonOf(one) === null),
      coin.id,
      blockhash,
    ),
  }
}

async function readBalances(node: Node, accounts: string[]): Promise<Map<string, bigint>> {
  const [, ...states] = await ask<[null, ...AccountStates[]]>(node, [health, ...stateQueries(accounts)])
  if (states.every(state => state !== null)) {
    const found = states.flat()
    return new Map(accounts.map((account, index) => [account, BigInt(found[index]?.lamports ?? 0)]))
  }
  const balances = await ask(node, accounts.map(balanceOf))
  return new Map(accounts.map((account, index) => [account, balances[index]!]))
}

function callsOf(funded: FundedAddress[], assetId: string, blockhash: string): SolanaSweepCall[] {
  return [...Map.groupBy(funded, ({ recipe }) => recipe.payoutAddress)].flatMap(([signer, own]) =>
    Array.from({ length: Math.ceil(own.length / TRANSFERS_MAX) }, (_, index): SolanaSweepCall => {
      const batch = own.slice(index * TRANSFERS_MAX, (index + 1) * TRANSFERS_MAX)
      const transfers = batch.map(({ address, recipe, lamports }) => ({
        address,
        seed: recipe.seed,
        lamports,
      }))
      return {
        kind: 'solana',
        attemptIds: batch.map(({ attemptId }) => attemptId),
        assetId,
        signer,
        instructions: transfers.map(transfer => instructionOf(signer, transfer)),
        transaction: unsignedTransaction(signer, transfers, blockhash),
      }
    }),
  )
}
