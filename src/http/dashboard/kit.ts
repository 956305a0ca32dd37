import { Kind, type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import type { Elysia } from 'elysia'
import type { DashboardLocale } from '../../../views/dashboard/locale.ts'
import type { Html } from '../../../views/html.ts'
import { Refusal } from '../../domain/errors.ts'
import type { DashboardAccess } from '../../domain/user.ts'
import { checkProof, type ProofTime, type ReadBody, requirePerson, requireProof } from './access.ts'
import type { DashboardDeps } from './deps.ts'
import { renderPage, renderPart, type Settable, type View } from './page.ts'
import { type VisitOf, visitOf } from './visit.ts'

/** Adds a route to the server. */
export type Route = (app: Elysia, deps: DashboardDeps) => void

/** The answer of a route: a page, the path to which the browser is redirected, or a file to save. */
type Answer = View | string | Response

type OrPromise<T> = T | Promise<T>

/** The values in a path by their names, such as `id` in "/dashboard/deliveries/:id". */
type ParamsOf<Path extends string> = Path extends `${infer Start}/${infer Rest}`
  ? ParamsOf<Start> & ParamsOf<Rest>
  : Path extends `:${infer Name}`
    ? Record<Name, string>
    : unknown

/** A schema, or the properties of an object schema. */
type Fields = TSchema | TProperties
type ValuesOf<F> = F extends TSchema ? Static<F> : F extends TProperties ? Static<TObject<F>> : never

type PageVisit<
  Access extends DashboardAccess,
  Path extends string,
  Query extends TProperties,
> = VisitOf<Access> & { params: ParamsOf<Path>; query: ValuesOf<Query> }

interface PageRoute<Access extends DashboardAccess, Path extends string, Query extends TProperties, Content> {
  path: Path
  /** the people who may open the page */
  access: Access
  /** parameters that the URL may have besides the language; any if this is left out */
  query?: Query
  show(visit: PageVisit<Access, Path, Query>): OrPromise<Content>
}

type FormVisit<Access extends DashboardAccess, Path extends string, F extends Fields> = VisitOf<Access> & {
  params: ParamsOf<Path>
  body: ValuesOf<F>
}

/**
 * Defines who may send a form. `read` reads a body that is not a short form. With `proof`, the sender has to
 * prove who they are, because the form changes something worth stealing. A page asks for the proof, and then
 * sends a short form once more. A form with a file has the field for the proof itself, and is shown again by
 * `refused`.
 */
type Sender<Access extends DashboardAccess> = { read?: ReadBody } & (
  | { access: Access; proof?: never; proofTime?: never }
  | { access?: never; proof: Access; proofTime?: ProofTime }
)

interface FormRoute<Access extends DashboardAccess, Path extends string, F extends Fields, Result> {
  path: Path
  /** fields that the form may have; any if this is left out */
  fields?: F
  run(visit: FormVisit<Access, Path, F>): OrPromise<Result>
  /** path to which the browser is redirected once the form worked, or a function that answers */
  done: string | ((result: Result, visit: FormVisit<Access, Path, F>) => OrPromise<Answer>)
  /** shows the form again with what was entered; without this function, an error page is shown */
  refused?(refusal: Refusal, visit: FormVisit<Access, Path, F>): OrPromise<Answer>
}

/** The values that the router passes to a handler, after validating them against the schemas of the route. */
interface Sent {
  request: Request
  set: Settable
  redirect(path: string, status: 303): Response
  params: unknown
  query?: unknown
  body?: unknown
}

/** Max characters of a value in a path: longer than any ID or token. */
const PARAM_MAX = 100

/** The schema of the values in a path; empty if the path has no values. */
function paramsOf(path: string): { params?: TObject } {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  if (names.length === 0) return {}
  const value = Type.String({ maxLength: PARAM_MAX })
  return { params: Type.Object(Object.fromEntries(names.map(name => [name, value]))) }
}

const isSchema = (fields: Fields): fields is TSchema => Kind in fields
const schemaOf = (fields: Fields): TSchema => (isSchema(fields) ? fields : Type.Object(fields))

/** The visit that a route gets. Its type is inferred from the schemas that the router validates. */
async function visitWith<Visit>(deps: DashboardDeps, access: DashboardAccess, sent: Sent): Promise<Visit> {
  const { request, set, params, query, body } = sent
  return { ...(await visitOf(deps, request, set.headers, access)), params, query, body } as Visit
}

async function respond(deps: DashboardDeps, { request, set, redirect }: Sent, answer: Answer, status = 200) {
  if (answer instanceof Response) return answer
  if (typeof answer === 'string') return redirect(answer, 303)
  set.status = status
  return renderPage(deps, request, set, answer)
}

/** A route for GET requests. `respondWith` makes a response of its content. */
function get<Access extends DashboardAccess, Path extends string, Query extends TProperties, Content>(
  { path, access, query, show }: PageRoute<Access, Path, Query, Content>,
  respondWith: (deps: DashboardDeps, sent: Sent, content: Content) => unknown,
): Route {
  return (app, deps) => {
    const handle = async ({ params, query, redirect, request, set }: Sent) => {
      const sent = { params, query, redirect, request, set }
      return respondWith(deps, sent, await show(await visitWith(deps, access, sent)))
    }
    app.get(path, handle, {
      ...requirePerson(deps.context, access),
      ...paramsOf(path),
      ...(query && { query: Type.Object({ ...query, lang: Type.Optional(Type.String()) }) }),
    })
  }
}

/** A route that shows a page, or redirects to another path. */
export const page = <A extends DashboardAccess, Path extends string, Query extends TProperties>(
  route: PageRoute<A, Path, Query, Answer>,
): Route => get(route, respond)

/** A route that shows a part of a page, which replaces itself. Null leaves the part as it is. */
export const part = <A extends DashboardAccess, Path extends string, Query extends TProperties>(
  route: PageRoute<A, Path, Query, (locale: DashboardLocale) => OrPromise<Html | null>>,
): Route => get(route, (deps, { request, set }, view) => renderPart(deps, request, set, view))

/** A route that sends a file to save, or redirects to another path. */
export const file = <A extends DashboardAccess, Path extends string, Query extends TProperties>(
  route: PageRoute<A, Path, Query, Response | string>,
): Route =>
  get(route, (_, { redirect }, content) => (typeof content === 'string' ? redirect(content, 303) : content))

interface PostRoute<Access, Path, F> {
  path: Path
  access: Access
  proofTime?: ProofTime | undefined
  fields?: F | undefined
  read?: ReadBody | undefined
}

function post<Access extends DashboardAccess, Path extends string, F extends Fields>(
  { path, access, proofTime, fields, read }: PostRoute<Access, Path, F>,
  respondTo: (deps: DashboardDeps, sent: Sent, visit: FormVisit<Access, Path, F>) => unknown,
): Route {
  return (app, deps) => {
    const handle = async ({ body, params, redirect, request, set }: Sent) => {
      const sent = { body, params, redirect, request, set }
      return respondTo(deps, sent, await visitWith(deps, access, sent))
    }
    app.post(path, handle, {
      ...(proofTime
        ? requireProof(deps, access, proofTime, read)
        : requirePerson(deps.context, access, read)),
      ...paramsOf(path),
      ...(fields && { body: schemaOf(fields) }),
    })
  }
}

/**
 * True if a form can show a refusal: everything was found, and the server works, although a provider may not.
 */
export const isOfForm = (error: unknown): error is Refusal =>
  error instanceof Refusal &&
  (error.status < 500 || error.code === 'provider_unavailable') &&
  error.code !== 'not_found'

/** A route for a form. If the form worked, `done` says what follows; if it was refused, it is shown again. */
export function form<Access extends DashboardAccess, Path extends string, F extends Fields, Result>(
  route: FormRoute<Access, Path, F, Result> & Sender<Access>,
): Route {
  const { path, fields, read, run, done, refused } = route
  // The type of a sender requires `proof` or `access`.
  const access = (route.proof ?? route.access) as Access
  const proofTime = route.proof === undefined ? undefined : (route.proofTime ?? 'recently')
  return post<Access, Path, F>({ path, access, proofTime, fields, read }, async (deps, sent, visit) => {
    let result: Result
    try {
      checkProof(sent.request)
      result = await run(visit)
    } catch (error) {
      if (!refused || !isOfForm(error)) throw error
      if (error.retryAfterSeconds !== undefined)
        sent.set.headers['retry-after'] = String(error.retryAfterSeconds)
      return respond(deps, sent, await refused(error, visit), error.status)
    }
    return respond(deps, sent, typeof done === 'string' ? done : await done(result, visit))
  })
}

/** A route for the script of a page, answered as JSON. */
export const ask = <A extends DashboardAccess, Path extends string>(route: {
  path: Path
  access: A
  answer(visit: VisitOf<A>): Promise<object>
}): Route => post<A, Path, TSchema>(route, (_, __, visit) => route.answer(visit))
