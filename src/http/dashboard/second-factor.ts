import { recoveryBody, setupBody } from '../../../views/dashboard/second-factor.ts'
import {
  confirmSecondFactor,
  readSecondFactorSetup,
  removeSecondFactor,
  renewRecoveryCodes,
  requirePasskeys,
  type SecondFactorSetup,
  startSecondFactor,
} from '../../operations/people/second-factor.ts'
import { qrSvg } from '../../present/qr.ts'
import { optional } from './fields.ts'
import { form, type Route } from './kit.ts'
import type { View } from './page.ts'

const PATH = '/dashboard/account/second-factor'

const setupView =
  ({ secret, uri }: SecondFactorSetup, isWrong: boolean): View =>
  locale => ({
    title: locale.texts.secondFactor.setUpTitle,
    body: setupBody(locale, { secret, qr: qrSvg(uri), isWrong }),
  })

const codesView =
  (codes: string[], isNew: boolean): View =>
  locale => ({
    title: locale.texts.secondFactor.recoveryTitle,
    body: recoveryBody(locale, { codes, isNew }),
  })

/** The forms of the account page that set up the second factor, and switch it off. */
export const secondFactorRoutes: readonly Route[] = [
  form({
    path: PATH,
    proof: 'person',
    run: visit => startSecondFactor(visit.context, visit),
    done: setup => setupView(setup, false),
  }),
  form({
    path: `${PATH}/confirm`,
    proof: 'person',
    fields: { code: optional(100) },
    run: visit => confirmSecondFactor(visit.context, visit, visit.body.code ?? ''),
    done: codes => codesView(codes, true),
    async refused(refusal, visit) {
      if (refusal.code !== 'validation_error') throw refusal
      return setupView(await readSecondFactorSetup(visit.context, visit), true)
    },
  }),
  form({
    path: `${PATH}/passkeys`,
    proof: 'person',
    run: visit => requirePasskeys(visit.context, visit),
    done: codes => codesView(codes, true),
  }),
  form({
    path: `${PATH}/recovery-codes`,
    proof: 'person',
    run: visit => renewRecoveryCodes(visit.context, visit),
    done: codes => codesView(codes, false),
  }),
  form({
    path: `${PATH}/off`,
    proof: 'person',
    run: visit => removeSecondFactor(visit.context, visit),
    done: '/dashboard/account?done=secondFactor',
  }),
]
