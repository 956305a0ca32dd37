/** An endpoint that anybody may use. It sees the watched addresses, and where requests come from. */
export interface PublicEndpoint {
  /** who runs it */
  operator: string
  /** with the protocol, where the chain has several */
  url: string
}

/** Public endpoints of a chain to choose from, and the setting that they are for. */
export interface EndpointChoices {
  /** the chain as people read it */
  chain: string
  /** "FLORIN_BITCOIN_URL" */
  setting: string
  /** how an endpoint of one's own is written, such as "esplora+https://node.example" */
  example: string
  endpoints: readonly PublicEndpoint[]
}
