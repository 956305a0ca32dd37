import { Type } from '@sinclair/typebox'
import type { DashboardLocale } from '../../../../views/dashboard/locale.ts'
import {
  type MailDone,
  type MailField,
  mailFields,
  serverMailBody,
} from '../../../../views/dashboard/server-mail.ts'
import type { Refusal } from '../../../domain/errors.ts'
import {
  chooseMailServer,
  removeMailServer,
  testMailServer,
} from '../../../operations/operator/choose-mail.ts'
import { oneOf } from '../fields.ts'
import { form, page, type Route } from '../kit.ts'
import { readUpload, UploadForm } from '../multipart.ts'
import type { View } from '../page.ts'
import { problemText, refusedFields } from '../problem.ts'
import type { PersonVisit } from '../visit.ts'

const PATH = '/dashboard/server/mail'

type Values = Record<MailField, string>

interface MailState {
  done?: MailDone | undefined
  refusal?: Refusal
  entered?: Values
}

const nothing: Values = { host: '', port: '465', security: 'tls', userName: '', sender: '' }

/** The problem in the language of the page, and the answer of the mail server. */
function problemOf(locale: DashboardLocale, refusal: Refusal) {
  const { mail, upstreamFaults } = locale.texts
  const { reason } = refusal
  if (refusal.code === 'destination_not_allowed') return { text: mail.privateHost, detail: null }
  if (reason?.kind !== 'unusable_source') return { text: problemText(locale, refusal), detail: null }
  const { fault, reason: detail } = reason.problem
  return { text: fault ? `${mail.refused} ${upstreamFaults[fault]}` : mail.refused, detail }
}

function mailView({ context, user }: PersonVisit, { done, refusal, entered }: MailState): View {
  const { origin, url, sender, chosen } = context.upstreams.mail()
  const wrong = refusal ? refusedFields(refusal) : []
  const values = entered ?? (chosen ? { ...chosen, port: String(chosen.port) } : nothing)
  return locale => ({
    title: locale.texts.server.tabs.mail,
    body: serverMailBody(locale, {
      ...{ origin, sender, values, wrong, done: done ?? null, you: user.email },
      server: url === '' ? null : new URL(url).host,
      hasPassword: chosen?.password != null,
      isUnreadable: chosen !== null && chosen.userName !== '' && chosen.password === null,
      problem: refusal ? problemOf(locale, refusal) : null,
    }),
  })
}

const enteredIn = ({ fields }: typeof UploadForm.static): Values =>
  Object.fromEntries(mailFields.map(name => [name, fields[name] ?? ''])) as Values

const refused = (refusal: Refusal, visit: PersonVisit): View => mailView(visit, { refusal })

/** The page on which operators choose the server that sends mails. */
export const serverMailRoutes: readonly Route[] = [
  page({
    path: PATH,
    access: 'operator',
    query: { done: Type.Optional(oneOf(['saved', 'removed', 'tested'])) },
    show: visit => mailView(visit, { done: visit.query.done }),
  }),
  form({
    path: PATH,
    // The form has a secret, so it contains the field for the proof itself.
    proof: 'operator',
    read: readUpload,
    fields: UploadForm,
    run: ({ context, user, body }) =>
      chooseMailServer(context, user, { ...enteredIn(body), password: body.fields.mailPassword ?? '' }),
    done: `${PATH}?done=saved`,
    refused: (refusal, visit) => mailView(visit, { refusal, entered: enteredIn(visit.body) }),
  }),
  form({
    path: `${PATH}/test`,
    access: 'operator',
    run: ({ context, user }) => testMailServer(context, user),
    done: `${PATH}?done=tested`,
    refused,
  }),
  form({
    path: `${PATH}/remove`,
    proof: 'operator',
    run: ({ context }) => removeMailServer(context),
    done: `${PATH}?done=removed`,
    refused,
  }),
]
