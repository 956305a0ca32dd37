import { swagger } from '@elysiajs/swagger'
import { Elysia } from 'elysia'
import type { Context } from '../../operations/context.ts'
import { api } from '../api.ts'
import { about, tags } from './about.ts'
import { operationOf, type SwaggerOperation } from './operation.ts'
import { Schemas } from './schemas.ts'
import { webhooksOf } from './webhooks.ts'

type Paths = Record<string, Record<string, SwaggerOperation>>

/** An empty context, which suffices because routes are only described here, never called. */
const noContext = {} as Context

async function collect(): Promise<Paths> {
  const app = new Elysia().use(swagger()).use(api(noContext, () => {}))
  const response = await app.handle(new Request('http://localhost/swagger/json'))
  return ((await response.json()) as { paths: Paths }).paths
}

async function write(): Promise<object> {
  const schemas = new Schemas()
  const paths = Object.entries(await collect()).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries(operations).map(([method, collected]) => [method, operationOf(collected, schemas)]),
    ),
  ])
  const webhooks = webhooksOf(schemas)
  const { components, ...head } = about
  return {
    ...head,
    tags,
    paths: Object.fromEntries(paths),
    webhooks,
    components: { ...components, schemas: schemas.named, examples: schemas.examples },
  }
}

let document: Promise<object> | undefined

/** The API as an OpenAPI 3.1 document, made from the schemas that validate its requests. */
export function openApiDocument(): Promise<object> {
  document ??= write()
  return document
}
