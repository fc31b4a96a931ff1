// Runs in the browser, on the page at /docs, as it is: signs what the page sends (docs/signing.md).

const encoder = new TextEncoder()

/** Reads an Ed25519 private key in PKCS#8 PEM. Once read it can sign, and not be read again. */
export async function importPrivateKey(pem) {
  const body = /-----BEGIN PRIVATE KEY-----([\w+/=\s]+)-----END PRIVATE KEY-----/.exec(pem)
  if (!body) throw new Error('The private key is a PEM that starts with BEGIN PRIVATE KEY.')
  const der = Uint8Array.from(atob(body[1].replace(/\s/g, '')), (char) => char.charCodeAt(0))
  return await crypto.subtle.importKey('pkcs8', der, 'Ed25519', false, ['sign'])
}

/** Reads what the console saves, `key_….pem` with the id in its name, or a `sandbox.json`. */
export function readKeyFile(name, text) {
  if (text.includes('-----BEGIN PRIVATE KEY-----') && !text.trimStart().startsWith('{')) {
    // A browser that has saved it before puts a number behind the name.
    const [keyId] = /key_(?:[a-z0-9]+_)?[a-z0-9]{26}/.exec(name) ?? []
    if (!keyId) throw new Error('Enter the key id with the key: the file is not named key_….pem.')
    return { keyId, pem: text }
  }
  try {
    const { key_id: keyId, private_key_pem: pem } = JSON.parse(text)
    return { keyId: String(keyId), pem: String(pem) }
  } catch {
    throw new Error('That file is neither a key_….pem nor a sandbox.json.')
  }
}

/**
 * A `fetch` that signs each request to `origin` under /v1 with what `credentials()` gives:
 * `{keyId, privateKey}`, or nothing yet, and then it is sent as it is. It makes an Idempotency-Key
 * where the request needs one and has none, and follows the service's clock where this one is off.
 * `onSigned` gets the method, target, string to sign and signature of each.
 */
export function createSigningFetch({ origin, credentials, send = fetch, onSigned = () => {} }) {
  let skewSeconds = 0

  async function sendSigned(request, body) {
    const { keyId, privateKey } = credentials()
    const url = new URL(request.url)
    const headers = new Headers(request.headers)
    const changes = request.method !== 'GET'
    if (changes && !headers.get('Idempotency-Key')) {
      headers.set('Idempotency-Key', crypto.randomUUID())
    }
    if (!changes) headers.delete('Idempotency-Key')
    if (body.byteLength === 0) headers.delete('Content-Type')
    const timestamp = String(Math.floor(Date.now() / 1000) + skewSeconds)
    const target = url.pathname + url.search
    const text = [
      'SVC-ED25519-V1',
      keyId,
      timestamp,
      request.method,
      target,
      headers.get('Idempotency-Key') ?? '',
      hex(await crypto.subtle.digest('SHA-256', body)),
    ].join('\n')
    const bytes = await crypto.subtle.sign('Ed25519', privateKey, encoder.encode(text))
    const signature = btoa(String.fromCharCode(...new Uint8Array(bytes)))
    onSigned({ method: request.method, target, text, signature })
    headers.set('X-SVC-Key-Id', keyId)
    headers.set('X-SVC-Timestamp', timestamp)
    headers.set('X-SVC-Signature', signature)
    const content = body.byteLength === 0 ? {} : { body }
    return await send(request.url, { method: request.method, headers, ...content })
  }

  return async (...asked) => {
    const request = new Request(...asked)
    const { origin: target, pathname } = new URL(request.url)
    if (target !== origin || !pathname.startsWith('/v1/') || !credentials()) return send(request)

    const body = await request.arrayBuffer()
    const response = await sendSigned(request, body)
    if (response.status !== 401) return response
    const { code, server_time: serverTime } = await response.clone().json()
    if (code !== 'timestamp_out_of_range') return response
    skewSeconds = Math.round((Date.parse(serverTime) - Date.now()) / 1000)
    return await sendSigned(request, body)
  }
}

function hex(buffer) {
  return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
