import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { type SettingsField, settingsBody } from '../../../views/dashboard/settings.ts'
import type { Refusal } from '../../domain/errors.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { changeMerchant } from '../../operations/merchants/change.ts'
import { requirePerson, shopOf } from './access.ts'
import type { DashboardDeps } from './deps.ts'
import { renderPage, type Settable } from './page.ts'
import { problemText, refusalOf, refusedFields } from './problem.ts'

const text = Type.String({ maxLength: 2048 })
const SettingsForm = Type.Object({
  name: text,
  supportEmail: text,
  returnUrl: text,
  timeZone: Type.Optional(text),
})
const Query = Type.Object({ saved: Type.Optional(Type.String()), lang: Type.Optional(Type.String()) })

const valuesOf = ({ name, supportEmail, returnUrl, timeZone }: Merchant): Record<SettingsField, string> => ({
  name,
  supportEmail: supportEmail ?? '',
  returnUrl: returnUrl ?? '',
  timeZone,
})

/** The operation names the options of the command line. */
const fieldNames: Record<string, SettingsField> = {
  'return-url': 'returnUrl',
  'support-email': 'supportEmail',
  'time-zone': 'timeZone',
}

const fieldsOf = (refusal: Refusal): string[] =>
  refusal.code === 'destination_not_allowed'
    ? ['returnUrl']
    : refusedFields(refusal).map(name => fieldNames[name] ?? name)

export const settingsPages = (deps: DashboardDeps) => {
  const { context } = deps
  const show = (
    request: Request,
    set: Settable,
    values: Record<SettingsField, string>,
    refusal: Refusal | null,
    isSaved: boolean,
  ) =>
    renderPage(deps, request, set, locale => {
      const wrong = refusal ? fieldsOf(refusal) : []
      const problem = refusal && wrong.length === 0 ? problemText(locale, refusal) : null
      return {
        title: locale.texts.settings.title,
        body: settingsBody(locale, { values, wrong, problem, isSaved }),
      }
    })
  return new Elysia()
    .get(
      '/dashboard/settings',
      async ({ query, request, set }) => {
        const { merchant } = await shopOf(context, request)
        return show(request, set, valuesOf(merchant), null, query.saved !== undefined)
      },
      { ...requirePerson(context, 'owner'), query: Query },
    )
    .post(
      '/dashboard/settings',
      async ({ body, redirect, request, set }) => {
        const shop = await shopOf(context, request)
        const refusal = await refusalOf(() => changeMerchant(shop.context, shop.merchant.id, body))
        if (!refusal) return redirect('/dashboard/settings?saved', 303)
        set.status = refusal.status
        return show(request, set, { ...valuesOf(shop.merchant), ...body }, refusal, false)
      },
      { ...requirePerson(context, 'owner'), body: SettingsForm },
    )
}
