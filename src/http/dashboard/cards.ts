import { Type } from '@sinclair/typebox'
import {
  type CardProvider,
  type CardsModel,
  cardProviders,
  cardsBody,
  cardsPath,
} from '../../../views/dashboard/cards.ts'
import type { Refusal } from '../../domain/errors.ts'
import {
  accountEvents,
  callbackUrlOf,
  connectAccount,
  hasClientId,
  listAccounts,
  type NewConnection,
  testAccount,
  tryAccount,
} from '../../operations/merchants/connect-account.ts'
import { disconnectAccount } from '../../operations/payments/disconnect-account.ts'
import type { DashboardDeps } from './deps.ts'
import { FormFields, oneOf } from './fields.ts'
import { form, page, type Route } from './kit.ts'
import type { View } from './page.ts'
import { Drafts } from './payouts/drafts.ts'
import { ownerOf } from './payouts/network.ts'
import { problemText } from './problem.ts'
import type { ShopVisit } from './visit.ts'

/** Max drafts in memory: enough for all people who connect an account at the same time. */
const DRAFTS_MAX = 200

interface CardsState {
  provider: CardProvider
  tried?: CardsModel['tried']
  done?: CardsModel['done'] | undefined
  refusal?: Refusal
  isExpired?: boolean
  open?: readonly string[]
}

async function showCards(visit: ShopVisit, isSandbox: boolean, state: CardsState): Promise<View> {
  const { context, merchant } = visit
  const accounts = await listAccounts(context, merchant.id)
  const known = accounts.find(one => one.provider === state.provider)
  const { provider, tried = null, done = null, refusal, isExpired, open = [] } = state
  return locale => ({
    title: locale.texts.cards.title,
    body: cardsBody(locale, {
      current: known ? (known.account ?? 'unreadable') : null,
      ...{ provider, tried, done, isSandbox, open },
      problem: refusal ? problemText(locale, refusal) : isExpired ? locale.texts.cards.expired : null,
      callbackUrl: callbackUrlOf(context, provider),
      events: accountEvents(context, provider),
      hasClientId: hasClientId(context, provider),
    }),
    ...((refusal || isExpired) && { status: refusal?.status ?? 400 }),
  })
}

/**
 * The pages of a shop's own accounts for cards. A person tries a key, sees whose account it is, then saves
 * it.
 */
export function cardsRoutes({ context, isSandbox }: DashboardDeps): readonly Route[] {
  const drafts = new Drafts<NewConnection>(context, DRAFTS_MAX)
  const providers = Object.keys(cardProviders) as CardProvider[]
  return providers.flatMap(provider => routesOf(provider, drafts, isSandbox))
}

function routesOf(
  provider: CardProvider,
  drafts: Drafts<NewConnection>,
  isSandbox: boolean,
): readonly Route[] {
  const path = cardsPath(provider)
  const show = (visit: ShopVisit, state: Omit<CardsState, 'provider'>) =>
    showCards(visit, isSandbox, { provider, ...state })
  const refused = (refusal: Refusal, visit: ShopVisit) => show(visit, { refusal })
  return [
    page({
      path,
      access: 'owner',
      query: { done: Type.Optional(oneOf(['saved', 'removed', 'tested'])) },
      show: visit => show(visit, { done: visit.query.done }),
    }),
    form({
      path: `${path}/try`,
      // No proof is required, because the page that asks for it would contain the key.
      access: 'owner',
      fields: FormFields,
      async run(visit) {
        const { clientId = '', key = '', webhookSecret = '' } = visit.body
        const connection = {
          ...{ merchantId: visit.merchant.id, providerId: provider, key: key.trim() },
          ...{ clientId: clientId.trim() || null, webhookSecret: webhookSecret.trim() || null },
        }
        const account = await tryAccount(visit.context, connection)
        return { account, draft: drafts.keep(ownerOf(visit), connection) }
      },
      done: (tried, visit) => show(visit, { tried }),
      refused,
    }),
    form({
      path: `${path}/save`,
      proof: 'owner',
      fields: FormFields,
      async run(visit) {
        const { draft = '' } = visit.body
        const connection = drafts.find(ownerOf(visit), draft)
        if (connection === null) return false
        await connectAccount(visit.context, connection)
        drafts.forget(draft)
        return true
      },
      done: (isSaved, visit) => (isSaved ? `${path}?done=saved` : show(visit, { isExpired: true })),
      refused,
    }),
    form({
      path: `${path}/test`,
      access: 'owner',
      fields: FormFields,
      run: ({ context: of, merchant }) => testAccount(of, merchant.id, provider),
      done: `${path}?done=tested`,
      refused,
    }),
    form({
      path: `${path}/remove`,
      proof: 'owner',
      fields: FormFields,
      run: ({ context: of, merchant }) => disconnectAccount(of, merchant.id, provider),
      done: ({ open }, visit) => (open.length > 0 ? show(visit, { open }) : `${path}?done=removed`),
      refused,
    }),
  ]
}
