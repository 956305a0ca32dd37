import { Elysia } from 'elysia'

/** Which requests are refused: a shop's server is down now and then. */
const refused = [9, 20, 34]

/** Stands in for a shop's server, which takes the events of the demo, and for ntfy. */
export function receiverRoutes() {
  let requests = 0
  return new Elysia({ normalize: false })
    .post('/ntfy', () => ({ event: 'message' }))
    .post('/webhook', ({ set }) => {
      requests++
      if (!refused.includes(requests)) return { received: true }
      set.status = 503
      return { received: false, reason: 'The shop is being updated. Try again in a minute.' }
    })
}
