const MESSAGE_MAX = 200
const SECRET_MIN = 6

/** An endpoint's URL, and what of it may be told: keys stand in its credentials, its path or its query. */
export interface Plain {
  /** the URL without its credentials, which `fetch` does not take */
  url: string
  credentials: Record<string, string>
  host: string
  /** a node's words without our secrets, on one line, cut short */
  plain(words: string): string
}

export function plainOf(text: string): Plain {
  const url = new URL(text)
  const { host, username, password } = url
  const parts = [username, password, ...url.pathname.split('/'), ...url.searchParams.values()]
  const secrets = parts
    .flatMap(part => [part, unescaped(part)])
    .filter(part => part.length >= SECRET_MIN)
    .sort((a, b) => b.length - a.length)
  url.username = ''
  url.password = ''
  const login = Buffer.from(`${unescaped(username)}:${unescaped(password)}`).toString('base64')
  return {
    url: url.href,
    credentials: username || password ? { authorization: `Basic ${login}` } : {},
    host,
    plain(words) {
      const without = secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), words)
      return without.replace(/\s+/g, ' ').trim().slice(0, MESSAGE_MAX)
    },
  }
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
