import type { PasskeyAnswer } from './port.ts'

/** Long enough for every device, and short enough for an index. */
const idPattern = /^[A-Za-z0-9_-]{16,1364}$/
const challengePattern = /^[A-Za-z0-9_-]{43}$/

type Fields = Record<string, unknown>

function parse(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Fields) : {}
  } catch {
    return {}
  }
}

/** Parses the JSON of a browser's answer. Nothing in it is proven yet. */
export function readAnswer(text: string): PasskeyAnswer | null {
  const json = parse(text)
  const { id } = json
  const response = (
    typeof json.response === 'object' && json.response !== null ? json.response : {}
  ) as Fields
  const { clientDataJSON, userHandle = null } = response
  if (typeof id !== 'string' || !idPattern.test(id) || typeof clientDataJSON !== 'string') return null
  if (userHandle !== null && typeof userHandle !== 'string') return null
  const { challenge } = parse(Buffer.from(clientDataJSON, 'base64url').toString())
  if (typeof challenge !== 'string' || !challengePattern.test(challenge)) return null
  return { id, challenge, userHandle, json }
}
