import { LIGHTNING, type LightningAccount, lightningAccountIn, secretName } from '../../domain/lightning.ts'
import type { ProviderAccount } from '../../domain/merchant.ts'
import type { Json } from '../../domain/metadata.ts'
import { type WalletFaultKind, walletFaultText } from '../../domain/wallet-fault.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { notifyOf } from '../notices/notify.ts'
import { lightningAccounts, lightningFaultOf, WATCH_MS } from './lightning.ts'
import { issuerOf } from './steps/load-sources.ts'

type WatchContext = Pick<Context, 'storage' | 'networks' | 'clock' | 'ids' | 'log'>

/**
 * Time after which a failed trial is repeated, before anybody is notified: a server may have been restarted.
 */
const AGAIN_MS = 3600_000
/**
 * Time for which the secret of an account that is no longer used is kept, for the invoices that buyers have.
 */
const SECRET_KEPT_MS = 3 * WATCH_MS

/** The result of an account's trial: null if the account works. */
type Trouble = { kind: WalletFaultKind; isReported: boolean } | null

interface Trial {
  stored: ProviderAccount
  trouble: Trouble
}

/**
 * Tries the Lightning accounts of all merchants. Notifies those whose account stopped working, and when it
 * works again. Deletes secrets that are not used any more. Returns the time of the next try; null without an
 * account.
 */
export async function watchLightning(context: WatchContext): Promise<number | null> {
  const stored = await context.storage.read(tables => tables.providerAccounts.list())
  const used = stored.filter(({ provider }) => provider === LIGHTNING)
  const trials: Trial[] = []
  // The accounts are tried one after the other, because nobody waits for the result.
  for (const one of used) trials.push({ stored: one, trouble: await tryStored(context, one) })
  const secrets = stored.filter(({ provider }) => provider.startsWith(secretName('')))
  const now = context.clock()
  await context.storage.write(async tables => {
    for (const trial of trials) await record(context, tables, trial)
    for (const one of secrets) await forgetUnused(tables, one, now)
  })
  if (used.length === 0 && secrets.length === 0) return null
  const isUnsure = trials.some(({ trouble }) => trouble !== null && !trouble.isReported)
  return now + (isUnsure ? AGAIN_MS : WATCH_MS)
}

const troubleOf = ({ credentials }: ProviderAccount): Trouble =>
  (credentials as unknown as { trouble?: Trouble }).trouble ?? null

async function tryStored(context: WatchContext, stored: ProviderAccount): Promise<Trouble> {
  const { merchantId, credentials } = stored
  const { account, host } = lightningAccountIn(credentials)
  try {
    await lightningAccounts(context).tryAgain(issuerOf(lightningAccountIn(credentials), merchantId))
    return null
  } catch (error) {
    const fault = lightningFaultOf(error)
    context.log.warn({ merchantId, account, host, reason: walletFaultText(fault) }, 'lightning.unusable')
    return { kind: fault.kind, isReported: troubleOf(stored) !== null }
  }
}

async function record(context: WatchContext, tables: Tables, { stored, trouble }: Trial): Promise<void> {
  const { merchantId, credentials } = stored
  const known = await tables.providerAccounts.find(merchantId, LIGHTNING)
  const { account, host }: LightningAccount = lightningAccountIn(credentials)
  // If another account was set up in the meantime, the result of the former one no longer matters.
  if (!known || lightningAccountIn(known.credentials).account !== account) return
  const before = troubleOf(known)
  if (JSON.stringify(before) === JSON.stringify(trouble)) return
  const changed = { ...(known.credentials as object), trouble } as Json
  await tables.providerAccounts.put({ ...known, credentials: changed })
  if (trouble?.isReported && !before?.isReported) {
    const isOnly = await isOnlyWay(tables, merchantId)
    await notifyOf(context, tables, merchantId, {
      about: 'lightning_failing',
      host,
      fault: trouble.kind,
      isOnly,
    })
  }
  if (trouble === null && before?.isReported)
    await notifyOf(context, tables, merchantId, { about: 'lightning_works', host })
}

/** True if Lightning is the only way in which buyers can pay. */
async function isOnlyWay(tables: Tables, merchantId: string): Promise<boolean> {
  const wallet = await tables.wallets.find(merchantId)
  const accounts = await tables.providerAccounts.listOf(merchantId)
  const sources = await tables.sources.listOf(merchantId)
  return (
    Object.values(wallet?.addresses ?? {}).every(address => !address) &&
    sources.every(({ active }) => !active) &&
    accounts.every(({ provider }) => provider.startsWith(LIGHTNING))
  )
}

async function forgetUnused(tables: Tables, { merchantId, provider }: ProviderAccount, now: number) {
  const used = await tables.providerAccounts.find(merchantId, LIGHTNING)
  const known = await tables.providerAccounts.find(merchantId, provider)
  if (used && secretName(lightningAccountIn(used.credentials).account) === provider) {
    // The time of the row is the last time at which the secret was needed, so it is renewed while the account
    // is used.
    if (known) await tables.providerAccounts.put({ ...known, updatedAt: now })
  } else if (known && now - known.updatedAt > SECRET_KEPT_MS) {
    await tables.providerAccounts.remove(merchantId, provider)
  }
}
