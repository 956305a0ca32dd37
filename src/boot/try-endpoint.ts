import { registry } from '../coins/registry.ts'
import type { Asset, WalletNetwork } from '../domain/asset.ts'
import type { ChosenEndpoint, EndpointFault, EndpointTrial } from '../domain/endpoint.ts'
import { asserted } from '../domain/errors.ts'
import { faultOf } from '../domain/upstream-fault.ts'
import { type Network, NetworkError, type Networks, type OwnedAddress } from '../networks/port.ts'
import { systemTimer } from '../outbound/client.ts'
import { endpointSettingsOf } from '../settings/endpoints.ts'
import type { Settings } from '../settings/table.ts'
import { networksOf } from './networks.ts'
import type { Platform } from './platform.ts'

/** Time limit of the whole trial, because a person waits for the result. */
const TRIAL_MS = 20_000

/** Matches the errors of nodes that require a key but refuse each call with status 200. */
const keyWords = /\b(?:api[ -]?key|project id|access token|unauthori[sz]ed|authenticat\w*)\b/i

/** The account key of the test vectors of BIP 32. Nobody is paid at its addresses. */
const SAMPLE_KEY =
  'xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8'
const SAMPLE_INDEX = 4711

/** Addresses that nobody has: each is a hash of a text. */
const samples: Partial<Record<WalletNetwork, string>> = {
  evm: '0x9aBc40D55a7e9E1C91DFbda127FC331267Ed29e1',
  solana: '4b1wujbDkuAWojMhKNTjJBZuDaAKY9ud1541r6cgk2AK',
  trc20: 'TJZtjBHPLdzVUK6TdZXAhMf97z5584bAMY',
}

/** A Monero wallet whose spend key nobody has. */
const MONERO_WALLET =
  '49KvndYsh9GhLi8JPqzk6xWw8mFFh5d7rQiJCUByb7r9Zuxj2NnszFT4uVHomAqeukZvsesGcaD8Y2a7JgPpq1eX6QW52MJ'
const MONERO_VIEW_KEY = '51c8b0efdaf7499226e26b5193e0f87e9a392fa175a9d594f7d658d82019e007'

function moneroSample(networks: Networks, asset: Asset): OwnedAddress {
  const [index, payoutAddress, key] = [SAMPLE_INDEX, MONERO_WALLET, MONERO_VIEW_KEY]
  const derived = { network: 'xmr', key, script: null, payoutAddress } as const
  const position = { key, script: null, payoutAddress, index, address: networks.derive(derived, index) }
  return networks.address({ attemptId: 'trial', asset, payoutAddress, kind: 'viewkey', position })
}

/** An address at which a trial looks for payments. */
function sampleOf(networks: Networks, asset: Asset): OwnedAddress {
  const { network } = asset
  const payoutAddress = samples[network] ?? null
  const request = { attemptId: 'trial', asset, payoutAddress, position: null }
  if (network === 'xmr') return moneroSample(networks, asset)
  if (network === 'evm') return networks.address({ ...request, kind: 'create2' })
  const derived = { network, key: SAMPLE_KEY, script: 'p2pkh' as const, payoutAddress: null }
  const address = payoutAddress ?? networks.derive(derived, SAMPLE_INDEX)
  return { address, source: { kind: 'pool', index: SAMPLE_INDEX } }
}

interface Problem {
  fault: EndpointFault
  detail: string
}

/** Does what a payment needs: gets the first cursor of an address, and scans the address once. */
async function scanOnce(networks: Networks, network: Network, asset: Asset): Promise<Problem | null> {
  const own = sampleOf(networks, asset)
  const attempt = { attemptId: 'trial', asset }
  const { cursor, source } = await network.open({ ...attempt, own, dueAtomic: 1n, label: '', lockedUntil: 0 })
  const watch = { ...attempt, address: own.address, source, cursor, requiredEndpoints: 1 }
  const results = await network.scan([watch])
  return results.length > 0 ? null : { fault: 'unusable', detail: 'does not report the state of an address' }
}

async function problemOf(networks: Networks, network: Network, asset: Asset): Promise<Problem | null> {
  try {
    const found = await scanOnce(networks, network, asset)
    if (found) return found
    const detail = await network.unavailableReason(asset)
    return detail === null ? null : { fault: 'unusable', detail }
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    const { cause = error } = error
    const detail = (cause as Error).message
    return { fault: faultOf(error) ?? (keyWords.test(detail) ? 'denied' : 'unusable'), detail }
  }
}

const late: Problem = { fault: 'silent', detail: `did not finish within ${TRIAL_MS / 1000} s` }

/** The result of the work, or a problem if it takes too long. */
function inTime({ startTimer = systemTimer }: Platform, work: Promise<Problem | null>) {
  const timeout = Promise.withResolvers<Problem>()
  const cancel = startTimer(() => timeout.resolve(late), TRIAL_MS)
  return Promise.race([work, timeout.promise]).finally(cancel)
}

/** Tries an endpoint as if it were the only one: looks for payments in each asset of its chain. */
export async function tryEndpoint(
  settings: Settings,
  platform: Platform,
  clock: () => number,
  { chain, protocol, url, header }: Pick<ChosenEndpoint, 'chain' | 'protocol' | 'url' | 'header'>,
): Promise<EndpointTrial> {
  const key = endpointSettingsOf(registry)[chain]
  if (!key) return { usable: [], problems: [] }
  const alone: Settings = { ...settings, [key]: [{ protocol, url, chosen: { header } }] }
  const networks = networksOf(alone, platform, clock, null)
  const network = networks.of(chain)
  const assets = networks.assets.filter(asset => asset.chain === chain)
  const tried = await Promise.all(
    assets.map(async asset => {
      const problem = network ? await inTime(platform, problemOf(networks, network, asset)) : null
      return { asset: asset.name, problem }
    }),
  )
  const bad = tried.flatMap(({ asset, problem }) => (problem ? [{ asset, ...problem }] : []))
  const groups = Map.groupBy(bad, ({ fault, detail }) => `${fault} ${detail}`)
  return {
    usable: tried.flatMap(({ asset, problem }) => (problem ? [] : [asset])),
    problems: [...groups.values()].map(some => {
      const { fault, detail } = asserted(some[0], 'a group has a problem')
      return { fault, detail, assets: some.map(({ asset }) => asset) }
    }),
  }
}
