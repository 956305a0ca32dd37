import { Type } from '@sinclair/typebox'
import type { DashboardLocale } from '../../../../views/dashboard/locale.ts'
import { type PayoutCard, payoutsBody, type SourceRow } from '../../../../views/dashboard/payouts.ts'
import type { Context } from '../../../operations/context.ts'
import { listPayLacks } from '../../../operations/payments/can-pay.ts'
import { type PayoutState, readPayouts } from '../../../operations/payments/read-payouts.ts'
import { oneOf } from '../fields.ts'
import { page, type Route } from '../kit.ts'
import { payoutProblemText } from './fault-text.ts'

const END_SHOWN = 8

const short = (key: string): string => `${key.slice(0, END_SHOWN)}…${key.slice(-END_SHOWN)}`

function rowOf({
  source,
  given,
  free,
  gapLimit,
  isUsedUp,
  isLow,
}: PayoutState['sources'][number]): SourceRow {
  const { kind, key } = source
  return { kind, key: kind === 'xpub' && key ? short(key) : null, given, free, gapLimit, isUsedUp, isLow }
}

/** The payout settings of a network, as pages show them. */
export const cardOf =
  (
    context: Pick<Context, 'upstreams'>,
    { network, payoutAddress, sources, lightning, coins, warnings }: PayoutState,
  ) =>
  (locale: DashboardLocale): PayoutCard => ({
    network,
    address: payoutAddress,
    sources: sources.map(rowOf),
    lightning,
    coins: coins.map(({ asset, kind, lacks }) => {
      const prices = lacks.includes('rate') ? context.upstreams.pricesOf(asset) : null
      return { name: asset.name, chain: asset.chain, kind, lacks, prices }
    }),
    warnings: warnings.map(problem => payoutProblemText(context, locale, problem)),
  })

/** The page that shows where the money goes on each network, and which coins buyers can pay with. */
export const payoutListRoutes: readonly Route[] = [
  page({
    path: '/dashboard/payouts',
    access: 'viewer',
    query: { saved: Type.Optional(oneOf(['set', 'removed'])) },
    async show({ context, merchant, may, query }) {
      const cards = (await readPayouts(context, merchant)).map(state => cardOf(context, state))
      const payLacks = await listPayLacks(context, merchant)
      return locale => ({
        title: locale.texts.payouts.title,
        body: payoutsBody(locale, {
          cards: cards.map(cardIn => cardIn(locale)),
          payLacks,
          mayChange: may('owner'),
          saved: query.saved ?? null,
        }),
      })
    },
  }),
]
