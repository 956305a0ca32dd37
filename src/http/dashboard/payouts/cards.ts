import type { DashboardLocale } from '../../../../views/dashboard/locale.ts'
import type { PayoutCard, SourceRow } from '../../../../views/dashboard/payouts.ts'
import type { Context } from '../../../operations/context.ts'
import type { PayoutState } from '../../../operations/payments/read-payouts.ts'
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

/** What is set for a network, as pages show it. */
export const cardOf =
  (context: Pick<Context, 'upstreams'>, { network, payoutAddress, sources, coins, warnings }: PayoutState) =>
  (locale: DashboardLocale): PayoutCard => ({
    network,
    address: payoutAddress,
    sources: sources.map(rowOf),
    coins: coins.map(({ asset, kind, lacks }) => {
      const prices = lacks.includes('rate') ? context.upstreams.pricesOf(asset) : null
      return { name: asset.name, chain: asset.chain, kind, lacks, prices }
    }),
    warnings: warnings.map(problem => payoutProblemText(context, locale, problem)),
  })
