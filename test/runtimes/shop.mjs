// What a shop does with the client: the same in each runtime. It knows nothing but the web's own interfaces.

/** Creates orders, reads a list page by page and verifies webhooks. Returns what was found. */
export async function visit(
  { Florin, FlorinError, verifyWebhook },
  { url, apiKey, order, secret, deliveries },
) {
  const florin = new Florin({ url, apiKey })
  const first = await florin.createOrder(order, { idempotencyKey: 'cart-number-1' })
  const again = await florin.createOrder(order, { idempotencyKey: 'cart-number-1' })
  await florin.createOrder(order)
  const listed = []
  for await (const { orderUUID } of florin.each('listOrders', { query: { pageSize: 1 } }))
    listed.push(orderUUID)
  const failure = await florin.getOrder('01999999-0000-7000-8000-000000000000').catch(error => error)
  const moved = await new Florin({ url: `${url}/moved`, apiKey, retries: 0 })
    .getOrder('1')
    .catch(error => error)
  const verified = []
  for (const { headers, body } of deliveries) verified.push(await verifyWebhook(headers, body, secret))
  return {
    isSame: first.orderUUID === again.orderUUID,
    listed: new Set(listed).size,
    failure: failure instanceof FlorinError && [failure.code, failure.status],
    moved: moved instanceof FlorinError && [moved.code, moved.status],
    verified: verified.map(event => event?.type ?? null),
  }
}
