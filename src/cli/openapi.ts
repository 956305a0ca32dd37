import { openApiDocument } from '../boot/openapi.ts'
import { type Cli, command } from './cli.ts'

export const openapi = (cli: Cli) =>
  command('openapi', "print the API's OpenAPI document", 'print the document on one line').action(
    cli.answering(async () => {
      const { checkoutUrl, host, port } = cli.settings()
      const url = checkoutUrl || `http://${host}:${port}`
      const document = { ...(await openApiDocument()), servers: [{ url, description: 'Your server.' }] }
      return { json: document, text: JSON.stringify(document, null, 2) }
    }),
  )
