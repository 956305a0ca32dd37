import { isExchange } from './rate-sources.ts'
import { type SettingKey, type Settings, table } from './table.ts'

export type Environment = Record<string, string | undefined>

/** Invalid settings. One message lists all of them. */
export class SettingsError extends Error {}

const keys = Object.keys(table) as SettingKey[]

/** Reads every setting from the environment; throws a SettingsError that lists each invalid one. */
export function readSettings(environment: Environment): Settings {
  const problems: string[] = []
  const entries = keys.map(key => {
    const { name, default: fallback, read } = table[key]
    try {
      return [key, read(environment[name] || fallback)]
    } catch (error) {
      problems.push(`${name} ${error instanceof Error ? error.message : 'is not valid'}`)
      return [key, undefined]
    }
  })
  const settings = Object.fromEntries(entries) as Settings
  if (problems.length === 0) problems.push(...combinationProblems(settings))
  if (problems.length > 0) throw new SettingsError(`Invalid settings:\n- ${problems.join('\n- ')}`)
  return settings
}

/** Rules that concern several settings. */
function combinationProblems(settings: Settings): string[] {
  const { gatewayUrl, gatewayCheckoutUrl, smtpUrl, mailFrom, notifyUrl, notifySecretFile } = settings
  const problems: string[] = []
  if ((gatewayUrl === '') !== (gatewayCheckoutUrl === '')) {
    problems.push('FLORIN_GATEWAY_URL and FLORIN_GATEWAY_CHECKOUT_URL must be set together')
  }
  if ((smtpUrl === '') !== (mailFrom === '')) {
    problems.push('FLORIN_SMTP_URL and FLORIN_MAIL_FROM must be set together')
  }
  const needsSecret = notifyUrl !== null && notifyUrl.name !== 'ntfy'
  if (needsSecret && notifySecretFile === '') {
    const what = notifyUrl.name === 'https' ? 'the signing secret' : 'the token of the bot'
    problems.push(`FLORIN_NOTIFY_SECRET_FILE must name a file with ${what} for FLORIN_NOTIFY_URL`)
  }
  return problems
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

/** Paths and queries of endpoints often hold a key, so only the origin is shown. */
function maskedPart(part: string): string {
  if (part.startsWith('file:') || isExchange(part)) return part
  const [, prefix = '', url = part] = /^([a-z0-9]+\+)(https?:.*)$/i.exec(part) ?? []
  if (!URL.canParse(url)) return '***'
  const { protocol, host } = new URL(url)
  return `${prefix}${protocol}//${host}/***`
}

const masked = (value: string): string =>
  value
    .split(',')
    .map(part => maskedPart(part.trim()))
    .join(',')
