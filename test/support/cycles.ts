/**
 * Groups of nodes that lead to each other: the strongly connected components of more than one node, or of one
 * that leads to itself. Uses Tarjan's algorithm.
 */
export function cyclesOf(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = []
  const stack: string[] = []
  const order = new Map<string, number>()

  const visit = (node: string): number => {
    const own = order.size
    order.set(node, own)
    stack.push(node)
    let low = own
    for (const next of edges.get(node) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next))
      else if (stack.includes(next)) low = Math.min(low, order.get(next) ?? low)
    }
    if (low === own) found.push(stack.splice(stack.indexOf(node)).sort())
    return low
  }
  for (const node of edges.keys()) if (!order.has(node)) visit(node)
  return found.filter(([node = '', ...others]) => others.length > 0 || edges.get(node)?.includes(node))
}
