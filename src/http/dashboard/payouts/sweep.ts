import { type SweepResult, sweepBody } from '../../../../views/dashboard/sweep.ts'
import { Refusal } from '../../../domain/errors.ts'
import { type Sweep, sweepMerchant } from '../../../operations/addresses/sweep.ts'
import type { Context } from '../../../operations/context.ts'
import { presentHolding, presentOwnMoney, presentSweepCall } from '../../../present/sweep.ts'
import { sweepScript } from '../assets.ts'
import { optional } from '../fields.ts'
import { page, type Route } from '../kit.ts'
import { refusedFields } from '../problem.ts'

/** A token that Florin does not list has no name. */
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
  }
}

/** Chains that do not answer are no error of the page, which says so. */
function refusalIn(error: unknown): Refusal {
  if (error instanceof Refusal && ['validation_error', 'provider_unavailable'].includes(error.code))
    return error
  throw error
}

/** What lies on forwarders and seed addresses. Chains are asked on demand only. */
export const sweepRoutes: readonly Route[] = [
  page({
    path: '/dashboard/payouts/sweep',
    access: 'owner',
    query: { look: optional(100), asset: optional(100), min: optional(100) },
    async show({ context, merchant, query }) {
      const [asset, min] = [query.asset?.trim() ?? '', query.min?.trim() ?? '']
      const wanted = { merchantId: merchant.id, assetId: asset || null, least: min || null }
      const swept = query.look === undefined ? null : await sweepMerchant(context, wanted).catch(refusalIn)
      const refusal = swept instanceof Refusal ? swept : null
      const wrong = refusal ? refusedFields(refusal) : []
      return locale => ({
        title: locale.texts.sweep.title,
        body: sweepBody(locale, {
          found: swept && !(swept instanceof Refusal) ? resultOf(context, swept) : null,
          asset,
          min,
          wrong,
          problem: refusal && wrong.length === 0 ? refusal.message : null,
          script: sweepScript,
        }),
        ...(refusal && wrong.length > 0 && { status: refusal.status }),
      })
    },
  }),
]
