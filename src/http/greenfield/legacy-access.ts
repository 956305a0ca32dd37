import type { TSchema } from '@sinclair/typebox'
import type { Caller } from '../../domain/api-key.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Context } from '../../operations/context.ts'
import { type AccessRule, authenticatePaired } from '../../operations/keys/authenticate.ts'
import { checkCaller, checkKey } from '../auth.ts'
import { readBytes, readJson } from '../body.ts'

interface RequestParts {
  request: Request
  params?: Record<string, string>
}

/** Max bytes of a body that is read before its sender is known, because its signature covers it. */
const SIGNED_BODY_MAX = 32 * 1024

/** The API key of a request: `Authorization: Basic`, then the key in Base64, with or without a password. */
function basicKey({ headers }: Request): string | null {
  const [, encoded] = /^basic\s+(\S+)\s*$/i.exec(headers.get('authorization') ?? '') ?? []
  if (encoded === undefined) return null
  return Buffer.from(encoded, 'base64').toString('latin1').split(':')[0] ?? null
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8')

/** The URLs of this server that a client may have signed for a request. */
function signedUrls({ policy }: Context, { url }: Request): string[] {
  const path = url.slice(new URL(url).origin.length)
  const base = new URL(policy.checkoutUrl)
  const port = base.protocol === 'https:' ? '443' : '80'
  const origins = [base.origin, ...(base.port === '' ? [`${base.origin}:${port}`] : [])]
  return origins.map(origin => `${origin}${path}`)
}

/**
 * Verifies the signature of a paired client, and returns its caller. The headers name the client's public
 * key, and its token names the API key to which the client was paired. This is checked first, because a
 * signature takes a thousand times as long, and strangers could keep the server busy.
 */
async function signedCaller(
  context: Context,
  request: Request,
  body: string,
  token: unknown,
): Promise<Caller> {
  const { isSigned, idOf } = context.signedClients
  const publicKey = request.headers.get('x-identity') ?? ''
  const signature = request.headers.get('x-signature') ?? ''
  const clientId = idOf(publicKey)
  if (clientId === null || typeof token !== 'string') throw new Refusal('invalid_api_key')
  const caller = await authenticatePaired(context, token, clientId)
  const urls = signedUrls(context, request)
  if (urls.some(url => isSigned({ publicKey, signature, text: url + body }))) return caller
  throw new Refusal('invalid_api_key', 'The signature of the request is invalid.')
}

const isOfPairedClient = ({ headers }: Request): boolean => headers.has('x-identity')

/** The hooks of a route that requires a key or a paired client. */
export const requireLegacy = (context: Context, access: AccessRule) => ({
  detail: { hide: true },
  transform: async ({ request, params = {} }: RequestParts) => {
    if (request.method === 'GET') await checkReader(context, request, access)
    for (const [name, id] of Object.entries(params)) params[name] = id.toLowerCase()
  },
})

async function checkReader(context: Context, request: Request, access: AccessRule): Promise<void> {
  if (!isOfPairedClient(request)) return void (await checkKey(context, request, access, basicKey(request)))
  const token = new URL(request.url).searchParams.get('token')
  await checkCaller(request, access, () => signedCaller(context, request, '', token))
}

/** The hooks of a route that requires a key or a paired client, and has a JSON body. */
export const requireLegacyAndBody = <Body extends TSchema>(
  context: Context,
  access: AccessRule,
  body: Body,
) => ({
  ...requireLegacy(context, access),
  parse: async ({ request }: RequestParts) => {
    if (!isOfPairedClient(request)) {
      await checkKey(context, request, access, basicKey(request))
      return readJson(request)
    }
    const bytes = await readBytes(request, SIGNED_BODY_MAX)
    const given = await readJson(new Request(request.url, { method: 'POST', body: text(bytes) }))
    const { token } = given as { token?: unknown }
    await checkCaller(request, access, () => signedCaller(context, request, text(bytes), token))
    return given
  },
  body,
})
