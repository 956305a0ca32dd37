import { Refusal } from '../../domain/errors.ts'
import type { User } from '../../domain/user.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { insertLogin, secondFactorOf } from './steps/enter.ts'
import { hashToken } from './steps/link.ts'
import { noteNewLogin } from './steps/mail-person.ts'
import type { Browser } from './steps/new-browser.ts'
import { isNewBrowser } from './steps/new-browser.ts'
import { actingAs, changePerson, type PersonContext, type RecordPerson } from './steps/record-person.ts'
import { hashRecoveryCode } from './steps/recovery.ts'
import { type Entering, slowedDown } from './steps/slow-down.ts'
import { stepOf } from './steps/totp.ts'

type StepContext = PersonContext & Pick<Context, 'realClock'>

async function userOfHalf(tables: Tables, token: string, now: number): Promise<User | null> {
  const half = await tables.halfLogins.find(hashToken(token))
  return half && now < half.expiresAt ? tables.users.find(half.userId) : null
}

/** A user who entered their password, and the second steps that they may take. */
export interface HalfUser {
  user: User
  hasApp: boolean
  hasPasskeys: boolean
}

/** The user of a half login. Returns null if there is none, or if it took too long. */
export const findHalfLogin = (
  { storage, clock }: Pick<Context, 'storage' | 'clock'>,
  token: string,
): Promise<HalfUser | null> =>
  storage.read(async tables => {
    const user = await userOfHalf(tables, token, clock())
    if (!user) return null
    const factor = await secondFactorOf(tables, user.id)
    const passkeys = await tables.passkeys.listOfUser(user.id)
    return { user, hasApp: factor !== null && factor.secret !== null, hasPasskeys: passkeys.length > 0 }
  })

/** Uses a code of the app, or a recovery code. Returns false if it is wrong or was used before. */
async function useCode(
  context: StepContext,
  tables: Tables,
  record: RecordPerson,
  { user, code }: { user: User; code: string },
): Promise<boolean> {
  const factor = await secondFactorOf(tables, user.id)
  if (!factor) return false
  const plain = code.replace(/[\s-]/g, '')
  const step = factor.secret === null ? null : stepOf(factor.secret, plain, context.realClock())
  if (step !== null) return tables.secondFactors.useStep(user.id, step)
  if (!(await tables.secondFactors.useRecoveryCode(user.id, hashRecoveryCode(plain)))) return false
  const left = await tables.secondFactors.countRecoveryCodes(user.id)
  const change = { action: 'recovery_code.used', before: { left: left + 1 }, after: { left } } as const
  await record(user, change, actingAs(context, user))
  return true
}

/** The second step of signing in. Returns the token of the login, or null if the half login has expired. */
export async function enterCode(
  context: StepContext,
  token: string,
  code: string,
  browser: Browser,
): Promise<string | null> {
  const half = await context.storage.read(tables => userOfHalf(tables, token, context.clock()))
  if (!half) return null
  const entering: Entering = { secret: 'code', account: half.id, user: half, browser }
  return slowedDown(context, entering, () => enterRightCode(context, token, code, browser))
}

async function enterRightCode(
  context: StepContext,
  token: string,
  code: string,
  browser: Browser,
): Promise<string | null> {
  const entered = await changePerson(context, async (tables, record) => {
    const user = await userOfHalf(tables, token, context.clock())
    if (!user) return null
    if (!(await useCode(context, tables, record, { user, code }))) {
      const message = 'The code is wrong, or was used already.'
      throw new Refusal('unauthorized', message, { reason: { kind: 'wrong_code' } })
    }
    await tables.halfLogins.remove(hashToken(token))
    const isNew = await isNewBrowser(context, tables, user, browser)
    return { user, isNew, login: await insertLogin(context, tables, user, browser) }
  })
  if (entered?.isNew) await noteNewLogin(context, entered.user, browser)
  return entered?.login ?? null
}
