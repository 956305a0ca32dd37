import type { OwnedAddress } from '../../port.ts'
import { DEPLOYER, FORWARDER_VERSION, forwarderAddress, initCodeHash, saltOf } from './forwarder.ts'

/** The forwarder of an attempt, with everything that is needed to deploy it. */
export function forwarderOf(attemptId: string, payout: string): OwnedAddress {
  const salt = saltOf(attemptId)
  return {
    address: forwarderAddress(payout, salt),
    source: {
      kind: 'create2',
      deployer: DEPLOYER,
      salt,
      payout,
      initCodeHash: initCodeHash(payout),
      forwarder: FORWARDER_VERSION,
    },
  }
}
