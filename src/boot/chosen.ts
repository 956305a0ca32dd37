import { registry } from '../coins/registry.ts'
import type { Chosen } from '../domain/endpoint.ts'
import { endpointSettingsOf } from '../settings/endpoints.ts'
import { isExchange } from '../settings/rate-sources.ts'
import { type Settings, table } from '../settings/table.ts'
import type { Storage } from '../storage/port.ts'

/** Reads what operators chose in the dashboard. */
export const readChosen = (storage: Pick<Storage, 'read'>): Promise<Chosen> =>
  storage.read(async tables => ({
    endpoints: await tables.chosenEndpoints.list(),
    rateSources: await tables.chosenRateSources.list(),
  }))

/** Fills in what operators chose where the settings are empty: the environment takes precedence. */
export function withChosen(settings: Settings, { endpoints, rateSources }: Chosen): Settings {
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
  }
}

/**
 * The choices as the settings that they stand for, such as FLORIN_BASE_URL. Skips settings that the
 * environment sets.
 */
export function chosenSettings(
  settings: Settings,
  { endpoints, rateSources }: Chosen,
): Record<string, string> {
  const keys = Object.entries(endpointSettingsOf(registry))
  const texts = keys.flatMap(([id, key]): [string, string][] => {
    const own = endpoints.filter(({ chain }) => chain === id)
    if (settings[key].length > 0 || own.length === 0) return []
    return [[table[key].name, own.map(({ protocol, url }) => `${protocol}+${url}`).join()]]
  })
  const isOpen = settings.rates.length === 0 && rateSources.length > 0
  return { ...Object.fromEntries(texts), ...(isOpen && { [table.rates.name]: rateSources.join() }) }
}
