import { type Key, LABEL_MAX } from '../../domain/api-key.ts'
import { invalid } from '../../domain/errors.ts'
import { knownPermissions, permissionsOf, scopesFor } from '../../domain/greenfield.ts'
import { oneLineOf } from '../../domain/name.ts'
import type { AuditContext } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { createKey } from './manage.ts'

/** A website's request to a person for an API key. */
export interface AppRequest {
  name: string
  /** URL to which the browser takes the key; empty if a person copies it */
  redirect: string
  permissions: readonly string[]
}

type ConnectContext = Pick<Context, 'outbound' | 'policy'>

/**
 * Checks that a request can be granted: it must ask for known permissions, and come from a public website.
 */
export async function checkApp(
  { outbound, policy }: ConnectContext,
  { name, redirect, permissions }: AppRequest,
): Promise<{ name: string; origin: string | null; scopes: Key['scopes'] }> {
  if (!policy.greenfield) throw invalid('permissions', 'cannot be granted while FLORIN_GREENFIELD is off')
  const scopes = scopesFor(permissions)
  if (scopes.length === 0) throw invalid('permissions', 'asks for nothing that Florin has')
  if (redirect !== '') await outbound.webhook.check(redirect, '/redirect', true)
  const origin = redirect === '' ? null : new URL(redirect).origin
  const short = [...oneLineOf(name)].slice(0, LABEL_MAX).join('').trim()
  return { name: short || new URL(origin ?? 'https://app').hostname, origin, scopes }
}

/** Makes a key for a website that a person connects. Returns its text and the granted permissions. */
export async function connectApp(
  context: AuditContext & ConnectContext & Pick<Context, 'storage'>,
  merchantId: string,
  request: AppRequest,
): Promise<{ text: string; permissions: string[] }> {
  const { name, origin, scopes } = await checkApp(context, request)
  const given = { merchantId, mode: 'live' as const, scopes, label: name, appOrigin: origin ?? '' }
  const { text } = await createKey(context, given)
  const asked = knownPermissions(request.permissions)
  const granted = permissionsOf(scopes, merchantId).filter(one => asked.includes(one.split(':')[0] ?? ''))
  return { text, permissions: granted }
}
