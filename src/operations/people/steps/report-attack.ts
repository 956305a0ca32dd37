import type { User } from '../../../domain/user.ts'
import { type AuditContext, recordAudit } from '../../audit/record.ts'
import type { Context } from '../../context.ts'
import { notifyOf } from '../../notices/notify.ts'
import { hashToken } from './link.ts'
import { type MailContext, mailPerson } from './mail-person.ts'
import { merchantsOf } from './record-person.ts'

export type ReportContext = AuditContext & MailContext & Pick<Context, 'realClock' | 'storage'>

const DAY_MS = 24 * 3600_000
const REPORTS_MAX = 100_000

/** Makes an unknown user the author of the report, because nobody is signed in. */
const byStranger = (context: ReportContext): ReportContext => ({
  ...context,
  origin: { ...context.origin, actor: 'user:unknown' },
})

/**
 * Reports to a person, their shops and the operators, once a day, that the person's password or codes are
 * being guessed. Takes as long for an address that nobody has.
 */
export async function reportAttack(
  context: ReportContext,
  {
    account,
    user,
    browser: { address },
  }: { account: string; user: User | null; browser: { address: string } },
  step: 'password' | 'code',
  failures: number,
): Promise<void> {
  const now = context.realClock()
  const readers = await context.storage.write(async tables => {
    const id = hashToken(`reported\n${step}\n${account}`)
    const isFirst = (await tables.signInFailures.add(id, now, now + DAY_MS, REPORTS_MAX)) === 1
    if (!isFirst || user === null) return []
    const { id: userId, email } = user
    for (const merchantId of await merchantsOf(tables, user)) {
      const after = { [step === 'password' ? 'wrongPasswords' : 'wrongCodes']: failures, address }
      await recordAudit(byStranger(context), tables, {
        ...{ merchantId, action: 'login.attacked', subject: `user:${userId}`, before: null, after },
      })
      if (merchantId !== null) {
        await notifyOf(context, tables, merchantId, {
          ...{ about: 'login_attacked', email, step, failures, address },
        })
      }
    }
    const operators = (await tables.users.list()).filter(({ isOperator }) => isOperator)
    return [user, ...operators.filter(operator => operator.id !== userId)]
  })
  for (const reader of readers) {
    mailPerson(context, reader, { kind: 'attacked', step, failures, address, account: user?.email ?? '' })
  }
}
