import { invalid, Refusal } from '../../domain/errors.ts'
import { oneLineOf } from '../../domain/name.ts'
import { PASSKEY_NAME_MAX, PASSKEYS_MAX, type Passkey } from '../../domain/passkey.ts'
import type { NewPasskey } from '../../passkeys/port.ts'
import type { Context } from '../context.ts'
import { insertChallenge, placeOf, takeChallenge, wrongPasskey } from './steps/challenge.ts'
import { secondFactorOf } from './steps/enter.ts'
import { changePerson, type PersonContext } from './steps/record-person.ts'
import type { Visit } from './visit.ts'

type PasskeyContext = PersonContext & Pick<Context, 'passkeys' | 'policy'>

/** The options with which a browser makes a passkey, as JSON of WebAuthn. */
export interface PasskeyOptions {
  challenge: string
  rp: { id: string; name: string }
  user: { id: string; name: string; displayName: string }
  pubKeyCredParams: { type: 'public-key'; alg: number }[]
  excludeCredentials: { type: 'public-key'; id: string; transports: string[] }[]
  authenticatorSelection: { residentKey: 'required'; requireResidentKey: true; userVerification: 'required' }
  attestation: 'none'
  timeout: number
}

/** The passkeys of a person, oldest first. */
export const listPasskeys = (
  { storage }: Pick<Context, 'storage'>,
  { user }: Pick<Visit, 'user'>,
): Promise<Passkey[]> => storage.read(tables => tables.passkeys.listOfUser(user.id))

const credentialOf = ({ id, transports }: Passkey) => ({ type: 'public-key' as const, id, transports })

/** Asks the browser to make a passkey on a device that has no passkey of the person yet. */
export async function startPasskey(context: PasskeyContext, { user }: Visit): Promise<PasskeyOptions> {
  const { host } = placeOf(context)
  return context.storage.write(async tables => {
    const known = await tables.passkeys.listOfUser(user.id)
    if (known.length >= PASSKEYS_MAX) {
      const message = `There are ${PASSKEYS_MAX} passkeys already. Remove one first.`
      throw new Refusal('conflict', message, { reason: { kind: 'too_many_passkeys' } })
    }
    const { challenge, timeout } = await insertChallenge(context, tables, user.id)
    return {
      challenge,
      rp: { id: host, name: `Florin ${host}` },
      user: { id: Buffer.from(user.id).toString('base64url'), name: user.email, displayName: user.email },
      pubKeyCredParams: context.passkeys.algorithms.map(alg => ({ type: 'public-key', alg })),
      excludeCredentials: known.map(credentialOf),
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
      attestation: 'none',
      timeout,
    }
  })
}

function checkName(name: string): string {
  const trimmed = oneLineOf(name)
  const { length } = [...trimmed]
  if (length === 0 || length > PASSKEY_NAME_MAX) {
    throw invalid('name', `must have 1 to ${PASSKEY_NAME_MAX} characters`)
  }
  return trimmed
}

async function insertPasskey(
  context: PasskeyContext,
  { user }: Visit,
  made: NewPasskey,
  name: string,
): Promise<void> {
  await changePerson(context, async (tables, record) => {
    const known = await tables.passkeys.listOfUser(user.id)
    if (known.length >= PASSKEYS_MAX || (await tables.passkeys.find(made.id))) throw wrongPasskey()
    await tables.passkeys.insert({
      ...made,
      userId: user.id,
      name,
      createdAt: context.clock(),
      lastUsedAt: null,
    })
    await record(user, { action: 'passkey.added', before: null, after: { name } })
  })
}

/** Stores the browser's new passkey. */
export async function addPasskey(
  context: PasskeyContext,
  visit: Visit,
  { name: entered, answer: text }: { name: string; answer: string },
): Promise<void> {
  const place = placeOf(context)
  const name = checkName(entered)
  const answer = context.passkeys.read(text)
  const challenge = answer && (await takeChallenge(context, answer))
  if (!answer || challenge?.userId !== visit.user.id) throw wrongPasskey()
  const made = await context.passkeys.checkNew(place, answer)
  if (!made) throw wrongPasskey()
  await insertPasskey(context, visit, made, name)
}

export async function renamePasskey(
  context: PersonContext,
  { user }: Visit,
  { id, name: entered }: { id: string; name: string },
): Promise<void> {
  const name = checkName(entered)
  await changePerson(context, async (tables, record) => {
    const known = (await tables.passkeys.listOfUser(user.id)).find(one => one.id === id)
    if (!known) throw new Refusal('not_found', 'You have no such passkey.')
    await tables.passkeys.rename(user.id, id, name)
    const change = { before: { name: known.name }, after: { name } }
    await record(user, { action: 'passkey.renamed', ...change })
  })
}

export const removePasskey = (context: PersonContext, { user }: Visit, id: string): Promise<void> =>
  changePerson(context, async (tables, record) => {
    const all = await tables.passkeys.listOfUser(user.id)
    const passkey = all.find(one => one.id === id)
    if (!passkey) return
    const factor = await secondFactorOf(tables, user.id)
    // Without its last passkey, a second factor of passkeys could be passed by recovery codes alone.
    if (all.length === 1 && factor?.secret === null) {
      const message = 'The second factor needs a passkey. Switch it off first.'
      throw new Refusal('conflict', message, { reason: { kind: 'last_passkey' } })
    }
    await tables.passkeys.remove(user.id, id)
    await record(user, { action: 'passkey.removed', before: { name: passkey.name }, after: null })
  })
