const MESSAGE_MAX = 200
const SECRET_MIN = 6
/** The words before the secret in the header `Authorization`. */
const schemes = /^(?:basic|bearer)$/i

/** The parts of an endpoint's URL, which may contain a secret in its credentials, path or query. */
interface RedactedUrl {
  /** the URL without its credentials, which `fetch` refuses */
  url: string
  credentials: Record<string, string>
  host: string
  /** Returns a message of a node without secrets, on one line and cut. */
  redact(message: string): string
}

/**
 * Takes an endpoint's URL apart. If the URL has a user name without a password, and `keyHeader` is given, the
 * name is an API key for that header. `others` are further secrets.
 */
export function redactedUrl(text: string, keyHeader?: string, others: readonly string[] = []): RedactedUrl {
  const url = new URL(text)
  const { host, username, password } = url
  const credentials = credentialsOf(unescaped(username), unescaped(password), keyHeader)
  const headers = [...Object.values(credentials), ...others]
  const secrets = secretsIn(url, headers)
  url.username = ''
  url.password = ''
  return {
    url: url.href,
    credentials,
    host,
    redact(message) {
      const without = secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), message)
      return without.replace(/\s+/g, ' ').trim().slice(0, MESSAGE_MAX)
    },
  }
}

/**
 * Returns all secrets of a URL and of headers, the longest first, since one may contain another. A node may
 * repeat a whole header such as "Bearer KEY", or only the key.
 */
function secretsIn({ username, password, pathname, search, searchParams }: URL, headers: string[]): string[] {
  // Some endpoints take a key in the query without a name.
  const alone = search
    .slice(1)
    .split('&')
    .filter(part => !part.includes('='))
  const query = [...searchParams.values(), ...alone]
  const parts = [username, password, ...pathname.split('/'), ...query, ...headers]
  return [...parts, ...headers.flatMap(value => value.split(' '))]
    .flatMap(part => [part, unescaped(part), encodeURIComponent(part)])
    .filter(part => part.length >= SECRET_MIN && !schemes.test(part))
    .sort((a, b) => b.length - a.length)
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
