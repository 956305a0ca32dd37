import type { EndpointChoices, PublicEndpoint } from '../domain/public-endpoint.ts'
import type { Registry } from './registry.ts'

const publicNode = (name: string): PublicEndpoint => ({
  operator: 'PublicNode (Allnodes)',
  url: `https://${name}.publicnode.com`,
})

/**
 * Public endpoints by chain. They were not measured with Florin, and their operators may limit or end them at
 * any time. Chains without an entry have no known public endpoint.
 */
const byChain: Record<string, readonly PublicEndpoint[]> = {
  btc: [
    { operator: 'mempool.space', url: 'esplora+https://mempool.space/api' },
    { operator: 'Blockstream', url: 'esplora+https://blockstream.info/api' },
  ],
  ltc: [{ operator: 'Litecoin Space', url: 'esplora+https://litecoinspace.org/api' }],
  ethereum: [publicNode('ethereum-rpc')],
  polygon: [publicNode('polygon-bor-rpc')],
  base: [{ operator: 'Base', url: 'https://mainnet.base.org' }, publicNode('base-rpc')],
  bsc: [publicNode('bsc-rpc')],
  arbitrum: [
    { operator: 'Offchain Labs', url: 'https://arb1.arbitrum.io/rpc' },
    publicNode('arbitrum-one-rpc'),
  ],
  optimism: [{ operator: 'Optimism', url: 'https://mainnet.optimism.io' }, publicNode('optimism-rpc')],
  trc20: [{ operator: 'TRON', url: 'trongrid+https://api.trongrid.io' }],
  solana: [{ operator: 'Solana Foundation', url: 'https://api.mainnet-beta.solana.com' }],
}

/** Returns the public endpoints to choose from for a chain; null for a chain that is not in the registry. */
export const endpointChoices =
  ({ chain: chainOf }: Registry) =>
  (id: string): EndpointChoices | null => {
    const chain = chainOf(id)
    if (!chain) return null
    const setting = `FLORIN_${chain.endpoints.setting.toUpperCase()}_URL`
    const { protocols } = chain.endpoints
    const example = `${protocols.length > 1 ? `${protocols[0]}+` : ''}https://node.example`
    return { chain: chain.name, setting, example, endpoints: byChain[id] ?? [] }
  }
