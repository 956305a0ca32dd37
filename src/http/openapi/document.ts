import { swagger } from '@elysiajs/swagger'
import { Elysia } from 'elysia'
import type { Context } from '../../operations/context.ts'
import { api } from '../api.ts'
import { about, tags } from './about.ts'
import { type Collected, operationOf } from './operation.ts'
import { Schemas } from './schemas.ts'
import { webhooksOf } from './webhooks.ts'

type Paths = Record<string, Record<string, Collected>>

/** Routes that are described are not asked, so that they need no world. */
const nowhere = {} as Context

async function collect(): Promise<Paths> {
  const app = new Elysia().use(swagger()).use(api(nowhere, () => {}))
  const answer = await app.handle(new Request('http://localhost/swagger/json'))
  return ((await answer.json()) as { paths: Paths }).paths
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

let written: Promise<object> | undefined

/** The API as OpenAPI 3.1, from the schemas that its routes validate with. */
export function openApiDocument(): Promise<object> {
  written ??= write()
  return written
}
