import { createHmac, timingSafeEqual } from 'node:crypto'
import { Refusal } from '../../domain/errors.ts'
import { PASSWORD_MAX, PROOF_MS } from '../../domain/user.ts'
import type { AuditContext } from '../audit/record.ts'
import type { Context } from '../context.ts'
import type { MailContext } from './steps/mail-person.ts'
import { type Entering, slowedDown } from './steps/slow-down.ts'
import type { Visit } from './visit.ts'

const isRecent = ({ clock }: Pick<Context, 'clock'>, { login }: Pick<Visit, 'login'>): boolean =>
  Math.abs(clock() - login.authenticatedAt) < PROOF_MS

const stampOf = (key: string, until: string): string =>
  `${until}.${createHmac('sha256', key).update(until).digest('base64url')}`

/**
 * A stamp for forms that are shown while the person's proof of identity counts. With the stamp, a form can be
 * sent for ten minutes. Null if the person has to prove who they are first. A thief who has only the cookie
 * cannot make a stamp.
 */
export function formStamp(context: Pick<Context, 'clock'>, { login }: Pick<Visit, 'login'>): string | null {
  if (login.formKey === null || !isRecent(context, { login })) return null
  return stampOf(login.formKey, String(context.clock() + PROOF_MS))
}

function isStamped({ clock }: Pick<Context, 'clock'>, { login }: Visit, stamp: string): boolean {
  const [until = ''] = stamp.split('.')
  const left = Number(until) - clock()
  if (login.formKey === null || !(left > 0 && left <= PROOF_MS)) return false
  const [given, own] = [Buffer.from(stamp), Buffer.from(stampOf(login.formKey, until))]
  return given.length === own.length && timingSafeEqual(given, own)
}

/** True if the person proved who they are in the last ten minutes, or had done so when the form was shown. */
export const isProven = (
  context: Pick<Context, 'clock'>,
  visit: Visit,
  stamp: string | null = null,
): boolean => isRecent(context, visit) || (stamp !== null && isStamped(context, visit, stamp))

/** Checks the password of a person who is signed in, and records the time of the proof. */
export async function prove(
  context: AuditContext & MailContext & Pick<Context, 'passwords' | 'storage' | 'realClock'>,
  { user, login }: Visit,
  password: string,
  address: string,
): Promise<void> {
  const { passwords, storage, clock } = context
  const given = password.slice(0, PASSWORD_MAX + 1)
  // Wrong passwords are counted for each login: a thief of one login does not slow down the others.
  const entering: Entering = {
    secret: 'proof',
    account: user.id,
    user,
    browser: { address, network: '', token: login.id },
  }
  await slowedDown(context, entering, async () => {
    if (await passwords.verify(given, user.passwordHash, true)) return
    throw new Refusal('unauthorized', 'The password is wrong.', { reason: { kind: 'wrong_password' } })
  })
  await storage.write(tables => tables.logins.update(login.id, { authenticatedAt: clock() }))
}
