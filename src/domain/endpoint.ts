import type { UpstreamFault } from './upstream-fault.ts'

/** An endpoint that an operator chose in the dashboard. It counts if the settings name none for its chain. */
export interface ChosenEndpoint {
  id: string
  /** the part of an asset's ID before the slash, such as "base" */
  chain: string
  /** the endpoints of a chain are tried in this order */
  position: number
  /** what it speaks, such as "esplora" */
  protocol: string
  /** its path or query may hold a key, so only its host is ever shown */
  url: string
  /** a header of every request, such as an API key: a secret; null for none */
  header: EndpointHeader | null
  createdAt: number
}

export interface EndpointHeader {
  name: string
  value: string
}

/** What an operator chose in the dashboard. */
export interface Chosen {
  /** by chain, in their order */
  endpoints: readonly ChosenEndpoint[]
  /** exchanges, which count while FLORIN_RATES is empty */
  rateSources: readonly string[]
}

/** Where the endpoints of a chain, or the rate sources, come from. */
export type ChoiceOrigin = 'environment' | 'dashboard' | 'none' | 'sandbox'

export const nothingChosen: Chosen = { endpoints: [], rateSources: [] }

/** Why an endpoint cannot be used. */
export type EndpointFault = UpstreamFault | 'unusable'

/** What a try of an endpoint found. */
export interface EndpointTrial {
  /** the names of the assets that payments can be found in */
  usable: string[]
  /** for the others */
  problems: { fault: EndpointFault; assets: string[]; detail: string }[]
}

/** The endpoints of one chain, as the settings or an operator chose them. */
export interface ChainEndpoints {
  /** the part of an asset's ID before the slash */
  chain: string
  /** as people read it */
  name: string
  origin: ChoiceOrigin
  /** in the order in which they are tried */
  used: UsedEndpoint[]
}

/** An endpoint that is used, and how it did. */
export interface UsedEndpoint {
  /** the whole of it is never shown: it may hold a key */
  url: string
  /** when it last worked; null if it never did since the server started */
  workedAt: number | null
  /** why it could not be used the last time; null if it could */
  problem: string | null
  /** the same, if it is a usual fault */
  fault: UpstreamFault | null
}

/** An endpoint as a person or the settings wrote it: "esplora+https://…". */
export interface EndpointText {
  protocol: string
  url: string
}

/** The protocol may be left out if there is only one. Null for what is no endpoint. */
export function parseEndpoint(text: string, protocols: readonly string[]): EndpointText | null {
  const prefix = protocols.find(name => text.startsWith(`${name}+`))
  const protocol = prefix ?? (protocols.length === 1 ? protocols[0] : undefined)
  const url = prefix === undefined ? text : text.slice(prefix.length + 1)
  if (protocol === undefined || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return null
  return { protocol, url: url.replace(/\/+$/, '') }
}
