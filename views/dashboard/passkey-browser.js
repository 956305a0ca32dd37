// Browsers make and use passkeys by JavaScript alone. Without this file the password remains.
const bytesOf = text => {
  const plain = atob(text.replace(/-/g, '+').replace(/_/g, '/'))
  return Uint8Array.from(plain, letter => letter.charCodeAt(0))
}
const textOf = buffer =>
  buffer &&
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '')

const withBytes = credential => ({ ...credential, id: bytesOf(credential.id) })

function publicKeyOf({ challenge, user, excludeCredentials, allowCredentials, ...rest }) {
  return {
    ...rest,
    challenge: bytesOf(challenge),
    ...(user && { user: { ...user, id: bytesOf(user.id) } }),
    ...(excludeCredentials && { excludeCredentials: excludeCredentials.map(withBytes) }),
    ...(allowCredentials && { allowCredentials: allowCredentials.map(withBytes) }),
  }
}

function answerOf({ id, type, response }) {
  const parts = {}
  for (const name of [
    'clientDataJSON',
    'attestationObject',
    'authenticatorData',
    'signature',
    'userHandle',
  ]) {
    if (response[name]) parts[name] = textOf(response[name])
  }
  if (response.getTransports) parts.transports = response.getTransports()
  return { id, rawId: id, type, response: parts, clientExtensionResults: {} }
}

class Problem extends Error {}

/** What the server wants: in the page, or asked for when it is needed. */
async function optionsOf({ dataset }) {
  if (dataset.options) return JSON.parse(dataset.options)
  const answer = await fetch(dataset.ask, { method: 'POST', body: new URLSearchParams() }).catch(() => null)
  if (!answer?.ok) throw new Problem(dataset.failed)
  return answer.json()
}

async function askBrowser(form) {
  if (form.dataset.origin !== location.origin) throw new Problem(form.dataset.otherAddress)
  const publicKey = publicKeyOf(await optionsOf(form))
  const isNew = form.dataset.passkey === 'create'
  try {
    return await navigator.credentials[isNew ? 'create' : 'get']({ publicKey })
  } catch (error) {
    throw new Problem(error.name === 'InvalidStateError' ? form.dataset.exists : form.dataset.cancelled)
  }
}

for (const form of document.querySelectorAll('form[data-passkey]')) {
  const problem = form.querySelector('[data-passkey-problem]')
  const show = text => {
    problem.textContent = text
    problem.hidden = false
  }
  let isBusy = false
  form.addEventListener('submit', async event => {
    event.preventDefault()
    if (isBusy) return
    isBusy = true
    problem.hidden = true
    try {
      form.elements.namedItem(form.dataset.field).value = JSON.stringify(answerOf(await askBrowser(form)))
      form.submit()
    } catch (error) {
      show(error instanceof Problem ? error.message : form.dataset.failed)
    } finally {
      isBusy = false
    }
  })
  if (window.PublicKeyCredential) form.hidden = false
  else if (form.dataset.passkey === 'create') {
    form.hidden = false
    form.querySelector('button').disabled = true
    show(form.dataset.needsSupport)
  }
}
