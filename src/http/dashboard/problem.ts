import type { DashboardLocale } from '../../../views/dashboard/locale.ts'
import { LostRace, Refusal } from '../../domain/errors.ts'
import { OwnAccount } from '../../operations/people/create-user.ts'
import { LastOwner } from '../../operations/people/members.ts'
import { LastPasskey, TooManyPasskeys, WrongPasskey } from '../../operations/people/passkeys.ts'
import { Suspended } from '../../operations/people/sign-in.ts'
import { CopiedPasskey } from '../../operations/people/use-passkey.ts'
import { NoShop, OtherShop, RoleRefusal } from './access.ts'
import { OtherSite } from './same-origin.ts'

const MINUTE = 60

const hasKey = <Key extends string>(texts: Record<Key, string>, key: string): key is Key =>
  Object.hasOwn(texts, key)

type ErrorTexts = DashboardLocale['texts']['errors']

/** Says which field has to be corrected: "address-ntfy" and "items/0/address" are "address". */
function invalidText({ fields, invalid, invalidIn }: ErrorTexts, refusal: Refusal): string {
  const [path = ''] = refusedFields(refusal)
  const name = path.split('/').at(-1)?.split('-')[0] ?? ''
  return hasKey(fields, name) ? invalidIn({ field: fields[name] }) : invalid
}

/** Says whom to ask. */
const roleText = ({ operator, role }: ErrorTexts, { access }: RoleRefusal): string =>
  access === 'operator' ? operator : role

/** What the page of a refusal is called. */
export function problemTitle({ texts: { errors } }: DashboardLocale, refusal: Refusal): string {
  if (refusal instanceof RoleRefusal) return errors.forbidden
  return refusal.code === 'not_found' ? errors.missing : errors.title
}

function passkeyText(passkeys: DashboardLocale['texts']['passkeys'], refusal: Refusal): string | null {
  if (refusal instanceof CopiedPasskey) return passkeys.copied({ name: refusal.passkeyName })
  if (refusal instanceof WrongPasskey) return passkeys.wrong
  if (refusal instanceof LastPasskey) return passkeys.last
  return refusal instanceof TooManyPasskeys ? passkeys.tooMany : null
}

/** A refusal as people of the dashboard read it. */
export function problemText(
  { texts: { errors, passkeys, people, server } }: DashboardLocale,
  refusal: Refusal,
): string {
  if (refusal instanceof OtherSite) return errors.otherSite
  if (refusal instanceof RoleRefusal) return roleText(errors, refusal)
  if (refusal instanceof NoShop) return errors.noShop
  if (refusal instanceof OtherShop) return errors.otherShop
  if (refusal instanceof LostRace) return errors.changed
  if (refusal instanceof OwnAccount) return server.own
  if (refusal instanceof LastOwner) return people.lastOwner
  if (refusal instanceof Suspended) return errors.suspended
  const ofPasskey = passkeyText(passkeys, refusal)
  if (ofPasskey !== null) return ofPasskey
  switch (refusal.code) {
    case 'rate_limited':
      return errors.tooMany({ seconds: refusal.retryAfterSeconds ?? MINUTE })
    case 'not_found':
      return errors.notFound
    case 'storage_unavailable':
      return errors.unavailable
    case 'internal_error':
      return errors.internal
    default:
      return hasKey(errors.byCode, refusal.code) ? errors.byCode[refusal.code] : invalidText(errors, refusal)
  }
}

/** The paths of the fields that a refusal is about, such as "amount". */
export const refusedFields = ({ details }: Refusal): string[] =>
  Array.isArray(details) ? details.map(({ path }: { path: string }) => path.replace(/^\//, '')) : []

/** What an action threw, if it is a refusal that the form can show; anything else is thrown on. */
export async function refusalOf(action: () => Promise<unknown>): Promise<Refusal | null> {
  try {
    await action()
    return null
  } catch (error) {
    if (error instanceof Refusal && error.status < 500 && error.code !== 'not_found') return error
    throw error
  }
}
