import type { AddressSource, SourceAddress } from '../../domain/address-source.ts'
import type { WalletNetwork } from '../../domain/asset.ts'
import { invalid, Refusal } from '../../domain/errors.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { getMerchant } from '../merchants/read.ts'

interface PoolResult {
  added: number
  /** what the pool held already */
  known: number
  free: number
}

const ADDRESSES_MAX = 10_000

/** One address a line; what stands behind a # is left out. */
export const getPool = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map(line => line.replace(/#.*/, '').trim())
    .filter(line => line !== '')

/**
 * Puts addresses into a merchant's pool, each of which one attempt will show. All or none: a wrong one, the
 * payout wallet, or one that was shown to a buyer already refuses the whole.
 */
export async function fillPool(
  context: Context,
  merchantId: string,
  network: WalletNetwork,
  addresses: string[],
): Promise<PoolResult> {
  await getMerchant(context, merchantId)
  if (!context.networks.acceptsSource(network, 'pool')) {
    throw invalid(
      'network',
      `${network} cannot use a pool: give a view key, see florin wallet viewkey --help`,
    )
  }
  if (addresses.length === 0) throw invalid('file', 'holds no address: one a line')
  if (addresses.length > ADDRESSES_MAX) throw invalid('file', `must hold at most ${ADDRESSES_MAX} addresses`)
  const canonical = addresses.map((address, at) => {
    const exposure = context.networks.privateKeyWarning(network, address)
    if (exposure) throw invalid(`line ${at + 1}`, exposure)
    // What is no address may be a secret that was mistyped, so that it is not repeated.
    if (!context.networks.isAddress(network, address)) {
      throw invalid(`line ${at + 1}`, `is no mainnet address of ${network}; check for typing errors`)
    }
    return context.networks.canonical(network, address)
  })
  return context.storage.write(tables => fill(context, tables, merchantId, network, [...new Set(canonical)]))
}

async function fill(
  context: Context,
  tables: Tables,
  merchantId: string,
  network: WalletNetwork,
  addresses: string[],
): Promise<PoolResult> {
  const source = await poolOf(context, tables, merchantId, network)
  const wallet = await tables.wallets.find(merchantId)
  const payout = wallet?.addresses[network]
  let position = ((await tables.sources.tally(source.id)).last ?? -1) + 1
  let added = 0
  for (const address of addresses) {
    if (payout && context.networks.canonical(network, payout) === address) {
      throw invalid('file', `${address} is the payout wallet: what comes there is told apart from nothing`)
    }
    const known = await tables.sources.findAddress(network, address)
    if (known && known.sourceId !== source.id) {
      throw new Refusal('conflict', `${address} is in use already, by an account or another merchant.`)
    }
    if (known) continue
    if (await tables.attempts.hasAddress(address)) {
      throw new Refusal('conflict', `${address} was shown to a buyer already.`)
    }
    const row: SourceAddress = {
      network,
      address,
      sourceId: source.id,
      merchantId,
      position,
      attemptId: null,
      takenAt: null,
    }
    await tables.sources.insertAddress(row)
    position += 1
    added += 1
  }
  const { free } = await tables.sources.tally(source.id)
  return { added, known: addresses.length - added, free }
}

async function poolOf(
  context: Context,
  tables: Tables,
  merchantId: string,
  network: WalletNetwork,
): Promise<AddressSource> {
  const pools = (await tables.sources.listOf(merchantId)).filter(
    source => source.kind === 'pool' && source.network === network,
  )
  const now = context.clock()
  const [stopped] = pools
  const active = pools.find(pool => pool.active)
  if (active) return active
  if (stopped) {
    await tables.sources.update(stopped.id, { active: true, updatedAt: now })
    return stopped
  }
  const source: AddressSource = {
    id: context.ids.uuid(),
    merchantId,
    network,
    kind: 'pool',
    key: null,
    script: null,
    payoutAddress: null,
    nextIndex: 0,
    active: true,
    createdAt: now,
    updatedAt: now,
  }
  await tables.sources.insert(source)
  return source
}
