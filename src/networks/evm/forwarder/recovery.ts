import { assert } from '../../../domain/errors.ts'
import type { Json } from '../../../domain/metadata.ts'
import type { ForwarderRecipe, OwnAddress } from '../../port.ts'
import { DEPLOYER, deployCall, flushCall, forwarderAddress, initCode } from './forwarder.ts'

/** Of the payload of a flush: what stands before a token's 20 bytes. */
const PREFIX_CHARACTERS = 2 + 24

export const isForwarder = (source: Json): source is { salt: string; payout: string } =>
  source !== null && typeof source === 'object' && !Array.isArray(source) && source.kind === 'create2'

/** All that leads to the money of a forwarder; null for what is none. */
export function recipeOf({ address, source }: OwnAddress): ForwarderRecipe | null {
  if (!isForwarder(source)) return null
  const { salt, payout } = source
  assert(forwarderAddress(payout, salt) === address, 'a forwarder stands where its source says')
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
