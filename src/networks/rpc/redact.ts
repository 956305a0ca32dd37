const MESSAGE_MAX = 200
const SECRET_MIN = 6

/** An endpoint's URL, and what of it may be told: keys stand in its credentials, its path or its query. */
interface RedactedUrl {
  /** the URL without its credentials, which `fetch` does not take */
  url: string
  credentials: Record<string, string>
  host: string
  /** a node's words without our secrets, on one line, cut short */
  plain(words: string): string
}

/** A user without a password is a key where `keyHeader` names the header that it is sent in. */
export function redactedUrl(text: string, keyHeader?: string): RedactedUrl {
  const url = new URL(text)
  const { host, username, password } = url
  const parts = [username, password, ...url.pathname.split('/'), ...url.searchParams.values()]
  const secrets = parts
    .flatMap(part => [part, unescaped(part)])
    .filter(part => part.length >= SECRET_MIN)
    .sort((a, b) => b.length - a.length)
  url.username = ''
  url.password = ''
  return {
    url: url.href,
    credentials: credentialsOf(unescaped(username), unescaped(password), keyHeader),
    host,
    plain(words) {
      const without = secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), words)
      return without.replace(/\s+/g, ' ').trim().slice(0, MESSAGE_MAX)
    },
  }
}

function credentialsOf(user: string, password: string, keyHeader?: string): Record<string, string> {
  if (user === '' && password === '') return {}
  if (keyHeader !== undefined && password === '') return { [keyHeader]: user }
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
