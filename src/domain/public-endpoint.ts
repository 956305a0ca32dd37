/** An endpoint that anybody may use. Its operator sees the watched addresses and the server's IP address. */
export interface PublicEndpoint {
  /** name of the company or project that runs the endpoint */
  operator: string
  /** with the protocol if the chain has several */
  url: string
}

/** Public endpoints of a chain, and the setting that they are for. */
export interface EndpointChoices {
  /** display name */
  chain: string
  /** such as "FLORIN_BITCOIN_URL" */
  setting: string
  /** example of an endpoint of one's own, such as "esplora+https://node.example" */
  example: string
  endpoints: readonly PublicEndpoint[]
}
