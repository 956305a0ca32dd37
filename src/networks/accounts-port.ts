import type { EnteredLightning, LightningAccount, NodeSecret } from '../domain/lightning.ts'

/** An account with a service that issues invoices, after it was tried, and the secret that opens it. */
export interface TriedAccount {
  account: LightningAccount
  /** null for a Lightning address */
  secret: NodeSecret | null
}

/** Accounts of merchants, on a network whose payments are invoices. */
export interface Accounts {
  /**
   * Has an account issue an invoice of a small amount and asks for its state: what an order needs. Nothing is
   * paid. Refuses a secret that could pay. Throws AccountError.
   */
  try(entered: EnteredLightning): Promise<TriedAccount>
  /** Tries a stored account, as when it was entered. Throws NetworkError. */
  tryAgain(account: string): Promise<void>
  /** The upstream of an account, and the amounts that it accepts, atomic; null while they are not known. */
  describe(account: string): { upstream: string; limits: { least: bigint; most: bigint } | null }
}

/** The secret of a merchant's account with a node; null if there is none. */
export type FindSecret = (merchantId: string, account: string) => Promise<NodeSecret | null>
