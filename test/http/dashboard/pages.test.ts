import { expect, test } from 'bun:test'
import { isAllowed, type Role } from '../../../src/domain/user.ts'
import { createKey } from '../../../src/operations/keys/manage.ts'
import { createMerchant } from '../../../src/operations/merchants/create.ts'
import { dashboardLocale } from '../../../views/dashboard/locale.ts'
import { startApp } from '../../support/app.ts'
import {
  browserOf,
  type DashboardRoute,
  dashboardRoutes,
  PASSWORD,
  type Person,
  proving,
  signInAs,
} from '../../support/dashboard.ts'
import { givenFullShop, pathsOf, startFullApp } from '../../support/full-shop.ts'
import { givenProduct } from '../../support/given.ts'
import { htmlFaults } from '../../support/html-faults.ts'
import { suite } from '../../support/suite.ts'

const { app, once } = suite({ start: startFullApp })
const shop = once(() => givenFullShop(app))
once(() => givenProduct(app, shop.shop, { imageUrl: 'https://cdn.example/house-blend.png' }))
let known: DashboardRoute[] = []
once(async () => {
  known = await dashboardRoutes(app)
})

const gets = () => known.filter(({ method }) => method === 'GET')

/** True if a request matches a route of the dashboard that a person with this role may use. */
const isRouteFor =
  (role: Role | 'operator') =>
  (method: string, path: string): boolean =>
    known.some(
      route =>
        route.method === method &&
        new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}$`).test(path) &&
        isAllowed(route.access!, role === 'operator' ? null : role, role === 'operator'),
    )
const isRoute = isRouteFor('operator')

/** Dangerous buttons without text beside them that explains what they do. */
const unexplained = (text: string): string[] =>
  [...text.matchAll(/<button[^>]*class="danger[^>]*>/g)].flatMap(([button]) => {
    const id = /aria-describedby="([^"]+)"/.exec(button)?.[1]
    const words = id && new RegExp(`<p class="hint" id="${id}">([^<]{20,})</p>`).exec(text)
    return words ? [] : [`${button} is not explained`]
  })

/** Forms without the ID of their page's shop: they could change another shop. */
const nameless = (text: string): string[] => {
  if (text.includes('<body class="outside">')) return []
  const forms = text.matchAll(/<form method="post"[^>]*>(?!\s*<input type="hidden" name="shownShop")/g)
  return [...forms].map(([form]) => `${form} names no shop`)
}

/** Images that the content security policy of their page does not allow. */
function blockedImages(text: string, policy: string | null): string[] {
  const [, allowed = ''] = /img-src ([^;]*)/.exec(policy ?? '') ?? []
  const isAllowed = (url: string) =>
    /^\/(?!\/)/.test(url) || (URL.canParse(url) && allowed.split(' ').includes(new URL(url).origin))
  const urls = [...text.matchAll(/<ima?ge?[^>]* (?:src|href)="([^"]+)"/g)].map(([, url = '']) => url)
  return urls.filter(url => !url.startsWith('data:') && !isAllowed(url)).map(url => `${url} is blocked`)
}

async function faultsOf(person: Person, path: string, mayUse = isRoute): Promise<string[]> {
  const faults: string[] = []
  for (const language of ['en', 'de']) {
    const { headers, status, text } = await person.get(`${path}?lang=${language}`)
    if (status !== 200) faults.push(`${language} ${path}: ${status}`)
    const [coin] =
      (language === 'de' && !path.endsWith('.csv') && /\b[A-Z]{3,5} on [A-Z]\w+/.exec(text)) || []
    if (coin) faults.push(`${language} ${path}: ${coin}`)
    const blocked = blockedImages(text, headers.get('content-security-policy'))
    for (const fault of [...unexplained(text), ...nameless(text), ...blocked])
      faults.push(`${language} ${path}: ${fault}`)
    for (const fault of htmlFaults(text, path, language, mayUse)) faults.push(`${language} ${path}: ${fault}`)
  }
  return faults
}

test.each(['owner', 'staff', 'viewer'] as const)(
  'every page of %s is complete, in each language',
  async role => {
    const person = shop[role]
    const routes = gets().filter(({ access }) => access !== 'public' && isAllowed(access!, role, false))
    expect(routes.length).toBeGreaterThan(10)
    const paths = routes.flatMap(({ path }) => pathsOf(path, shop.rowsOf(person)))
    const faults: string[] = []
    for (const path of paths) faults.push(...(await faultsOf(person, path, isRouteFor(role))))
    expect(faults).toEqual([])
  },
)

test('the overview shows everyone what is wrong, and links to no page that the reader may not open', async () => {
  const { id } = shop.shop
  await app.jobs.settle()
  await createKey(app.context, { merchantId: id, mode: 'test' })
  await app.context.storage.write(async tables => {
    const webhook = (await tables.webhooks.find(id))!
    await tables.webhooks.put({ ...webhook, status: 'disabled', failingSince: 5, failures: 20 })
    const [event] = await tables.events.list({ merchantId: id }, 1, null)
    await tables.events.updateDelivery(event!.event.id, { status: 'failed', nextAttemptAt: null })
    // On PostgreSQL the delivery may not have been tried yet.
    await tables.jobs.remove('event.deliver', event!.event.id)
  })
  const links = ['/dashboard/webhook', '/dashboard/developers', '/dashboard/deliveries?status=failed']
  const main = async (role: Role) =>
    /<main.*<\/main>/s.exec((await shop[role].get('/dashboard')).text)?.[0] ?? ''
  const linked = async (role: Role) => {
    const text = await main(role)
    for (const said of ['The webhook is disabled', 'API key was created', 'could not be delivered'])
      expect(text).toContain(said)
    return links.filter(link => text.includes(`href="${link}"`))
  }
  expect(await linked('owner')).toEqual(links)
  expect(await linked('staff')).toEqual(links.slice(2))
  expect(await linked('viewer')).toEqual([])
})

test('a page that a role may not open says so, and links back', async () => {
  const rows: [path: string, language: string, title: string][] = [
    ['/dashboard/settings', 'en', 'You are not allowed to do this'],
    ['/dashboard/settings', 'de', 'Dafür fehlt Ihnen die Berechtigung'],
    ['/dashboard/orders/00000000-0000-7000-8000-000000000000', 'en', 'Page not found'],
  ]
  for (const [path, language, title] of rows) {
    const { text } = await shop.viewer.get(`${path}?lang=${language}`)
    expect(htmlFaults(text, path, language, isRoute)).toEqual([])
    expect(text).toContain(`<title>${title} – `)
    expect(text).toContain(`<h1>${title}</h1>`)
    expect(text).toContain('<a class="button quiet" href="/dashboard">')
  }
})

test('a new shop offers each role only actions that it may take', async () => {
  const { id } = await createMerchant(app.context, { email: 'new@example.com', name: 'New' })
  const people = {} as Record<Role, Person>
  for (const role of ['owner', 'staff', 'viewer'] as const) {
    app.time.now += 60_000
    people[role] = await signInAs(app, role, id)
    const routes = gets().filter(({ access }) => access !== 'public' && isAllowed(access!, role, false))
    const whole = routes.map(({ path }) => path).filter(path => !path.includes(':'))
    const faults: string[] = []
    for (const path of whole) faults.push(...(await faultsOf(people[role], path, isRouteFor(role))))
    expect(faults).toEqual([])
  }
  const saidTo = async (path: string, said: string) => {
    const roles: Role[] = []
    for (const [role, person] of Object.entries(people) as [Role, Person][])
      if ((await person.get(path)).text.includes(said)) roles.push(role)
    return roles
  }
  expect(await saidTo('/dashboard/products', 'No products yet.')).toEqual(['owner', 'staff', 'viewer'])
  expect(await saidTo('/dashboard/products', 'Create one')).toEqual(['owner', 'staff'])
  expect(await saidTo('/dashboard/products?state=archived', 'No product is archived')).toHaveLength(3)
  expect(await saidTo('/dashboard/unmatched', 'Accept a payment')).toEqual(['owner'])
  expect(await saidTo('/dashboard/unmatched', 'Only owners can accept')).toEqual(['staff'])
  expect(await saidTo('/dashboard/unmatched', 'Owners can accept')).toEqual(['viewer'])
  // Without a webhook, nothing can be sent again.
  expect(await saidTo('/dashboard/deliveries', 'Send all failed')).toEqual([])
  expect((await shop.staff.get('/dashboard/deliveries')).text).toContain('Send all failed')
})

test('every page that only an operator may open is complete, in each language', async () => {
  const operator = await signInAs(app, 'operator', null)
  const routes = gets().filter(({ access }) => access === 'operator')
  const paths = routes.flatMap(({ path }) => pathsOf(path, shop.rowsOf(shop.owner)))
  expect(paths).toEqual(expect.arrayContaining(['/dashboard/server', '/dashboard/endpoints/btc']))
  const faults: string[] = []
  for (const path of paths) faults.push(...(await faultsOf(operator, path)))
  expect(faults).toEqual([])
})

test('every page before signing in is complete, in each language', async () => {
  const routes = gets().filter(({ access }) => access === 'public')
  expect(routes.length).toBeGreaterThan(1)
  const faults: string[] = []
  const newApp = await startApp()
  const strangers: Record<string, Person> = {
    '/dashboard/sign-in/code': shop.halfway,
    '/dashboard/welcome': browserOf(newApp, ''),
  }
  for (const { path } of routes) {
    for (const one of pathsOf(path, shop.rowsOf(shop.owner)))
      faults.push(...(await faultsOf(strangers[path] ?? browserOf(app, ''), one)))
  }
  await newApp.close()
  expect(faults).toEqual([])
})

interface PageForm {
  action: string
  send: 'post' | 'upload'
  /** values of its inputs */
  values: Record<string, string>
  /** names of the inputs that people type into */
  written: string[]
}

const { errors } = dashboardLocale('en', 'UTC').texts
const WRITTEN = ['text', 'email', 'url', 'password', 'number', null]

/** The forms of a page that change something. */
function formsOf(text: string): PageForm[] {
  const forms: PageForm[] = []
  new HTMLRewriter()
    .on('form[method=post]', {
      element: form => {
        const send = form.getAttribute('enctype') === 'multipart/form-data' ? 'upload' : 'post'
        forms.push({ action: form.getAttribute('action')!, send, values: {}, written: [] })
      },
    })
    .on('form[method=post] input, form[method=post] textarea', {
      element(input) {
        const name = input.getAttribute('name')
        const type = input.getAttribute('type')
        const form = forms.at(-1)!
        if (!name || type === 'file') return
        if (type !== 'checkbox' && type !== 'radio') form.values[name] = input.getAttribute('value') ?? ''
        if (WRITTEN.includes(type)) form.written.push(name)
      },
    })
    .transform(text)
  return forms
}

/** The marks that a page with a refused field lacks for people who cannot see it. */
function markFaults(text: string, name: string): string[] {
  const [input = ''] = text.match(new RegExp(`<(?:input|textarea)[^>]*name="${name}"[^>]*>`)) ?? []
  const described = /aria-describedby="([^"]+)"/.exec(input)?.[1]?.split(' ') ?? []
  return [
    ...(input.includes('aria-invalid="true"') ? [] : ['is not marked']),
    ...(/<(?:input|textarea|select)[^>]* autofocus/.test(text) ? [] : ['has no focus']),
    ...(described.some(id => id.endsWith('-problem')) ? [] : ['does not say what is wrong']),
    ...described.filter(id => !text.includes(`id="${id}"`)),
    ...(/<title>Error: /.test(text) ? [] : ['has the usual title']),
  ]
}

test('a refused field has the focus, and shows its error', async () => {
  const { shop: own, owner } = shop
  const [order] = shop.rowsOf(owner)['orders/:order'] ?? []
  const rows: [path: string, form: Record<string, string>, name: string][] = [
    [
      '/dashboard/orders/new',
      {
        amount: 'x',
        currency: 'USD',
        description: '',
        fullName: '',
        email: '',
        externalId: '',
        expiry: '7d',
        token: own.id,
      },
      'amount',
    ],
    [`/dashboard/orders/${order}/notes`, { text: '' }, 'text'],
    ['/dashboard/people', { email: 'nobody', role: 'staff' }, 'email'],
    ['/dashboard/webhook', { url: 'http://x' }, 'url'],
    ['/dashboard/account/password', { password: 'short', proofPassword: PASSWORD }, 'password'],
    ['/dashboard/payouts/btc/check', { text: 'nonsense' }, 'text'],
  ]
  const faults: string[] = []
  for (const [path, form, name] of rows) {
    const { status, text } = await proving(owner).post(path, form)
    if (status !== 400) faults.push(`${path}: ${status}`)
    for (const fault of markFaults(text, name)) faults.push(`${path}: ${name} ${fault}`)
  }
  expect(faults).toEqual([])
})

test('every refusal of entered text names its field', async () => {
  const routes = gets().filter(({ access }) => access !== 'public' && isAllowed(access!, 'owner', false))
  const unnamed: string[] = []
  const tried = new Set<string>()
  for (const path of routes.flatMap(route => pathsOf(route.path, shop.rowsOf(shop.owner)))) {
    for (const { action, send, values, written } of formsOf((await shop.owner.get(path)).text)) {
      for (const name of written) {
        const field = `${action} ${name}`
        if (tried.has(field)) continue
        tried.add(field)
        const answer = await shop.owner[send](action, { ...values, [name]: 'x'.repeat(5000) })
        if (answer.text.includes(errors.invalid)) unnamed.push(field)
      }
    }
  }
  expect(tried.size).toBeGreaterThan(30)
  expect(unnamed).toEqual([])
})

test('the audit log has a name for each field', async () => {
  const { text } = await shop.owner.get('/dashboard/audit?lang=de')
  expect(text).toContain('<dt>Zeitzone</dt>')
  expect(text).not.toContain('nichts → nichts')
  const values = [...text.matchAll(/<dd dir="auto">([^<]+)/g)].map(([, value]) => value!)
  expect(values).toEqual(expect.arrayContaining(['Inhaber', 'Aktiv', 'ja']))
  const stored =
    /^(true|false|active|owner|staff|viewer|live|test|xpub|pool|order[.:].*|[*]|[{].*|\d{4}-\d\d-.*Z)$/
  expect(values.filter(value => value.split(/ → |, /).some(one => stored.test(one)))).toEqual([])
  expect([...text.matchAll(/<dt class="code">([^<]+)/g)].map(([, field]) => field)).toEqual([])
})

test('the checks of this file find faults', () => {
  const explained = '<p class="hint" id="a">It cannot be undone afterwards.</p>'
  expect(unexplained(`${explained}<button class="danger" aria-describedby="a">`)).toEqual([])
  expect(unexplained(`${explained}<button class="danger small" aria-describedby="b">`)).toHaveLength(1)
  expect(unexplained('<button class="danger">')).toHaveLength(1)
  const images = '<img class="a" src="/images/1"><image href="data:x"/><img src="https://a.example/b">'
  expect(blockedImages(images, "img-src 'self' https://a.example; x")).toEqual([])
  expect(blockedImages(images, "img-src 'self'; x")).toEqual(['https://a.example/b is blocked'])
  const page = (body: string, title = 'Orders – Shop') =>
    `<!doctype html><html lang="en"><head><title>${title}</title></head><body>${body}</body></html>`
  const form = '<form method="post" action="/dashboard/settings"><button>Save</button></form>'
  const faultsIn = (html: string) => htmlFaults(html, '/dashboard/orders', 'en', isRoute)
  expect(faultsIn(page(`<h1>Orders</h1>${form}<a href="/dashboard/orders?q=1">All</a>`))).toEqual([])
  const rows: [string, RegExp][] = [
    [page('<h1>Orders</h1>', ' – Shop'), /no title/],
    [page('<p>Orders</p>'), /0 main headings/],
    [page('<h1> </h1>'), /0 main headings/],
    [page('<h1>A</h1><h1>B</h1>'), /2 main headings/],
    [page('<h1>Orders</h1><p>undefined</p>'), /leftover/],
    [page('<h1>Orders</h1><p>[object Object]</p>'), /leftover/],
    [page('<h1>Orders</h1><p>(shop) =&gt; shop</p>'), /leftover/],
    [page('<h1>Orders</h1><a href="/dashboard/nothing">All</a>'), /link to nothing/],
    [
      page(`<h1>Orders</h1>${form.replace('action', 'data-action')}`),
      /form to nothing: POST .dashboard.orders/,
    ],
    [page(`<h1>Orders</h1>${form.replace('/settings', '/reports')}`), /form to nothing/],
    [page(`<h1>Orders</h1>${form.replace('<button>', '<button type="button">')}`), /without a button/],
    [page(`<h1>Orders</h1>${form.replace('<button>', '<button disabled>')}`), /without a button/],
    [page('<h1>Orders</h1>').replace('"en"', '"de"'), /other language/],
  ]
  for (const [html, fault] of rows) expect(faultsIn(html).join()).toMatch(fault)
})

test('a person whose shops are gone reads what to do, under a heading', async () => {
  const person = await signInAs(app, 'viewer', shop.shop.id)
  app.change('DELETE FROM memberships WHERE user_id = ?', person.userId)
  const { text } = await person.get('/dashboard')
  expect(text).toContain('You have no shop yet.')
  expect(htmlFaults(text, '/dashboard', 'en', isRouteFor('viewer'))).toEqual([])
})
