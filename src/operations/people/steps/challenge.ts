import { Refusal } from '../../../domain/errors.ts'
import { CHALLENGE_MS, CHALLENGES_MAX, type PasskeyChallenge } from '../../../domain/passkey.ts'
import type { PasskeyAnswer, PasskeyPlace } from '../../../passkeys/port.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import { hashToken, newToken } from './link.ts'

/** The refusal of a browser's answer that cannot be used: it is wrong, too late or sent twice. */
export const wrongPasskey = (): Refusal =>
  new Refusal('unauthorized', 'The passkey could not be used. Try again.', {
    reason: { kind: 'wrong_passkey' },
  })

/** The place of the dashboard's passkeys. Refuses if browsers make no passkeys at its address. */
export function placeOf({ passkeys }: Pick<Context, 'passkeys'>): PasskeyPlace {
  if (!passkeys.place) {
    throw new Refusal('conflict', 'Passkeys need the dashboard at a host name, over HTTPS or at localhost.')
  }
  return passkeys.place
}

/** Makes a challenge for a device to sign. Only its hash is stored. */
export async function insertChallenge(
  context: Pick<Context, 'clock' | 'ids'>,
  tables: Tables,
  userId: string | null,
): Promise<{ challenge: string; timeout: number }> {
  const challenge = newToken(context)
  const now = context.clock()
  const row = { id: hashToken(challenge), userId, expiresAt: now + CHALLENGE_MS }
  await tables.passkeyChallenges.insert(row, now, CHALLENGES_MAX)
  return { challenge, timeout: CHALLENGE_MS }
}

/** Uses up the challenge of an answer, right or wrong. Returns null if it cannot be used any more. */
export async function takeChallenge(
  { clock, storage }: Pick<Context, 'clock' | 'storage'>,
  { challenge }: PasskeyAnswer,
): Promise<PasskeyChallenge | null> {
  const taken = await storage.write(tables => tables.passkeyChallenges.take(hashToken(challenge)))
  return taken && clock() < taken.expiresAt ? taken : null
}
