import { Refusal } from '../../domain/errors.ts'
import type { ProviderAccountFacts } from '../../domain/provider-account.ts'
import { formatTimestamp } from '../../domain/timestamp.ts'
import { AccountProblem, type ChargeAccounts, ProviderError } from '../../providers/port.ts'
import { type AuditContext, recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { getProviderAccount, openedAccount, setProviderAccount } from './provider-account.ts'
import { getMerchant } from './read.ts'

interface ConnectedAccount {
  provider: string
  /** null if the stored credentials cannot be decrypted: they have to be entered again */
  account: ProviderAccountFacts | null
  updatedAt: number
}

type AccountContext = Pick<Context, 'storage' | 'providers' | 'secrets'>

/** The providers whose accounts shops connect themselves. */
export const connectable = ({ providers }: Pick<Context, 'providers'>): string[] =>
  providers.all.flatMap(({ id, charge }) => (charge?.accounts ? [id] : []))

function accountsAt({ providers }: Pick<Context, 'providers'>, providerId: string): ChargeAccounts {
  const accounts = providers.find(providerId)?.charge?.accounts
  if (!accounts) throw new Refusal('not_found', 'There is no such provider to connect an account with.')
  return accounts
}

/** True if a key for this provider consists of a client ID and a secret. */
export const hasClientId = (context: Pick<Context, 'providers'>, providerId: string): boolean =>
  accountsAt(context, providerId).hasClientId === true

/** The events that a webhook has to report if a person makes it at the provider. */
export const accountEvents = (context: Pick<Context, 'providers'>, providerId: string): readonly string[] =>
  accountsAt(context, providerId).events

/** The accounts that a merchant has connected. */
export async function listAccounts(context: AccountContext, merchantId: string): Promise<ConnectedAccount[]> {
  const stored = await context.storage.read(tables => tables.providerAccounts.listOf(merchantId))
  return stored.flatMap(row => {
    const accounts = context.providers.find(row.provider)?.charge?.accounts
    if (!accounts) return []
    const { provider, credentials, updatedAt } = openedAccount(context, row)
    return [{ provider, account: credentials === null ? null : accounts.describe(credentials), updatedAt }]
  })
}

export interface NewConnection {
  merchantId: string
  providerId: string
  key: string
  /** the public half of a key that has one */
  clientId?: string | null
  /** the secret of a webhook that a person made; null to have Florin make it */
  webhookSecret: string | null
}

/** The URL at which the provider has to report payments. */
export const callbackUrlOf = ({ policy }: Pick<Context, 'policy'>, providerId: string): string =>
  `${policy.checkoutUrl}/callback/${providerId}`

async function prepare(
  context: AccountContext & Pick<Context, 'policy'>,
  { merchantId, providerId, key, clientId = null, webhookSecret }: NewConnection,
) {
  await getMerchant(context, merchantId)
  const accounts = accountsAt(context, providerId)
  const former = await getProviderAccount(context, merchantId, providerId)
  const callbackUrl = callbackUrlOf(context, providerId)
  const entered = { key, clientId, webhookSecret }
  return { accounts, request: { ...entered, callbackUrl, former: former?.credentials ?? null } }
}

/** Tries a key at the provider. Stores nothing and changes nothing at the provider. */
export async function tryAccount(
  context: AccountContext & Pick<Context, 'policy'>,
  connection: NewConnection,
): Promise<ProviderAccountFacts> {
  const { accounts, request } = await prepare(context, connection)
  return refusing(() => accounts.try(request))
}

/** Tries a key at the provider, and stores it if it works. Also replaces a former key of the same account. */
export async function connectAccount(
  context: AuditContext & AccountContext & Pick<Context, 'policy'>,
  connection: NewConnection,
): Promise<ProviderAccountFacts> {
  const { accounts, request } = await prepare(context, connection)
  const { credentials, account } = await refusing(() => accounts.connect(request))
  const { merchantId, providerId } = connection
  await setProviderAccount(context, { merchantId, providerId, credentials })
  return account
}

/** Asks the provider whether a stored account still works. */
export async function testAccount(
  context: AccountContext,
  merchantId: string,
  providerId: string,
): Promise<ProviderAccountFacts> {
  const accounts = accountsAt(context, providerId)
  const known = await getProviderAccount(context, merchantId, providerId)
  if (!known) throw notConnected()
  if (known.credentials === null) throw unreadable()
  await refusing(() => accounts.test(known.credentials))
  return accounts.describe(known.credentials)
}

/** Forgets an account. Open payments at it can no longer be looked up. */
export async function removeAccount(
  context: AuditContext & AccountContext,
  merchantId: string,
  providerId: string,
): Promise<void> {
  const accounts = accountsAt(context, providerId)
  const known = await getProviderAccount(context, merchantId, providerId)
  if (!known) throw notConnected()
  await context.storage.write(async tables => {
    if (!(await tables.providerAccounts.remove(merchantId, providerId))) throw notConnected()
    await recordAudit(context, tables, {
      merchantId,
      action: 'provider_account.removed',
      subject: `provider:${providerId}`,
      before: { updatedAt: formatTimestamp(known.updatedAt) },
      after: null,
    })
  })
  if (known.credentials !== null) await accounts.disconnect(known.credentials)
}

const notConnected = () => new Refusal('not_found', 'The merchant has no account with this provider.')
const unreadable = () =>
  new Refusal('conflict', 'The stored key cannot be decrypted. Enter it again.', {
    reason: { kind: 'account', problem: 'unreadable', detail: '' },
  })

async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AccountProblem) {
      const { kind: problem, detail } = error
      const reason = { kind: 'account', problem, detail } as const
      throw new Refusal('validation_error', `The account cannot be used: ${problem} ${detail}`, { reason })
    }
    if (!(error instanceof ProviderError)) throw error
    const reason = { kind: 'account', problem: 'provider_away', detail: '' } as const
    throw new Refusal('provider_unavailable', 'The provider does not answer. Try again.', { reason })
  }
}
