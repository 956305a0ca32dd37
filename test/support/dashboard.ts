import type { DashboardAccess, Role } from '../../src/domain/user.ts'
import type { ProofTime } from '../../src/http/dashboard/access.ts'
import { createUser } from '../../src/operations/people/create-user.ts'
import type { Answer, App } from './app.ts'

export const PASSWORD = 'correct horse battery'

/** A browser in which a person is signed in. */
export interface Person {
  userId: string
  email: string
  cookie: string
  get(path: string): Promise<Answer>
  /** Submits a form like a browser on a page of the server. */
  post(path: string, form?: Record<string, string>): Promise<Answer>
  /** Submits a form with files. */
  upload(path: string, fields: UploadFields): Promise<Answer>
}

export type UploadFields = Record<string, string | string[] | Uint8Array>

async function sendFiles(app: App, path: string, cookie: string, fields: UploadFields): Promise<Answer> {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof Uint8Array) body.append(name, new Blob([new Uint8Array(value)]), 'image.png')
    else for (const one of [value].flat()) body.append(name, one)
  }
  const headers = { accept: 'text/html', cookie, ...sameOrigin }
  const request = new Request(`http://localhost${path}`, { method: 'POST', body, headers })
  const answer = await app.florin.http.handle(request)
  return { status: answer.status, headers: answer.headers, text: await answer.text(), json: null }
}

const sameOrigin = { origin: 'http://localhost', 'sec-fetch-site': 'same-origin', host: 'localhost' }

export function browserOf(app: App, cookie: string, userId = '', email = ''): Person {
  const headers = { accept: 'text/html', cookie }
  return {
    userId,
    email,
    cookie,
    get: path => app.call('GET', path, { headers }),
    upload: (path, fields) => sendFiles(app, path, cookie, fields),
    post: (path, form = {}) => app.call('POST', path, { form, headers: { ...headers, ...sameOrigin } }),
  }
}

/** The same person, who enters the password again with each form. For tests that move the clock. */
export const proving = (person: Person): Person => ({
  ...person,
  post: (path, form = {}) => person.post(path, { ...form, proofPassword: PASSWORD }),
  upload: (path, fields) => person.upload(path, { ...fields, proofPassword: PASSWORD }),
})

/** The cookie that an answer sets, as a browser sends it back. */
export const cookieOf = (answer: Answer): string =>
  (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''

let counter = 0

/** Creates a person with a role for a merchant, or an operator, and signs them in. */
export async function signInAs(
  app: App,
  role: Role | 'operator',
  merchantId: string | null,
): Promise<Person> {
  const email = `${role}-${++counter}@people.example`
  const merchant = role === 'operator' ? null : merchantId
  const invited = await createUser(app.context, {
    email,
    merchantId: merchant,
    role: role === 'operator' ? undefined : role,
  })
  const stranger = browserOf(app, '')
  const answer = await stranger.post(`/dashboard/link/${invited.token}`, { password: PASSWORD })
  return browserOf(app, cookieOf(answer), invited.user.id, email)
}

export interface DashboardRoute {
  method: string
  path: string
  access: DashboardAccess | undefined
  /** how recently its sender must have proved who they are; undefined if they need not */
  proof: ProofTime | undefined
  /** the fields of its form; null if it accepts any */
  fields: string[] | null
  /** true for a form with a file */
  isUpload: boolean
}

export async function dashboardRoutes(app: App): Promise<DashboardRoute[]> {
  const all = (await app.florin.http.routes()) as {
    method: string
    path: string
    hooks?: { detail?: { access?: DashboardAccess; proof?: ProofTime }; body?: { properties?: object } }
  }[]
  return all
    .filter(({ path }) => path === '/dashboard' || path.startsWith('/dashboard/'))
    .map(({ method, path, hooks }) => {
      const fields = Object.keys(hooks?.body?.properties ?? {})
      // The fields of a form with a file are nested one level deeper.
      const isUpload = fields.includes('file')
      const isAny = fields.length === 0 ? !hooks?.body?.properties : isUpload
      const { access, proof } = hooks?.detail ?? {}
      return { method, path, access, proof, fields: isAny ? null : fields, isUpload }
    })
}
