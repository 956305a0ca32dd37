const MESSAGE_MAX = 200
const SECRET_MIN = 6

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
  const parts = [username, password, ...url.pathname.split('/'), ...url.searchParams.values(), ...others]
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
    redact(message) {
      const without = secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), message)
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
