import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { guidePayoutsBody } from '../../../../views/dashboard/guide-payouts.ts'
import { readPayouts } from '../../../operations/payments/read-payouts.ts'
import { requirePerson, shopOf } from '../access.ts'
import type { DashboardDeps } from '../deps.ts'
import { renderPage } from '../page.ts'
import { guideOf, stepUrl } from './guide.ts'

const Query = Type.Object({ saved: Type.Optional(Type.String()), lang: Type.Optional(Type.String()) })

/** The step that leads into the set-up of wallets, and to which it comes back. */
export const payoutsStep = (deps: DashboardDeps) =>
  new Elysia().get(
    stepUrl('payouts'),
    async ({ query, request, set }) => {
      const shop = await shopOf(deps.context, request)
      const guide = await guideOf(shop, 'payouts')
      const states = await readPayouts(shop.context, shop.merchant)
      const rows = states.map(({ network, payoutAddress, sources, coins }) => ({
        network,
        coins: coins.map(({ asset }) => asset.name),
        isSet: payoutAddress !== null || sources.length > 0,
        payable: coins.filter(({ lacks }) => lacks.length === 0).map(({ asset }) => asset.name),
      }))
      return renderPage(deps, request, set, locale => ({
        title: locale.texts.setup.payouts.title,
        body: guidePayoutsBody(locale, guide, { rows, isSaved: query.saved !== undefined }),
      }))
    },
    { ...requirePerson(deps.context, 'owner'), query: Query },
  )
