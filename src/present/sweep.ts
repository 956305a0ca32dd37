import { fromUnitsShort } from '../domain/money.ts'
import { type ChainFunds, costOfFunds } from '../domain/waiting-funds.ts'
import type { OwnMoney } from '../operations/addresses/own-money.ts'
import type { OrderHolding, Sweep } from '../operations/addresses/sweep.ts'

/** A balance of a forwarder or a seed address. */
export const presentHolding = (held: OrderHolding) => ({
  attemptId: held.attemptId,
  orderUUID: held.orderId,
  orderStatus: held.orderStatus,
  address: held.address,
  assetId: held.token.id,
  contract: held.token.contract,
  amount: fromUnitsShort(held.amount, held.token.decimals),
  atomic: held.amount.toString(),
  deployed: held.isDeployed,
  payoutWallet: held.payoutAddress,
  fault: held.stuckReason,
})

/** Money in the merchant's own wallet for an order that is not paid. */
export const presentOwnMoney = ({
  attemptId,
  orderId,
  orderStatus,
  address,
  assetId,
  amountAtomic,
  decimals,
}: OwnMoney) => ({
  attemptId,
  orderUUID: orderId,
  orderStatus,
  address,
  assetId,
  amount: decimals === null ? null : fromUnitsShort(amountAtomic, decimals),
  atomic: amountAtomic.toString(),
})

/** The cost of moving the funds of a chain. Unknown values are null. */
export function presentCost(funds: ChainFunds, currency: string) {
  const { chain, sums, fee } = funds
  const cost = costOfFunds(funds, currency)
  return {
    chain,
    currency,
    waits: sums.map(({ assetId, amount, value }) => ({ assetId, amount, value })),
    fee: fee && { assetId: fee.assetId, amount: fee.amount, value: fee.value },
    feePercent: cost?.share == null ? null : Number(cost.share) / 100,
    worthFrom: cost?.worthFrom ?? null,
  }
}

/** A call as wallets and scripts expect it. EVM amounts are hexadecimal. */
export function presentSweepCall(call: Sweep['calls'][number]) {
  if (call.kind === 'solana') return call
  const { kind, action, attemptId, assetId, chainId, to, data, gas } = call
  return { kind, action, attemptId, assetId, chainId, to, data, value: '0x0', gas }
}
