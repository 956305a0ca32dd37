/** Loaded when it is asked for: a server that starts has no use for it. */
export async function openApiDocument(): Promise<object> {
  const { openApiDocument: write } = await import('../http/openapi/document.ts')
  return write()
}
