import { Refusal } from '../../domain/errors.ts'
import { PROOF_MS } from '../../domain/user.ts'
import type { Context } from '../context.ts'
import type { Visit } from './visit.ts'

/** True if the person proved who they are within `forMs`. */
export const isProven = ({ clock }: Pick<Context, 'clock'>, { login }: Visit, forMs = PROOF_MS): boolean =>
  Math.abs(clock() - login.authenticatedAt) < forMs

/** Checks the password of a person who is signed in, and records the time of the proof. */
export async function prove(
  { passwords, storage, clock }: Pick<Context, 'passwords' | 'storage' | 'clock'>,
  { user, login }: Visit,
  password: string,
): Promise<void> {
  if (!(await passwords.verify(password, user.passwordHash))) {
    throw new Refusal('unauthorized', 'The password is wrong.', { reason: { kind: 'wrong_password' } })
  }
  await storage.write(tables => tables.logins.update(login.id, { authenticatedAt: clock() }))
}
