import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** A key pair as minisign makes it. */
export interface SigningKey {
  id: Buffer
  secret: KeyObject
  /** the public key line that users have */
  line: string
}

export function newSigningKey(): SigningKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const id = Buffer.from(crypto.getRandomValues(new Uint8Array(8)))
  const line = Buffer.concat([Buffer.from('Ed'), id, raw]).toString('base64')
  return { id, secret: privateKey, line }
}

/** Signs a file like minisign, or like its versions before 2022, which do not hash the file. */
export function signFile(
  { id, secret }: SigningKey,
  content: Buffer,
  comment: string,
  isHashed = true,
): string {
  const signed = isHashed ? createHash('blake2b512').update(content).digest() : content
  const signature = sign(null, signed, secret)
  const global = sign(null, Buffer.concat([signature, Buffer.from(comment)]), secret)
  const whole = Buffer.concat([Buffer.from(isHashed ? 'ED' : 'Ed'), id, signature])
  return [
    'untrusted comment: signature',
    whole.toString('base64'),
    `trusted comment: ${comment}`,
    `${global.toString('base64')}\n`,
  ].join('\n')
}

/** An entry of the index of releases. */
export interface Listed {
  version: string
  security: boolean
  files: { target: string; url: string; sha256: string; signature: string }[]
}

export interface Publishing {
  target?: string
  /** the trusted comment of the signature */
  comment?: string
  isHashed?: boolean
  /** changes that make the entry wrong */
  change?: Partial<Listed['files'][0]>
  security?: boolean
}

/** Serves `answers` by path, and an index of `releases`. */
export function openReleaseServer() {
  const answers = new Map<string, () => Response | Promise<Response>>()
  const requests: { path: string; headers: Headers }[] = []
  const releases: Listed[] = []
  answers.set('/index.json', () => Response.json({ releases }))
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const path = new URL(request.url).pathname
      requests.push({ path, headers: request.headers })
      return answers.get(path)?.() ?? new Response('not here', { status: 404 })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    answers,
    requests,
    releases,
    close: () => server.stop(true),
    /** Publishes a file for a target. */
    publish(
      key: SigningKey,
      version: string,
      content: string | Buffer<ArrayBuffer>,
      { target = 'test-x64', isHashed = true, change = {}, security = false, ...more }: Publishing = {},
    ) {
      const comment = more.comment ?? `florin ${version} ${target}`
      const bytes = typeof content === 'string' ? Buffer.from(content) : content
      const url = `/florin-${version}-${target}`
      answers.set(url, () => new Response(bytes))
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const file = { target, url, sha256, signature: signFile(key, bytes, comment, isHashed), ...change }
      releases.push({ version, security, files: [file] })
    },
  }
}
