import { readFileSync } from 'node:fs'
import { isKeyId, publicKeyProblem } from '../providers/paygate/signature.ts'
import { SettingsError } from '../settings/read.ts'

type Keys = ReadonlyMap<string, string>

/** Reads one item of the setting, or says what is wrong with it or its key. */
function readItem(item: string, known: Keys): { problem: string } | { id: string; pem: string } {
  const at = item.indexOf('=')
  const [id, file] = [item.slice(0, at), item.slice(at + 1)]
  if (at < 1 || file === '') return { problem: `${item} must have the form ID=FILE` }
  if (!isKeyId(id)) return { problem: `"${id}" is not a key ID; use up to 32 letters, digits, - and _` }
  if (known.has(id)) return { problem: `"${id}" is named twice` }
  try {
    const pem = readFileSync(file, 'utf8')
    const problem = publicKeyProblem(pem)
    return problem === null ? { id, pem } : { problem: `${file} ${problem}` }
  } catch (error) {
    const { code = 'unknown error' } = error as { code?: string }
    return { problem: `${file} cannot be read (${code})` }
  }
}

/** Reads the keys that the setting names, by ID, and the problems of the others. */
export function readGatewayKeys(items: readonly string[]): { keys: Keys; problems: string[] } {
  const keys = new Map<string, string>()
  const problems: string[] = []
  for (const item of items) {
    const found = readItem(item, keys)
    if ('problem' in found) problems.push(found.problem)
    else keys.set(found.id, found.pem)
  }
  return { keys, problems }
}

/** The keys that verify the gateway's callbacks; null if none are configured. Throws SettingsError. */
export function gatewayKeysOf(items: readonly string[]): Keys | null {
  if (items.length === 0) return null
  const { keys, problems } = readGatewayKeys(items)
  if (problems.length === 0) return keys
  const lines = problems.map(problem => `- FLORIN_GATEWAY_PUBLIC_KEYS: ${problem}`)
  throw new SettingsError(`Invalid settings:\n${lines.join('\n')}`)
}
