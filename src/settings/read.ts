import { isExchange } from '../rates/exchanges/index.ts'
import { type SettingKey, type Settings, table } from './table.ts'

export type Environment = Record<string, string | undefined>

/** Wrong settings: one message that lists all of them. */
export class SettingsError extends Error {}

const keys = Object.keys(table) as SettingKey[]

/** Reads every setting from the environment; throws a SettingsFault that names each wrong one. */
export function readSettings(environment: Environment): Settings {
  const faults: string[] = []
  const entries = keys.map(key => {
    const { name, default: fallback, read } = table[key]
    try {
      return [key, read(environment[name] || fallback)]
    } catch (error) {
      faults.push(`${name} ${error instanceof Error ? error.message : 'is not valid'}`)
      return [key, undefined]
    }
  })
  const settings = Object.fromEntries(entries) as Settings
  if (faults.length === 0) faults.push(...together(settings))
  if (faults.length > 0) throw new SettingsError(`These settings are wrong:\n- ${faults.join('\n- ')}`)
  return settings
}

/** What no setting can tell alone. */
function together(settings: Settings): string[] {
  if ((settings.gatewayUrl === '') === (settings.gatewayCheckoutUrl === '')) return []
  return ['FLORIN_GATEWAY_URL and FLORIN_GATEWAY_CHECKOUT_URL must be set together']
}

interface ShownSetting {
  name: string
  value: string
  default: string
  meaning: string
}

/** Every setting as an operator may see it. */
export function showSettings(environment: Environment): ShownSetting[] {
  return keys.map(key => {
    const { name, default: fallback, meaning, isSecret } = table[key]
    const value = environment[name] || fallback
    return { name, value: isSecret && value !== fallback ? masked(value) : value, default: fallback, meaning }
  })
}

/**
 * An endpoint is known by its host; its path and query often hold a key. A file's path holds none, nor does
 * an exchange's name.
 */
function maskedPart(part: string): string {
  if (part.startsWith('file:') || isExchange(part)) return part
  return URL.canParse(part) ? `${new URL(part).origin}/***` : '***'
}

const masked = (value: string): string =>
  value
    .split(',')
    .map(part => maskedPart(part.trim()))
    .join(',')
