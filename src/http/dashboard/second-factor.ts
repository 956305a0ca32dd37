import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
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
import { personOf, requireProof } from './access.ts'
import type { DashboardDeps } from './deps.ts'
import { renderPage, type Settable } from './page.ts'
import { refusalOf } from './problem.ts'

const CodeForm = Type.Object({ code: Type.Optional(Type.String({ maxLength: 100 })) })

/** The forms of the account page that set up the second factor, and switch it off. */
export const secondFactorForms = (deps: DashboardDeps) => {
  const { context } = deps
  const showSetup = (request: Request, set: Settable, { secret, uri }: SecondFactorSetup, isWrong: boolean) =>
    renderPage(deps, request, set, locale => ({
      title: locale.texts.secondFactor.setUpTitle,
      body: setupBody(locale, { secret, qr: qrSvg(uri), isWrong }),
    }))
  const showCodes = (request: Request, set: Settable, codes: string[], isNew: boolean) =>
    renderPage(deps, request, set, locale => ({
      title: locale.texts.secondFactor.recoveryTitle,
      body: recoveryBody(locale, { codes, isNew }),
    }))
  return new Elysia()
    .post(
      '/dashboard/account/second-factor',
      async ({ request, set }) => {
        const person = await personOf(context, request)
        const setup = await startSecondFactor(person.context, person)
        return showSetup(request, set, setup, false)
      },
      requireProof(deps, 'person'),
    )
    .post(
      '/dashboard/account/second-factor/confirm',
      async ({ body, request, set }) => {
        const person = await personOf(context, request)
        let codes: string[] = []
        const refusal = await refusalOf(async () => {
          codes = await confirmSecondFactor(person.context, person, body.code ?? '')
        })
        if (!refusal) return showCodes(request, set, codes, true)
        if (refusal.code !== 'validation_error') throw refusal
        set.status = refusal.status
        return showSetup(request, set, await readSecondFactorSetup(context, person), true)
      },
      { ...requireProof(deps, 'person'), body: CodeForm },
    )
    .post(
      '/dashboard/account/second-factor/passkeys',
      async ({ request, set }) => {
        const person = await personOf(context, request)
        const codes = await requirePasskeys(person.context, person)
        return showCodes(request, set, codes, true)
      },
      requireProof(deps, 'person'),
    )
    .post(
      '/dashboard/account/second-factor/recovery-codes',
      async ({ request, set }) => {
        const person = await personOf(context, request)
        const codes = await renewRecoveryCodes(person.context, person)
        return showCodes(request, set, codes, false)
      },
      requireProof(deps, 'person'),
    )
    .post(
      '/dashboard/account/second-factor/off',
      async ({ redirect, request }) => {
        const person = await personOf(context, request)
        await removeSecondFactor(person.context, person)
        return redirect('/dashboard/account?done=secondFactor', 303)
      },
      requireProof(deps, 'person'),
    )
}
