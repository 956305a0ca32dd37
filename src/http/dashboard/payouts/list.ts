import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { payoutsBody } from '../../../../views/dashboard/payouts.ts'
import { isAllowed } from '../../../domain/user.ts'
import { readPayouts } from '../../../operations/payments/read-payouts.ts'
import { requirePerson, shopOf } from '../access.ts'
import type { DashboardDeps } from '../deps.ts'
import { renderPage } from '../page.ts'
import { cardOf } from './cards.ts'

const Query = Type.Object({
  saved: Type.Optional(Type.Union([Type.Literal('set'), Type.Literal('removed')])),
  lang: Type.Optional(Type.String()),
})

/** Where the money goes on each network, and which coins buyers can pay with. */
export const payoutListPage = (deps: DashboardDeps) =>
  new Elysia().get(
    '/dashboard/payouts',
    async ({ query, request, set }) => {
      const { merchant, role, user, context } = await shopOf(deps.context, request)
      const cards = (await readPayouts(context, merchant)).map(state => cardOf(context, state))
      const mayChange = isAllowed('owner', role, user.isOperator)
      return renderPage(deps, request, set, locale => ({
        title: locale.texts.payouts.title,
        body: payoutsBody(locale, {
          cards: cards.map(cardIn => cardIn(locale)),
          mayChange,
          saved: query.saved ?? null,
        }),
      }))
    },
    { ...requirePerson(deps.context, 'viewer'), query: Query },
  )
