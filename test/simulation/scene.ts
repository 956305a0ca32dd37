import { networksOf } from '../../src/boot/networks.ts'
import type { Platform } from '../../src/boot/platform.ts'
import { registry } from '../../src/coins/registry.ts'
import type { Asset } from '../../src/domain/asset.ts'
import type { Networks } from '../../src/networks/port.ts'
import { readSettings } from '../../src/settings/read.ts'
import type { Settings } from '../../src/settings/table.ts'
import { Chain } from './chain.ts'
import { Endpoint } from './endpoint.ts'
import type { Setup } from './history.ts'
import { plans } from './plans.ts'

export const STARTS_AT = Date.parse('2026-03-01T10:00:00.000Z')

/** A chain with its endpoints, and the product's networks, which query them. */
export interface Scene {
  chain: Chain
  endpoints: Endpoint[]
  assets: Asset[]
  /** Makes new networks without remembered state, as after a restart. */
  makeNetworks(): Networks
  settings: Settings
  platform: Platform
  /** the time that the endpoints took to answer, in milliseconds, which is not time of the product */
  answeringMs(): number
}

/** The times of a history, in milliseconds since 1970 UTC. The clock of the server may be wrong. */
interface Clocks {
  server: () => number
  chain: () => number
}

export function openScene(setup: Setup, clocks: Clocks, targets: () => string[]): Scene {
  const plan = plans[setup.family]
  const { chainId, firstHeight, blockMs } = plan
  const assets = registry.assets.filter(asset => asset.chain === chainId)
  const chain = new Chain({ clock: clocks.chain, startsAt: STARTS_AT, firstHeight, blockMs })
  const contracts = new Map(
    assets.flatMap(({ id, contract }) => (contract === null ? [] : [[id, contract] as const])),
  )
  const endpoints = Array.from({ length: setup.endpoints }, (_, index) => {
    const frontOf = (known: Chain) => plan.front({ chain: known, setup, index, contracts, targets })
    return new Endpoint(`node-${index}.example`, frontOf(chain), {
      blank: () => frontOf(chain.withoutTransfers()),
      short: () => frontOf(chain.shorter()),
    })
  })
  const urls = endpoints.map(({ host }, index) => plan.urlOf(host, setup, index)).join()
  const settings = readSettings({ [plan.setting]: urls })
  let answeringMs = 0
  const fetch: Platform['fetch'] = async (url, init) => {
    const { host, pathname, search } = new URL(url)
    const endpoint = endpoints.find(one => one.host === host)
    if (!endpoint) throw new Error(`nothing is at ${host}`)
    const since = performance.now()
    const response = endpoint.respond(pathname + search, String(init?.body ?? ''))
    answeringMs += performance.now() - since
    return response
  }
  const platform = platformOf(fetch)
  const makeNetworks = () => networksOf(settings, platform, clocks.server, null)
  return { chain, endpoints, assets, makeNetworks, settings, platform, answeringMs: () => answeringMs }
}

/** A platform with only `fetch`: networks use nothing else of it. */
const platformOf = (fetch: Platform['fetch']): Platform => ({
  fetch,
  lookup: async () => [],
  now: () => STARTS_AT,
  random: bytes => new Uint8Array(bytes),
  log: { debug() {}, info() {}, warn() {}, error() {} },
})
