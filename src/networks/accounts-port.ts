/** An account with a service that issues invoices, after it was tried. */
interface TriedAccount {
  /** as it is stored and shown */
  account: string
  /** the server that learns of the amounts */
  host: string
  /** the node that is paid: a public key in hex */
  node: string
}

/** Accounts of merchants, on a network whose payments are invoices. */
export interface Accounts {
  /**
   * Has an account issue an invoice of a small amount and asks for its state: what an order needs. Nothing is
   * paid. Throws AccountError.
   */
  try(text: string): Promise<TriedAccount>
  /** The upstream of an account, and the amounts that it accepts, atomic; null while they are not known. */
  describe(account: string): { upstream: string; limits: { least: bigint; most: bigint } | null }
}
