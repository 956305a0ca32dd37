import { Refusal } from '../../domain/errors.ts'
import type { Passkey } from '../../domain/passkey.ts'
import type { User } from '../../domain/user.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { insertChallenge, placeOf, takeChallenge, wrongPasskey } from './steps/challenge.ts'
import { insertLogin } from './steps/enter.ts'
import { hashToken } from './steps/link.ts'
import { noteNewLogin } from './steps/mail-person.ts'
import type { Browser } from './steps/new-browser.ts'
import { isNewBrowser } from './steps/new-browser.ts'
import { actingAs, changePerson, type PersonContext } from './steps/record-person.ts'
import type { Visit } from './visit.ts'

type UseContext = PersonContext & Pick<Context, 'passkeys'>

/** The options with which a browser signs with a passkey, as JSON of WebAuthn. */
interface SigningOptions {
  challenge: string
  rpId: string
  /** empty if any passkey of this dashboard is accepted */
  allowCredentials: { type: 'public-key'; id: string; transports: string[] }[]
  userVerification: 'required'
  timeout: number
}

/** Asks for a passkey of a user; null asks for a passkey of any user. */
export async function askForPasskey(context: UseContext, userId: string | null): Promise<SigningOptions> {
  const { host } = placeOf(context)
  return context.storage.write(async tables => {
    const passkeys = userId === null ? [] : await tables.passkeys.listOfUser(userId)
    return {
      ...(await insertChallenge(context, tables, userId)),
      rpId: host,
      allowCredentials: passkeys.map(({ id, transports }) => ({ type: 'public-key', id, transports })),
      userVerification: 'required',
    }
  })
}

interface PasskeyProof {
  passkey: Passkey
  signCount: number
}

/** Verifies an answer without using it. Throws the same refusal for every problem. */
async function check(context: UseContext, text: string, userId: string | null): Promise<PasskeyProof> {
  const place = placeOf(context)
  const answer = context.passkeys.read(text)
  const challenge = answer && (await takeChallenge(context, answer))
  if (!answer || !challenge) throw wrongPasskey()
  const passkey = await context.storage.read(tables => tables.passkeys.find(answer.id))
  const handle = passkey && Buffer.from(passkey.userId).toString('base64url')
  if (!passkey || (answer.userHandle !== null && answer.userHandle !== handle)) throw wrongPasskey()
  for (const wanted of [userId, challenge.userId]) {
    if (wanted !== null && wanted !== passkey.userId) throw wrongPasskey()
  }
  const signCount = await context.passkeys.checkUse(place, answer, passkey.publicKey)
  if (signCount === null) throw wrongPasskey()
  return { passkey, signCount }
}

/**
 * Records the use of a passkey and calls `follow` in the same write. If the counter went back, refuses the
 * passkey, because it may have been copied.
 */
async function using<T>(
  context: UseContext,
  { passkey, signCount }: PasskeyProof,
  follow: (tables: Tables, user: User) => Promise<T>,
): Promise<T> {
  const { id, name, userId } = passkey
  const result = await changePerson(context, async (tables, record) => {
    const user = await tables.users.find(userId)
    const known = await tables.passkeys.find(id)
    if (!user || !known) throw wrongPasskey()
    if (await tables.passkeys.use(id, signCount, context.clock())) {
      return follow(tables, user)
    }
    const counts = { before: { signCount: known.signCount }, after: { name, signCount } }
    await record(user, { action: 'passkey.copied', ...counts }, actingAs(context, user))
    return null
  })
  if (result !== null) return result
  const message = 'This passkey was used elsewhere too, so it may have been copied.'
  throw new Refusal('unauthorized', message, { reason: { kind: 'copied_passkey', name } })
}

/**
 * Signs in with a passkey, which replaces both the password and the second factor: the person has the device,
 * and the device has verified them. After a password, `half` is the token of the half login to complete.
 */
export async function signInWithPasskey(
  context: UseContext,
  text: string,
  browser: Browser,
  half: { token: string; userId: string } | null,
): Promise<string> {
  const checked = await check(context, text, half?.userId ?? null)
  const entered = await using(context, checked, async (tables, user) => {
    const login = await insertLogin(context, tables, user, browser)
    if (half) await tables.halfLogins.remove(hashToken(half.token))
    return { user, login, isNew: await isNewBrowser(context, tables, user, browser) }
  })
  if (entered.isNew) await noteNewLogin(context, entered.user, browser)
  return entered.login
}

/** Records a person's proof of identity by a passkey, instead of the password. */
export async function proveByPasskey(
  context: UseContext,
  { user, login }: Visit,
  text: string,
): Promise<void> {
  const checked = await check(context, text, user.id)
  await using(context, checked, async tables => {
    await tables.logins.update(login.id, { authenticatedAt: context.clock() })
    return true
  })
}
