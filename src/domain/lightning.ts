import type { Json } from './metadata.ts'

/** The name under which a shop's Lightning account is stored beside its accounts with providers. */
export const LIGHTNING = 'lightning'

/** A shop's Lightning account, as it is stored. It can receive and not spend, so nothing in it is secret. */
export interface LightningAccount {
  /** `name@host`, or the URL of an LNURL */
  account: string
  /** the server that learns of the amounts */
  host: string
  /** the node that is paid, as the invoice of the trial was signed: a public key in hex */
  node: string
}

/** The account in stored credentials. */
export const lightningAccountIn = (credentials: Json): LightningAccount =>
  credentials as unknown as LightningAccount
