import type { Registry } from '../coins/registry.ts'
import { type SourceKind, setUpKinds } from '../domain/address-source.ts'
import type { Asset } from '../domain/asset.ts'
import { assert, asserted } from '../domain/errors.ts'
import { walletFaultText } from '../domain/wallet-fault.ts'
import { walletRefusal } from '../domain/wallet-refusal.ts'
import type { Addresses } from './addresses/index.ts'
import { isOnCurve, readSolana } from './addresses/solana.ts'
import { recipeOf as forwarderRecipeOf } from './evm/forwarder/recovery.ts'
import { forwarderOf } from './evm/forwarder/source.ts'
import { makeAccounts } from './keys/derive.ts'
import { subaddress } from './keys/monero.ts'
import { isPrivateKey, KeyError } from './keys/private-key-check.ts'
import { seedAddress } from './keys/solana-seed.ts'
import type { AddressRequest, Networks, OwnAddress, OwnedAddress, Position, Recipe } from './port.ts'
import { seedRecipeOf } from './solana/seed-address.ts'

/** The part of `Networks` that makes addresses from a merchant's sources. */
type AddressSources = Pick<
  Networks,
  | 'sourceKinds'
  | 'acceptsSource'
  | 'poolProblem'
  | 'address'
  | 'derive'
  | 'readAccountKey'
  | 'privateKeyWarning'
>

/** A seed address can only send the native coin, and only if the payout wallet has a key to sign with. */
const allowsSeed = ({ contract }: Asset, payoutAddress: string): boolean =>
  contract === null && isOnCurve(asserted(readSolana(payoutAddress), 'a payout wallet is an address'))

function positionOf({ position, kind }: AddressRequest): Position {
  assert(position, `an address of the kind ${kind} has a position`)
  return position
}

/** Makes addresses from the payout wallet and the attempt's ID alone. */
const fromPayout =
  (make: (payout: string, attemptId: string) => OwnedAddress) =>
  ({ payoutAddress, attemptId }: AddressRequest): OwnedAddress => {
    assert(payoutAddress, 'there is a payout wallet')
    return make(payoutAddress, attemptId)
  }

const makersWith = ({
  canonicalAddress,
}: Addresses): Partial<Record<SourceKind, (request: AddressRequest) => OwnedAddress>> => ({
  create2: fromPayout((payout, attemptId) => forwarderOf(attemptId, payout)),
  seed: fromPayout((payout, attemptId) => {
    const made = seedAddress(payout, attemptId)
    assert(made, 'a payout wallet off the curve has no seed addresses')
    return { address: made.address, source: { kind: 'seed', payout, seed: made.seed } }
  }),
  shared: ({ payoutAddress, asset }) => {
    assert(payoutAddress, 'there is a payout wallet')
    return { address: canonicalAddress(asset.network, payoutAddress), source: { kind: 'shared' } }
  },
  pool: request => {
    const { address, index } = positionOf(request)
    return { address, source: { kind: 'pool', index } }
  },
  xpub: request => {
    const { address, key, script, index } = positionOf(request)
    return { address, source: { kind: 'xpub', key, script, path: `0/${index}`, index } }
  },
  viewkey: request => {
    const { address, key, payoutAddress, index } = positionOf(request)
    return { address, source: { kind: 'viewkey', payout: payoutAddress, viewKey: key, index } }
  },
})

export function makeAddressSources(coins: Registry, addresses: Addresses): AddressSources {
  const accounts = makeAccounts(coins)
  const makers = makersWith(addresses)
  return {
    sourceKinds(asset, payoutAddress) {
      if (coins.invoices(asset.chain)) return ['issued']
      const { sources } = coins.wallet(asset.network)
      if (payoutAddress === null) return sources.filter(kind => setUpKinds.some(one => one === kind))
      return sources.filter(kind => kind !== 'seed' || allowsSeed(asset, payoutAddress))
    },
    acceptsSource: (network, kind) => coins.wallet(network).sources.includes(kind),
    poolProblem: (network, address) =>
      coins.wallet(network).address.kind === 'solana' &&
      !isOnCurve(asserted(readSolana(address), 'the address was checked'))
        ? { kind: 'programAddress' }
        : null,
    address(request) {
      const make = makers[request.kind]
      assert(make, `no address is made by ${request.kind}`)
      return make(request)
    },
    derive({ network, key, script, payoutAddress }, index) {
      assert(key, 'a source to derive from has a key')
      if (coins.wallet(network).address.kind !== 'monero')
        return accounts.deriveAddress(network, key, script, index)
      assert(payoutAddress, 'a view key belongs to an address')
      return subaddress(payoutAddress, key, index)
    },
    readAccountKey(network, text, wanted) {
      try {
        const { key, script, warnings } = accounts.readExtendedKey(network, text, wanted)
        return { key, script, warnings, others: accounts.alternatives(network, key, script) }
      } catch (error) {
        if (error instanceof KeyError) throw walletRefusal('key', error.fault)
        throw error
      }
    },
    privateKeyWarning: (network, text) =>
      isPrivateKey(network, text) ? walletFaultText({ kind: 'exposed' }) : null,
  }
}

/** The steps that reach the money at an address without Florin; null where the merchant has its key. */
export const recipeOf = (own: OwnAddress): Recipe | null => forwarderRecipeOf(own) ?? seedRecipeOf(own)
