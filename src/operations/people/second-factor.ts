import { invalid, Refusal } from '../../domain/errors.ts'
import type { Context } from '../context.ts'
import { endLogins, secondFactorOf } from './steps/enter.ts'
import { replaceRecoveryCodes } from './steps/recovery.ts'
import { newSecret, stepOf } from './steps/totp.ts'
import type { Visit } from './visit.ts'

type FactorContext = Pick<Context, 'storage' | 'clock' | 'realClock' | 'ids' | 'policy'>

/** What an authenticator app needs. It is shown only while the second factor is set up. */
export interface Setup {
  secret: string
  /** for the QR code */
  uri: string
}

const none = () => new Refusal('conflict', 'There is no second factor. Set one up first.')
const another = () => new Refusal('conflict', 'There is a second factor already. Switch it off first.')

function setupOf({ policy }: Pick<Context, 'policy'>, email: string, secret: string): Setup {
  const issuer = `Florin ${new URL(policy.dashboardUrl).hostname}`
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`
  return { secret, uri: `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}` }
}

/** Whether a person has a second factor, and how many recovery codes are left. Null without one. */
export const readSecondFactor = (
  { storage }: Pick<Context, 'storage'>,
  { user }: Visit,
): Promise<{ since: number; recoveryCodes: number } | null> =>
  storage.read(async tables => {
    const factor = await secondFactorOf(tables, user.id)
    if (!factor) return null
    const recoveryCodes = await tables.secondFactors.countRecoveryCodes(user.id)
    return { since: factor.confirmedAt ?? 0, recoveryCodes }
  })

/** Makes the secret of a second factor. It does not count until a code has confirmed it. */
export const startSecondFactor = (context: FactorContext, { user }: Visit): Promise<Setup> =>
  context.storage.write(async tables => {
    if (await secondFactorOf(tables, user.id)) throw another()
    const secret = newSecret(context.ids.random)
    await tables.secondFactors.put({ userId: user.id, secret, confirmedAt: null, lastStep: 0 })
    return setupOf(context, user.email, secret)
  })

/** Reads what the app needs once more. */
export const readSetup = (context: FactorContext, { user }: Visit): Promise<Setup> =>
  context.storage.read(async tables => {
    const factor = await tables.secondFactors.find(user.id)
    if (!factor) throw none()
    if (factor.confirmedAt !== null) throw another()
    return setupOf(context, user.email, factor.secret)
  })

/**
 * Switches the second factor on, if the app makes the right codes. Ends the logins in all other browsers,
 * which needed only a password. Returns the recovery codes, which are not shown again.
 */
export const confirmSecondFactor = (
  context: FactorContext,
  { user, login }: Visit,
  code: string,
): Promise<string[]> =>
  context.storage.write(async tables => {
    const factor = await tables.secondFactors.find(user.id)
    if (!factor) throw none()
    if (factor.confirmedAt !== null) throw another()
    const step = stepOf(factor.secret, code.replace(/\s/g, ''), context.realClock())
    if (step === null) throw invalid('code', 'must be the code that the app shows')
    await tables.secondFactors.useStep(user.id, step)
    await tables.secondFactors.confirm(user.id, context.clock())
    await endLogins(tables, user.id, login.id)
    return replaceRecoveryCodes(context, tables, user.id)
  })

/** Makes new recovery codes. Those from before no longer count. */
export const renewRecoveryCodes = (context: FactorContext, { user }: Visit): Promise<string[]> =>
  context.storage.write(async tables => {
    if (!(await secondFactorOf(tables, user.id))) throw none()
    return replaceRecoveryCodes(context, tables, user.id)
  })

/** Switches the second factor off. */
export async function removeSecondFactor(
  { storage }: Pick<Context, 'storage'>,
  { user }: Visit,
): Promise<void> {
  await storage.write(tables => tables.secondFactors.remove(user.id))
}
