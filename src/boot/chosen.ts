import { registry } from '../coins/registry.ts'
import type { Chosen } from '../domain/chosen.ts'
import { MAIL_ROW, type MailServer, type StoredMailServer, smtpUrlOf } from '../domain/mail-server.ts'
import type { Secrets } from '../operations/context.ts'
import { endpointSettingsOf } from '../settings/endpoints.ts'
import { isExchange } from '../settings/rate-sources.ts'
import { type Settings, table } from '../settings/table.ts'
import type { Storage } from '../storage/port.ts'

/** The mail server with its password, which is null if the key of the secrets no longer opens it. */
function openMail(stored: StoredMailServer | null, secrets: Pick<Secrets, 'open'>): MailServer | null {
  if (stored === null) return null
  const { id: _, updatedAt: __, password, ...server } = stored
  const opened = password === null ? null : secrets.open(password, MAIL_ROW)
  return { ...server, password: typeof opened === 'string' ? opened : null }
}

/** Reads the choices of operators in the dashboard. */
export const readChosen = (storage: Pick<Storage, 'read'>, secrets: Pick<Secrets, 'open'>): Promise<Chosen> =>
  storage.read(async tables => ({
    endpoints: await tables.chosenEndpoints.list(),
    rateSources: await tables.chosenRateSources.list(),
    mail: openMail(await tables.chosenMailServers.find(), secrets),
  }))

/** Uses the choices of operators for settings that are empty: the environment takes precedence. */
export function withChosen(settings: Settings, { endpoints, rateSources, mail }: Chosen): Settings {
  const own = Object.entries(endpointSettingsOf(registry)).flatMap(([id, key]) => {
    const protocols: readonly string[] = registry.chain(id)?.endpoints.protocols ?? []
    const chosen = endpoints.filter(({ chain, protocol }) => chain === id && protocols.includes(protocol))
    const isOpen = settings[key].length === 0 && chosen.length > 0
    return isOpen
      ? [[key, chosen.map(({ protocol, url, header }) => ({ protocol, url, chosen: { header } }))]]
      : []
  })
  const rates = rateSources.filter(isExchange).map(name => ({ kind: 'exchange' as const, place: name, name }))
  return {
    ...settings,
    ...Object.fromEntries(own),
    ...(settings.rates.length === 0 && { rates }),
    ...(settings.smtpUrl === '' && mail && { smtpUrl: smtpUrlOf(mail), mailFrom: mail.sender }),
  }
}

/**
 * The choices of the dashboard as settings, such as FLORIN_BASE_URL. Skips settings that the environment
 * sets.
 */
export function chosenSettings(
  settings: Settings,
  { endpoints, rateSources, mail }: Chosen,
): Record<string, string> {
  const keys = Object.entries(endpointSettingsOf(registry))
  const texts = keys.flatMap(([id, key]): [string, string][] => {
    const own = endpoints.filter(({ chain }) => chain === id)
    if (settings[key].length > 0 || own.length === 0) return []
    return [[table[key].name, own.map(({ protocol, url }) => `${protocol}+${url}`).join()]]
  })
  const isOpen = settings.rates.length === 0 && rateSources.length > 0
  const mailTexts = settings.smtpUrl === '' &&
    mail && { [table.smtpUrl.name]: smtpUrlOf(mail), [table.mailFrom.name]: mail.sender }
  return {
    ...Object.fromEntries(texts),
    ...(isOpen && { [table.rates.name]: rateSources.join() }),
    ...mailTexts,
  }
}
