import { createHash } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import type { SourceKind } from '../../domain/address-source.ts'
import type { Asset, WalletNetwork } from '../../domain/asset.ts'
import { encodeBase58Check, encodeZcash, versions } from '../../networks/addresses/base58-check.ts'
import { encodeCashAddr } from '../../networks/addresses/cash-addr.ts'
import { checksumAddress } from '../../networks/addresses/evm.ts'
import { encodeMonero } from '../../networks/addresses/monero.ts'
import { encodeSegwit, hrps } from '../../networks/addresses/segwit.ts'
import { encodeSolana } from '../../networks/addresses/solana.ts'
import { encodeTron } from '../../networks/addresses/tron.ts'
import type { AddressRequest, OwnedAddress } from '../../networks/port.ts'

const HASH_BYTES = 20

const point = (seed: Uint8Array): Uint8Array => ed25519.getPublicKey(seed)

/** An address in the format of each network. Nobody has its key. */
const encoders: Record<WalletNetwork, (seed: Uint8Array) => string> = {
  evm: seed => checksumAddress(seed.slice(0, HASH_BYTES)),
  btc: seed => encodeSegwit(hrps.btc, seed.slice(0, HASH_BYTES)),
  ltc: seed => encodeSegwit(hrps.ltc, seed.slice(0, HASH_BYTES)),
  doge: seed => encodeBase58Check(versions.doge.p2pkh, seed.slice(0, HASH_BYTES)),
  bitcoincash: seed => encodeCashAddr('p2pkh', seed.slice(0, HASH_BYTES)),
  zec: seed => encodeZcash(seed.slice(0, HASH_BYTES)),
  trc20: seed => encodeTron(seed.slice(0, HASH_BYTES)),
  solana: seed => encodeSolana(point(seed)),
  xmr: seed => encodeMonero(point(seed), point(createHash('sha256').update(seed).digest())),
}

/** In the sandbox, one kind of source serves every network with a payout wallet. */
export const sandboxSources = (_asset: Asset, payoutAddress: string | null): SourceKind[] =>
  payoutAddress === null ? [] : ['sandbox']

export const sandboxAddress = ({ asset, attemptId }: AddressRequest): OwnedAddress => ({
  address: encoders[asset.network](
    createHash('sha256').update(`florin sandbox ${asset.network} ${attemptId}`).digest(),
  ),
  source: { kind: 'sandbox' },
})
