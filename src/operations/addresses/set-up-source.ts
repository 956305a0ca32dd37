import {
  type AddressSource,
  FIRST_SUBADDRESS,
  type Script,
  type SetUpKind,
} from '../../domain/address-source.ts'
import type { WalletNetwork } from '../../domain/asset.ts'
import { invalid, Refusal } from '../../domain/errors.ts'
import { readPasted } from '../../domain/pasted-wallet.ts'
import type { WalletFault } from '../../domain/wallet-fault.ts'
import { walletRefusal } from '../../domain/wallet-refusal.ts'
import type { AccountKey } from '../../networks/port.ts'
import type { Tables } from '../../storage/port.ts'
import { auditedSource, sourceSubject } from '../audit/audited-source.ts'
import { type AuditContext, recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { getMerchant } from '../merchants/read.ts'
import { authorOf } from '../notices/author.ts'
import { notifyOf } from '../notices/notify.ts'

const SHOWN = 3

/** An unsaved source, with its first addresses, which the merchant compares with the wallet. */
export interface SourcePreview {
  source: AddressSource
  first: string[]
  warnings: WalletFault[]
  others: AccountKey['others']
}

type Draft = Pick<AddressSource, 'network' | 'kind' | 'key' | 'script' | 'payoutAddress' | 'nextIndex'>

/** The type of addresses that a pasted key names; null on networks on which accounts have only one type. */
const scriptIn = (network: WalletNetwork, { script }: ReturnType<typeof readPasted>): Script | null =>
  network === 'btc' || network === 'ltc' ? script : null

/**
 * Previews an extended public key, alone or as wallets show it: in a descriptor, or with its origin. Rejects
 * private keys and keys of another network.
 */
export async function previewAccount(
  context: Pick<Context, 'storage' | 'clock' | 'ids' | 'networks'>,
  merchantId: string,
  network: WalletNetwork,
  text: string,
  wanted: Script | null,
): Promise<SourcePreview> {
  await getMerchant(context, merchantId)
  if (!context.networks.acceptsSource(network, 'xpub')) {
    throw invalid('network', `${network} does not use extended public keys; see florin wallet --help`)
  }
  const pasted = readPasted(text)
  const named = wanted ?? scriptIn(network, pasted)
  const { key, script, warnings, others } = context.networks.readAccountKey(network, pasted.text, named)
  const draft: Draft = { network, kind: 'xpub', key, script, payoutAddress: null, nextIndex: 0 }
  return { ...(await propose(context, merchantId, draft)), warnings, others }
}

/**
 * Previews a Monero view key, which shows incoming payments and cannot spend. The merchant needs no payout
 * wallet. If there is one, it must be the same primary address, because the key sees no other wallet.
 */
export async function previewViewKey(
  context: Pick<Context, 'storage' | 'clock' | 'ids' | 'networks'>,
  merchantId: string,
  primaryAddress: string,
  text: string,
): Promise<SourcePreview> {
  await getMerchant(context, merchantId)
  const key = text.trim().toLowerCase()
  const fault = context.networks.viewKeyFault(primaryAddress, key)
  if (fault) throw walletRefusal('key', fault)
  const wallet = await context.storage.read(tables => tables.wallets.find(merchantId))
  const payoutAddress = wallet?.addresses.xmr ?? primaryAddress
  if (payoutAddress !== primaryAddress) throw walletRefusal('key', { kind: 'otherPayout' })
  const nextIndex = FIRST_SUBADDRESS
  return propose(context, merchantId, {
    network: 'xmr',
    kind: 'viewkey',
    key,
    script: null,
    payoutAddress,
    nextIndex,
  })
}

/**
 * Sources of other merchants that would allocate the same addresses, even if their key has another prefix.
 * Derives addresses, so it must not be called inside a read or a write.
 */
async function findTwins(
  { storage, networks }: Pick<Context, 'storage' | 'networks'>,
  draft: Draft & Pick<AddressSource, 'merchantId'>,
): Promise<ReadonlySet<string>> {
  const { key, kind, nextIndex, merchantId, network } = draft
  const first = kind === 'xpub' ? networks.derive(draft, nextIndex) : null
  const sources = await storage.read(tables => tables.sources.listWithKey(network))
  const others = sources.filter(other => other.merchantId !== merchantId)
  const isSame = (other: AddressSource): boolean =>
    other.key === key || (other.kind === 'xpub' && networks.derive(other, nextIndex) === first)
  return new Set(others.filter(isSame).map(({ id }) => id))
}

/**
 * The merchant's existing source with this key, if any. Throws a conflict if another merchant has the key.
 */
async function findSame(
  tables: Tables,
  { key, network, merchantId }: Draft & Pick<AddressSource, 'merchantId'>,
  twins: ReadonlySet<string>,
): Promise<AddressSource | null> {
  const sources = await tables.sources.listWithKey(network)
  const isTaken = (other: AddressSource) => other.merchantId !== merchantId && other.key === key
  if (sources.some(other => twins.has(other.id) || isTaken(other))) {
    throw new Refusal(
      'conflict',
      'This key already belongs to another merchant; both would hand out the same addresses.',
    )
  }
  return sources.find(known => known.key === key) ?? null
}

async function propose(
  context: Pick<Context, 'storage' | 'clock' | 'ids' | 'networks'>,
  merchantId: string,
  draft: Draft,
): Promise<SourcePreview> {
  const wanted = { ...draft, merchantId }
  const twins = await findTwins(context, wanted)
  const known = await context.storage.read(tables => findSame(tables, wanted, twins))
  const now = context.clock()
  const start = known?.nextIndex ?? draft.nextIndex
  const source: AddressSource = {
    ...draft,
    id: known?.id ?? context.ids.uuid(),
    merchantId,
    nextIndex: start,
    active: true,
    createdAt: known?.createdAt ?? now,
    updatedAt: now,
    skippedAt: known?.skippedAt ?? null,
  }
  const first = Array.from({ length: SHOWN }, (_, at) =>
    context.networks.derive(source, draft.nextIndex + at),
  )
  return { source, first, warnings: [], others: [] }
}

/** Saves a previewed source, which replaces the merchant's source of the same kind and network. */
export async function setUpSource(
  context: AuditContext & Pick<Context, 'storage' | 'networks'>,
  { source }: SourcePreview,
): Promise<AddressSource> {
  const twins = await findTwins(context, source)
  await context.storage.write(async tables => {
    const known = await findSame(tables, source, twins)
    const replaced = await retire(tables, source, source.updatedAt)
    if (known)
      await tables.sources.update(known.id, {
        script: source.script,
        active: true,
        updatedAt: source.updatedAt,
      })
    else await tables.sources.insert(source)
    await recordAudit(context, tables, {
      merchantId: source.merchantId,
      action: 'address_source.set',
      subject: sourceSubject(source),
      before: replaced && auditedSource(replaced),
      after: auditedSource(source),
    })
    await noticeChange(context, tables, source, true)
  })
  return source
}

/** Stops using a source; its addresses stay monitored. Throws not_found if there is none. */
export async function stopSource(
  context: AuditContext & Pick<Context, 'storage'>,
  merchantId: string,
  network: WalletNetwork,
  kind: SetUpKind,
): Promise<void> {
  await getMerchant(context, merchantId)
  await context.storage.write(async tables => {
    const stopped = await retire(tables, { merchantId, network, kind }, context.clock())
    if (!stopped) throw new Refusal('not_found', `The merchant has no ${kind} on ${network}.`)
    await recordAudit(context, tables, {
      merchantId,
      action: 'address_source.stopped',
      subject: sourceSubject(stopped),
      before: auditedSource(stopped),
      after: null,
    })
    await noticeChange(context, tables, stopped, false)
  })
}

/**
 * Notifies the merchant of a changed source as of a changed payout wallet, because a source decides where
 * money goes.
 */
async function noticeChange(
  context: AuditContext,
  tables: Tables,
  { merchantId, network, kind }: AddressSource,
  isUsed: boolean,
): Promise<void> {
  const author = await authorOf(context, tables)
  await notifyOf(context, tables, merchantId, {
    about: 'source_changed',
    ...author,
    network,
    source: kind,
    isUsed,
  })
}

/** Stops the active source of a kind. Returns the source that was active; null if there was none. */
async function retire(
  tables: Tables,
  { merchantId, network, kind }: Pick<AddressSource, 'merchantId' | 'network' | 'kind'>,
  now: number,
): Promise<AddressSource | null> {
  const active = (await tables.sources.listOf(merchantId)).filter(
    source => source.active && source.network === network && source.kind === kind,
  )
  for (const { id } of active) await tables.sources.update(id, { active: false, updatedAt: now })
  return active[0] ?? null
}
