/** An endpoint that an operator chose in the dashboard. It counts while the settings name none for its chain. */
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
export type ChoiceOrigin = 'environment' | 'dashboard' | 'none'

export const nothingChosen: Chosen = { endpoints: [], rateSources: [] }
