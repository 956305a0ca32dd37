import type { AuditFields } from '../../../domain/audit.ts'
import type { AuditAction } from '../../../domain/audit-action.ts'
import type { User } from '../../../domain/user.ts'
import type { Tables } from '../../../storage/port.ts'
import { type AuditContext, recordAudit } from '../../audit/record.ts'
import type { Context } from '../../context.ts'
import type { PersonNews } from '../../letters.ts'
import { type MailContext, mailPerson } from './mail-person.ts'

type PersonAction = Extract<
  AuditAction,
  | `user.${'operator' | 'reset' | 'suspended' | 'restored'}`
  | 'password.changed'
  | 'logins.ended'
  | `second_factor.${'on' | 'off'}`
  | `recovery_code${'.used' | 's.renewed'}`
  | `passkey.${'added' | 'renamed' | 'removed' | 'copied'}`
>

interface PersonChange {
  action: PersonAction
  before: AuditFields | null
  after: AuditFields | null
}

/** The merchants whose audit logs record how a person signs in. Null is the log that only operators see. */
export async function merchantsOf(
  tables: Tables,
  { id, isOperator }: Pick<User, 'id' | 'isOperator'>,
): Promise<(string | null)[]> {
  const memberships = await tables.memberships.listOfUser(id)
  const merchants: (string | null)[] = memberships.map(({ merchantId }) => merchantId)
  return isOperator || merchants.length === 0 ? [...merchants, null] : merchants
}

/**
 * Records a change of a person's sign-in in the audit log of each of their merchants. Operators, and people
 * without a merchant, also get a row without a merchant, which operators see.
 */
async function recordPerson(
  context: AuditContext,
  tables: Tables,
  { id, isOperator }: Pick<User, 'id' | 'isOperator'>,
  change: PersonChange,
): Promise<void> {
  for (const merchantId of await merchantsOf(tables, { id, isOperator })) {
    await recordAudit(context, tables, { merchantId, subject: `user:${id}`, ...change })
  }
}

/** Makes a person the author of changes: they have proved their identity, but are not signed in yet. */
export const actingAs = <C extends Pick<AuditContext, 'origin'>>(
  context: C,
  { id }: Pick<User, 'id'>,
): C => ({
  ...context,
  origin: { ...context.origin, actor: `user:${id}` },
})

/**
 * The email about each change of how a person signs in; null if a change neither opens nor closes a way in.
 */
const newsOf: Record<PersonAction, (change: PersonChange) => PersonNews | null> = {
  'password.changed': () => ({ kind: 'passwordChanged' }),
  'second_factor.on': () => ({ kind: 'secondFactorOn' }),
  'second_factor.off': () => ({ kind: 'secondFactorOff' }),
  'recovery_codes.renewed': () => ({ kind: 'recoveryCodesRenewed' }),
  'recovery_code.used': ({ after }) => ({ kind: 'recoveryCodeUsed', left: Number(after?.left) }),
  'passkey.added': ({ after }) => ({ kind: 'passkeyAdded', passkey: String(after?.name) }),
  'passkey.removed': ({ before }) => ({ kind: 'passkeyRemoved', passkey: String(before?.name) }),
  'passkey.copied': ({ after }) => ({ kind: 'passkeyCopied', passkey: String(after?.name) }),
  'user.reset': ({ after }) => ({ kind: 'reset', withSecondFactor: after?.secondFactor === true }),
  'user.suspended': () => ({ kind: 'suspended' }),
  'user.restored': () => ({ kind: 'restored' }),
  'user.operator': () => null,
  'logins.ended': () => null,
  'passkey.renamed': () => null,
}

/** Records a change of how a user signs in. `by` names another author than the context. */
export type RecordPerson = (user: User, change: PersonChange, by?: AuditContext) => Promise<void>

export type PersonContext = AuditContext & MailContext & Pick<Context, 'storage'>

/**
 * Runs a write that changes how people sign in. Each change that it records is mailed to the person, once it
 * is committed.
 */
export async function changePerson<T>(
  context: PersonContext,
  work: (tables: Tables, record: RecordPerson) => Promise<T>,
): Promise<T> {
  let changes: { user: User; news: PersonNews }[] = []
  const result = await context.storage.write(tables => {
    // The write may run again, so it starts with an empty list.
    changes = []
    return work(tables, async (user, change, by = context) => {
      await recordPerson(by, tables, user, change)
      const news = newsOf[change.action](change)
      if (news) changes.push({ user, news })
    })
  })
  // The mail about a reset also lists what else was removed.
  const reset = changes.find(({ news }) => news.kind === 'reset')
  for (const { user, news } of reset ? [reset] : changes) mailPerson(context, user, news)
  return result
}
