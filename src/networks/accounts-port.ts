import type { EnteredLightning, LightningAccount, NodeSecret } from '../domain/lightning.ts'

/** A tested account with a service that issues invoices, and the secret that gives access to it. */
export interface TriedAccount {
  account: LightningAccount
  /** the secret that gives access to the account; null for a Lightning address */
  secret: NodeSecret | null
}

/** Accounts of merchants, on a network whose payments are invoices. */
export interface Accounts {
  /**
   * Tests what an order needs: has an account issue an invoice of a small amount, and asks for the invoice's
   * state. Nothing is paid. Refuses a secret that could pay. Throws AccountError.
   */
  try(entered: EnteredLightning): Promise<TriedAccount>
  /** Repeats the test of `try` for a stored account. Throws NetworkError. */
  tryAgain(account: string): Promise<void>
  /**
   * Returns the upstream of an account, and the amounts that it accepts in atomic units; null while the
   * amounts are not known.
   */
  describe(account: string): { upstream: string; limits: { least: bigint; most: bigint } | null }
}

/** Finds the secret of a merchant's account with a node; null if there is no secret. */
export type FindSecret = (merchantId: string, account: string) => Promise<NodeSecret | null>
