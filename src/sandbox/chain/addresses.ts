import { createHash } from 'node:crypto'
import type { SourceKind } from '../../domain/address-source.ts'
import type { Asset } from '../../domain/asset.ts'
import { addressFromSeed } from '../../networks/addresses/index.ts'
import type { AddressRequest, OwnedAddress } from '../../networks/port.ts'

/** In the sandbox, one kind of source serves every network with a payout wallet. */
export const sandboxSources = (_asset: Asset, payoutAddress: string | null): SourceKind[] =>
  payoutAddress === null ? [] : ['sandbox']

/** An address in the network's own format, whose key nobody has. */
export const sandboxAddress = ({ asset, attemptId }: AddressRequest): OwnedAddress => ({
  address: addressFromSeed(
    asset.network,
    createHash('sha256').update(`florin sandbox ${asset.network} ${attemptId}`).digest(),
  ),
  source: { kind: 'sandbox' },
})
