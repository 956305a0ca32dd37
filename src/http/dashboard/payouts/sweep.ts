import { type SweepResult, sweepBody } from '../../../../views/dashboard/sweep.ts'
import type { EvmBatch } from '../../../../views/dashboard/sweep-ways.ts'
import { chainName } from '../../../../views/dashboard/texts/chain-names.ts'
import { Refusal } from '../../../domain/errors.ts'
import { type Sweep, sweepMerchant } from '../../../operations/addresses/sweep.ts'
import { noteSent } from '../../../operations/addresses/sweep-transactions.ts'
import { priceSweep, readWaitingFunds } from '../../../operations/addresses/waiting-funds.ts'
import type { Context } from '../../../operations/context.ts'
import { changeMerchant } from '../../../operations/merchants/change.ts'
import { presentFunds } from '../../../present/funds.ts'
import { presentHolding, presentOwnMoney, presentSweepCall } from '../../../present/sweep.ts'
import { sweepScript } from '../assets.ts'
import { optional, text } from '../fields.ts'
import { form, page, type Route } from '../kit.ts'
import type { View } from '../page.ts'
import { refusedFields } from '../problem.ts'
import type { ShopVisit } from '../visit.ts'
import { type FundsState, fundsOf, fundsQuery, otherMoney } from './funds.ts'

/** The name of an asset. A token that Florin does not list has no name, so its ID is shown. */
const nameOf = ({ networks }: Context, assetId: string): string => networks.asset(assetId)?.name ?? assetId

function resultOf(context: Context, { addresses, holdings, calls, faults, ownMoney }: Sweep): SweepResult {
  const presented = calls.map(presentSweepCall)
  const evm = presented.filter(call => call.kind === 'evm')
  return {
    addresses,
    holdings: holdings.map(presentHolding).map(held => ({
      ...held,
      asset: nameOf(context, held.assetId),
      orderId: held.orderUUID,
      isPaid: held.orderStatus === 'PAID',
    })),
    own: ownMoney.map(presentOwnMoney).map(own => ({
      asset: nameOf(context, own.assetId),
      amount: own.amount ?? own.atomic,
      address: own.address,
      payoutWallet: null,
      orderId: own.orderUUID,
      isPaid: false,
      fault: null,
    })),
    faults: faults.map(({ chain, message }) => `${chain}: ${message}`),
    evm: evm.length === 0 ? null : { json: JSON.stringify(evm, null, 1), count: evm.length },
    solana: presented.filter(call => call.kind === 'solana'),
    batches: batchesOf(context, { calls }),
  }
}

/** The calls for EVM chains, grouped by chain. */
function batchesOf({ networks }: Context, { calls }: Pick<Sweep, 'calls'>): EvmBatch[] {
  const evm = calls.filter(call => call.kind === 'evm')
  return [...Map.groupBy(evm, ({ chainId }) => chainId)].map(([chainId, own]) => {
    const chain = networks.assets.find(asset => asset.chainId === chainId)?.chain ?? `${chainId}`
    return { chain, network: chainName(chain), chainId, calls: own }
  })
}

/**
 * Returns a refusal that the page shows, such as one about chains that do not answer. Throws any other error.
 */
function refusalIn(error: unknown): Refusal {
  if (error instanceof Refusal && ['validation_error', 'provider_unavailable'].includes(error.code))
    return error
  throw error
}

const PATH = '/dashboard/payouts/sweep'

interface SweepState extends FundsState {
  look?: string | undefined
  asset?: string | undefined
  min?: string | undefined
}

/** The page of funds that wait to be moved, as they were last read. Chains are queried on demand only. */
async function showSweep(visit: ShopVisit, state: SweepState): Promise<View> {
  const { context, merchant } = visit
  const [asset, min] = [state.asset?.trim() ?? '', state.min?.trim() ?? '']
  const wanted = { merchantId: merchant.id, assetId: asset || null, least: min || null }
  const swept = state.look === undefined ? null : await sweepMerchant(context, wanted).catch(refusalIn)
  const refusal = swept instanceof Refusal ? swept : null
  const found = swept instanceof Refusal ? null : swept
  const wrong = refusal ? refusedFields(refusal) : []
  const waiting = found
    ? await priceSweep(context, merchant.id, found)
    : await readWaitingFunds(context, merchant.id)
  const fundsIn = await fundsOf(visit, state)
  const othersIn = await otherMoney(visit)
  return locale => {
    const { history, done, forms } = fundsIn(locale)
    return {
      title: locale.texts.sweep.title,
      body: sweepBody(locale, {
        found: found && resultOf(context, found),
        funds: { ...presentFunds(locale, waiting ?? { currency: 'USD', chains: [] }), ...othersIn(locale) },
        ...{ history, done, forms, asset, min, wrong },
        problem: refusal && wrong.length === 0 ? refusal.message : null,
        script: sweepScript,
      }),
      ...(refusal && wrong.length > 0 && { status: refusal.status }),
    }
  }
}

export const sweepRoutes: readonly Route[] = [
  page({
    path: PATH,
    access: 'owner',
    query: { look: optional(100), asset: optional(100), min: optional(100), ...fundsQuery },
    show: visit => showSweep(visit, visit.query),
  }),
  form({
    path: `${PATH}/sent`,
    access: 'owner',
    fields: { chain: text(40), transactions: text(20_000) },
    run: ({ context, merchant, body }) =>
      noteSent(context, { merchantId: merchant.id, chain: body.chain, text: body.transactions }),
    done: `${PATH}?done=added#history`,
    refused: (refusal, visit) => showSweep(visit, { entered: visit.body, wrong: refusedFields(refusal) }),
  }),
  form({
    path: `${PATH}/reminder`,
    access: 'owner',
    fields: { reminder: text(30) },
    run: ({ context, merchant, body }) =>
      changeMerchant(context, merchant.id, { fundsReminder: body.reminder.trim().replace(',', '.') }),
    done: `${PATH}?done=saved`,
    refused: (_, visit) => showSweep(visit, { reminder: visit.body.reminder, wrong: ['reminder'] }),
  }),
]
