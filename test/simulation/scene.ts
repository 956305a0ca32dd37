import { HDKey } from '@scure/bip32'
import { networksOf } from '../../src/boot/networks.ts'
import type { Platform } from '../../src/boot/platform.ts'
import { registry } from '../../src/coins/registry.ts'
import type { Asset } from '../../src/domain/asset.ts'
import type { Networks } from '../../src/networks/port.ts'
import { readSettings } from '../../src/settings/read.ts'
import { Chain } from './chain.ts'
import { Endpoint } from './endpoint.ts'
import { esploraFront } from './esplora-front.ts'
import { evmFront } from './evm-front.ts'
import type { Setup } from './history.ts'

export const STARTS_AT = Date.parse('2026-03-01T10:00:00.000Z')

/** A chain with its endpoints, and the real networks that ask them. */
export interface Scene {
  chain: Chain
  endpoints: Endpoint[]
  assets: Asset[]
  chainId: string
  /** New networks, which remember nothing. */
  makeNetworks(): Networks
}

const [POLYGON_MS, BITCOIN_MS] = [2000, 600_000]
const root = HDKey.fromMasterSeed(new Uint8Array(32).fill(7))
const account = (path: string): string => root.derive(path).publicExtendedKey

/** The merchant's account on each network. */
export const accountKeys = { evm: account("m/44'/60'/0'"), bitcoin: account("m/84'/0'/0'") } as const

export function openScene(setup: Setup, clock: () => number, targets: () => string[]): Scene {
  const isEvm = setup.family === 'evm'
  const chainId = isEvm ? 'polygon' : 'btc'
  const assets = registry.assets.filter(asset => asset.chain === chainId)
  const chain = new Chain({
    clock,
    startsAt: STARTS_AT,
    firstHeight: isEvm ? 60_000_000 : 900_000,
    blockMs: isEvm ? POLYGON_MS : BITCOIN_MS,
  })
  const contracts = new Map(
    assets.flatMap(({ id, contract }) => (contract === null ? [] : [[id, contract.toLowerCase()] as const])),
  )
  const evm = { chain, chainId: 137, finalityLag: setup.finalityLag, coin: 'polygon/pol', contracts, targets }
  const endpoints = Array.from(
    { length: setup.endpoints },
    (_, index) => new Endpoint(`node-${index}.example`, isEvm ? evmFront(evm) : esploraFront(chain)),
  )
  const urls = endpoints.map(({ host }) => `${isEvm ? '' : 'esplora+'}https://${host}`).join()
  const settings = readSettings({ [isEvm ? 'FLORIN_POLYGON_URL' : 'FLORIN_BITCOIN_URL']: urls })
  const fetch: Platform['fetch'] = async (url, init) => {
    const { host, pathname } = new URL(url)
    const endpoint = endpoints.find(one => one.host === host)
    if (!endpoint) throw new Error(`nothing is at ${host}`)
    return endpoint.respond(pathname, String(init?.body ?? ''))
  }
  return {
    chain,
    endpoints,
    assets,
    chainId,
    makeNetworks: () => networksOf(settings, platformOf(fetch), clock, null),
  }
}

/** Networks use nothing of the platform except its fetch. */
const platformOf = (fetch: Platform['fetch']): Platform => ({
  fetch,
  lookup: async () => [],
  now: () => STARTS_AT,
  random: bytes => new Uint8Array(bytes),
  log: { debug() {}, info() {}, warn() {}, error() {} },
})
