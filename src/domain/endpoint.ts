import type { UpstreamFault } from './upstream-fault.ts'

/**
 * An endpoint that an operator chose in the dashboard. Used if the settings name no endpoint for its chain.
 */
export interface ChosenEndpoint {
  id: string
  /** first part of an asset's ID, such as "base" */
  chain: string
  /** endpoints of a chain are tried in this order */
  position: number
  /** such as "esplora" */
  protocol: string
  /** path or query may contain a key: show only the host */
  url: string
  /** header for every request, such as an API key: a secret; null for none */
  header: EndpointHeader | null
  createdAt: number
}

export interface EndpointHeader {
  name: string
  value: string
}

/** Origin of the endpoints of a chain, or of the rate sources. */
export type ChoiceOrigin = 'environment' | 'dashboard' | 'none' | 'sandbox'

export type EndpointFault = UpstreamFault | 'unusable'

/** Result of trying an endpoint. */
export interface EndpointTrial {
  /** names of the assets whose payments it can find */
  usable: string[]
  /** problems that make other assets unusable */
  problems: { fault: EndpointFault; assets: string[]; detail: string }[]
}

/** The endpoints in use for one chain, from the settings or from an operator. */
export interface ChainEndpoints {
  /** first part of an asset's ID */
  chain: string
  name: string
  origin: ChoiceOrigin
  /** in the order in which they are tried */
  used: UsedEndpoint[]
}

export interface UsedEndpoint {
  /** may contain a key: never show all of it */
  url: string
  /** when it last worked; null if it has not worked since the server started */
  workedAt: number | null
  /** reason why its last use failed; null if it worked */
  problem: string | null
  /** kind of the problem, if it is a common one */
  fault: UpstreamFault | null
}

/** An endpoint as settings and forms write it: "esplora+https://…". */
export interface EndpointText {
  protocol: string
  url: string
}

/**
 * Reads an endpoint. The protocol is optional if there is only one. Returns null if the text is no endpoint.
 */
export function parseEndpoint(text: string, protocols: readonly string[]): EndpointText | null {
  const prefix = protocols.find(name => text.startsWith(`${name}+`))
  const protocol = prefix ?? (protocols.length === 1 ? protocols[0] : undefined)
  const url = prefix === undefined ? text : text.slice(prefix.length + 1)
  if (protocol === undefined || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return null
  return { protocol, url: url.replace(/\/+$/, '') }
}
