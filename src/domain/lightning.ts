import type { Json } from './metadata.ts'

/** The name under which a shop's Lightning account is stored beside its accounts with providers. */
export const LIGHTNING = 'lightning'

/** Bitcoin on its own chain, which one QR code can offer together with an invoice. */
export const ON_CHAIN = 'btc'

/** True for Lightning and on-chain Bitcoin, the two assets that one QR code can offer together. */
export const areBeside = (one: string, other: string): boolean =>
  (one === LIGHTNING && other === ON_CHAIN) || (one === ON_CHAIN && other === LIGHTNING)

/** Number of quoted prices that attempts hold. Bitcoin and Lightning in one QR code share a price. */
export function placesOf(attempts: readonly { assetId: string | null }[]): number {
  const hasBoth = [ON_CHAIN, LIGHTNING].every(asset => attempts.some(({ assetId }) => assetId === asset))
  return attempts.length - Number(hasBoth)
}

/** Nodes and services that issue invoices. Each is accessed with a secret. */
export const nodeKinds = ['phoenixd', 'greenfield', 'lnd', 'cln', 'nwc'] as const
export type NodeKind = (typeof nodeKinds)[number]

/** Issuer of a shop's invoices: the wallet of a Lightning address, which needs no secret, or a node. */
export type LightningKind = 'address' | NodeKind

/**
 * The secret that gives access to a node. It must allow issuing and looking up invoices, and nothing that
 * moves money.
 */
export interface NodeSecret {
  /** a password, an API key, a macaroon, a rune, or the private key of a wallet connection */
  secret: string
  /** the only certificate to trust, PEM; null for those that the system trusts */
  certificate: string | null
}

/** The data that a person enters to connect a node. */
export interface NodeConnection extends NodeSecret {
  kind: NodeKind
  /**
   * URL of its API; for Nostr Wallet Connect, the whole connection string is entered as the secret instead
   */
  url: string
  /** the store of a BTCPay Server; empty for others */
  store: string
}

export type EnteredLightning = { kind: 'address'; text: string } | NodeConnection

/** A shop's Lightning account, as it is stored. It contains no secret: secrets are stored separately. */
export interface LightningAccount {
  kind: LightningKind
  /** `name@host`, the URL of an LNURL, or the kind and URL of a node: "lnd+https://node.example:8080" */
  account: string
  /** the server that learns of the amounts */
  host: string
  /** public key of the node that is paid, in hex, from the signature of the trial invoice */
  node: string
}

/** Reads a Lightning account from stored credentials. */
export const lightningAccountIn = (credentials: Json): LightningAccount =>
  ({ kind: 'address', ...(credentials as object) }) as unknown as LightningAccount

/**
 * The name under which the secret of an account is stored. The secret outlives the account, so that invoices
 * which buyers already have can still be looked up.
 */
export const secretName = (account: string): string => `${LIGHTNING} ${account}`
