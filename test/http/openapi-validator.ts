import Ajv2020 from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import type { Answer } from '../support/app.ts'
import { type Document, type DocumentedRoute, operationsOf } from './openapi.ts'

/** The headers of every response of the API, which mean what they mean in HTTP. */
const general = [
  ...['access-control-allow-origin', 'access-control-expose-headers', 'cache-control', 'content-type'],
  ...['cross-origin-opener-policy', 'cross-origin-resource-policy', 'x-content-type-options'],
]
const ID = 'https://florin.example/openapi'

/** Makes schemas refuse unlisted properties, which would be undocumented. */
function refuseUnlisted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(refuseUnlisted)
  if (value === null || typeof value !== 'object') return value
  const object = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, refuseUnlisted(part)]))
  const isOpen = object.type === 'object' && 'properties' in object && !('additionalProperties' in object)
  return isOpen ? { ...object, additionalProperties: false } : object
}

const escaped = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))

/** Checks responses against the document with an independent validator. */
export class DocumentValidator {
  /** the operation and status of each response that was checked */
  readonly visited = new Set<string>()
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true })

  constructor(readonly document: Document) {
    addFormats(this.#ajv)
    this.#ajv.addSchema({ ...(refuseUnlisted(document) as object), $id: ID })
  }

  #problems(pointer: string[], value: unknown): string[] {
    const validate = this.#ajv.getSchema(`${ID}#/${pointer.map(escaped).join('/')}`)
    if (!validate) return [`there is no schema at ${pointer.join(' ')}`]
    if (validate(value)) return []
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    )
  }

  problemsOf({ method, path, operation }: DocumentedRoute, { status, headers, json }: Answer): string[] {
    const response = operation.responses[status]
    if (!response) return [`${operation.operationId} does not document ${status}`]
    this.visited.add(`${operation.operationId} ${status}`)
    const documented = Object.keys(response.headers)
    const isNeeded = (name: string) => status === 429 || this.#isRequired(response.headers[name]!.$ref)
    const missing = documented.filter(name => isNeeded(name) && !headers.has(name))
    const known = new Set([...general, ...documented.map(name => name.toLowerCase())])
    const unknown = [...headers.keys()].filter(name => !known.has(name))
    const code = json?.error?.code
    const isDocumented = code === undefined || response['x-codes']?.includes(code)
    return [
      ...missing.map(name => `the header ${name} is missing`),
      ...unknown.map(name => `the header ${name} is not documented`),
      ...(isDocumented ? [] : [`the code ${code} is not documented`]),
      ...(headers.get('content-type') === 'application/json' ? [] : ['it is not JSON']),
      ...this.#problems(
        [
          'paths',
          path,
          method.toLowerCase(),
          'responses',
          `${status}`,
          'content',
          'application/json',
          'schema',
        ],
        json,
      ),
    ]
  }

  /** True for a header that is sent with each response that refers to it. */
  #isRequired(ref: string): boolean {
    return this.document.components.headers[ref.split('/').at(-1)!]!.required === true
  }

  /** The problems of the body of a request. */
  requestProblems({ method, path }: DocumentedRoute, body: unknown): string[] {
    const at = ['paths', path, method.toLowerCase(), 'requestBody', 'content', 'application/json', 'schema']
    return this.#problems(at, body)
  }

  /** The problems of a body that the webhook received. */
  eventProblems = (body: { type: string }): string[] =>
    this.#problems(
      ['webhooks', body.type, 'post', 'requestBody', 'content', 'application/json', 'schema'],
      body,
    )

  /** The problems of the headers of an event that the webhook received. */
  eventHeaderProblems(type: string, headers: Headers): string[] {
    const { parameters } = this.document.webhooks[type]!.post
    const known = new Set(parameters.map(({ name }) => name.toLowerCase()))
    const missing = parameters.filter(({ name, required }) => required && !headers.has(name))
    const own = [...headers.keys()].filter(name => name.startsWith('x-'))
    return [
      ...missing.map(({ name }) => `the header ${name} is missing`),
      ...own.filter(name => !known.has(name)).map(name => `the header ${name} is not documented`),
    ]
  }

  /** The problems of the document's examples. */
  examples(): string[] {
    const webhooks = Object.values(this.document.webhooks).map(({ post }) => post.requestBody)
    const named = Object.entries(this.document.components.schemas).flatMap(([name, schema]) =>
      ((schema as { examples?: unknown[] }).examples ?? []).flatMap(example =>
        this.#problems(['components', 'schemas', name], example),
      ),
    )
    const ofEvents = webhooks.flatMap(body =>
      this.eventProblems(body!.content['application/json'].example as { type: string }),
    )
    const ofOperations = operationsOf(this.document).flatMap(({ method, path, operation }) => {
      const at = ['paths', path, method.toLowerCase()]
      const schema = ['content', 'application/json', 'schema']
      const request = operation.requestBody?.content['application/json'].example
      const answers = Object.entries(operation.responses).flatMap(([status, { content }]) => {
        const { example } = content['application/json']
        return example === undefined ? [] : this.#problems([...at, 'responses', status, ...schema], example)
      })
      return [
        ...answers,
        ...(operation.requestBody ? this.#problems([...at, 'requestBody', ...schema], request) : []),
      ]
    })
    return [...named, ...ofEvents, ...ofOperations]
  }
}
