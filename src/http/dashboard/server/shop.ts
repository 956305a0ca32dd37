import { Type } from '@sinclair/typebox'
import type { InvitedPerson } from '../../../../views/dashboard/people.ts'
import { type ShopDone, serverShopBody } from '../../../../views/dashboard/server-shops.ts'
import type { Refusal } from '../../../domain/errors.ts'
import type { Merchant } from '../../../domain/merchant.ts'
import { getMerchant } from '../../../operations/merchants/read.ts'
import { changeShop } from '../../../operations/operator/change-shop.ts'
import type { Invitation } from '../../../operations/people/create-user.ts'
import { areInvitationsMailed, mailInvitation } from '../../../operations/people/mail-invitation.ts'
import { oneOf, optional, text } from '../fields.ts'
import { form, page, type Route } from '../kit.ts'
import type { View } from '../page.ts'
import { linkUrl } from '../people.ts'
import { problemText, refusedFields } from '../problem.ts'
import { staleText, versionIn } from '../stale.ts'
import type { PersonVisit } from '../visit.ts'
import { shopModel } from './shop-model.ts'

export const SHOPS = '/dashboard/server/shops'
const SHOP = `${SHOPS}/:shop` as const
const NOTICES = 5

interface ShopState {
  done?: ShopDone | undefined
  /** the first owner of the shop and their invitation, if one was just made */
  invited?: Invitation
  refusal?: Refusal
  entered?: Record<'name' | 'feePercent' | 'tolerance', string>
}

/**
 * The invitation of a shop's first owner, as the page shows it. The link is shown only once, and mailed if
 * the server sends mails.
 */
async function invitedModel(
  visit: PersonVisit,
  merchant: Merchant,
  { user: { email }, token, wasReset }: Invitation,
): Promise<InvitedPerson> {
  const { context, user } = visit
  const url = linkUrl(context, token)
  if (url === null || !areInvitationsMailed(context)) return { email, url, wasReset, mail: null }
  const fault = await mailInvitation(context, { user, merchant }, { email, url })
  return { email, url, wasReset, mail: { fault } }
}

/** Fields by the options of the command line, which the operation names in a refusal. */
const fieldNames: Record<string, string> = { 'fee-percent': 'feePercent' }

export async function showShop(visit: PersonVisit, merchant: Merchant, state: ShopState): Promise<View> {
  const { done = null, invited, refusal = null, entered } = state
  const { context } = visit
  const model = await shopModel(context, merchant, NOTICES)
  const person = invited ? await invitedModel(visit, merchant, invited) : null
  const stale = await staleText({ context, merchant }, 'merchant', refusal)
  const wrong = refusal ? refusedFields(refusal).map(name => fieldNames[name] ?? name) : []
  const { name, feePercent, tolerance, updatedAt } = merchant
  return locale => ({
    title: name,
    body: serverShopBody(locale, {
      shop: model(locale),
      values: entered ?? {
        name,
        feePercent: locale.coins(feePercent),
        tolerance: locale.coins(tolerance),
      },
      version: String(updatedAt),
      wrong,
      problem: refusal && !stale && wrong.length === 0 ? problemText(locale, refusal) : null,
      stale: stale?.(locale) ?? null,
      done,
      invited: person,
    }),
  })
}

const find = ({ context, params }: PersonVisit & { params: { shop: string } }): Promise<Merchant> =>
  getMerchant(context, params.shop.toLowerCase())

/** The form that suspends a shop, or resumes it. Sent twice, it changes nothing more. */
const statusForm = (action: 'suspend' | 'resume', status: Merchant['status'], done: ShopDone): Route =>
  form({
    path: `${SHOP}/${action}`,
    proof: 'operator',
    run: async visit => changeShop(visit.context, (await find(visit)).id, { status }),
    done: ({ id }) => `${SHOPS}/${id}?done=${done}`,
  })

const percent = (entered: string): string => entered.trim().replace(',', '.')

/** The page of a shop, for operators. */
export const shopRoutes: readonly Route[] = [
  page({
    path: SHOP,
    access: 'operator',
    query: { done: Type.Optional(oneOf(['created', 'saved', 'suspended', 'resumed'])) },
    show: async visit => showShop(visit, await find(visit), { done: visit.query.done }),
  }),
  form({
    path: SHOP,
    proof: 'operator',
    fields: { name: text(254), feePercent: text(20), tolerance: text(20), version: optional(15) },
    async run(visit) {
      const { name, feePercent, tolerance, version = '' } = visit.body
      const change = {
        name: name.trim(),
        feePercent: percent(feePercent),
        tolerance: percent(tolerance),
      }
      const seen = { updatedAt: versionIn({ version }) }
      return changeShop(visit.context, (await find(visit)).id, change, seen)
    },
    done: ({ id }) => `${SHOPS}/${id}?done=saved`,
    refused: async (refusal, visit) => {
      const { name, feePercent, tolerance } = visit.body
      return showShop(visit, await find(visit), { refusal, entered: { name, feePercent, tolerance } })
    },
  }),
  statusForm('suspend', 'suspended', 'suspended'),
  statusForm('resume', 'active', 'resumed'),
]
