import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bytes, type Draft, encode, mutate } from '../http/mutate.ts'
import { type Random, randomOf } from '../http/random.ts'
import { OWN_URL } from '../support/app.ts'
import { PASSWORD } from '../support/dashboard.ts'
import type { HtmlForm } from './forms.ts'
import type { Route, Scene } from './scene.ts'
import { valueFor } from './schema.ts'

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'
const PARTS_TYPE = 'multipart/form-data; boundary=x'
const VALID = 0.35
const SPREAD = 1_000_003

const samples = readdirSync(join(import.meta.dir, '../support/images')).map(name =>
  readFileSync(join(import.meta.dir, '../support/images', name)).toString('latin1'),
)
/** The content of an uploaded file: a complete image, a truncated one, or another file. */
const fileFrom = (random: Random): string => {
  const whole = random.pick([...samples, '<svg xmlns="http://www.w3.org/2000/svg"/>', '', 'no image'])
  return random.chance(0.5) ? whole : whole.slice(0, random.below(whole.length + 1))
}

type Fields = Record<string, unknown>

/** The headers of a sender, who mostly has the rights for the path. */
function headersOf(scene: Scene, path: string, random: Random): [string, string][] {
  const headers: [string, string][] = []
  if (path.startsWith('/v1/') && random.chance(0.95))
    headers.push([
      'x-api-key',
      random.chance(0.8) ? scene.keys[0]! : random.pick([...scene.keys, 'florin_live_x']),
    ])
  if (!path.startsWith('/v1/')) headers.push(['accept', random.chance(0.9) ? 'text/html' : JSON_TYPE])
  if (path.startsWith('/dashboard') || random.chance(0.05)) {
    const cookies = [...scene.cookies().values()]
    const trusted = [scene.cookies().get('owner')!, scene.cookies().get('operator')!]
    const other = [...cookies, scene.halfway, '', 'florin_login=x', `${cookies[0]}x`]
    headers.push(['cookie', random.chance(0.7) ? random.pick(trusted) : random.pick(other)])
  }
  if (path.startsWith('/dashboard') && random.chance(0.97))
    headers.push(['origin', OWN_URL], ['host', 'localhost'], ['sec-fetch-site', 'same-origin'])
  if (random.chance(0.1)) headers.push(['hx-request', 'true'])
  return headers
}

function queryOf({ query }: Route, random: Random): [string, string][] {
  if (!query) return random.chance(0.9) ? [] : [['lang', random.pick(['de', 'en', 'xx'])]]
  const value = valueFor(query, random)
  const fields = value !== null && typeof value === 'object' ? Object.entries(value) : []
  return fields.map(([name, one]) => [name, String(one)])
}

/** The body for a route. The route's schema says what is allowed. */
function bodyOf(route: Route, random: Random): Pick<Draft, 'kind' | 'body'> {
  const { method, body, path, isUpload } = route
  if (method === 'GET') return { kind: 'none' }
  const value = body ? valueFor(body, random) : {}
  if (isUpload)
    return { kind: 'parts', body: { ...(value as { fields: Fields }).fields, file: fileFrom(random) } }
  const isForm = /^[/](dashboard|pay|checkout)/.test(path)
  if (isForm && path.startsWith('/dashboard') && random.chance(0.5))
    return { kind: 'form', body: { ...(value as Fields), proofPassword: PASSWORD } }
  return { kind: isForm ? 'form' : 'json', body: value }
}

const types: Record<Draft['kind'], string | null> = {
  json: JSON_TYPE,
  form: FORM_TYPE,
  parts: PARTS_TYPE,
  none: null,
}

const typed = (kind: Draft['kind']): [string, string][] => {
  const type = types[kind]
  return type === null ? [] : [['content-type', type]]
}

function draftOfRoute(scene: Scene, route: Route, random: Random): Draft {
  const path = random.pick(scene.pathsOf(route.path))
  const made = bodyOf(route, random)
  return {
    method: route.method,
    path: path.slice(1).split('/'),
    query: queryOf(route, random),
    headers: [...headersOf(scene, path, random), ...typed(made.kind)],
    ...made,
  }
}

/** A form as a browser sends it, in which some fields have other values. */
function draftOfForm(scene: Scene, form: HtmlForm, random: Random): Draft {
  const { pathname, searchParams } = new URL(form.action, OWN_URL)
  const fields: Fields = { ...form.fields, ...(random.chance(0.5) && { proofPassword: PASSWORD }) }
  for (const name of Object.keys(fields))
    if (name !== 'proofPassword' && random.chance(0.4)) fields[name] = valueFor({ type: 'string' }, random)
  if (form.isUpload) fields.file = fileFrom(random)
  const kind = form.method === 'GET' ? 'none' : form.isUpload ? 'parts' : 'form'
  const ofForm =
    form.method === 'GET' ? Object.entries(fields).map(([name, value]) => [name, `${value}`]) : []
  return {
    method: form.method,
    path: pathname.slice(1).split('/'),
    query: [...searchParams, ...(ofForm as [string, string][])],
    headers: [...headersOf(scene, pathname, random), ...typed(kind)],
    kind,
    ...(kind !== 'none' && { body: fields }),
  }
}

/** Requests to the API and pages of buyers are worth more than those to the sandbox. */
const weightOf = ({ path }: Route): number => (/^[/](v1|pay|checkout|callback)/.test(path) ? 5 : 2)

/** Prepares the scene once, since every request is drawn from it. */
export function drawnFrom(scene: Scene) {
  const routes = scene.routes.flatMap(route => Array<Route>(weightOf(route)).fill(route))
  return (random: Random): Draft =>
    random.chance(0.3)
      ? draftOfForm(scene, random.pick(scene.forms), random)
      : draftOfRoute(scene, random.pick(routes), random)
}

/** The request with this number. It depends only on the seed and the number. */
export function bytesOf(draw: (random: Random) => Draft, seed: number, number: number): Bytes {
  const random = randomOf(seed * SPREAD + number)
  const draft = draw(random)
  return random.chance(VALID) ? encode(draft, OWN_URL) : mutate(draft, random, OWN_URL)
}
