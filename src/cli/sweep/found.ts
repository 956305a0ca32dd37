import { fromUnitsShort } from '../../domain/money.ts'
import { type Sweep, sweepMerchant, type Wish } from '../../operations/sweep-merchant.ts'
import type { World } from '../../operations/world.ts'
import { type Answer, tableOf } from '../cli.ts'

type Held = Sweep['holdings'][number]
type Call = Sweep['calls'][number]

const presentHolding = (held: Held) => ({
  attemptId: held.attemptId,
  orderUUID: held.orderId,
  address: held.address,
  assetId: held.token.id,
  contract: held.token.contract,
  amount: fromUnitsShort(held.amount, held.token.decimals),
  atomic: held.amount.toString(),
  deployed: held.isDeployed,
  payoutWallet: held.payoutAddress,
  fault: held.fault,
})

/** Amounts in hexadecimal, as wallets take them. */
const presentCall = ({ action, attemptId, assetId, chainId, to, data, gas }: Call) => ({
  action,
  attemptId,
  assetId,
  chainId,
  to,
  data,
  value: '0x0',
  gas,
})

const head = ['asset', 'amount', 'address', 'deployed', 'payout wallet', 'attempt', 'order']

const rowOf = (held: ReturnType<typeof presentHolding>): string[] => [
  held.assetId,
  held.amount,
  held.address,
  held.deployed ? 'yes' : 'no',
  held.payoutWallet,
  held.attemptId,
  held.orderUUID,
]

function callText({ action, assetId, chainId, to, data, gas }: Call, index: number): string {
  const what = action === 'deploy' ? 'deploys the forwarder' : `moves ${assetId}`
  return [
    `${index + 1}. ${what}`,
    `   chainId ${chainId}  value 0  gas about ${gas}`,
    `   to      ${to}`,
    `   data    ${data}`,
  ].join('\n')
}

function textOf({ addresses, holdings, calls, faults }: Sweep): string {
  const shown = holdings.map(presentHolding)
  const count = `${addresses} ${addresses === 1 ? 'address' : 'addresses'}`
  const parts = [
    shown.length === 0 ? `Nothing to sweep on ${count}.` : tableOf([head, ...shown.map(rowOf)]),
    ...shown.flatMap(({ fault, assetId, address }) =>
      fault ? [`${assetId} at ${address} cannot be moved now: ${fault}`] : [],
    ),
    ...faults.map(({ chain, message }) => `${chain} was not looked at: ${message}`),
  ]
  if (calls.length > 0) {
    const words =
      'Send these in this order, from any wallet: whoever sends them, the payout wallet gets the money.'
    parts.push(words, ...calls.map(callText))
  }
  return parts.join('\n\n')
}

/** What lies on the forwarders, and what to sign. */
export async function found(world: World, wish: Wish): Promise<Answer> {
  const sweep = await sweepMerchant(world, wish)
  const json = {
    addresses: sweep.addresses,
    holdings: sweep.holdings.map(presentHolding),
    transactions: sweep.calls.map(presentCall),
    faults: sweep.faults,
  }
  return { json, text: textOf(sweep), exitCode: sweep.faults.length > 0 ? 1 : 0 }
}
