import { NetworkError } from '../port.ts'

const ATTEMPTS_MAX = 3

/**
 * Thrown if the results of a scan do not belong together, since the chain was replaced during the scan or the
 * URL stands for several nodes that know different blocks.
 */
export class Reorganised extends NetworkError {
  constructor(message = 'reorganised its chain during the scan') {
    super(message)
  }
}

/**
 * Does a piece of work, and repeats it up to twice if the chain is reorganised meanwhile. `forget` drops what
 * was remembered of the replaced blocks. Throws NetworkError.
 */
export async function retryReorganised<T>(work: () => Promise<T>, forget: () => void = () => {}): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Reorganised) || attempt === ATTEMPTS_MAX) throw error
      forget()
    }
  }
}
