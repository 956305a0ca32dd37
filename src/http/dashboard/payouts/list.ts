import { Type } from '@sinclair/typebox'
import { payoutsBody } from '../../../../views/dashboard/payouts.ts'
import { readPayouts } from '../../../operations/payments/read-payouts.ts'
import { oneOf } from '../fields.ts'
import { page, type Route } from '../kit.ts'
import { cardOf } from './cards.ts'

/** Where the money goes on each network, and which coins buyers can pay with. */
export const payoutListRoutes: readonly Route[] = [
  page({
    path: '/dashboard/payouts',
    access: 'viewer',
    query: { saved: Type.Optional(oneOf(['set', 'removed'])) },
    async show({ context, merchant, may, query }) {
      const cards = (await readPayouts(context, merchant)).map(state => cardOf(context, state))
      return locale => ({
        title: locale.texts.payouts.title,
        body: payoutsBody(locale, {
          cards: cards.map(cardIn => cardIn(locale)),
          mayChange: may('owner'),
          saved: query.saved ?? null,
        }),
      })
    },
  }),
]
