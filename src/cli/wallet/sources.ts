import type { Command } from 'commander'
import {
  type ConfiguredSource,
  listSources,
  type NetworkSources,
} from '../../operations/addresses/list-sources.ts'
import { type Cli, command, MERCHANT_ID, tableOf } from '../cli.ts'

const END_SHOWN = 8

/** Enough of a key to recognize it. A view key is secret and never shown. */
const keyShown = ({ source: { kind, key } }: ConfiguredSource): string | null =>
  kind === 'xpub' && key ? `${key.slice(0, END_SHOWN)}…${key.slice(-END_SHOWN)}` : null

const presentSetUp = (setUp: ConfiguredSource) => ({
  kind: setUp.source.kind,
  key: keyShown(setUp),
  script: setUp.source.script,
  nextIndex: setUp.source.kind === 'pool' ? null : setUp.source.nextIndex,
  given: setUp.given,
  free: setUp.free,
})

const present = ({ network, payoutAddress, setUps, lightning, assets }: NetworkSources) => ({
  network,
  payoutAddress,
  setUp: setUps.map(presentSetUp),
  ...(lightning && { lightning }),
  assets: assets.map(({ assetId, kind, isWatched }) => ({ assetId, source: kind, watched: isWatched })),
})

type SourceJson = ReturnType<typeof present>

const sourceLines = ({ setUp, lightning }: SourceJson): string[] => [
  ...(lightning ? [`   lightning ${lightning.account}`] : []),
  ...setUp.map(({ kind, key, nextIndex, given, free }) => {
    const rest = free === null ? `next index ${nextIndex}` : `${free} available`
    return `   ${kind}${key ? ` ${key}` : ''}: ${given} used, ${rest}`
  }),
]

const rowsOf = ({ assets }: SourceJson): string[][] =>
  assets.map(({ assetId, source, watched }) => [assetId, source ?? 'none', watched ? 'yes' : 'no endpoint'])

function textOf(networks: SourceJson[]): string {
  if (networks.length === 0)
    return 'No wallet is configured. Set one with PUT /v1/wallet, or see florin wallet --help.'
  const parts = networks.map(shown =>
    [`${shown.network}  ${shown.payoutAddress ?? 'no payout wallet'}`, ...sourceLines(shown)].join('\n'),
  )
  const table = tableOf([['asset', 'source', 'watched'], ...networks.flatMap(rowsOf)])
  return [...parts, table].join('\n\n')
}

export const sources = (cli: Cli): Command =>
  command('sources', 'show where the payment addresses of each network come from')
    .requiredOption('--merchant <id>', MERCHANT_ID)
    .action(
      cli.withContext(async (context, { merchant }: { merchant: string }) => {
        const items = (await listSources(context, merchant)).map(present)
        return { json: { items }, text: textOf(items) }
      }),
    )
