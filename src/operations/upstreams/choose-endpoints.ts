import type { AuditAction } from '../../domain/audit-action.ts'
import {
  type ChainEndpoints,
  type ChosenEndpoint,
  type EndpointHeader,
  type EndpointTrial,
  parseEndpoint,
} from '../../domain/endpoint.ts'
import { assert, invalid, Refusal } from '../../domain/errors.ts'
import { type AuditContext, recordForAll } from '../audit/record.ts'
import type { Context, Tables } from '../context.ts'

type ChoiceContext = AuditContext & Pick<Context, 'storage' | 'upstreams' | 'outbound'>

interface EnteredEndpoint {
  chain: string
  /** URL, preceded by its protocol if the chain has several */
  text: string
  /** name and value of a header for the endpoint's key; both are empty if it needs none */
  headerName: string
  headerValue: string
}

const PER_CHAIN_MAX = 8
const headerNamePattern = /^[A-Za-z][A-Za-z0-9-]{0,63}$/
const headerValuePattern = /^[\x21-\x7e](?:[\x20-\x7e]{0,498}[\x21-\x7e])?$/
/** Headers that a request sets itself. */
const ownHeaders =
  /^(host|content-.*|transfer-encoding|connection|upgrade|te|trailer|expect|proxy-.*|cookie)$/i

/** The refusal of an endpoint that was tried and cannot find payments in any asset of its chain. */
function unusable(trial: EndpointTrial): Refusal {
  const [first] = trial.problems
  const message = `The endpoint cannot be used: it ${first?.detail ?? 'finds no payments'}.`
  return new Refusal('validation_error', message, { reason: { kind: 'unusable_endpoint', trial } })
}

/** The chain with this ID. Throws if there is none. */
export function requireChain({ upstreams }: Pick<Context, 'upstreams'>, id: string): ChainEndpoints {
  const found = upstreams.chains().find(({ chain }) => chain === id)
  if (!found) throw new Refusal('not_found', 'There is no chain with this ID.')
  return found
}

/** Throws if endpoints of the chain cannot be chosen: the environment names some, or this is the sandbox. */
function requireOpenChain(context: Pick<Context, 'upstreams'>, id: string): void {
  const { origin } = requireChain(context, id)
  if (origin === 'environment' || origin === 'sandbox')
    throw new Refusal(
      'conflict',
      `The settings of this server decide the endpoints of ${id}. Change them there.`,
    )
}

function headerOf({ headerName, headerValue }: EnteredEndpoint): EndpointHeader | null {
  const [name, value] = [headerName.trim(), headerValue.trim()]
  if (name === '' && value === '') return null
  if (!headerNamePattern.test(name) || ownHeaders.test(name))
    throw invalid('headerName', 'must be the name of a header, such as x-api-key')
  if (!headerValuePattern.test(value)) throw invalid('headerValue', 'must be up to 500 characters of ASCII')
  return { name, value }
}

/**
 * The URL of an endpoint without its user name and password. These are sent as a header, so they are not part
 * of the destination.
 */
function destinationOf(text: string): string {
  const url = new URL(text)
  url.username = ''
  url.password = ''
  return url.href
}

/**
 * An endpoint as the audit log shows it: without the path and query of its URL, and the value of its header,
 * which may contain a key.
 */
const auditedEndpoint = ({ protocol, url, header, position }: ChosenEndpoint) => ({
  host: new URL(url).host,
  protocol,
  header: header?.name ?? null,
  position,
})

const endpointSubject = ({ chain, id }: ChosenEndpoint): string => `endpoint:${chain}:${id}`

/** The endpoints that operators chose for a chain, in order. */
export const listEndpoints = (
  { storage }: Pick<Context, 'storage'>,
  chain: string,
): Promise<ChosenEndpoint[]> =>
  storage.read(async tables => (await tables.chosenEndpoints.list()).filter(one => one.chain === chain))

function requireNew(known: readonly ChosenEndpoint[], url: string): void {
  if (known.some(one => one.url === url)) throw invalid('text', 'is in the list already')
  if (known.length >= PER_CHAIN_MAX) throw invalid('text', `must not be more than ${PER_CHAIN_MAX} endpoints`)
}

/**
 * Tries an endpoint, then adds it as the last one of its chain. It is used at once. Refuses an endpoint
 * with which no payments can be found.
 */
export async function addEndpoint(context: ChoiceContext, entered: EnteredEndpoint): Promise<EndpointTrial> {
  const { chain } = entered
  requireOpenChain(context, chain)
  const parsed = parseEndpoint(entered.text.trim(), context.upstreams.protocols(chain))
  if (!parsed) throw invalid('text', 'must be the URL of an endpoint')
  const header = headerOf(entered)
  requireNew(await listEndpoints(context, chain), parsed.url)
  await context.outbound.endpoint.check(destinationOf(parsed.url), 'text', true)
  const trial = await context.upstreams.tryEndpoint({ chain, ...parsed, header })
  if (trial.usable.length === 0) throw unusable(trial)
  await context.storage.write(async tables => {
    const known = (await tables.chosenEndpoints.list()).filter(one => one.chain === chain)
    requireNew(known, parsed.url)
    const position = 1 + Math.max(0, ...known.map(one => one.position))
    const createdAt = context.clock()
    const endpoint = { id: context.ids.uuid(), chain, position, ...parsed, header, createdAt }
    await tables.chosenEndpoints.put(endpoint)
    await recordChange(context, tables, 'endpoint.added', null, endpoint)
  })
  await context.upstreams.reload()
  return trial
}

async function recordChange(
  context: AuditContext,
  tables: Tables,
  action: AuditAction,
  before: ChosenEndpoint | null,
  after: ChosenEndpoint | null,
): Promise<void> {
  const changed = after ?? before
  assert(changed, 'an endpoint is added, changed or removed')
  const subject = endpointSubject(changed)
  const [from, to] = [before && auditedEndpoint(before), after && auditedEndpoint(after)]
  await recordForAll(context, tables, { action, subject, before: from, after: to })
}

/** Finds an endpoint of a chain, or throws. */
async function requireEndpoint(tables: Tables, chain: string, id: string): Promise<ChosenEndpoint> {
  const found = (await tables.chosenEndpoints.list()).find(one => one.chain === chain && one.id === id)
  if (!found) throw new Refusal('not_found', 'There is no such endpoint. It may have been removed.')
  return found
}

/** Removes an endpoint. The chain's other endpoints take over its watches. */
export async function removeEndpoint(context: ChoiceContext, chain: string, id: string): Promise<void> {
  await context.storage.write(async tables => {
    const endpoint = await requireEndpoint(tables, chain, id)
    await tables.chosenEndpoints.remove(id)
    await recordChange(context, tables, 'endpoint.removed', endpoint, null)
  })
  await context.upstreams.reload()
}

/** Moves an endpoint before the one that precedes it. */
export async function raiseEndpoint(context: ChoiceContext, chain: string, id: string): Promise<void> {
  await context.storage.write(async tables => {
    const endpoint = await requireEndpoint(tables, chain, id)
    const all = (await tables.chosenEndpoints.list()).filter(one => one.chain === chain)
    const before = all[all.findIndex(one => one.id === id) - 1]
    if (!before) return
    const [raised, lowered] = [
      { ...endpoint, position: before.position },
      { ...before, position: endpoint.position },
    ]
    await tables.chosenEndpoints.put(raised)
    await tables.chosenEndpoints.put(lowered)
    await recordChange(context, tables, 'endpoint.moved', endpoint, raised)
  })
  await context.upstreams.reload()
}

export async function retryEndpoint(
  context: ChoiceContext,
  chain: string,
  id: string,
): Promise<EndpointTrial> {
  const endpoint = await context.storage.read(tables => requireEndpoint(tables, chain, id))
  return context.upstreams.tryEndpoint(endpoint)
}
