import type { Environment } from '../../settings/read.ts'
import { ENV_FILE, type Plan } from './plan.ts'

const HEAD = `# Settings of Florin. "florin config" lists all of them.
# After a change: systemctl restart florin
# Commands read them too: runuser -u USER -- florin doctor --env-file ${ENV_FILE}
`

const BEHIND_PROXY = `# Behind a reverse proxy, name its public address, and the address from which it asks:
# FLORIN_CHECKOUT_URL=https://pay.shop.example
# FLORIN_TRUSTED_PROXIES=127.0.0.1
`

const lineOf = (name: string): RegExp => new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=.*$`, 'm')

/** The settings of a plan. */
const settingsOf = ({ dataDir, backupDir, domain, email }: Plan): Record<string, string> => ({
  FLORIN_DATA_DIR: dataDir,
  FLORIN_BACKUP_DIR: backupDir,
  FLORIN_DOMAIN: domain,
  ...(domain !== '' && { FLORIN_ACME_EMAIL: email }),
})

/**
 * The text of the settings file after setup. Lines are kept, except for those whose setting has another value
 * in the plan. `before` is null for a new file.
 */
export function environmentText(before: string | null, found: Environment, plan: Plan): string {
  let text = before ?? HEAD + (plan.domain === '' ? BEHIND_PROXY : '')
  for (const [name, value] of Object.entries(settingsOf(plan))) {
    if ((found[name] ?? '') === value) continue
    // Quotes only where needed: Docker takes quotation marks as a part of the value.
    const line = `${name}=${/^[\w@.,:/+-]*$/.test(value) ? value : `"${value}"`}`
    const known = lineOf(name)
    if (known.test(text)) text = text.replace(known, () => line)
    else text = `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`
  }
  return text
}
