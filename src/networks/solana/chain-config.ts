import type { Asset } from '../../domain/asset.ts'

/** The facts about the chain that scans need. */
export interface ChainConfig {
  chain: string
  assets: readonly Asset[]
  /** milliseconds since 1970 UTC */
  clock: () => number
}

/** The contracts of all tokens. */
export const mintsOf = ({ assets }: ChainConfig): string[] =>
  assets.flatMap(({ contract }) => (contract === null ? [] : [contract]))
