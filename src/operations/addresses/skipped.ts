import { type AddressSource, FIRST_SUBADDRESS } from '../../domain/address-source.ts'
import type { WalletNetwork } from '../../domain/asset.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { getMerchant } from '../merchants/read.ts'

/** An address that no order is known for, although a buyer may have been given it. */
interface SkippedAddress {
  network: WalletNetwork
  index: number
  address: string
}

/** The indices of an account or a view key that a restore skipped, in order. */
export async function skippedIndices(tables: Tables, source: AddressSource): Promise<number[]> {
  if (source.skippedAt === null) return []
  const given = new Set(await tables.sources.listPositions(source.id))
  const first = source.kind === 'viewkey' ? FIRST_SUBADDRESS : 0
  return Array.from({ length: source.nextIndex }, (_, index) => index).filter(
    index => index >= first && !given.has(index),
  )
}

/** The addresses that a restore skipped, of all accounts and view keys of a merchant. */
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
