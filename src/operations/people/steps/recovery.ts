import type { User } from '../../../domain/user.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import { secondFactorOf } from './enter.ts'
import { hashToken } from './link.ts'
import type { RecordPerson } from './record-person.ts'
import { base32 } from './totp.ts'

const CODES = 10
/** A code has 16 letters: too many to guess, even for an attacker who has the hashes. */
const CODE_BYTES = 10

/** The hash of a recovery code. Spaces, hyphens and case do not matter. */
export const hashRecoveryCode = (code: string): string => hashToken(code.replace(/[\s-]/g, '').toUpperCase())

/** Makes a user's recovery codes, such as "ABCD-EFGH-IJKL-MNOP". They replace the former ones. */
export async function replaceRecoveryCodes(
  { ids }: Pick<Context, 'ids'>,
  tables: Tables,
  userId: string,
): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () => base32(ids.random(CODE_BYTES)))
  await tables.secondFactors.putRecoveryCodes(userId, codes.map(hashRecoveryCode))
  return codes.map(code => (code.match(/.{4}/g) ?? []).join('-'))
}

/** Removes the second factor of a user and its recovery codes, if there is one. */
export async function dropSecondFactor(record: RecordPerson, tables: Tables, user: User): Promise<void> {
  const factor = await secondFactorOf(tables, user.id)
  await tables.secondFactors.remove(user.id)
  if (!factor) return
  const kind = factor.secret === null ? 'passkeys' : 'app'
  await record(user, { action: 'second_factor.off', before: { kind }, after: null })
}
