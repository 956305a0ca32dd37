import Ajv2020 from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import type { Answer } from '../support/app.ts'
import { type Document, type Documented, operationsOf } from './openapi.ts'

const ID = 'https://florin.example/openapi'

/** Schemas that take no member but those that are told: what is answered beyond them would be undocumented. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (value === null || typeof value !== 'object') return value
  const object = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, closed(part)]))
  const isOpen = object.type === 'object' && 'properties' in object && !('additionalProperties' in object)
  return isOpen ? { ...object, additionalProperties: false } : object
}

const escaped = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))

/** Holds answers against the document, by a validator of others. */
export class Judge {
  /** the operation and the status of each answer that was judged */
  readonly met = new Set<string>()
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true })

  constructor(readonly document: Document) {
    addFormats(this.#ajv)
    this.#ajv.addSchema({ ...(closed(document) as object), $id: ID })
  }

  #faults(pointer: string[], value: unknown): string[] {
    const validate = this.#ajv.getSchema(`${ID}#/${pointer.map(escaped).join('/')}`)
    if (!validate) return [`there is no schema at ${pointer.join(' ')}`]
    if (validate(value)) return []
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    )
  }

  faultsOf({ method, path, told }: Documented, { status, headers, json }: Answer): string[] {
    const response = told.responses[status]
    if (!response) return [`${told.operationId} does not tell of ${status}`]
    this.met.add(`${told.operationId} ${status}`)
    const missing = Object.keys(response.headers).filter(name => !headers.has(name))
    const code = json?.error?.code
    const isTold = code === undefined || response['x-codes']?.includes(code)
    return [
      ...missing.map(name => `the header ${name} is missing`),
      ...(isTold ? [] : [`the code ${code} is not told of`]),
      ...(headers.get('content-type') === 'application/json' ? [] : ['it is no JSON']),
      ...this.#faults(
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

  /** What is wrong with a body that the webhook heard. */
  eventFaults = (body: { type: string }): string[] =>
    this.#faults(
      ['webhooks', body.type, 'post', 'requestBody', 'content', 'application/json', 'schema'],
      body,
    )

  /** What is wrong with the examples of the document. */
  examples(): string[] {
    const webhooks = Object.values(this.document.webhooks).map(({ post }) => post.requestBody)
    const named = Object.entries(this.document.components.schemas).flatMap(([name, schema]) =>
      ((schema as { examples?: unknown[] }).examples ?? []).flatMap(example =>
        this.#faults(['components', 'schemas', name], example),
      ),
    )
    const ofEvents = webhooks.flatMap(body =>
      this.eventFaults(body!.content['application/json'].example as { type: string }),
    )
    const ofOperations = operationsOf(this.document).flatMap(({ method, path, told }) => {
      const at = ['paths', path, method.toLowerCase()]
      const schema = ['content', 'application/json', 'schema']
      const request = told.requestBody?.content['application/json'].example
      const answers = Object.entries(told.responses).flatMap(([status, { content }]) => {
        const { example } = content['application/json']
        return example === undefined ? [] : this.#faults([...at, 'responses', status, ...schema], example)
      })
      return [
        ...answers,
        ...(told.requestBody ? this.#faults([...at, 'requestBody', ...schema], request) : []),
      ]
    })
    return [...named, ...ofEvents, ...ofOperations]
  }
}
