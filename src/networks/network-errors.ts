import { faultOfStatus, type UpstreamFault } from '../domain/upstream-fault.ts'
import type { WalletFault } from '../domain/wallet-fault.ts'

/** The chain cannot be read now. Callers must not conclude that nothing was paid. */
export class NetworkError extends Error {
  /** the fault of the endpoint, where it is a common one that texts can name */
  readonly fault: UpstreamFault | null = null
}

/**
 * The endpoint follows its chain, but cannot tell what arrived at these addresses, for example because its
 * answers contradict each other. Other addresses on the chain can be read.
 */
export class Undecided extends NetworkError {}

/** The endpoint does not know the newest blocks. */
export class Behind extends NetworkError {
  override readonly fault = 'behind'
}

/** The endpoint answered with an HTTP error status. */
export class StatusError extends NetworkError {
  override readonly fault: UpstreamFault | null
  constructor(message: string, status: number) {
    super(message)
    this.fault = faultOfStatus(status)
  }
}

/** An account that cannot be paid, for a reason that pages say in words of their own. */
export class AccountError extends NetworkError {
  constructor(
    readonly wallet: WalletFault,
    message: string,
  ) {
    super(message)
  }
}

/** The endpoint's response cannot be read. */
export class Malformed extends NetworkError {
  override readonly fault = 'malformed'
}
