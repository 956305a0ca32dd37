import { asserted, Refusal } from '../../domain/errors.ts'
import {
  type EnteredLightning,
  LIGHTNING,
  type LightningAccount,
  lightningAccountIn,
  secretName,
} from '../../domain/lightning.ts'
import type { Json } from '../../domain/metadata.ts'
import type { WalletFault } from '../../domain/wallet-fault.ts'
import { walletRefusal } from '../../domain/wallet-refusal.ts'
import { AccountError, type Accounts, NetworkError, type TriedAccount } from '../../networks/port.ts'
import type { Tables } from '../../storage/port.ts'
import { type AuditContext, recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { sealedAccount } from '../merchants/provider-account.ts'
import { getMerchant } from '../merchants/read.ts'
import { authorOf } from '../notices/author.ts'
import { notifyOf } from '../notices/notify.ts'

/** Time between tests of a working account. It is tested even if no buyer uses it. */
export const WATCH_MS = 24 * 3600_000

/** True for a text that can only be meant as a Lightning address or an LNURL. */
export const looksLikeLightning = (text: string): boolean =>
  /^(?:lightning:)?lnurl(?:1|p:)/i.test(text) || /^[^\s@/]+@[^\s@/]+$/.test(text)

export const lightningAccounts = ({ networks }: Pick<Context, 'networks'>): Accounts =>
  asserted(networks.of(LIGHTNING)?.accounts, 'Lightning has accounts')

/**
 * The fault of an account whose test threw this error. Rethrows an error that the account did not cause.
 */
export function lightningFaultOf(error: unknown): WalletFault {
  if (error instanceof AccountError) return error.wallet
  if (error instanceof NetworkError) return { kind: 'lightningAway' }
  throw error
}

/**
 * Tests a Lightning address or a node by letting it issue an invoice of a small amount, which nobody pays.
 * Refuses an address or node whose invoices could not be shown to buyers, or whose payments nobody could see,
 * and a secret that could pay. The refusal contains the reason.
 */
export async function tryLightning(
  context: Pick<Context, 'storage' | 'networks'>,
  merchantId: string,
  entered: EnteredLightning,
): Promise<TriedAccount> {
  await getMerchant(context, merchantId)
  try {
    return await lightningAccounts(context).try(entered)
  } catch (error) {
    throw walletRefusal(entered.kind === 'address' ? 'address' : 'connection', lightningFaultOf(error))
  }
}

/** The Lightning account of a merchant; null if there is none. */
export async function findLightning(
  tables: Pick<Tables, 'providerAccounts'>,
  merchantId: string,
): Promise<LightningAccount | null> {
  const known = await tables.providerAccounts.find(merchantId, LIGHTNING)
  return known && lightningAccountIn(known.credentials)
}

type SetUpContext = AuditContext & Pick<Context, 'storage' | 'secrets'>

/** Stores an account that passed its test, and replaces the former one. The secret of a node is encrypted. */
export async function setUpLightning(
  context: SetUpContext,
  merchantId: string,
  { account: { kind, account, host, node }, secret }: TriedAccount,
): Promise<void> {
  const now = context.clock()
  const times = { createdAt: now, updatedAt: now }
  const credentials = { kind, account, host, node }
  const own = { merchantId, provider: secretName(account), credentials: { ...secret } as Json, ...times }
  await context.storage.write(async tables => {
    const before = await findLightning(tables, merchantId)
    await tables.providerAccounts.put({ merchantId, provider: LIGHTNING, credentials, ...times })
    if (secret) await tables.providerAccounts.put(sealedAccount(context, own))
    const watch = { kind: 'lightning.watch', subject: 'all', lane: LIGHTNING } as const
    await tables.jobs.scheduleFirst({ ...watch, dueAt: now + WATCH_MS }, now)
    await recordChange(context, tables, merchantId, { before, after: credentials })
  })
}

/**
 * Stops the issuing of invoices. Invoices that buyers have are looked up until they expire, so the secret of
 * a node is only deleted after that.
 */
export async function stopLightning(context: SetUpContext, merchantId: string): Promise<void> {
  await getMerchant(context, merchantId)
  await context.storage.write(async tables => {
    const before = await findLightning(tables, merchantId)
    if (before === null) throw new Refusal('not_found', 'The merchant has no Lightning wallet.')
    await tables.providerAccounts.remove(merchantId, LIGHTNING)
    await recordChange(context, tables, merchantId, { before, after: null })
  })
}

/**
 * Records a change of the account. The account decides where money goes, so the merchant is notified as of a
 * change of the payout wallet.
 */
async function recordChange(
  context: AuditContext,
  tables: Tables,
  merchantId: string,
  { before, after }: { before: LightningAccount | null; after: LightningAccount | null },
): Promise<void> {
  const shown = (known: LightningAccount | null) => known && { account: known.account, node: known.node }
  await recordAudit(context, tables, {
    merchantId,
    action: after ? 'address_source.set' : 'address_source.stopped',
    subject: LIGHTNING,
    before: shown(before),
    after: shown(after),
  })
  const author = await authorOf(context, tables)
  const facts = {
    about: 'source_changed',
    ...author,
    network: 'btc',
    source: LIGHTNING,
    isUsed: after !== null,
  } as const
  await notifyOf(context, tables, merchantId, facts)
}
