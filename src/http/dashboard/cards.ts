import { Type } from '@sinclair/typebox'
import { type CardsModel, cardsBody } from '../../../views/dashboard/cards.ts'
import type { Refusal } from '../../domain/errors.ts'
import {
  accountEvents,
  callbackUrlOf,
  connectAccount,
  listAccounts,
  type NewConnection,
  removeAccount,
  testAccount,
  tryAccount,
} from '../../operations/merchants/connect-account.ts'
import type { DashboardDeps } from './deps.ts'
import { FormFields, oneOf } from './fields.ts'
import { form, page, type Route } from './kit.ts'
import type { View } from './page.ts'
import { Drafts } from './payouts/drafts.ts'
import { ownerOf } from './payouts/network.ts'
import { problemText } from './problem.ts'
import type { ShopVisit } from './visit.ts'

const PATH = '/dashboard/cards'
const PROVIDER = 'stripe'
/** Enough for all who connect an account at once. */
const DRAFTS_MAX = 200

interface CardsState {
  tried?: CardsModel['tried']
  done?: CardsModel['done'] | undefined
  refusal?: Refusal
  isExpired?: boolean
}

async function showCards(visit: ShopVisit, isSandbox: boolean, state: CardsState = {}): Promise<View> {
  const { context, merchant } = visit
  const accounts = await listAccounts(context, merchant.id)
  const known = accounts.find(({ provider }) => provider === PROVIDER)
  const { tried = null, done = null, refusal, isExpired } = state
  return locale => ({
    title: locale.texts.cards.title,
    body: cardsBody(locale, {
      current: known ? (known.account ?? 'unreadable') : null,
      ...{ tried, done, isSandbox },
      problem: refusal ? problemText(locale, refusal) : isExpired ? locale.texts.cards.expired : null,
      callbackUrl: callbackUrlOf(context, PROVIDER),
      events: accountEvents(context, PROVIDER),
    }),
    ...((refusal || isExpired) && { status: refusal?.status ?? 400 }),
  })
}

/** The shop's own account for cards: try a key, see whose it is, then save it. */
export function cardsRoutes({ context, isSandbox }: DashboardDeps): readonly Route[] {
  const drafts = new Drafts<NewConnection>(context, DRAFTS_MAX)
  const refused = (refusal: Refusal, visit: ShopVisit) => showCards(visit, isSandbox, { refusal })
  return [
    page({
      path: PATH,
      access: 'owner',
      query: { done: Type.Optional(oneOf(['saved', 'removed', 'tested'])) },
      show: visit => showCards(visit, isSandbox, { done: visit.query.done }),
    }),
    form({
      path: `${PATH}/try`,
      // Not by proof: it would put the key into its page.
      access: 'owner',
      fields: FormFields,
      async run(visit) {
        const { key = '', webhookSecret = '' } = visit.body
        const connection = {
          ...{ merchantId: visit.merchant.id, providerId: PROVIDER, key: key.trim() },
          webhookSecret: webhookSecret.trim() || null,
        }
        const account = await tryAccount(visit.context, connection)
        return { account, draft: drafts.keep(ownerOf(visit), connection) }
      },
      done: (tried, visit) => showCards(visit, isSandbox, { tried }),
      refused,
    }),
    form({
      path: `${PATH}/save`,
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
      done: (isSaved, visit) =>
        isSaved ? `${PATH}?done=saved` : showCards(visit, isSandbox, { isExpired: true }),
      refused,
    }),
    form({
      path: `${PATH}/test`,
      access: 'owner',
      fields: FormFields,
      run: ({ context: of, merchant }) => testAccount(of, merchant.id, PROVIDER),
      done: `${PATH}?done=tested`,
      refused,
    }),
    form({
      path: `${PATH}/remove`,
      proof: 'owner',
      fields: FormFields,
      run: ({ context: of, merchant }) => removeAccount(of, merchant.id, PROVIDER),
      done: `${PATH}?done=removed`,
      refused,
    }),
  ]
}
