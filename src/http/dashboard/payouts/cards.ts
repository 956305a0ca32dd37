import type { PayoutCard, SourceRow } from '../../../../views/dashboard/payouts.ts'
import type { PayoutState } from '../../../operations/addresses/read-payouts.ts'

const END_SHOWN = 8

const short = (key: string): string => `${key.slice(0, END_SHOWN)}…${key.slice(-END_SHOWN)}`

function rowOf({ source, given, free, gapLimit, isUsedUp }: PayoutState['sources'][number]): SourceRow {
  const { kind, key } = source
  return { kind, key: kind === 'xpub' && key ? short(key) : null, given, free, gapLimit, isUsedUp }
}

/** What is set for a network, as pages show it. */
export const cardOf = ({ network, payoutAddress, sources, coins, warnings }: PayoutState): PayoutCard => ({
  network,
  address: payoutAddress,
  sources: sources.map(rowOf),
  coins: coins.map(({ asset, kind, lacks }) => ({ name: asset.name, chain: asset.chain, kind, lacks })),
  warnings,
})
