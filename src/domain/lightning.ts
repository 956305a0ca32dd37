import type { Json } from './metadata.ts'

/** The name under which a shop's Lightning account is stored beside its accounts with providers. */
export const LIGHTNING = 'lightning'

/** Bitcoin on its own chain, which one QR code can offer together with an invoice. */
export const ON_CHAIN = 'btc'

/** True for the two ways to pay the same coin, of which one QR code offers both. */
export const areBeside = (one: string, other: string): boolean =>
  (one === LIGHTNING && other === ON_CHAIN) || (one === ON_CHAIN && other === LIGHTNING)

/** How many prices attempts hold: the two that one code offers hold the same one. */
export function placesOf(attempts: readonly { assetId: string | null }[]): number {
  const hasBoth = [ON_CHAIN, LIGHTNING].every(asset => attempts.some(({ assetId }) => assetId === asset))
  return attempts.length - Number(hasBoth)
}

/** Nodes and services that issue invoices, each opened by a secret. */
export const nodeKinds = ['phoenixd', 'greenfield', 'lnd', 'cln', 'nwc'] as const
export type NodeKind = (typeof nodeKinds)[number]

/** Who issues a shop's invoices: the wallet of a Lightning address, which needs no secret, or a node. */
export type LightningKind = 'address' | NodeKind

/** What opens a node. It must be able to issue and look up invoices, and nothing that moves money. */
export interface NodeSecret {
  /** a password, an API key, a macaroon, a rune, or the private key of a wallet connection */
  secret: string
  /** the only certificate to trust, PEM; null for those that the system trusts */
  certificate: string | null
}

/** What a person enters to connect a node. */
export interface NodeConnection extends NodeSecret {
  kind: NodeKind
  /** where its API is; the whole connection string of Nostr Wallet Connect is a secret instead */
  url: string
  /** the store of a BTCPay Server; empty for others */
  store: string
}

export type EnteredLightning = { kind: 'address'; text: string } | NodeConnection

/** A shop's Lightning account, as it is stored. Nothing in it is secret: that is stored apart from it. */
export interface LightningAccount {
  kind: LightningKind
  /** `name@host`, the URL of an LNURL, or the kind and URL of a node: "lnd+https://node.example:8080" */
  account: string
  /** the server that learns of the amounts */
  host: string
  /** the node that is paid, as the invoice of the trial was signed: a public key in hex */
  node: string
}

/** The account in stored credentials. */
export const lightningAccountIn = (credentials: Json): LightningAccount =>
  ({ kind: 'address', ...(credentials as object) }) as unknown as LightningAccount

/**
 * The name under which the secret of an account is stored. It outlives the account, so that invoices that
 * buyers have can be looked up.
 */
export const secretName = (account: string): string => `${LIGHTNING} ${account}`
