import { type AddressSource, FIRST_SUBADDRESS } from '../../domain/address-source.ts'
import type { Asset, WalletNetwork } from '../../domain/asset.ts'
import { asserted } from '../../domain/errors.ts'
import { type Network, NetworkError } from '../../networks/port.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { getMerchant } from '../merchants/read.ts'

/** An address that a buyer may have been given, although no order is known for it. */
export interface SkippedAddress {
  network: WalletNetwork
  index: number
  address: string
}

/** The indices of an account or view key that a restore skipped, in order. */
export async function skippedIndices(tables: Tables, source: AddressSource): Promise<number[]> {
  if (source.skippedAt === null) return []
  const given = new Set(await tables.sources.listPositions(source.id))
  const first = source.kind === 'viewkey' ? FIRST_SUBADDRESS : 0
  return Array.from({ length: source.nextIndex }, (_, index) => index).filter(
    index => index >= first && !given.has(index),
  )
}

/** Skipped addresses of all accounts and view keys of a merchant. */
export async function listSkipped(
  context: Pick<Context, 'storage' | 'networks'>,
  merchantId: string,
): Promise<SkippedAddress[]> {
  await getMerchant(context, merchantId)
  const skipped = await context.storage.read(async tables => {
    const sources = await tables.sources.listOf(merchantId)
    return Promise.all(
      sources.map(async source => ({ source, indices: await skippedIndices(tables, source) })),
    )
  })
  return skipped.flatMap(({ source, indices }) =>
    indices.map(index => ({
      network: source.network,
      index,
      address: context.networks.derive(source, index),
    })),
  )
}

interface SkippedMoney extends SkippedAddress {
  asset: Asset
  amountAtomic: bigint
}

export interface SkippedLook {
  found: SkippedMoney[]
  /** sentences that say which chains could not be read, and why */
  faults: string[]
}

/** Max addresses per request. A failed request repeats only these. */
const ADDRESSES_AT_ONCE = 200

/** Asks the endpoints once what arrived at skipped addresses. Stores nothing. */
export async function lookAtSkipped(
  { networks }: Pick<Context, 'networks'>,
  skipped: SkippedAddress[],
): Promise<SkippedLook> {
  const look: SkippedLook = { found: [], faults: [] }
  for (const [name, own] of Map.groupBy(skipped, ({ network }) => network)) {
    const assets = networks.assets.filter(
      asset => asset.network === name && networks.of(asset.chain)?.amountsAt,
    )
    if (assets.length === 0) look.faults.push(`No endpoint reports what arrived at addresses of ${name}.`)
    for (const asset of assets)
      await lookAtAsset(asserted(networks.of(asset.chain), 'an asset has its network'), asset, own, look)
  }
  return look
}

async function lookAtAsset(
  network: Network,
  asset: Asset,
  own: SkippedAddress[],
  look: SkippedLook,
): Promise<void> {
  let unknown = 0
  try {
    for (let next = 0; next < own.length; next += ADDRESSES_AT_ONCE) {
      const some = own.slice(next, next + ADDRESSES_AT_ONCE)
      const amounts = await network.amountsAt!(
        asset,
        some.map(({ address }) => address),
      )
      for (const [index, amountAtomic] of amounts.entries()) {
        if (amountAtomic === null) unknown += 1
        else if (amountAtomic > 0n)
          look.found.push({ ...asserted(some[index], 'each address has an amount'), asset, amountAtomic })
      }
    }
    if (unknown > 0)
      look.faults.push(`The endpoint of ${asset.id} does not report what arrived at ${unknown} addresses.`)
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    look.faults.push(`${asset.id} could not be looked at: ${error.message}`)
  }
}
