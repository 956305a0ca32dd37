import { Refusal } from '../../domain/errors.ts'
import type { User } from '../../domain/user.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { type Browser, insertLogin, secondFactorOf } from './steps/enter.ts'
import { hashToken } from './steps/link.ts'
import { isNewBrowser, mailNewLogin } from './steps/new-browser.ts'
import { hashRecoveryCode } from './steps/recovery.ts'
import { stepOf } from './steps/totp.ts'

/** The code of somebody who entered their password is wrong, or was used before. */
class WrongCode extends Refusal {
  constructor() {
    super('unauthorized', 'The code is wrong, or was used already.')
  }
}

async function userOfHalf(tables: Tables, token: string, now: number): Promise<User | null> {
  const half = await tables.halfLogins.find(hashToken(token))
  return half && now < half.expiresAt ? tables.users.find(half.userId) : null
}

/** Who entered their password and has yet to enter a code. Returns null if nobody, or if it took too long. */
export const findHalfLogin = (
  { storage, clock }: Pick<Context, 'storage' | 'clock'>,
  token: string,
): Promise<User | null> => storage.read(tables => userOfHalf(tables, token, clock()))

/** Uses a code of the app, or a recovery code. Returns false if it is wrong or was used before. */
async function useCode(
  { realClock }: Pick<Context, 'realClock'>,
  tables: Tables,
  { id }: User,
  code: string,
): Promise<boolean> {
  const factor = await secondFactorOf(tables, id)
  if (!factor) return false
  const plain = code.replace(/[\s-]/g, '')
  const step = stepOf(factor.secret, plain, realClock())
  if (step !== null) return tables.secondFactors.useStep(id, step)
  return tables.secondFactors.useRecoveryCode(id, hashRecoveryCode(plain))
}

/** The second step to sign in. Returns the token of the login, or null if the half login has expired. */
export async function enterCode(
  context: Pick<Context, 'storage' | 'clock' | 'realClock' | 'ids' | 'channels' | 'log' | 'policy'>,
  token: string,
  code: string,
  browser: Browser,
): Promise<string | null> {
  const entered = await context.storage.write(async tables => {
    const user = await userOfHalf(tables, token, context.clock())
    if (!user) return null
    if (!(await useCode(context, tables, user, code))) throw new WrongCode()
    await tables.halfLogins.remove(hashToken(token))
    const isNew = await isNewBrowser(context, tables, user, browser)
    return { user, isNew, login: await insertLogin(context, tables, user, browser) }
  })
  if (entered?.isNew) mailNewLogin(context, entered.user, browser)
  return entered?.login ?? null
}
