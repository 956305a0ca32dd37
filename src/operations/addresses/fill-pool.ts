import type { AddressSource, SourceAddress } from '../../domain/address-source.ts'
import type { WalletNetwork } from '../../domain/asset.ts'
import { invalid, Refusal } from '../../domain/errors.ts'
import { NetworkError } from '../../networks/port.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { getMerchant } from '../merchants/read.ts'
import { type AuditContext, recordAudit } from '../merchants/steps/record-audit.ts'
import { sourceSubject } from './steps/audited-source.ts'
import { noticeRefill } from './steps/pool-notices.ts'

interface PoolResult {
  added: number
  /** already in the pool */
  known: number
  free: number
}

const ADDRESSES_MAX = 10_000

/** Parses one address per line; # starts a comment. */
export const getPool = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map(line => line.replace(/#.*/, '').trim())
    .filter(line => line !== '')

/**
 * Adds addresses to a merchant's pool; each serves one attempt. All or none: an invalid address, the payout
 * wallet or an address that a buyer was given before rejects the whole list.
 */
export async function fillPool(
  context: AuditContext & Pick<Context, 'storage' | 'networks' | 'log'>,
  merchantId: string,
  network: WalletNetwork,
  addresses: string[],
): Promise<PoolResult> {
  await getMerchant(context, merchantId)
  if (!context.networks.acceptsSource(network, 'pool')) {
    throw invalid(
      'network',
      `${network} cannot use a pool. Use a view key instead: florin wallet viewkey --help`,
    )
  }
  if (addresses.length === 0) throw invalid('file', 'contains no addresses; put one on each line')
  if (addresses.length > ADDRESSES_MAX)
    throw invalid('file', `must contain at most ${ADDRESSES_MAX} addresses`)
  const canonical = addresses.map((address, at) => {
    const exposure = context.networks.privateKeyWarning(network, address)
    if (exposure) throw invalid(`line ${at + 1}`, exposure)
    // The text may be a mistyped secret, so it is not repeated.
    if (!context.networks.isAddress(network, address)) {
      throw invalid(`line ${at + 1}`, `is not a mainnet address of ${network}; check for typos`)
    }
    const { unspendable, poolProblem } = context.networks
    const problem = unspendable(network, address) ?? poolProblem(network, address)
    if (problem) throw invalid(`line ${at + 1}`, problem)
    return context.networks.canonical(network, address)
  })
  await askChains(context, network, canonical)
  return context.storage.write(tables => fill(context, tables, merchantId, network, [...new Set(canonical)]))
}

/** Refuses what a chain reports not to be a wallet. A chain that does not answer refuses nothing. */
async function askChains(
  { networks, log }: Pick<Context, 'networks' | 'log'>,
  network: WalletNetwork,
  addresses: string[],
): Promise<void> {
  const chains = new Set(networks.assets.filter(asset => asset.network === network).map(({ chain }) => chain))
  for (const chain of chains) {
    try {
      const problems = await networks.of(chain)?.walletProblems?.(addresses)
      const at = problems?.findIndex(problem => problem !== null) ?? -1
      if (at >= 0) throw invalid(`line ${at + 1}`, problems![at]!)
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error
      log.warn({ chain, reason: error.message }, 'pool.check.failed')
    }
  }
}

async function fill(
  context: AuditContext & Pick<Context, 'networks'>,
  tables: Tables,
  merchantId: string,
  network: WalletNetwork,
  addresses: string[],
): Promise<PoolResult> {
  const source = await poolOf(context, tables, merchantId, network)
  const wallet = await tables.wallets.find(merchantId)
  const payout = wallet?.addresses[network]
  const before = await tables.sources.countAddresses(source.id)
  const { last, all } = before
  let position = (last ?? -1) + 1
  let added = 0
  for (const address of addresses) {
    if (payout && context.networks.canonical(network, payout) === address) {
      throw invalid('file', `${address} is the payout wallet, where payments cannot be assigned to orders`)
    }
    const known = await tables.sources.findAddress(network, address)
    if (known && known.sourceId !== source.id) {
      throw new Refusal('conflict', `${address} is already in use by an account or another merchant.`)
    }
    if (known) continue
    if (await tables.attempts.hasAddress(address)) {
      throw new Refusal('conflict', `${address} has already been given to a buyer.`)
    }
    const row: SourceAddress = {
      network,
      address,
      sourceId: source.id,
      merchantId,
      position,
      attemptId: null,
      allocatedAt: null,
    }
    await tables.sources.insertAddress(row)
    position += 1
    added += 1
  }
  // Addresses are never removed from a pool, so the positions from one count to the other were added now.
  await recordAudit(context, tables, {
    merchantId,
    action: 'address_source.filled',
    subject: sourceSubject(source),
    before: { addresses: all },
    after: { addresses: all + added },
  })
  await noticeRefill(context, tables, source, before)
  const { free } = await tables.sources.countAddresses(source.id)
  return { added, known: addresses.length - added, free }
}

async function poolOf(
  context: Pick<Context, 'clock' | 'ids'>,
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
    skippedAt: null,
    active: true,
    createdAt: now,
    updatedAt: now,
  }
  await tables.sources.insert(source)
  return source
}
