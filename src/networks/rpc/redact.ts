const MESSAGE_MAX = 200
const SECRET_MIN = 6
/** They are no secret in a header. */
const schemes = /^(?:basic|bearer)$/i

/** An endpoint's URL, whose credentials, path or query may contain a secret key. */
interface RedactedUrl {
  /** the URL without its credentials, which `fetch` refuses */
  url: string
  credentials: Record<string, string>
  host: string
  /** A message of a node without our secrets, on one line and cut short. */
  redact(message: string): string
}

/** A user without a password is a key where `keyHeader` names the header to send it in. */
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

/** The longest first. A node may repeat the whole of a header such as "Bearer KEY", or the key alone. */
function secretsIn({ username, password, pathname, search, searchParams }: URL, headers: string[]): string[] {
  // A key may stand in the query without a name.
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
