import type { EndpointSetting } from '../coins/chains.ts'
import type { Chain, Family } from '../coins/types.ts'
import { joinWithOr } from '../domain/join-with-or.ts'
import { type Endpoint, endpoints } from './parsers.ts'
import { type Setting, setting } from './setting.ts'

/** The setting of a chain's endpoints, such as "bitcoinUrl" for FLORIN_BITCOIN_URL. */
type EndpointKey = `${EndpointSetting}Url`

/** Descriptions of the endpoint settings, in the order in which the families are listed. */
const meanings: Record<Family, (chain: Chain) => string> = {
  evm: ({ name }) => `Comma-separated JSON-RPC endpoints of ${name}, tried in turn.`,
  bitcoin: ({ name, endpoints: { protocols } }) =>
    `Comma-separated endpoints of ${name}, tried in turn: ` +
    `${joinWithOr(protocols.map(protocol => `${protocol}+URL`))}.`,
  tron: ({ name }) =>
    `Comma-separated endpoints of ${name}, tried in turn: trongrid+URL, or jsonrpc+URL for tokens only.`,
  solana: ({ name }) => `Comma-separated JSON-RPC endpoints of ${name}, tried in turn.`,
  monero: ({ name }) => `Comma-separated RPC endpoints of ${name} nodes (monerod), tried in turn.`,
}

const families = Object.keys(meanings) as Family[]

const inSettingsOrder = (all: readonly Chain[]): Chain[] =>
  families.flatMap(family => all.filter(chain => chain.family === family))

/** The setting of a chain's endpoints. The chain must be one of those from which the table was made. */
export const endpointKeyOf = (chain: Chain): EndpointKey => `${chain.endpoints.setting}Url` as EndpointKey

export const endpointSettingsOf = ({ chains }: { chains: readonly Chain[] }): Record<string, EndpointKey> =>
  Object.fromEntries(inSettingsOrder(chains).map(chain => [chain.id, endpointKeyOf(chain)]))

export const makeEndpointTable = (all: readonly Chain[]): Record<EndpointKey, Setting<Endpoint[]>> =>
  Object.fromEntries(
    inSettingsOrder(all).map(chain => {
      const { setting: name, protocols } = chain.endpoints
      const variable = `FLORIN_${name.toUpperCase()}_URL`
      const secret = true
      return [
        endpointKeyOf(chain),
        setting(variable, '', meanings[chain.family](chain), endpoints(...protocols), secret),
      ]
    }),
  ) as Record<EndpointKey, Setting<Endpoint[]>>
