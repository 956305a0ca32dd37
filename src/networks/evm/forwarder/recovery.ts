import { assert } from '../../../domain/errors.ts'
import { readOrigin } from '../../address-origin.ts'
import type { ForwarderRecipe, OwnAddress } from '../../port.ts'
import { DEPLOYER, deployCall, flushCall, forwarderAddress, initCode } from './forwarder.ts'

/** "0x" and the 12 zero bytes that come before a token's address in the calldata of a flush. */
const PREFIX_CHARACTERS = 2 + 24

/** Everything that is needed to move the money of a forwarder without Florin; null for any other address. */
export function recipeOf({ address, source }: OwnAddress): ForwarderRecipe | null {
  const origin = readOrigin(source)
  if (origin.kind !== 'create2') return null
  const { salt, payout } = origin
  assert(forwarderAddress(payout, salt) === address, "a forwarder's address follows from its source")
  return {
    kind: 'create2',
    deployer: DEPLOYER,
    salt,
    initCode: initCode(payout),
    payoutAddress: payout,
    deployData: deployCall(payout, salt).data,
    flushCoinData: flushCall(null),
    flushTokenPrefix: flushCall(null).slice(0, PREFIX_CHARACTERS),
  }
}
