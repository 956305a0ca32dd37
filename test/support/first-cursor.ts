import type { Asset } from '../../src/domain/asset.ts'
import type { Json } from '../../src/domain/metadata.ts'
import type { Network, OwnAddress } from '../../src/networks/port.ts'

/** Opens an attempt at an address of the merchant, and returns its first cursor. */
export async function firstCursor(
  network: Network,
  asset: Asset,
  { attemptId, ...own }: OwnAddress,
): Promise<Json> {
  const request = { attemptId, asset, own, dueAtomic: 1n, label: 'Corner Coffee', lockedUntil: 0 }
  return (await network.open(request)).cursor
}
