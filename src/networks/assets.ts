import { registry } from '../coins/registry.ts'

/** Every asset that Florin knows, before an operator's file changes the table. */
export const { assets } = registry

/** A chain's name as a buyer reads it; its id if the chain is unknown. */
export const chainName = (chain: string): string => registry.chain(chain)?.name ?? chain
