import { chainOf } from '../../domain/asset.ts'
import type { Json } from '../../domain/metadata.ts'
import {
  type Forwarder,
  type IssuedAddress,
  listIssuedAddresses,
} from '../../operations/addresses/recovery-export.ts'
import type { Context } from '../../operations/context.ts'
import type { Answer } from '../cli.ts'

type Recipe = Forwarder['recipe']
type ForwarderRecipe = Extract<Recipe, { kind: 'create2' }>
type SeedRecipe = Extract<Recipe, { kind: 'seed' }>

const presentOwn = ({ attempt, own }: IssuedAddress) => ({
  attemptId: attempt.id,
  orderUUID: attempt.orderId,
  assetId: attempt.assetId,
  chain: chainOf(attempt.assetId),
  address: own.address,
  payoutWallet: attempt.payoutAddress,
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

/** Its place in the merchant's own wallet, where its money is. The view key is no part of it. */
function presentPlace({ own }: IssuedAddress) {
  const { kind, key, script, path, index } = own.source as Record<string, Json>
  return kind === 'xpub' ? { kind, key, script, path, index } : { kind, index: index ?? null }
}

const presentRecipe = (given: IssuedAddress) => {
  if (given.recipe === null) return presentPlace(given)
  return given.recipe.kind === 'seed' ? presentSeed(given.recipe) : presentForwarder(given.recipe)
}

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

const OWN_WORDS = 'Addresses of the merchant’s own wallets, where their money is already.'

const placeOf = (given: IssuedAddress): [name: string, value: string][] =>
  Object.entries(presentPlace(given)).flatMap(([name, value]) => (value === null ? [] : [[name, `${value}`]]))

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

function textOf(given: IssuedAddress): string {
  const own = presentOwn(given)
  const rows: [string, string][] = [
    ['attempt', own.attemptId],
    ['order', own.orderUUID],
    ['asset', own.assetId],
    ['address', own.address],
    ['payout wallet', own.payoutWallet ?? ''],
    ...(given.recipe ? rowsOf(given.recipe) : placeOf(given)),
  ]
  return rows.map(([name, value]) => `${name.padEnd(13)}  ${value}`).join('\n')
}

/** Those of one kind under the words for them. */
function section(words: string, given: IssuedAddress[]): string[] {
  return given.length === 0 ? [] : [words, ...given.map(textOf)]
}

/** All that is needed to fetch the money without this program, and the place of what is fetched already. */
export async function recipes(
  context: Context,
  merchantId: string,
  asset: string | undefined,
): Promise<Answer> {
  const all = await listIssuedAddresses(context, merchantId)
  const given = all.filter(({ attempt }) => asset === undefined || asset === attempt.assetId)
  const json = given.map(one => ({ ...presentOwn(one), ...presentRecipe(one) }))
  const ofKind = (kind: Recipe['kind'] | undefined) => given.filter(({ recipe }) => recipe?.kind === kind)
  const text = [
    ...section(FORWARDER_WORDS, ofKind('create2')),
    ...section(SEED_WORDS, ofKind('seed')),
    ...section(OWN_WORDS, ofKind(undefined)),
  ]
  return { json, text: given.length > 0 ? text.join('\n\n') : 'No address was given out.' }
}
