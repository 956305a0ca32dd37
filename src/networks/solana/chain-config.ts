import type { Asset } from '../../domain/asset.ts'
import type { Json } from '../../domain/metadata.ts'

/** What is watched for on the chain. */
export interface ChainConfig {
  chain: string
  assets: readonly Asset[]
  /** milliseconds since 1970 UTC */
  clock: () => number
}

export const mintsOf = ({ assets }: ChainConfig): string[] =>
  assets.flatMap(({ contract }) => (contract === null ? [] : [contract]))

/** What an address is made of whose coins only the payout wallet can move. */
interface SeedSource {
  kind: 'seed'
  payout: string
  seed: string
}

export const isSeed = (source: Json): source is Json & SeedSource =>
  source !== null && typeof source === 'object' && !Array.isArray(source) && source.kind === 'seed'
