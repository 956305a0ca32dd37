import { Refusal } from '../../../domain/errors.ts'
import type { User } from '../../../domain/user.ts'
import type { AuditContext } from '../../audit/record.ts'

/** Operators cannot do this to their own account: they would lock themselves out. */
export class OwnAccount extends Refusal {
  constructor() {
    super('conflict', 'This is your own account. Another operator can do this, or a command on the server.')
  }
}

export function refuseOwn({ origin }: Pick<AuditContext, 'origin'>, { id }: Pick<User, 'id'>): void {
  if (origin.actor === `user:${id}`) throw new OwnAccount()
}
