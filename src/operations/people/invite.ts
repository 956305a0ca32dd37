import { invalid, Refusal } from '../../domain/errors.ts'
import { isEmail } from '../../domain/merchant.ts'
import type { Context } from '../context.ts'
import { createUser, type Invitation } from './create-user.ts'
import type { PersonContext } from './steps/record-person.ts'
import { refuseShared } from './steps/roles.ts'
import type { Visit } from './visit.ts'

/** Adds a person to the merchant of a visit. */
export async function inviteMember(
  context: PersonContext & Pick<Context, 'passwords'>,
  { user: inviter }: Visit,
  merchantId: string,
  { email, role }: { email: string; role: string },
): Promise<Invitation> {
  if (!isEmail(email)) throw invalid('email', 'must be an email address')
  const isForeign = await context.storage.read(async tables => {
    const known = await tables.users.findByEmail(email)
    if (known === null) return false
    if ((await tables.memberships.find(known.id, merchantId)) === null) return true
    await refuseShared(tables, inviter, known, merchantId)
    return false
  })
  // A stranger may have invited the person and know their password, so only the operator adds them.
  if (isForeign && !inviter.isOperator) {
    const message = 'Somebody with this address already uses this server. Ask the operator to add them.'
    throw new Refusal('conflict', message, { reason: { kind: 'known_elsewhere' } })
  }
  return createUser(context, { email, merchantId, role })
}
