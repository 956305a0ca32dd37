import { faultOfStatus, type UpstreamFault } from '../domain/upstream-fault.ts'
import type { WalletFault } from '../domain/wallet-fault.ts'

/** Thrown if the chain cannot be read now. Callers must not conclude that nothing was paid. */
export class NetworkError extends Error {
  /** the fault of the endpoint, if it is a common fault that texts can name; otherwise null */
  readonly fault: UpstreamFault | null = null
}

/**
 * Thrown if the endpoint follows its chain, but cannot tell what arrived at these addresses, for example
 * because its answers contradict each other. Other addresses on the chain can be read.
 */
export class Undecided extends NetworkError {}

/** Thrown if the endpoint does not know the newest blocks. */
export class Behind extends NetworkError {
  override readonly fault = 'behind'
}

/** Thrown if the endpoint answered with an HTTP error status. */
export class StatusError extends NetworkError {
  override readonly fault: UpstreamFault | null
  constructor(message: string, status: number) {
    super(message)
    this.fault = faultOfStatus(status)
  }
}

/** Thrown for an account that cannot be paid, for a reason that pages say in words of their own. */
export class AccountError extends NetworkError {
  constructor(
    readonly wallet: WalletFault,
    message: string,
  ) {
    super(message)
  }
}

/** Thrown if the endpoint's response cannot be read. */
export class Malformed extends NetworkError {
  override readonly fault = 'malformed'
}
