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

/**
 * A seed address, with the command that moves its funds. KEYPAIR is the file of the wallet's key, or
 * usb://ledger.
 */
const presentSeed = ({ kind, seed, program, payoutAddress }: SeedRecipe) => ({
  kind,
  seed,
  program,
  command: [
    `solana transfer ${payoutAddress} ALL --from KEYPAIR --fee-payer KEYPAIR`,
    `--derived-address-seed ${seed} --derived-address-program-id SYSTEM`,
  ].join(' '),
})

/** The position of an address in the merchant's own wallet. Leaves out the view key. */
function presentPosition({ own }: IssuedAddress) {
  const { kind, key, script, path, index } = own.source as Record<string, Json>
  return kind === 'xpub' ? { kind, key, script, path, index } : { kind, index: index ?? null }
}

const presentRecipe = (issued: IssuedAddress) => {
  if (issued.recipe === null) return presentPosition(issued)
  return issued.recipe.kind === 'seed' ? presentSeed(issued.recipe) : presentForwarder(issued.recipe)
}

const FORWARDER_INSTRUCTIONS = [
  'A forwarder has the same address on every EVM chain. To move funds without Florin, send from any wallet,',
  'with value 0:',
  '1. if the address has no code yet: a transaction to the deployer with the deploy data;',
  '2. a transaction to the address with the coin data; for a token, with the token data followed by the',
  '   40 digits of the token contract.',
].join('\n')

const SEED_INSTRUCTIONS = [
  'Solana addresses derived from the payout wallet and a seed. To move SOL without Florin, run the command',
  'with the payout wallet’s key: KEYPAIR is its file, or usb://ledger. Other programs sign the instruction',
  'TransferWithSeed of the system program with the payout wallet as base.',
].join('\n')

const OWN_INSTRUCTIONS = 'Addresses in the merchant’s own wallets. Their funds need no sweep.'

const positionRows = (issued: IssuedAddress): [name: string, value: string][] =>
  Object.entries(presentPosition(issued)).flatMap(([name, value]) =>
    value === null ? [] : [[name, `${value}`]],
  )

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

function textOf(issued: IssuedAddress): string {
  const own = presentOwn(issued)
  const rows: [string, string][] = [
    ['attempt', own.attemptId],
    ['order', own.orderUUID],
    ['asset', own.assetId],
    ['address', own.address],
    ['payout wallet', own.payoutWallet ?? ''],
    ...(issued.recipe ? rowsOf(issued.recipe) : positionRows(issued)),
  ]
  return rows.map(([name, value]) => `${name.padEnd(13)}  ${value}`).join('\n')
}

/** Addresses of one kind, with their instructions. */
function section(instructions: string, issued: IssuedAddress[]): string[] {
  return issued.length === 0 ? [] : [instructions, ...issued.map(textOf)]
}

/** Everything needed to recover funds without Florin, for every address given to a buyer. */
export async function exportRecovery(
  context: Context,
  merchantId: string,
  asset: string | undefined,
): Promise<Answer> {
  const all = await listIssuedAddresses(context, merchantId)
  const issued = all.filter(({ attempt }) => asset === undefined || asset === attempt.assetId)
  const json = issued.map(one => ({ ...presentOwn(one), ...presentRecipe(one) }))
  const ofKind = (kind: Recipe['kind'] | undefined) => issued.filter(({ recipe }) => recipe?.kind === kind)
  const text = [
    ...section(FORWARDER_INSTRUCTIONS, ofKind('create2')),
    ...section(SEED_INSTRUCTIONS, ofKind('seed')),
    ...section(OWN_INSTRUCTIONS, ofKind(undefined)),
  ]
  return { json, text: issued.length > 0 ? text.join('\n\n') : 'No addresses have been given to buyers yet.' }
}
