import { registry } from '../coins/registry.ts'

/** Every asset that Florin knows, before an operator's file changes the table; and the names of chains. */
export const { assets, chainName } = registry
