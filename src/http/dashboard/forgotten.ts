import { forgottenBody } from '../../../views/dashboard/sign-in.ts'
import type { Refusal } from '../../domain/errors.ts'
import { requestPasswordLink } from '../../operations/people/forgotten.ts'
import { text } from './fields.ts'
import { form, page, type Route } from './kit.ts'
import type { View } from './page.ts'
import { problemText, refusedFields } from './problem.ts'
import { placeToSignIn } from './sign-in.ts'
import type { PublicVisit } from './visit.ts'

const PATH = '/dashboard/sign-in/forgotten'

interface ForgottenState {
  email?: string
  isSent?: boolean
  refusal?: Refusal
}

const forgottenView =
  (visit: PublicVisit, { email = '', isSent = false, refusal }: ForgottenState = {}): View =>
  locale => {
    const { isPossible, ...answer } = placeToSignIn(visit)
    const isWrong = refusal !== undefined && refusedFields(refusal).includes('email')
    const problem = refusal && !isWrong ? problemText(locale, refusal) : null
    const mailsLinks = visit.context.channels.mail !== null
    const body = forgottenBody(locale, { email, isPossible, mailsLinks, isSent, isWrong, problem })
    return { title: locale.texts.signIn.forgottenTitle, body, ...answer }
  }

/** The page for a person who forgot the password, or lost the invitation, and gets a link by mail. */
export const forgottenRoutes: readonly Route[] = [
  page({ path: PATH, access: 'public', query: {}, show: visit => forgottenView(visit) }),
  form({
    path: PATH,
    access: 'public',
    fields: { email: text(254) },
    async run(visit) {
      const { context, deps, request, body } = visit
      if (!placeToSignIn(visit).isPossible) return false
      deps.limit(request)
      return requestPasswordLink(context, body.email.trim())
    },
    done: (isSent, visit) => forgottenView(visit, { email: visit.body.email.trim(), isSent }),
    refused: (refusal, visit) => forgottenView(visit, { email: visit.body.email, refusal }),
  }),
]
