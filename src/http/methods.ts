interface Route {
  method: string
  path: string
}

const escaped = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&')

/**
 * Returns a pattern for the paths of a route, such as `/v1/orders/:orderUUID`, with or without a slash at the
 * end.
 */
const patternOf = ({ path }: Route): RegExp =>
  new RegExp(`^${escaped(path).replaceAll('*', '.*').replace(/:\w+/g, '[^/]+')}/?$`)

/**
 * Returns a function that finds the methods of a path. The routes are read at the first call, when all of
 * them are known.
 */
export function methodsAmong(routes: () => readonly Route[]): (path: string) => string[] {
  let known: { method: string; pattern: RegExp }[] | undefined
  return path => {
    known ??= routes().map(route => ({ method: route.method, pattern: patternOf(route) }))
    const methods = known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
    return [...new Set(methods.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : method)))]
  }
}
