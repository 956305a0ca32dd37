import type { SourceKind } from '../domain/address-source.ts'
import type { Asset, WalletNetwork } from '../domain/asset.ts'
import { assert } from '../domain/errors.ts'
import { forwarderOf } from './evm/forwarder-source.ts'
import type { AddressRequest, OwnedAddress, Position } from './port.ts'

/** What a merchant set up comes first, since he set it up for that; what shares an address comes last. */
const kinds: Record<WalletNetwork, readonly SourceKind[]> = {
  evm: ['xpub', 'pool', 'create2', 'shared'],
  btc: ['xpub', 'pool', 'shared'],
  ltc: ['xpub', 'pool', 'shared'],
  doge: ['xpub', 'pool', 'shared'],
  bitcoincash: ['xpub', 'pool', 'shared'],
  zec: ['xpub', 'pool', 'shared'],
  trc20: ['xpub', 'pool', 'shared'],
  solana: ['pool', 'seed', 'shared'],
  // Without the view key nothing that arrives can be seen, on whichever address.
  xmr: ['viewkey'],
}

/** The kinds of source that addresses of an asset can come from, the best first. */
export const sourceKinds = ({ network, contract }: Asset): readonly SourceKind[] =>
  // Only the native coin can be moved out of an address made by seed.
  contract === null ? kinds[network] : kinds[network].filter(kind => kind !== 'seed')

function taken({ position, kind }: AddressRequest): Position {
  assert(position, `an address of the kind ${kind} has its place`)
  return position
}

const poolAddress = (request: AddressRequest): OwnedAddress => {
  const { address, index } = taken(request)
  assert(address, 'a place in a pool is an address')
  return { address, source: { kind: 'pool', position: index } }
}

const makers: Partial<Record<SourceKind, (request: AddressRequest) => OwnedAddress | null>> = {
  create2: ({ attemptId, payoutAddress }) => forwarderOf(attemptId, payoutAddress),
  pool: poolAddress,
  shared: ({ payoutAddress }) => ({ address: payoutAddress, source: { kind: 'shared' } }),
}

/** The address of one attempt; null where the payout wallet does not allow this kind of source. */
export function addressOf(request: AddressRequest): OwnedAddress | null {
  const make = makers[request.kind]
  assert(make, `no address is made by ${request.kind}`)
  return make(request)
}
