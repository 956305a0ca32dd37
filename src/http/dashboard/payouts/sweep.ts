import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { type Found, sweepBody } from '../../../../views/dashboard/sweep.ts'
import { Refusal } from '../../../domain/errors.ts'
import { type Sweep, sweepMerchant } from '../../../operations/addresses/sweep.ts'
import type { Context } from '../../../operations/context.ts'
import { presentHolding, presentOwnMoney, presentSweepCall } from '../../../present/sweep.ts'
import { requirePerson, type ShopVisit, shopOf } from '../access.ts'
import { sweepScript } from '../assets.ts'
import type { DashboardDeps } from '../deps.ts'
import { renderPage } from '../page.ts'
import { refusedFields } from '../problem.ts'

const text = Type.Optional(Type.String({ maxLength: 100 }))
const Query = Type.Object({ look: text, asset: text, min: text, lang: text })

/** A token that Florin does not list has no name. */
const nameOf = ({ networks }: Context, assetId: string): string => networks.asset(assetId)?.name ?? assetId

function foundIn(context: Context, { addresses, holdings, calls, faults, ownMoney }: Sweep): Found {
  const shown = calls.map(presentSweepCall)
  const evm = shown.filter(call => call.kind === 'evm')
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
    solana: shown.filter(call => call.kind === 'solana'),
  }
}

interface Looked {
  found: Found | null
  refusal: Refusal | null
}

/** Chains that do not answer are no error of the page, which says so. */
async function look({ context, merchant }: ShopVisit, asset: string, min: string): Promise<Looked> {
  const query = { merchantId: merchant.id, assetId: asset || null, least: min || null }
  try {
    return { found: foundIn(context, await sweepMerchant(context, query)), refusal: null }
  } catch (error) {
    if (error instanceof Refusal && ['validation_error', 'provider_unavailable'].includes(error.code))
      return { found: null, refusal: error }
    throw error
  }
}

/** What lies on forwarders and seed addresses. Chains are asked on demand only. */
export const sweepPage = (deps: DashboardDeps) =>
  new Elysia().get(
    '/dashboard/payouts/sweep',
    async ({ query, request, set }) => {
      const shop = await shopOf(deps.context, request)
      const [asset, min] = [query.asset?.trim() ?? '', query.min?.trim() ?? '']
      const { found, refusal } =
        query.look === undefined ? { found: null, refusal: null } : await look(shop, asset, min)
      const wrong = refusal ? refusedFields(refusal) : []
      if (refusal && wrong.length > 0) set.status = refusal.status
      return renderPage(deps, request, set, locale => ({
        title: locale.texts.sweep.title,
        body: sweepBody(locale, {
          found,
          asset,
          min,
          wrong,
          problem: refusal && wrong.length === 0 ? refusal.message : null,
          script: sweepScript,
        }),
      }))
    },
    { ...requirePerson(deps.context, 'owner'), query: Query },
  )
