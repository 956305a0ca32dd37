import { asserted, Refusal } from '../../domain/errors.ts'
import { LIGHTNING, type LightningAccount, lightningAccountIn } from '../../domain/lightning.ts'
import { walletRefusal } from '../../domain/wallet-refusal.ts'
import { AccountError, NetworkError } from '../../networks/port.ts'
import type { Tables } from '../../storage/port.ts'
import { type AuditContext, recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { getMerchant } from '../merchants/read.ts'
import { notifyOf } from '../notices/notify.ts'

/** True for a text that can only be meant as a Lightning address or an LNURL. */
export const looksLikeLightning = (text: string): boolean =>
  /^(?:lightning:)?lnurl(?:1|p:)/i.test(text) || /^[^\s@/]+@[^\s@/]+$/.test(text)

/**
 * Tries a Lightning address: has its wallet issue an invoice of a small amount, which nobody pays. Refuses
 * one that could not be shown to buyers, or whose payment nobody could see, with the reason.
 */
export async function tryLightning(
  context: Pick<Context, 'storage' | 'networks'>,
  merchantId: string,
  text: string,
): Promise<LightningAccount> {
  await getMerchant(context, merchantId)
  const accounts = asserted(context.networks.of(LIGHTNING)?.accounts, 'Lightning has accounts')
  try {
    return await accounts.try(text)
  } catch (error) {
    if (error instanceof AccountError) throw walletRefusal('address', error.wallet)
    if (error instanceof NetworkError) throw walletRefusal('address', { kind: 'lightningAway' })
    throw error
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

type SetUpContext = AuditContext & Pick<Context, 'storage'>

/** Uses an account that was tried, instead of a former one. */
export async function setUpLightning(
  context: SetUpContext,
  merchantId: string,
  { account, host, node }: LightningAccount,
): Promise<void> {
  const now = context.clock()
  await context.storage.write(async tables => {
    const before = await findLightning(tables, merchantId)
    const credentials = { account, host, node }
    await tables.providerAccounts.put({
      ...{ merchantId, provider: LIGHTNING, credentials, createdAt: now, updatedAt: now },
    })
    await recordChange(context, tables, merchantId, { before, after: credentials })
  })
}

/** Issues no more invoices. Those that buyers have are looked up until they expire. */
export async function stopLightning(context: SetUpContext, merchantId: string): Promise<void> {
  await getMerchant(context, merchantId)
  await context.storage.write(async tables => {
    const before = await findLightning(tables, merchantId)
    if (before === null) throw new Refusal('not_found', 'The merchant has no Lightning address.')
    await tables.providerAccounts.remove(merchantId, LIGHTNING)
    await recordChange(context, tables, merchantId, { before, after: null })
  })
}

/** The account decides where money goes, so the merchant is notified as with a payout wallet. */
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
  const by = context.origin.actor
  const facts = {
    about: 'source_changed',
    by,
    network: 'btc',
    source: LIGHTNING,
    isUsed: after !== null,
  } as const
  await notifyOf(context, tables, merchantId, facts)
}
