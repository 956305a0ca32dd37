/** Loads the document on demand, to keep the start fast. */
export async function openApiDocument(): Promise<object> {
  const { openApiDocument: write } = await import('../http/openapi/document.ts')
  return write()
}
