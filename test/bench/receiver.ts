// A merchant's server in a process of its own. POST /after/N answers after N milliseconds; GET / reports what came.
const times: number[] = []

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  routes: {
    '/': () => Response.json({ count: times.length, first: times[0] ?? null, last: times.at(-1) ?? null }),
    '/after/:ms': {
      POST: async request => {
        await request.arrayBuffer()
        const ms = Number(request.params.ms)
        if (ms > 0) await Bun.sleep(ms)
        times.push(performance.now())
        return new Response('ok')
      },
    },
    '/forget': {
      POST: () => {
        times.length = 0
        return new Response('ok')
      },
    },
  },
})
process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${server.port}` })}\n`)
