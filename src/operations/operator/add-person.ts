import type { Context } from '../context.ts'
import { createUser, type Invitation } from '../people/create-user.ts'
import type { PersonContext } from '../people/steps/record-person.ts'
import { notifyOperators } from './steps/notify-operators.ts'

/**
 * Adds a person to a shop, or to the operators. The other operators are notified of a new operator, because
 * operators may do everything in every shop.
 */
export async function addPerson(
  context: PersonContext & Pick<Context, 'passwords'>,
  input: Parameters<typeof createUser>[1],
): Promise<Invitation> {
  const invitation = await createUser(context, input)
  const { id, email } = invitation.user
  if (input.merchantId === null) await notifyOperators(context, 'operatorAdded', { id, email })
  return invitation
}
