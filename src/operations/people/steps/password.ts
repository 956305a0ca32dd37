import { invalid } from '../../../domain/errors.ts'
import { PASSWORD_MAX, PASSWORD_MIN } from '../../../domain/user.ts'

/** Refuses a password that is easy to guess. */
export function checkPassword(password: string, email: string): void {
  const { length } = [...password]
  if (length < PASSWORD_MIN) throw invalid('password', `must have at least ${PASSWORD_MIN} characters`)
  if (length > PASSWORD_MAX) throw invalid('password', `must have at most ${PASSWORD_MAX} characters`)
  if (password.toLowerCase().includes(email.toLowerCase())) {
    throw invalid('password', 'must not contain the email address')
  }
  if (new Set(password).size < 4) throw invalid('password', 'must have at least 4 different characters')
}
