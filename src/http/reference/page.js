// Runs in the browser, on the page at /docs: the reference, and the key it signs with. The key is
// held in memory by this page alone, as a WebCrypto key that cannot be read out; a reload forgets it.
import { createSigningFetch, importPrivateKey, readKeyFile } from './signing-fetch.js'

const DOCUMENT = '/openapi.json'

let credentials

const key = document.querySelector('#key')
const form = document.querySelector('#key-form')
const file = document.querySelector('#key-file')
const status = document.querySelector('#key-status')
const forget = document.querySelector('#key-forget')
const signed = document.querySelector('#signed')

globalThis.Scalar.createApiReference('#app', {
  url: DOCUMENT,
  documentDownloadType: 'direct',
  // The address this page came from, however PUBLIC_URL spells it: a browser lets it reach no other.
  servers: [{ url: location.origin }],
  customFetch: createSigningFetch({
    origin: location.origin,
    credentials: () => credentials,
    send: withoutSecuritySchemes,
    onSigned: showSigned,
  }),
  // Nothing is loaded from elsewhere, and nothing is sent elsewhere.
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  proxyUrl: '',
  hideClientButton: true,
  // Snippets for the shell and the like do not sign, and would all be refused.
  hiddenClients: true,
  showDeveloperTools: 'never',
  persistAuth: false,
})

/** The headers of a signature are made here; the reference need not ask for each by hand. */
async function withoutSecuritySchemes(...asked) {
  const response = await fetch(...asked)
  if (!response.ok || new URL(response.url).pathname !== DOCUMENT) return response
  const { security, ...document } = await response.json()
  delete document.components.securitySchemes
  return Response.json(document)
}

async function hold(keyId, pem) {
  try {
    if (!globalThis.isSecureContext) throw new Error('A browser signs on https or localhost alone.')
    if (!/^key_\w+$/.test(keyId)) throw new Error('The key id begins with key_.')
    credentials = { keyId, privateKey: await importPrivateKey(pem) }
    form.reset()
    key.open = false
    show(`Requests are signed with ${keyId}.`)
  } catch (error) {
    show(error.message)
  }
}

function show(text) {
  status.textContent = text
  form.hidden = credentials !== undefined
  forget.hidden = credentials === undefined
}

/** What was signed for the latest request, to compare with what another program signs. */
function showSigned({ method, target, text, signature }) {
  document.querySelector('#signed-request').textContent = `${method} ${target}`
  document.querySelector('#signed-string').textContent = text
  document.querySelector('#signed-signature').textContent = signature
  signed.hidden = false
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  const { keyId, privateKey } = form.elements
  // It shows what it refuses.
  void hold(keyId.value.trim(), privateKey.value)
})

async function holdFile() {
  if (file.files.length === 0) return
  try {
    const [chosen] = file.files
    const { keyId, pem } = readKeyFile(chosen.name, await chosen.text())
    await hold(keyId, pem)
  } catch (error) {
    show(error.message)
  }
  file.value = ''
}

file.addEventListener('change', () => void holdFile())

forget.addEventListener('click', () => {
  credentials = undefined
  signed.hidden = true
  show('The key is forgotten; requests are not signed.')
})
