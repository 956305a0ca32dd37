// Everything works without this file, except that text is then copied by hand, and entered again after a form
// was sent while nobody was signed in any more.
const live = () => document.getElementById('live')

// What was done is said once. A moment later it leaves the URL, so that the page does not say it again after a
// reload, nor to a person who gets the link.
setTimeout(() => {
  const here = new URL(location.href)
  for (const name of ['done', 'saved', 'removed', 'sent']) here.searchParams.delete(name)
  if (here.href !== location.href) history.replaceState(null, '', here)
}, 1000)

const showCopyButtons = root => {
  if (!navigator.clipboard) return
  for (const button of root.querySelectorAll('[data-copy][hidden]')) button.hidden = false
}

document.addEventListener('click', async event => {
  const button = event.target.closest?.('[data-copy]')
  if (!button) return
  await navigator.clipboard.writeText(button.dataset.copy)
  live().textContent = live().dataset.copied
  const label = button.textContent
  button.textContent = live().dataset.copied
  setTimeout(() => {
    button.textContent = label
    live().textContent = ''
  }, 2000)
})

// The key of a search, unless somebody is writing.
document.addEventListener('keydown', event => {
  const search = document.getElementById('q')
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || !search) return
  if (event.target.closest?.('input, select, textarea')) return
  event.preventDefault()
  search.focus()
  search.select()
})

// A form that must not be sent by accident asks first.
document.addEventListener('submit', event => {
  const question = event.submitter?.dataset.ask ?? event.target.dataset.ask
  if (question && !confirm(question)) event.preventDefault()
})

// Not `form.method`, which is a field in a form that has one of this name.
const isPost = form => form.getAttribute('method') === 'post'

// The URL of a list has only the filters that are set.
document.addEventListener('formdata', ({ target, formData }) => {
  if (isPost(target)) return
  for (const [name, value] of [...formData]) if (value === '') formData.delete(name)
})

// A second click does not send a form again. The next page, or the way back, makes it usable again.
document.addEventListener('submit', event => {
  if (event.defaultPrevented || !isPost(event.target)) return
  if (event.target.dataset.sent) event.preventDefault()
  event.target.dataset.sent = 'yes'
})
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent
})

showCopyButtons(document)
document.addEventListener('htmx:after:swap', () => showCopyButtons(document))

// What updates itself rests while nobody sees the page, and is brought up to date when somebody does.
document.addEventListener('htmx:before:request', event => {
  if (document.hidden) event.preventDefault()
})
document.addEventListener('visibilitychange', () => {
  if (document.hidden) return
  for (const part of document.querySelectorAll('[data-live]')) htmx.trigger(part, 'refresh')
})

// An image is cropped to a square before it is sent: the server takes no other size.
const CROP_BYTES = 300 * 1024

async function crop(file, size) {
  const bitmap = await createImageBitmap(file)
  const { width, height } = bitmap
  if (width === size && height === size && file.size <= CROP_BYTES) return file
  const side = Math.min(width, height)
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = size
  const pen = canvas.getContext('2d')
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, size, size)
  pen.drawImage(bitmap, (width - side) / 2, (height - side) / 2, side, side, 0, 0, size, size)
  for (const quality of [0.9, 0.75, 0.6, 0.4]) {
    const blob = await new Promise(resolve => canvas.toBlob(resolve, 'image/jpeg', quality))
    if (blob.size <= CROP_BYTES) return new File([blob], 'image.jpg', { type: 'image/jpeg' })
  }
  return file
}

// A logo that is too large is made smaller before it is sent. Drawings stay as they are.
const FIT_BYTES = 100 * 1024

async function fit(file, size) {
  if (file.type === 'image/svg+xml') return file
  const bitmap = await createImageBitmap(file)
  const longest = Math.max(bitmap.width, bitmap.height)
  if (longest <= size && file.size <= FIT_BYTES) return file
  const canvas = document.createElement('canvas')
  for (const side of [size, size / 2, size / 4]) {
    const scale = Math.min(1, side / longest)
    canvas.width = Math.round(bitmap.width * scale)
    canvas.height = Math.round(bitmap.height * scale)
    canvas.getContext('2d').drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    const blob = await new Promise(resolve => canvas.toBlob(resolve, 'image/png'))
    if (blob.size <= FIT_BYTES) return new File([blob], 'logo.png', { type: 'image/png' })
  }
  return file
}

/** Puts what was made of a file into its field, unless another one was chosen meanwhile. */
function replaceFile(input, file, made) {
  if (input.files[0] !== file) return false
  const files = new DataTransfer()
  files.items.add(made)
  input.files = files.files
  return true
}

document.addEventListener('change', async ({ target }) => {
  const input = target.closest?.('input[data-fit]')
  const file = input?.files[0]
  // The server says what is wrong with a file that cannot be read.
  const made = file && (await fit(file, Number(input.dataset.fit)).catch(() => null))
  if (made && made !== file) replaceFile(input, file, made)
})

document.addEventListener('change', async event => {
  const input = event.target.closest?.('input[data-crop]')
  const file = input?.files[0]
  if (!file) return
  const field = input.closest('.field')
  const note = field.querySelector('[data-crop-note]')
  const preview = field.querySelector('[data-crop-preview]')
  try {
    const cropped = await crop(file, Number(input.dataset.crop))
    if (!replaceFile(input, file, cropped)) return
    preview.src = URL.createObjectURL(cropped)
    preview.hidden = false
    note.textContent = input.dataset.cropped
  } catch {
    // A file that cannot be read is sent as it is: the server says what is wrong with it.
    preview.hidden = true
    note.textContent = ''
  }
})

// The preview of a shop follows what is entered.
const lookOf = form => document.querySelector(form.matches('[data-look-form]') ? '[data-look]' : 'none')

/** Whether white can be read on a color (WCAG 1.4.3). */
const isDarkEnough = color => {
  const [red, green, blue] = [1, 3, 5].map(at => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05) >= 4.5
}

const showLook = {
  name(look, { value }) {
    const characters = [...value]
    look.querySelector('[data-look-name]').textContent =
      characters.length > 22 ? `${characters.slice(0, 22).join('')}…` : value
  },
  color(look, { value }) {
    if (!/^#[0-9a-f]{6}$/i.test(value)) return
    look.querySelector('[data-look-color]').setAttribute('fill', value)
    look.querySelector('[data-look-ink]').setAttribute('fill', isDarkEnough(value) ? '#ffffff' : '#000000')
  },
  file(look, { files }) {
    const image = look.querySelector('image')
    if (files[0]) image.setAttribute('href', URL.createObjectURL(files[0]))
    look.querySelector('[data-look-name]').setAttribute('x', image.getAttribute('href') ? 68 : 16)
  },
}

document.addEventListener('input', ({ target }) => {
  const look = target.form && lookOf(target.form)
  if (look && Object.hasOwn(showLook, target.name)) showLook[target.name](look, target)
})

// The server guesses a time zone by the language. The browser knows it.
const zone = document.querySelector('select[data-guess][name=timeZone]')
const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone
if ([...(zone?.options ?? [])].some(({ value }) => value === ownZone)) zone.value = ownZone

// What was entered in a form that led to the page to sign in is there again afterwards. Passwords, codes, files
// and hidden fields are left out, and any other page forgets the rest.
const HELD = 'held-form'
const HELD_MAX = 64 * 1024
const ofSignIn = path => path.startsWith('/dashboard/sign-in')
const entriesOf = form =>
  [...form.elements].filter(({ name, type, autocomplete }) => {
    const isSecret = type === 'password' || /^(off|one-time-code|.*-password)$/.test(autocomplete)
    return name && !isSecret && !['hidden', 'file', 'submit', 'button', 'fieldset'].includes(type)
  })

document.addEventListener('submit', ({ target: form, defaultPrevented }) => {
  if (defaultPrevented || !isPost(form) || ofSignIn(location.pathname)) return
  const values = entriesOf(form).map(({ name, value, type, checked }) =>
    type === 'checkbox' || type === 'radio' ? [name, value, checked] : [name, value],
  )
  const held = JSON.stringify({
    page: location.pathname + location.search,
    action: form.getAttribute('action'),
    values,
  })
  if (held.length <= HELD_MAX) sessionStorage.setItem(HELD, held)
})

const refill = ({ page, action, values }) => {
  const wasSigningIn = URL.canParse(document.referrer) && ofSignIn(new URL(document.referrer).pathname)
  if (!wasSigningIn || page !== location.pathname + location.search) return
  const form = [...document.forms].find(one => isPost(one) && one.getAttribute('action') === action)
  for (const [name, value, checked] of form ? values : []) {
    const isChoice = checked !== undefined
    const field = entriesOf(form).find(one => one.name === name && (!isChoice || one.value === value))
    if (field && isChoice) field.checked = checked
    else if (field) field.value = value
  }
}

const held = sessionStorage.getItem(HELD)
if (held && !ofSignIn(location.pathname)) {
  sessionStorage.removeItem(HELD)
  refill(JSON.parse(held))
}

// Takes the key of a connected website there. Without this file, people press the button.
document.querySelector('form[data-continue]')?.requestSubmit()
