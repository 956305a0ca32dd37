// Makes the types of the TypeScript client from the OpenAPI document: `npm run clients`.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApiDocument } from '../src/boot/openapi.ts'
import { typescriptOf } from './client-types.ts'

const file = join(import.meta.dirname, '..', 'clients', 'typescript', 'api.ts')
writeFileSync(file, typescriptOf(await openApiDocument()))
