import { chainOf } from '../../domain/asset.ts'
import { type Forwarder, readForwarders } from '../../operations/read-forwarders.ts'
import type { World } from '../../operations/world.ts'
import type { Answer } from '../cli.ts'

type Recipe = Forwarder['recipe']
type ForwarderRecipe = Extract<Recipe, { kind: 'create2' }>
type SeedRecipe = Extract<Recipe, { kind: 'seed' }>

const presentOwn = ({ attempt, own, recipe }: Forwarder) => ({
  attemptId: attempt.id,
  orderUUID: attempt.orderId,
  assetId: attempt.assetId,
  chain: chainOf(attempt.assetId),
  address: own.address,
  payoutWallet: recipe.payoutAddress,
})

const presentForwarder = (recipe: ForwarderRecipe) => ({
  kind: recipe.kind,
  deployer: recipe.deployer,
  salt: recipe.salt,
  initCode: recipe.initCode,
  deployData: recipe.deployData,
  flushCoinData: recipe.flushCoinData,
  flushTokenPrefix: recipe.flushTokenPrefix,
})

/** Solana's own program takes the wallet's key from a file, or from a Ledger as usb://ledger. */
const presentSeed = ({ kind, seed, program, payoutAddress }: SeedRecipe) => ({
  kind,
  seed,
  program,
  command: [
    `solana transfer ${payoutAddress} ALL --from KEYPAIR --fee-payer KEYPAIR`,
    `--derived-address-seed ${seed} --derived-address-program-id SYSTEM`,
  ].join(' '),
})

const presentRecipe = (recipe: Recipe) =>
  recipe.kind === 'seed' ? presentSeed(recipe) : presentForwarder(recipe)

const FORWARDER_WORDS = [
  'The same address on every EVM chain. To move money without Florin, from any wallet, with no value:',
  '1. where the address has no code: a transaction to the deployer with deploy data (salt and init code);',
  '2. one to the address with coin data; or for a token with token data and its contract’s 40 digits.',
].join('\n')

const SEED_WORDS = [
  'Addresses of Solana that are made of the payout wallet and a seed. To move SOL without Florin, run the',
  'command with the payout wallet’s key: KEYPAIR is its file, or usb://ledger. Any other program signs, with',
  'the payout wallet as base, the instruction TransferWithSeed of the system program.',
].join('\n')

const rowsOf = (recipe: Recipe): [name: string, value: string][] =>
  recipe.kind === 'seed'
    ? [
        ['seed', recipe.seed],
        ['command', presentSeed(recipe).command],
      ]
    : [
        ['deployer', recipe.deployer],
        ['salt', recipe.salt],
        ['init code', recipe.initCode],
        ['coin data', recipe.flushCoinData],
        ['token data', `${recipe.flushTokenPrefix}…`],
      ]

function textOf(forwarder: Forwarder): string {
  const own = presentOwn(forwarder)
  const rows: [string, string][] = [
    ['attempt', own.attemptId],
    ['order', own.orderUUID],
    ['asset', own.assetId],
    ['address', own.address],
    ['payout wallet', own.payoutWallet],
    ...rowsOf(forwarder.recipe),
  ]
  return rows.map(([name, value]) => `${name.padEnd(13)}  ${value}`).join('\n')
}

/** Those of one kind under the words for them. */
function section(words: string, forwarders: Forwarder[]): string[] {
  return forwarders.length === 0 ? [] : [words, ...forwarders.map(textOf)]
}

/** All that is needed to fetch the money without this program. */
export async function recipes(world: World, merchantId: string, asset: string | undefined): Promise<Answer> {
  const all = await readForwarders(world, merchantId)
  const own = all.filter(({ attempt }) => asset === undefined || asset === attempt.assetId)
  const json = own.map(forwarder => ({ ...presentOwn(forwarder), ...presentRecipe(forwarder.recipe) }))
  const ofKind = (kind: Recipe['kind']) => own.filter(({ recipe }) => recipe.kind === kind)
  const text = [...section(FORWARDER_WORDS, ofKind('create2')), ...section(SEED_WORDS, ofKind('seed'))]
  return { json, text: own.length > 0 ? text.join('\n\n') : 'No address was given out that has to be swept.' }
}
