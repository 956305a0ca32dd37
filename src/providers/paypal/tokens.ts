import { createHash } from 'node:crypto'
import type { Keys } from './credentials.ts'

/** The last part of a token's life, in which the token is not used, because a request takes a while. */
const MARGIN_MS = 60_000
const TOKENS_MAX = 1000

interface Token {
  text: Promise<string>
  /** the end of the token's use; infinite while the token is being fetched */
  until: number
}

/** The access tokens of all accounts. Requests that need the same token fetch it once. */
export function makeTokens(
  fetchToken: (keys: Keys) => Promise<{ text: string; seconds: number }>,
  clock: () => number,
) {
  const tokens = new Map<string, Token>()
  /**
   * The key of a map for the token of these keys. It is a hash, because secrets are not kept as keys of a
   * map.
   */
  const idOf = ({ clientId, key }: Keys): string =>
    createHash('sha256').update(`${clientId} ${key}`).digest('base64')

  async function fetchInto(token: Token, keys: Keys): Promise<string> {
    try {
      const { text, seconds } = await fetchToken(keys)
      token.until = clock() + seconds * 1000 - MARGIN_MS
      return text
    } catch (error) {
      token.until = 0
      throw error
    }
  }

  return {
    get(keys: Keys): Promise<string> {
      const id = idOf(keys)
      const known = tokens.get(id)
      if (known && known.until > clock()) return known.text
      const [oldest] = tokens.keys()
      if (oldest !== undefined && tokens.size >= TOKENS_MAX) tokens.delete(oldest)
      const token: Token = { until: Number.POSITIVE_INFINITY, text: Promise.resolve('') }
      token.text = fetchInto(token, keys)
      tokens.delete(id)
      tokens.set(id, token)
      return token.text
    },
    /** Forgets a token that PayPal does not accept any more. */
    async forget(keys: Keys, text: string): Promise<void> {
      const [id, known] = [idOf(keys), tokens.get(idOf(keys))]
      if (known && (await known.text.catch(() => text)) === text && tokens.get(id) === known)
        tokens.delete(id)
    },
  }
}
