import type { DashboardLocale } from '../../../views/dashboard/locale.ts'
import { type ChannelModel, channelBody, noticesBody } from '../../../views/dashboard/notices.ts'
import { Refusal } from '../../domain/errors.ts'
import type { ChannelName } from '../../domain/notification.ts'
import { notificationKinds } from '../../domain/notification-kind.ts'
import { confirmChannel, sendCode } from '../../operations/channels/code.ts'
import {
  addChannel,
  changeChannel,
  type ListedChannel,
  listChannels,
  removeChannel,
  testChannel,
} from '../../operations/channels/manage.ts'
import type { Owner } from '../../operations/channels/steps/require-channel.ts'
import { chosen, FormFields, optional } from './fields.ts'
import { form, page, type Route } from './kit.ts'
import type { View } from './page.ts'
import { problemText, refusedFields } from './problem.ts'
import type { ShopVisit } from './visit.ts'

const PATH = '/dashboard/notices'

const ownerOf = ({ user, merchant }: ShopVisit): Owner => ({ userId: user.id, merchantId: merchant.id })

function targetOf({ name, url, topic, email }: ListedChannel['channel']): string {
  if (name === 'mail') return email
  if (name === 'https') return url
  return name === 'ntfy' ? `${url}/${topic}` : topic
}

const modelOf = ({ channel, state }: ListedChannel): ChannelModel => ({
  id: channel.id,
  name: channel.name,
  target: targetOf(channel),
  isVerified: channel.verifiedAt !== null,
  muted: channel.muted,
  digestHour: channel.digestHour,
  lastSentAt: state?.lastSentAt ?? null,
  failing: state?.failingSince ? { since: state.failingSince, reason: state.fault ?? '' } : null,
})

/** A form that was refused: the kind of the channel, and the values that were entered. */
interface RefusedChannel {
  name: string
  address: string
  refusal: Refusal
}

function refusedModel(locale: DashboardLocale, { name, address, refusal }: RefusedChannel) {
  const isDestination = refusal.code === 'destination_not_allowed'
  const wrong = isDestination ? ['address'] : refusedFields(refusal)
  const isOfField = wrong.some(field => field === 'address' || field === 'secret')
  // The kind of a channel is chosen by its form, not entered, so no field can show what is wrong with it.
  const isOfKind = wrong.includes('name')
  const other = isOfKind ? locale.texts.errors.invalid : problemText(locale, refusal)
  return { name, address, wrong, problem: isOfField ? null : other }
}

async function showChannels(
  visit: ShopVisit,
  { isRemoved = false, refused = null }: { isRemoved?: boolean; refused?: RefusedChannel | null },
): Promise<View> {
  const { context, user } = visit
  const channels = (await listChannels(context, ownerOf(visit))).map(modelOf)
  return locale => ({
    title: locale.texts.notices.title,
    body: noticesBody(locale, {
      channels,
      email: user.email,
      sendsMail: context.channels.mail !== null,
      isRemoved,
      refused: refused && refusedModel(locale, refused),
    }),
  })
}

/** The messages on the page of a channel about the form that led to it. */
interface ChannelMessages {
  secret?: string | null
  good?: string | null
  isNew?: boolean
  problem?: string | null
  codeProblem?: string | null
}

/** Shows a channel of the person who is signed in. */
async function showChannel(
  visit: ShopVisit,
  id: string,
  messagesIn: (locale: DashboardLocale) => ChannelMessages,
): Promise<View> {
  const found = (await listChannels(visit.context, ownerOf(visit))).find(({ channel }) => channel.id === id)
  if (!found) throw new Refusal('not_found', 'You have no such channel.')
  return locale => {
    const { isNew = false, ...messages } = messagesIn(locale)
    const { secret = null, good = null, problem = null, codeProblem = null } = messages
    const channel = modelOf(found)
    return {
      title: locale.texts.notices.names[channel.name],
      body: channelBody(locale, { channel, secret, good, isNew, problem, codeProblem }),
      ...(codeProblem && { status: 400 }),
    }
  }
}

/** The message about what was done, which the URL of the page names. */
const goodText = ({ texts: { notices } }: DashboardLocale, done = ''): string | null =>
  ({ saved: notices.saved, verified: notices.verified, code: notices.codeSent, test: notices.testGood })[
    done
  ] ?? null

/** A form that sends a message to a channel. */
const sendForm = (
  path: `${typeof PATH}/:id/${string}`,
  send: typeof sendCode,
  done: string,
  faultText: (texts: DashboardLocale['texts']['notices'], reason: string) => string,
): Route =>
  form({
    path,
    access: 'viewer',
    run: visit => send(visit.context, ownerOf(visit), visit.params.id),
    done: (fault, visit) =>
      fault === null
        ? `${PATH}/${visit.params.id}?done=${done}`
        : showChannel(visit, visit.params.id, ({ texts }) => ({ problem: faultText(texts.notices, fault) })),
    refused: (refusal, visit) =>
      showChannel(visit, visit.params.id, locale => ({ problem: problemText(locale, refusal) })),
  })

/** The values of the form that was sent. Each kind of channel has fields of its own. */
const enteredIn = ({ name = '', ...fields }: Record<string, string>) => ({
  name: name as ChannelName,
  address: fields[`address-${name}`] ?? '',
  secret: fields[`secret-${name}`] ?? '',
})

/** The pages on which a person chooses what they are notified of, and where. */
export const noticeRoutes: readonly Route[] = [
  page({
    path: PATH,
    access: 'viewer',
    query: { removed: optional() },
    show: visit => showChannels(visit, { isRemoved: visit.query.removed !== undefined }),
  }),
  form({
    path: PATH,
    proof: 'viewer',
    fields: FormFields,
    run: visit => addChannel(visit.context, ownerOf(visit), enteredIn(visit.body)),
    done: ({ id, secret, fault }, visit) =>
      showChannel(visit, id, ({ texts: { notices } }) => ({
        secret,
        ...(fault === null ? { good: notices.codeSent } : { problem: notices.codeFault({ reason: fault }) }),
      })),
    refused: (refusal, visit) => showChannels(visit, { refused: { ...enteredIn(visit.body), refusal } }),
  }),
  page({
    path: `${PATH}/:id`,
    access: 'viewer',
    query: { done: optional() },
    show: visit =>
      showChannel(visit, visit.params.id, locale => ({
        good: goodText(locale, visit.query.done),
        isNew: visit.query.done === 'verified',
      })),
  }),
  form({
    path: `${PATH}/:id`,
    access: 'viewer',
    fields: FormFields,
    run(visit) {
      const { context, params, body } = visit
      const wanted = chosen(body, 'kind')
      return changeChannel(context, ownerOf(visit), params.id, {
        muted: notificationKinds.filter(kind => !wanted.includes(kind)),
        digestHour: body.digest ? Number(body.digest) : null,
      })
    },
    done: (_, { params }) => `${PATH}/${params.id}?done=saved`,
  }),
  form({
    path: `${PATH}/:id/code`,
    access: 'viewer',
    fields: FormFields,
    run: visit => confirmChannel(visit.context, ownerOf(visit), visit.params.id, visit.body.code ?? ''),
    done: (outcome, visit) =>
      outcome === 'verified'
        ? `${PATH}/${visit.params.id}?done=verified`
        : showChannel(visit, visit.params.id, ({ texts: { notices } }) => ({
            codeProblem: outcome === 'wrong' ? notices.codeWrong : notices.codeExpired,
          })),
  }),
  form({
    path: `${PATH}/:id/remove`,
    access: 'viewer',
    run: visit => removeChannel(visit.context, ownerOf(visit), visit.params.id),
    done: `${PATH}?removed`,
  }),
  sendForm(`${PATH}/:id/code/again`, sendCode, 'code', (notices, reason) => notices.codeFault({ reason })),
  sendForm(`${PATH}/:id/test`, testChannel, 'test', (notices, reason) => notices.testFault({ reason })),
]
