import type { AddressSource, SourceAddress, SourceKind } from '../../../domain/address-source.ts'
import { mustWin, Refusal } from '../../../domain/errors.ts'
import type { AddressRequest, OwnedAddress } from '../../../networks/port.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import { derivedAddress, withDerived } from './derived.ts'
import { isSetUp, loadSources, type RunLimit, sourceKey } from './load-sources.ts'
import { warnOfPool } from './pool-notices.ts'
import { noticeRun } from './unpaid-run.ts'

type AddressContext = Pick<Context, 'storage' | 'clock' | 'ids' | 'networks' | 'policy'>

/**
 * Allocates the address of a new attempt, in a write of its own, because the chain is asked between this
 * write and the one that stores the attempt. Throws method_not_offered if a pool has just run out.
 */
export async function allocateAddress(
  context: AddressContext,
  merchantId: string,
  attemptId: string,
  { asset, payoutAddress }: Pick<AddressRequest, 'asset' | 'payoutAddress'>,
  kind: SourceKind,
  isPublic = false,
): Promise<OwnedAddress> {
  const limit = { max: context.policy.unpaidAddressesMax, isPublic }
  const request = { attemptId, asset, payoutAddress, kind }
  const own = isSetUp(kind)
    ? await takeAddress(context, merchantId, request, limit)
    : context.networks.address({ ...request, position: null })
  if (!own) throw new Refusal('method_not_offered', 'This asset is not offered for the order at the moment.')
  return own
}

async function takeAddress(
  context: AddressContext,
  merchantId: string,
  request: Omit<AddressRequest, 'position'>,
  limit: RunLimit,
): Promise<OwnedAddress | null> {
  const { attemptId, asset, payoutAddress, kind } = request
  const isWanted = (source: AddressSource): boolean =>
    source.active && source.network === asset.network && source.kind === kind
  const sources = await context.storage.read(tables => tables.sources.listOf(merchantId))
  const take = () =>
    context.storage.write(async tables => {
      const source = (await loadSources(tables, merchantId, limit, isWanted)).get(
        sourceKey(asset.network, kind),
      )
      const position = source && (await takePosition(context, tables, attemptId, source, payoutAddress))
      return position ? context.networks.address({ ...request, position }) : null
    })
  const source = sources.find(isWanted)
  return source && source.kind !== 'pool' ? withDerived(context, source, take) : take()
}

/** Releases the address of an attempt that was never stored. */
export async function releaseAddress(
  context: AddressContext,
  attemptId: string,
  kind: SourceKind,
): Promise<void> {
  if (isSetUp(kind)) await context.storage.write(tables => tables.sources.release(attemptId))
}

async function takePosition(
  context: AddressContext,
  tables: Tables,
  attemptId: string,
  source: AddressSource,
  payoutAddress: string | null,
) {
  const now = context.clock()
  const payouts = await payoutsOf(context, tables, source, payoutAddress)
  const known = await tables.sources.findFree(source.id, payouts)
  if (known && isOf(context, source, known)) {
    mustWin(await tables.sources.allocate(known.network, known.address, attemptId, now))
    if (source.kind === 'pool') await warnOfPool(context, tables, source)
    return { ...source, index: known.position, address: known.address }
  }
  if (source.kind === 'pool') return null
  const next = await takeNext(context, tables, attemptId, source, payouts)
  await noticeRun(context, tables, { ...source, nextIndex: next.index + 1 })
  return next
}

/**
 * The payout wallets. They must not be allocated: other deposits would be mistaken for the attempt's payment.
 */
async function payoutsOf(
  context: AddressContext,
  tables: Tables,
  { merchantId, network }: AddressSource,
  payoutAddress: string | null,
): Promise<string[]> {
  const wallet = await tables.wallets.find(merchantId)
  const payouts = [wallet?.addresses[network], payoutAddress].filter(address => typeof address === 'string')
  return payouts.map(address => context.networks.canonical(network, address))
}

/**
 * True if the source still has this address. An account no longer has the addresses of its former script,
 * which the wallet does not show any more.
 */
const isOf = (
  context: AddressContext,
  source: AddressSource,
  { address, position }: SourceAddress,
): boolean => source.kind === 'pool' || derivedAddress(context, source, position) === address

/** The account's next address that no buyer was given before and that is not a payout wallet. */
async function takeNext(
  context: AddressContext,
  tables: Tables,
  attemptId: string,
  source: AddressSource,
  payouts: string[],
) {
  const now = context.clock()
  const { id: sourceId, merchantId, network } = source
  for (let index = source.nextIndex; ; index++) {
    const address = derivedAddress(context, source, index)
    if (payouts.includes(address) || (await tables.sources.findAddress(network, address))) continue
    if (await tables.attempts.hasAddress(address)) continue
    await tables.sources.insertAddress({
      network,
      address,
      sourceId,
      merchantId,
      position: index,
      attemptId,
      allocatedAt: now,
    })
    await tables.sources.update(sourceId, { nextIndex: index + 1, updatedAt: now })
    return { ...source, index, address }
  }
}
