import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { assert } from '../../../domain/errors.ts'
import type { Json } from '../../../domain/metadata.ts'
import type { OwnedAddress } from '../../port.ts'
import { DEPLOYER, FORWARDER_VERSION, forwarderAddress, initCodeHash, saltOf } from './forwarder.ts'

const Create2 = Type.Object({ kind: Type.Literal('create2') })

const ForwarderOrigin = Type.Object({
  kind: Type.Literal('create2'),
  salt: Type.String(),
  payout: Type.String(),
})

/** Where an address comes from: a contract that pays the payout wallet, or anything that has a key. */
type AddressOrigin = Static<typeof ForwarderOrigin> | { kind: 'key' }

/** Reads the source that is stored with an address. */
export function readOrigin(source: Json): AddressOrigin {
  if (!Value.Check(Create2, source)) return { kind: 'key' }
  assert(Value.Check(ForwarderOrigin, source), 'the source of a forwarder has a salt and a payout wallet')
  return source
}

/** The forwarder of one attempt, with everything that is needed to deploy it. */
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
