import { costOfFunds, type WaitingFunds } from '../../domain/waiting-funds.ts'
import type { OwnMoney } from '../../operations/addresses/own-money.ts'
import { type Sweep, type SweepQuery, sweepMerchant } from '../../operations/addresses/sweep.ts'
import { priceSweep } from '../../operations/addresses/waiting-funds.ts'
import type { Context } from '../../operations/context.ts'
import { presentCost, presentHolding, presentOwnMoney, presentSweepCall } from '../../present/sweep.ts'
import { type Answer, tableOf } from '../cli.ts'
import { callsText } from './calls.ts'

const head = ['asset', 'amount', 'address', 'deployed', 'payout wallet', 'attempt', 'order', 'status']

const deployedWord = (isDeployed: boolean | null): string =>
  isDeployed === null ? '-' : isDeployed ? 'yes' : 'no'

const rowOf = (held: ReturnType<typeof presentHolding>): string[] => [
  held.assetId,
  held.amount,
  held.address,
  deployedWord(held.deployed),
  held.payoutWallet,
  held.attemptId,
  held.orderUUID,
  held.orderStatus,
]

/** Lines about money that paid no order. A person has to decide about it. */
function unpaidText(shown: ReturnType<typeof presentHolding>[]): string[] {
  const unpaid = shown.filter(({ orderStatus }) => orderStatus !== 'PAID')
  if (unpaid.length === 0) return []
  const count = unpaid.length === 1 ? '1 balance belongs' : `${unpaid.length} balances belong`
  return [`${count} to an order that is not PAID. Refund the buyer, or mark the order as paid.`]
}

/** Lines about money in the merchant's own wallets: it needs no sweep, but a person's decision. */
function ownText(ownMoney: OwnMoney[]): string[] {
  if (ownMoney.length === 0) return []
  const rows = ownMoney
    .map(presentOwnMoney)
    .map(own => [
      own.assetId,
      own.amount ?? `${own.atomic} base units`,
      own.address,
      own.attemptId,
      own.orderUUID,
      own.orderStatus,
    ])
  const intro =
    'This arrived in your own wallets for orders that are not PAID. There is nothing to sweep. Refund the ' +
    'buyers, or see florin unmatched accept:'
  return [`${intro}\n\n${tableOf([['asset', 'amount', 'address', 'attempt', 'order', 'status'], ...rows])}`]
}

function textOf({ addresses, holdings, calls, faults, ownMoney }: Sweep, cost: string[]): string {
  const shown = holdings.map(presentHolding)
  const count = `${addresses} ${addresses === 1 ? 'address' : 'addresses'}`
  return [
    shown.length === 0 ? `Nothing to sweep on ${count}.` : tableOf([head, ...shown.map(rowOf)]),
    ...shown.flatMap(({ fault, assetId, address }) =>
      fault ? [`${assetId} at ${address} cannot be moved yet: ${fault}`] : [],
    ),
    ...unpaidText(shown),
    ...ownText(ownMoney),
    ...faults.map(({ chain, message }) => `${chain} could not be checked: ${message}`),
    ...cost,
    ...callsText(calls),
  ].join('\n\n')
}

const valued = (amount: string, value: string | null, currency: string): string =>
  value === null ? `${amount} (no rate)` : `${amount} (${value} ${currency})`

/** A table of the fee of a sweep on each chain, and of the value from which a sweep is worth it. */
function costText({ currency, chains }: Pick<WaitingFunds, 'currency' | 'chains'>): string[] {
  if (chains.length === 0) return []
  const rows = chains.map(funds => {
    const { chain, sums, fee } = funds
    const cost = costOfFunds(funds, currency)
    return [
      chain,
      sums.map(({ assetId, amount, value }) => valued(`${amount} ${assetId}`, value, currency)).join(', '),
      fee ? valued(`${fee.amount} ${fee.assetId ?? ''}`.trim(), fee.value, currency) : 'unknown now',
      cost?.share == null ? '-' : `${Number(cost.share) / 100}%`,
      cost ? `${cost.worthFrom} ${currency}` : '-',
    ]
  })
  return [tableOf([['chain', 'waits', 'network fee, about', 'of the value', 'worth it from'], ...rows])]
}

/** Reports funds on addresses that need a sweep, and the transactions to sign. */
export async function reportFunds(context: Context, query: SweepQuery): Promise<Answer> {
  const sweep = await sweepMerchant(context, query)
  const { currency, chains } = await priceSweep(context, query.merchantId, sweep)
  const json = {
    addresses: sweep.addresses,
    holdings: sweep.holdings.map(presentHolding),
    transactions: sweep.calls.map(presentSweepCall),
    faults: sweep.faults,
    ownMoney: sweep.ownMoney.map(presentOwnMoney),
    costs: chains.map(funds => presentCost(funds, currency)),
  }
  return {
    json,
    text: textOf(sweep, costText({ currency, chains })),
    exitCode: sweep.faults.length > 0 ? 1 : 0,
  }
}
