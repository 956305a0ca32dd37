import { Type } from '@sinclair/typebox'
import { cardProviders } from '../../../../views/dashboard/cards.ts'
import { type FundsFormsModel, fundsDone, fundsForms } from '../../../../views/dashboard/funds.ts'
import type { DashboardLocale } from '../../../../views/dashboard/locale.ts'
import { chainName } from '../../../../views/dashboard/texts/chain-names.ts'
import { listSources } from '../../../operations/addresses/list-sources.ts'
import { listSweepTransactions, movedChains } from '../../../operations/addresses/sweep-transactions.ts'
import { listAccounts } from '../../../operations/merchants/connect-account.ts'
import { presentSweepTransaction } from '../../../present/funds.ts'
import { oneOf, optional } from '../fields.ts'
import type { ShopVisit } from '../visit.ts'

const ROWS = 20

/** The query of the page: the outcome of a form, and where the list of transfers continues. */
export const fundsQuery = {
  done: Type.Optional(oneOf(['added', 'saved'])),
  before: optional(20),
  beforeId: optional(40),
}

export interface FundsState {
  done?: FundsFormsModel['done'] | undefined
  before?: string | undefined
  beforeId?: string | undefined
  entered?: FundsFormsModel['entered']
  reminder?: string
  wrong?: readonly string[]
}

/** The transfers of a shop so far, and the forms below them. */
export async function fundsOf(visit: ShopVisit, state: FundsState) {
  const { context, merchant, deps } = visit
  const { networks } = context
  const at = Number(state.before)
  const after = state.beforeId && Number.isSafeInteger(at) ? { at, id: state.beforeId } : null
  const found = await listSweepTransactions(context, merchant.id, ROWS + 1, after)
  const shown = found.slice(0, ROWS)
  const last = found.length > ROWS ? shown.at(-1) : undefined
  const urlOf = (assetId: string, txId: string): string | null => {
    const asset = networks.asset(assetId)
    const template = asset && !deps.isSandbox ? deps.look(asset).transactionUrl : null
    return template?.replace('{txId}', encodeURIComponent(txId)) ?? null
  }
  const { fundsReminder, currency } = merchant
  const modelIn = (locale: DashboardLocale): FundsFormsModel => ({
    history: shown.map(one => presentSweepTransaction(locale, context, urlOf, one)),
    olderUrl: last
      ? `/dashboard/payouts/sweep?before=${last.createdAt}&beforeId=${encodeURIComponent(last.id)}#history`
      : null,
    networks: movedChains(networks).map(({ chain }) => [chain, chainName(chain)] as const),
    currency: fundsReminder?.currency ?? currency,
    reminder: state.reminder ?? fundsReminder?.amount ?? '',
    done: state.done ?? null,
    entered: state.entered ?? null,
    wrong: state.wrong ?? [],
  })
  return (locale: DashboardLocale) => {
    const model = modelIn(locale)
    return { history: model.history, done: fundsDone(locale, model.done), forms: fundsForms(locale, model) }
  }
}

const movedKinds: readonly unknown[] = ['create2', 'seed']

/** The names of the networks and providers whose money need not be moved. */
export async function otherMoney({ context, merchant }: ShopVisit) {
  const sources = await listSources(context, merchant.id)
  const accounts = await listAccounts(context, merchant.id)
  const own = sources.filter(({ assets }) =>
    assets.some(({ kind }) => kind !== null && !movedKinds.includes(kind)),
  )
  const providers = accounts.map(({ provider }) =>
    provider in cardProviders ? cardProviders[provider as keyof typeof cardProviders] : provider,
  )
  return ({ texts: { payouts } }: DashboardLocale) => ({
    ownNetworks: own.map(({ network }) => payouts.networks[network]),
    providers,
  })
}
