import { type Script, type SourceKind, setUpKinds } from '../domain/address-source.ts'
import type { Asset, WalletNetwork } from '../domain/asset.ts'
import { assert, invalid } from '../domain/errors.ts'
import { canonicalAddress } from './addresses/index.ts'
import { isOnCurve, readSolana } from './addresses/solana.ts'
import { forwarderOf } from './evm/forwarder/source.ts'
import { alternatives, deriveAddress } from './keys/derive.ts'
import { readExtendedKey } from './keys/extended-key.ts'
import { subaddress } from './keys/monero.ts'
import { EXPOSED, isPrivateKey, KeyError } from './keys/private-key-check.ts'
import { seedAddress } from './keys/solana-seed.ts'
import type { AccountKey, AddressRequest, Networks, OwnedAddress, Position } from './port.ts'

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

/** Only the native coin can be moved out of an address made by a seed, and only where a key signs for it. */
const takesSeed = ({ contract }: Asset, payoutAddress: string): boolean =>
  contract === null && isOnCurve(readSolana(payoutAddress)!)

/** The kinds of source that addresses of an asset can come from, the best first. */
export function sourceKinds(asset: Asset, payoutAddress: string | null): readonly SourceKind[] {
  const known = kinds[asset.network]
  if (payoutAddress === null) return known.filter(kind => setUpKinds.some(one => one === kind))
  return known.filter(kind => kind !== 'seed' || takesSeed(asset, payoutAddress))
}

/** Whether a merchant can set up a kind of source on a network. */
export const takesSource = (network: WalletNetwork, kind: SourceKind): boolean =>
  kinds[network].includes(kind)

function taken({ position, kind }: AddressRequest): Position {
  assert(position, `an address of the kind ${kind} has its place`)
  return position
}

/** Of the kinds that stand for the payout wallet itself. */
const fromPayout =
  (make: (payout: string, attemptId: string) => OwnedAddress) =>
  ({ payoutAddress, attemptId }: AddressRequest): OwnedAddress => {
    assert(payoutAddress, 'there is a payout wallet')
    return make(payoutAddress, attemptId)
  }

const makers: Partial<Record<SourceKind, (request: AddressRequest) => OwnedAddress>> = {
  create2: fromPayout((payout, attemptId) => forwarderOf(attemptId, payout)),
  seed: fromPayout((payout, attemptId) => {
    const made = seedAddress(payout, attemptId)
    assert(made, 'a payout wallet off the curve takes no seed')
    return { address: made.address, source: { kind: 'seed', payout, seed: made.seed } }
  }),
  shared: ({ payoutAddress, asset }) => {
    assert(payoutAddress, 'there is a payout wallet')
    return { address: canonicalAddress(asset.network, payoutAddress), source: { kind: 'shared' } }
  },
  pool: request => {
    const { address, index } = taken(request)
    return { address, source: { kind: 'pool', index } }
  },
  xpub: request => {
    const { address, key, script, index } = taken(request)
    return { address, source: { kind: 'xpub', key, script, path: `0/${index}`, index } }
  },
  viewkey: request => {
    const { address, key, payoutAddress, index } = taken(request)
    return { address, source: { kind: 'viewkey', payout: payoutAddress, viewKey: key, index } }
  },
}

/** The address of one attempt, of a kind that its asset and payout wallet allow. */
export function addressOf(request: AddressRequest): OwnedAddress {
  const make = makers[request.kind]
  assert(make, `no address is made by ${request.kind}`)
  return make(request)
}

/** An address of an account or a view key, by its index. */
export function deriveOf(
  { network, key, script, payoutAddress }: Parameters<Networks['derive']>[0],
  index: number,
): string {
  assert(key, 'what is derived from has a key')
  if (network !== 'xmr') return deriveAddress(network, key, script, index)
  assert(payoutAddress, 'a view key belongs to an address')
  return subaddress(payoutAddress, key, index)
}

/** Checks an account's extended public key. Throws a Refusal that says what to do. */
export function readAccountKey(network: WalletNetwork, text: string, wanted: Script | null): AccountKey {
  try {
    const { key, script, warnings } = readExtendedKey(network, text, wanted)
    return { key, script, warnings, others: alternatives(network, key, script) }
  } catch (error) {
    if (error instanceof KeyError) throw invalid('key', error.message)
    throw error
  }
}

/** A warning where a text has the form of something that can spend; null where it has not. */
export const privateKeyWarningFor = (network: WalletNetwork, text: string): string | null =>
  isPrivateKey(network, text) ? `holds a private key or a seed phrase. ${EXPOSED}` : null
