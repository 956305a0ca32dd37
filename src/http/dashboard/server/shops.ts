import { Type } from '@sinclair/typebox'
import {
  type NewShopField,
  newShopBody,
  newShopFields,
  serverShopsBody,
} from '../../../../views/dashboard/server-shops.ts'
import type { Refusal } from '../../../domain/errors.ts'
import { listMerchants } from '../../../operations/merchants/read.ts'
import { openShopFor } from '../../../operations/operator/open-shop.ts'
import { currencyChoices } from '../choices.ts'
import { optional, text } from '../fields.ts'
import { form, page, type Route } from '../kit.ts'
import type { View } from '../page.ts'
import { problemText, refusedFields } from '../problem.ts'
import type { PersonVisit } from '../visit.ts'
import { SHOPS, shopRoutes, showShop } from './shop.ts'
import { shopModel } from './shop-model.ts'

const PAGE_SIZE = 50

async function showShops({ context }: PersonVisit, start: number): Promise<View> {
  const all = await listMerchants(context)
  const models: Awaited<ReturnType<typeof shopModel>>[] = []
  for (const merchant of all.slice(start, start + PAGE_SIZE))
    models.push(await shopModel(context, merchant, 1))
  const next = start + PAGE_SIZE
  return locale => ({
    title: locale.texts.server.shops,
    body: serverShopsBody(locale, {
      shops: models.map(model => model(locale)),
      total: all.length,
      nextUrl: next < all.length ? `${SHOPS}?start=${next}` : null,
    }),
  })
}

const Form = Type.Object({
  ...(Object.fromEntries(newShopFields.map(name => [name, text(254)])) as Record<
    NewShopField,
    ReturnType<typeof text>
  >),
  /** the ID of the shop, a version 7 UUID */
  token: Type.String({ pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$' }),
  keepPassword: optional(3),
})
type NewShopForm = (typeof Form)['static']

/** Fields by the options of the command line, which the operation names in a refusal. */
const fieldNames: Record<string, string> = { 'fee-percent': 'feePercent' }

function showForm(entered: NewShopForm, refusal: Refusal | null): View {
  const wrong = refusal ? refusedFields(refusal).map(name => fieldNames[name] ?? name) : []
  return locale => ({
    title: locale.texts.server.newShop,
    body: newShopBody(locale, {
      token: entered.token,
      values: entered,
      keepsPassword: entered.keepPassword === 'yes',
      wrong,
      problem: refusal && wrong.length === 0 ? problemText(locale, refusal) : null,
      currencies: currencyChoices(locale),
    }),
  })
}

const open = ({ context, body }: PersonVisit & { body: NewShopForm }) =>
  openShopFor(context, {
    id: body.token,
    name: body.name.trim(),
    email: body.email.trim(),
    owner: body.owner.trim(),
    feePercent: body.feePercent.trim().replace(',', '.') || '0',
    currency: body.currency,
    keepPassword: body.keepPassword === 'yes',
  })

/** The pages of the server's shops, for operators. */
export const serverShopRoutes: readonly Route[] = [
  page({
    path: SHOPS,
    access: 'operator',
    query: { start: Type.Optional(Type.String({ pattern: '^[0-9]{1,7}$' })) },
    show: visit => showShops(visit, Number(visit.query.start ?? 0)),
  }),
  page({
    path: `${SHOPS}/new`,
    access: 'operator',
    show({ context, user }) {
      const empty = { name: '', email: '', owner: '', feePercent: '0', currency: '' }
      return showForm({ ...empty, owner: user.email, token: context.ids.uuid() }, null)
    },
  }),
  form({
    path: SHOPS,
    proof: 'operator',
    fields: Form,
    run: open,
    done({ merchant, invitation }, visit) {
      if (invitation === null) return `${SHOPS}/${merchant.id}?done=created`
      return showShop(visit, merchant, { done: 'created', invited: invitation })
    },
    refused: (refusal, visit) => showForm(visit.body, refusal),
  }),
  ...shopRoutes,
]
