import { openApiDocument } from '../boot/openapi.ts'
import { type Cli, command } from './cli.ts'

export const openapi = (cli: Cli) =>
  command('openapi', "print the API's OpenAPI document", 'print the document on one line').action(
    cli.answering(async () => {
      const document = await openApiDocument()
      return { json: document, text: JSON.stringify(document, null, 2) }
    }),
  )
