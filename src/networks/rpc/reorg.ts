import { NetworkError } from '../port.ts'

const ATTEMPTS_MAX = 3

/**
 * The chain was replaced during a scan, or one URL stands for nodes that know different blocks: what was read
 * does not belong together.
 */
export class Reorganised extends NetworkError {
  constructor(message = 'reorganised its chain during the scan') {
    super(message)
  }
}

/**
 * Does a piece of work, and repeats it while the chain is reorganised in between. `forget` drops what was
 * remembered of the replaced chain. Throws NetworkError.
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
