import { chainOf } from '../../domain/asset.ts'
import { type Forwarder, readForwarders } from '../../operations/read-forwarders.ts'
import type { World } from '../../operations/world.ts'
import type { Answer } from '../cli.ts'

const presentForwarder = ({ attempt, own, recipe }: Forwarder) => ({
  attemptId: attempt.id,
  orderUUID: attempt.orderId,
  assetId: attempt.assetId,
  chain: chainOf(attempt.assetId),
  address: own.address,
  payoutWallet: recipe.payoutAddress,
  deployer: recipe.deployer,
  salt: recipe.salt,
  initCode: recipe.initCode,
  deployData: recipe.deployData,
  flushCoinData: recipe.flushCoinData,
  flushTokenPrefix: recipe.flushTokenPrefix,
})

const head = [
  'The same address on every EVM chain. To move money without Florin, from any wallet, with no value:',
  '1. where the address has no code: a transaction to the deployer with deploy data (salt and init code);',
  '2. one to the address with coin data; or for a token with token data and its contract’s 40 digits.',
].join('\n')

const textOf = (one: ReturnType<typeof presentForwarder>): string =>
  [
    ['attempt', one.attemptId],
    ['order', one.orderUUID],
    ['asset', one.assetId],
    ['address', one.address],
    ['payout wallet', one.payoutWallet],
    ['deployer', one.deployer],
    ['salt', one.salt],
    ['init code', one.initCode],
    ['coin data', one.flushCoinData],
    ['token data', `${one.flushTokenPrefix}…`],
  ]
    .map(([name, value]) => `${name!.padEnd(13)}  ${value}`)
    .join('\n')

/** All that is needed to fetch the money without this program. */
export async function recipes(world: World, merchantId: string, asset: string | undefined): Promise<Answer> {
  const forwarders = await readForwarders(world, merchantId)
  const json = forwarders
    .map(presentForwarder)
    .filter(({ assetId }) => asset === undefined || asset === assetId)
  const text = [head, ...json.map(textOf)].join('\n\n')
  return { json, text: json.length > 0 ? text : 'No forwarder was given out.' }
}
