import type { Holding, SeedRecipe, SolanaSweepCall, SweepRequest, Swept } from '../port.ts'
import { ask, type Node } from '../rpc/batch.ts'
import type { ChainConfig } from './chain-config.ts'
import { balanceOf, health, latestBlockhash, rentOf } from './rpc-calls.ts'
import { instructionOf, TRANSFERS_MAX, unsignedTransaction } from './seed-transfer.ts'
import { type Answer, printQuestions } from './tracked-accounts.ts'
import { seedRecipeOf } from './with-seed.ts'

const FEE_LAMPORTS = 5000n

/** What the payout wallet signs for: it is paid the fee from before the money arrives. */
interface Purse {
  attemptId: string
  address: string
  recipe: SeedRecipe
  lamports: bigint
}

/** What lies on addresses made by seeds, and the transactions that move it; of tokens none can be moved. */
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
  const purses = seeds
    .map((seed): Purse => ({ ...seed, lamports: lamports.get(seed.address)! }))
    .filter(purse => purse.lamports > 0n && isWorth(coin, purse.lamports))
  if (purses.length === 0) return { holdings: [], calls: [] }

  const [blockhash, rent] = await ask<[string, bigint]>(node, [latestBlockhash, rentOf])
  const least = rent + FEE_LAMPORTS
  const faultOf = ({ recipe }: Purse): string | null =>
    lamports.get(recipe.payoutAddress)! >= least
      ? null
      : `its payout wallet holds less than ${least} lamports, and cannot pay the fee: send it some SOL`
  return {
    holdings: purses.map(
      (purse): Holding => ({
        attemptId: purse.attemptId,
        address: purse.address,
        payoutAddress: purse.recipe.payoutAddress,
        isDeployed: null,
        token: coin,
        amount: purse.lamports,
        stuckReason: faultOf(purse),
      }),
    ),
    calls: callsOf(
      purses.filter(purse => faultOf(purse) === null),
      coin.id,
      blockhash,
    ),
  }
}

async function readBalances(node: Node, accounts: string[]): Promise<Map<string, bigint>> {
  const [, ...answers] = await ask<[null, ...Answer[]]>(node, [health, ...printQuestions(accounts)])
  if (answers.every(answer => answer !== null)) {
    const found = answers.flat()
    return new Map(accounts.map((account, index) => [account, BigInt(found[index]?.lamports ?? 0)]))
  }
  const balances = await ask(node, accounts.map(balanceOf))
  return new Map(accounts.map((account, index) => [account, balances[index]!]))
}

function callsOf(purses: Purse[], assetId: string, blockhash: string): SolanaSweepCall[] {
  return [...Map.groupBy(purses, ({ recipe }) => recipe.payoutAddress)].flatMap(([signer, own]) =>
    Array.from({ length: Math.ceil(own.length / TRANSFERS_MAX) }, (_, index): SolanaSweepCall => {
      const together = own.slice(index * TRANSFERS_MAX, (index + 1) * TRANSFERS_MAX)
      const transfers = together.map(({ address, recipe, lamports }) => ({
        address,
        seed: recipe.seed,
        lamports,
      }))
      return {
        kind: 'solana',
        attemptIds: together.map(({ attemptId }) => attemptId),
        assetId,
        signer,
        instructions: transfers.map(transfer => instructionOf(signer, transfer)),
        transaction: unsignedTransaction(signer, transfers, blockhash),
      }
    }),
  )
}
