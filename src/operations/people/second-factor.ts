import { invalid, Refusal } from '../../domain/errors.ts'
import type { SecondFactor } from '../../domain/user.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { endLogins, secondFactorOf } from './steps/enter.ts'
import { changePerson, type PersonContext, type RecordPerson } from './steps/record-person.ts'
import { dropSecondFactor, replaceRecoveryCodes } from './steps/recovery.ts'
import { newSecret, stepOf } from './steps/totp.ts'
import type { Visit } from './visit.ts'

type FactorContext = PersonContext & Pick<Context, 'realClock' | 'policy'>

/** Data for setting up an authenticator app. Shown only until the second factor is confirmed. */
export interface SecondFactorSetup {
  secret: string
  /** the content of the QR code */
  uri: string
}

const none = () => new Refusal('conflict', 'There is no second factor. Set one up first.')
const another = () => new Refusal('conflict', 'There is a second factor already. Switch it off first.')

function setupOf({ policy }: Pick<Context, 'policy'>, email: string, secret: string): SecondFactorSetup {
  const issuer = `Florin ${new URL(policy.dashboardUrl).hostname}`
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`
  return { secret, uri: `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}` }
}

/** The kind of a second factor: an authenticator app, which passkeys may replace, or passkeys alone. */
const kindOf = ({ secret }: Pick<SecondFactor, 'secret'>) => (secret === null ? 'passkeys' : 'app')

/** The second factor of a person, and the number of remaining recovery codes. Null without one. */
export const readSecondFactor = (
  { storage }: Pick<Context, 'storage'>,
  { user }: Pick<Visit, 'user'>,
): Promise<{ kind: 'app' | 'passkeys'; since: number; recoveryCodes: number } | null> =>
  storage.read(async tables => {
    const factor = await secondFactorOf(tables, user.id)
    if (!factor) return null
    const recoveryCodes = await tables.secondFactors.countRecoveryCodes(user.id)
    return { kind: kindOf(factor), since: factor.confirmedAt ?? 0, recoveryCodes }
  })

/** Makes the secret of a second factor, which has no effect until a code confirms it. */
export const startSecondFactor = (context: FactorContext, { user }: Visit): Promise<SecondFactorSetup> =>
  context.storage.write(async tables => {
    if (await secondFactorOf(tables, user.id)) throw another()
    const secret = newSecret(context.ids.random)
    await tables.secondFactors.put({ userId: user.id, secret, confirmedAt: null, lastStep: 0 })
    return setupOf(context, user.email, secret)
  })

/** Reads the secret of an unconfirmed second factor again, to be entered in an authenticator app. */
export const readSecondFactorSetup = (context: FactorContext, { user }: Visit): Promise<SecondFactorSetup> =>
  context.storage.read(async tables => {
    const factor = await tables.secondFactors.find(user.id)
    if (!factor) throw none()
    if (factor.confirmedAt !== null || factor.secret === null) throw another()
    return setupOf(context, user.email, factor.secret)
  })

/** Completes the setup of a second factor. Returns the recovery codes. */
async function switchOn(
  { ids }: FactorContext,
  tables: Tables,
  record: RecordPerson,
  { user, login, kind }: Pick<Visit, 'user' | 'login'> & { kind: 'app' | 'passkeys' },
): Promise<string[]> {
  await endLogins(tables, user.id, login.id)
  await record(user, { action: 'second_factor.on', before: null, after: { kind } })
  return replaceRecoveryCodes({ ids }, tables, user.id)
}

/**
 * Switches the second factor on if the app's code is right. Ends the logins in all other browsers, which
 * needed only a password. Returns the recovery codes, which are not shown again.
 */
export const confirmSecondFactor = (
  context: FactorContext,
  { user, login }: Visit,
  code: string,
): Promise<string[]> =>
  changePerson(context, async (tables, record) => {
    const factor = await tables.secondFactors.find(user.id)
    if (!factor) throw none()
    if (factor.confirmedAt !== null || factor.secret === null) throw another()
    const step = stepOf(factor.secret, code.replace(/\s/g, ''), context.realClock())
    if (step === null) throw invalid('code', 'must be the code that the app shows')
    await tables.secondFactors.useStep(user.id, step)
    await tables.secondFactors.confirm(user.id, context.clock())
    return switchOn(context, tables, record, { user, login, kind: 'app' })
  })

/**
 * Makes passkeys the second factor of a person who has at least one: after the password, they are asked for a
 * passkey. Returns the recovery codes, which are not shown again.
 */
export const requirePasskeys = (context: FactorContext, { user, login }: Visit): Promise<string[]> =>
  changePerson(context, async (tables, record) => {
    if (await secondFactorOf(tables, user.id)) throw another()
    const passkeys = await tables.passkeys.listOfUser(user.id)
    if (passkeys.length === 0) throw new Refusal('conflict', 'There is no passkey. Add one first.')
    await tables.secondFactors.put({
      userId: user.id,
      secret: null,
      confirmedAt: context.clock(),
      lastStep: 0,
    })
    return switchOn(context, tables, record, { user, login, kind: 'passkeys' })
  })

/** Makes new recovery codes, which replace the former ones. */
export const renewRecoveryCodes = (context: FactorContext, { user }: Visit): Promise<string[]> =>
  changePerson(context, async (tables, record) => {
    if (!(await secondFactorOf(tables, user.id))) throw none()
    const codes = await replaceRecoveryCodes(context, tables, user.id)
    const after = { codes: codes.length }
    await record(user, { action: 'recovery_codes.renewed', before: null, after })
    return codes
  })

/** Switches the second factor off. Passkeys stay: each of them can still sign in. */
export const removeSecondFactor = (context: FactorContext, { user }: Visit): Promise<void> =>
  changePerson(context, (tables, record) => dropSecondFactor(record, tables, user))
