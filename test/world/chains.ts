import { registry } from '../../src/coins/registry.ts'
import type { Asset } from '../../src/domain/asset.ts'
import { Chain } from '../simulation/chain.ts'
import { Endpoint, type Front } from '../simulation/endpoint.ts'
import { evmFront } from '../simulation/evm-front.ts'
import type { Setup as FamilySetup } from '../simulation/history.ts'
import type { Family } from '../simulation/lies.ts'
import { bitcoinFront, type FrontParts, type Plan, plans } from '../simulation/plans.ts'
import type { AssetFact, ChainFact } from './facts.ts'
import type { Journal } from './journal.ts'

/** A second chain on which the addresses of the first one exist too. */
const base: Plan = {
  ...plans.evm,
  chainId: 'base',
  coin: 'base/eth',
  firstHeight: 20_000_000,
  setting: 'FLORIN_BASE_URL',
  front: ({ chain, setup: { finalityLag }, contracts, targets }) =>
    evmFront({
      chain,
      chainId: 8453,
      finalityLag,
      coin: 'base/eth',
      contracts: lowerCase(contracts),
      targets,
    }),
}

/** A payment is final in its second block. */
const litecoin: Plan = {
  ...plans.bitcoin,
  chainId: 'ltc',
  coin: 'ltc',
  firstHeight: 2_900_000,
  blockMs: 150_000,
  setting: 'FLORIN_LITECOIN_URL',
  front: ({ chain, setup: { interfaces }, index, targets }) =>
    bitcoinFront(chain, 'ltc', interfaces[index], targets),
}

const lowerCase = (contracts: ReadonlyMap<string, string>): Map<string, string> =>
  new Map([...contracts].map(([asset, contract]) => [asset, contract.toLowerCase()]))

/** The chains of a world, by their names in a history. */
const known = {
  polygon: { plan: plans.evm, family: 'evm' },
  base: { plan: base, family: 'evm' },
  btc: { plan: plans.bitcoin, family: 'bitcoin' },
  ltc: { plan: litecoin, family: 'bitcoin' },
  trc20: { plan: plans.tron, family: 'tron' },
  solana: { plan: plans.solana, family: 'solana' },
  xmr: { plan: plans.monero, family: 'monero' },
} as const satisfies Record<string, { plan: Plan; family: ChainFact['family'] }>

export type ChainName = keyof typeof known
export const chainNames = Object.keys(known) as ChainName[]

/** How a chain is set up in a world. */
export interface ChainSetup {
  name: ChainName
  endpoints: number
  finalityLag: number
  /** what each endpoint offers, if the endpoints of the chain differ */
  interfaces: readonly string[]
}

/** The shortest and the longest time from the sending of a payment until it is final. */
export function finalWithin({ name, finalityLag }: ChainSetup): { soonestMs: number; latestMs: number } {
  const { plan } = known[name]
  const [asset] = registry.assets.filter(({ chain }) => chain === plan.chainId)
  const depth = hasNamedFinality(name) ? finalityLag + 1 : (asset?.confirmations ?? 1)
  return { soonestMs: (depth - 1) * plan.blockMs, latestMs: depth * plan.blockMs }
}

export interface WorldChain {
  id: ChainName
  family: ChainFact['family']
  /** the family whose lies its endpoints may use */
  lies: Family
  plan: Plan
  chain: Chain
  endpoints: Endpoint[]
  assets: Asset[]
  /** false if no endpoint of its kind can list a transaction later than the block that contains it */
  canListLate: boolean
  fact: ChainFact
}

/**
 * On Solana, later transactions contain the balances that a transaction left. On Monero, and on nodes that read whole
 * blocks, the hash of a block is made of its transactions.
 */
const canListLate = ({ name, endpoints, interfaces }: ChainSetup): boolean =>
  !/^(?:solana|monero)$/.test(known[name].family) && !interfaces.slice(0, endpoints).includes('core')

/** The plan of Esplora stands for all chains like Bitcoin. */
function familyOf({ name, interfaces: [first] }: ChainSetup): Family {
  const { family } = known[name]
  return family === 'bitcoin' && (first === 'blockbook' || first === 'core') ? first : family
}

/**
 * True for chains whose endpoints report the newest final block. On the others, a payment is final once its
 * block has enough confirmations.
 */
export const hasNamedFinality = (name: ChainName): boolean =>
  !/^(?:bitcoin|monero)$/.test(known[name].family) && name !== 'base'

function openChain(
  setup: ChainSetup,
  clock: () => number,
  startsAt: number,
  targets: () => string[],
): WorldChain {
  const { plan, family } = known[setup.name]
  const { chainId, firstHeight, blockMs } = plan
  const assets = registry.assets.filter(asset => asset.chain === chainId)
  const chain = new Chain({ clock, startsAt, firstHeight, blockMs })
  const contracts = new Map(
    assets.flatMap(({ id, contract }) => (contract === null ? [] : [[id, contract] as const])),
  )
  const familySetup: FamilySetup = {
    ...{ family: familyOf(setup), seed: 0, quorumAbove: null, hasAccount: true },
    ...{ endpoints: setup.endpoints, finalityLag: setup.finalityLag, interfaces: setup.interfaces },
  }
  const spelled = () => targets().map(address => plan.spell(address))
  const frontOf = (of: Chain, index: number): Front => {
    const parts: FrontParts = { chain: of, setup: familySetup, index, contracts, targets: spelled }
    return plan.front(parts)
  }
  const endpoints = Array.from({ length: setup.endpoints }, (_, index) => {
    const host = `${setup.name}-${index}.example`
    return new Endpoint(host, frontOf(chain, index), {
      blank: () => frontOf(chain.withoutTransfers(), index),
      short: () => frontOf(chain.shorter(), index),
    })
  })
  const finalDepth = finalWithin(setup).latestMs / blockMs
  return {
    ...{ id: setup.name, family, lies: familyOf(setup), plan, chain, endpoints, assets },
    canListLate: canListLate(setup),
    fact: {
      ...{ id: chainId, family, blockMs, finalDepth, startsAt, firstHeight, endpoints: setup.endpoints },
      withoutCoin: [...setup.interfaces.slice(0, setup.endpoints).keys()].filter(
        at => setup.interfaces[at] === 'rpc',
      ),
    },
  }
}

export interface WorldChains {
  all: WorldChain[]
  environment: Record<string, string>
  find(id: string): WorldChain | undefined
  /** null if no chain has an endpoint of this name */
  answer(url: URL, body: string): Response | null
}

export function openChains(
  setups: readonly ChainSetup[],
  clock: () => number,
  targetsOf: (chain: string) => string[],
): WorldChains {
  const startsAt = clock()
  const all = setups.map(setup => openChain(setup, clock, startsAt, () => targetsOf(setup.name)))
  const endpoints = new Map(all.flatMap(({ endpoints }) => endpoints.map(one => [one.host, one] as const)))
  const settings = all.map(({ plan, endpoints }, index) => {
    const { interfaces } = setups[index]!
    const setup = { interfaces } as FamilySetup
    return [plan.setting, endpoints.map(({ host }, at) => plan.urlOf(host, setup, at)).join()]
  })
  return {
    all,
    environment: Object.fromEntries(settings),
    find: id => all.find(one => one.id === id),
    answer(url, body) {
      const endpoint = endpoints.get(url.host)
      return endpoint ? endpoint.respond(url.pathname + url.search, body) : null
    },
  }
}

export const assetFacts = ({ all }: WorldChains): AssetFact[] =>
  all.flatMap(({ assets }) =>
    assets.map(({ id, chain, ticker, decimals, quoteDecimals, contract }) => ({
      ...{ id, chain, ticker: ticker.toLowerCase(), decimals, quoteDecimals, contract },
    })),
  )

/** Ends every lie that is limited in time, and records that. */
export function becomeHonest({ all }: WorldChains, journal: Journal): void {
  for (const { id, endpoints } of all)
    for (const [endpoint, one] of endpoints.entries()) {
      one.becomeHonest()
      journal.note({ ...{ fact: 'endpoint', chain: id, endpoint }, lie: 'honest', amount: 0, times: null })
    }
}
