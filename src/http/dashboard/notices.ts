import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { DashboardLocale } from '../../../views/dashboard/locale.ts'
import { type ChannelModel, channelBody, noticesBody } from '../../../views/dashboard/notices.ts'
import { Refusal } from '../../domain/errors.ts'
import type { ChannelName } from '../../domain/notification.ts'
import { addChannel, type ListedChannel, listChannels, type Owner } from '../../operations/channels/manage.ts'
import { requirePerson, requireProof, type ShopVisit, shopOf } from './access.ts'
import { channelRoutes } from './channel.ts'
import type { DashboardDeps } from './deps.ts'
import { FormFields } from './fields.ts'
import { renderPage, type Settable } from './page.ts'
import { problemText, refusalOf, refusedFields } from './problem.ts'

const PATH = '/dashboard/notices'
const text = Type.Optional(Type.String({ maxLength: 200 }))
const Query = Type.Object({ removed: text, lang: text })

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

interface Shown {
  secret?: string | null
  good?: string | null
  problem?: string | null
  codeProblem?: string | null
}

/** Shows a channel of the person who asks. */
async function showChannel(
  deps: DashboardDeps,
  request: Request,
  set: Settable,
  id: string,
  shownIn: (locale: DashboardLocale) => Shown = () => ({}),
): Promise<string> {
  const shop = await shopOf(deps.context, request)
  const found = (await listChannels(deps.context, ownerOf(shop))).find(({ channel }) => channel.id === id)
  if (!found) throw new Refusal('not_found', 'You have no such channel.')
  return renderPage(deps, request, set, locale => {
    const { secret = null, good = null, problem = null, codeProblem = null } = shownIn(locale)
    const channel = modelOf(found)
    return {
      title: locale.texts.notices.names[channel.name],
      body: channelBody(locale, { channel, secret, good, problem, codeProblem }),
    }
  })
}

interface Refused {
  name: string
  address: string
  refusal: Refusal
}

function refusedModel(locale: DashboardLocale, { name, address, refusal }: Refused) {
  const isDestination = refusal.code === 'destination_not_allowed'
  const wrong = isDestination ? ['address'] : refusedFields(refusal)
  const isOfField = wrong.some(field => field === 'address' || field === 'secret')
  // The kind of a channel is chosen by its form, not entered.
  const isOfKind = wrong.includes('name')
  const other = isOfKind ? locale.texts.errors.invalid : problemText(locale, refusal)
  return { name, address, wrong, problem: isOfField ? null : other }
}

/** What a person is notified of, and where. */
export const noticePages = (deps: DashboardDeps) => {
  const { context } = deps
  const isViewer = requirePerson(context, 'viewer')
  async function show(
    request: Request,
    set: Settable,
    refused: Refused | null,
    isRemoved: boolean,
  ): Promise<string> {
    const shop = await shopOf(context, request)
    const channels = (await listChannels(context, ownerOf(shop))).map(modelOf)
    if (refused) set.status = refused.refusal.status
    return renderPage(deps, request, set, locale => ({
      title: locale.texts.notices.title,
      body: noticesBody(locale, {
        channels,
        email: shop.user.email,
        sendsMail: context.channels.mail !== null,
        isRemoved,
        refused: refused && refusedModel(locale, refused),
      }),
    }))
  }
  return new Elysia()
    .get(PATH, ({ query, request, set }) => show(request, set, null, query.removed !== undefined), {
      ...isViewer,
      query: Query,
    })
    .post(
      PATH,
      async ({ body, request, set }) => {
        const shop = await shopOf(context, request)
        const { name = '' } = body
        const [address = '', secret = ''] = [body[`address-${name}`], body[`secret-${name}`]]
        let added: Awaited<ReturnType<typeof addChannel>> | null = null
        const refusal = await refusalOf(async () => {
          added = await addChannel(shop.context, ownerOf(shop), {
            name: name as ChannelName,
            address,
            secret,
          })
        })
        if (refusal) return show(request, set, { name, address, refusal }, false)
        return showAdded(deps, request, set, added!)
      },
      { ...requireProof(deps, 'viewer'), body: FormFields },
    )
    .use(channelRoutes(deps, ownerOf, showChannel))
}

const showAdded = (
  deps: DashboardDeps,
  request: Request,
  set: Settable,
  { id, secret, fault }: Awaited<ReturnType<typeof addChannel>>,
): Promise<string> =>
  showChannel(deps, request, set, id, ({ texts: { notices } }) => ({
    secret,
    good: fault === null ? notices.codeSent : null,
    problem: fault === null ? null : notices.codeFault({ reason: fault }),
  }))
