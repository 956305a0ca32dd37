import type { Asset } from '../../domain/asset.ts'
import type { Json } from '../../domain/metadata.ts'
import type { OwnAddress } from '../port.ts'
import { shortHex, writeCursor } from './cursor.ts'
import type { Daemon } from './daemon.ts'
import { settledHeight } from './resume.ts'
import { assertReadable } from './subaddress.ts'
import { syncedStatus } from './verify.ts'

/**
 * Makes the first cursor of a watch. Only payments above the current tip count. Checks that the daemon has
 * the block of its tip, because no payment would be found above a false height. Throws NetworkError.
 */
export async function startWatch(daemon: Daemon, asset: Asset, own: OwnAddress, now: number): Promise<Json> {
  assertReadable(own)
  const tip = await syncedStatus(daemon)
  const { height, hash } = tip
  await daemon.requireBlock(tip)
  return writeCursor({
    height,
    hash,
    startHeight: settledHeight(asset, tip),
    startedAt: now,
    first: { height, hash: shortHex(hash) },
    tipHeight: height,
    tipAt: now,
    recentHashes: [shortHex(hash)],
    usedKeys: [],
  })
}
