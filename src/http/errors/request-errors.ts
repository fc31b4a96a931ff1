import type { ErrorEntries } from './error-entry.ts'

/** A request that is not read, not verified or not valid, whatever it asks for. */
export const REQUEST_ERRORS = {
  malformed_request: {
    status: 400,
    title: 'Malformed Request',
    cause:
      "The request breaks HTTP or the service's rules: a repeated signature header, a target with scheme and host, invalid percent-encoding, a body on GET or DELETE, or a Content-Encoding.",
    cure: 'Send each header once, the target as a path, and uncompressed bodies on POST and PUT only.',
  },
  invalid_json: {
    status: 400,
    title: 'Invalid JSON',
    cause:
      'The body is not valid JSON: a syntax error, a repeated member name, invalid UTF-8, a byte order mark, a number that cannot be represented exactly such as 1e-400, or nesting that is too deep.',
    cure: 'Send one JSON object in UTF-8, each member once. The detail names the position of the error.',
  },
  idempotency_key_missing: {
    status: 400,
    title: 'Idempotency Key Missing',
    cause: 'This operation changes something and the request has no Idempotency-Key header.',
    cure: 'Create a UUID for the operation, send it, and send the same one with every retry.',
  },
  idempotency_key_invalid: {
    status: 400,
    title: 'Idempotency Key Invalid',
    cause: 'The Idempotency-Key header is not a UUID.',
    cure: 'Use a UUID such as 0b0f4f9a-3d0e-4b7e-9a51-6f0d9b1f2c3d.',
  },
  cursor_invalid: {
    status: 400,
    title: 'Cursor Invalid',
    cause: 'The cursor was changed, or it belongs to another list, webhook or tenant.',
    cure: 'Send next_cursor exactly as the previous page returned it, or omit `from` to start again.',
  },
  signature_missing: {
    status: 401,
    title: 'Signature Missing',
    cause: 'X-SVC-Key-Id, X-SVC-Timestamp or X-SVC-Signature is missing.',
    cure: 'Sign the request and send all three headers.',
  },
  signature_malformed: {
    status: 401,
    title: 'Signature Malformed',
    cause:
      'A signature header has the wrong format: the key id does not start with key_, the timestamp is not 10 digits of Unix seconds, or the signature is not 88 characters of standard base64.',
    cure: 'Send the key id as issued, Unix seconds, and the 64 signature bytes in padded base64.',
  },
  timestamp_out_of_range: {
    status: 401,
    title: 'Timestamp Out Of Range',
    cause: "The timestamp is too far from the server's clock.",
    cure: 'Set your clock by server_time in this answer, sign again and retry.',
  },
  signature_invalid: {
    status: 401,
    title: 'Signature Invalid',
    cause:
      'The key is unknown, revoked or expired, or the signature does not match the request. The answer is the same for all of these on purpose.',
    cure: 'Compare string_to_sign in this answer with the text you signed. The service does not normalise the target: sign it as sent, with its query and percent-encoding. If both texts are equal, check the key with the operator.',
  },
  scope_missing: {
    status: 403,
    title: 'Scope Missing',
    cause: 'The key is valid but does not have the scope for this operation.',
    cure: 'Use a key with the scope named in required_scope.',
  },
  tenant_suspended: {
    status: 403,
    title: 'Tenant Suspended',
    cause:
      'The operator has suspended the tenant. Reads, webhooks and the margin ladder go on; whatever changes something is refused, in the console too.',
    cure: 'Ask the operator. Once the tenant is resumed, send the request again with the same Idempotency-Key: it is unused.',
  },
  not_found: {
    status: 404,
    title: 'Not Found',
    cause: 'There is no such path, or no such resource of this tenant in this environment.',
    cure: 'Check the path and the id, and that you do not mix up live and sandbox.',
  },
  sandbox_only: {
    status: 404,
    title: 'Sandbox Only',
    cause: 'This operation is available in the sandbox only.',
    cure: 'Call the sandbox address with a sandbox key.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method Not Allowed',
    cause: 'The path exists, but not for this method.',
    cure: 'Use a method listed in the Allow header.',
  },
  request_timeout: {
    status: 408,
    title: 'Request Timeout',
    cause: 'The request did not arrive in full in time.',
    cure: 'Send it again, with the same Idempotency-Key.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'Request In Progress',
    cause: 'Another request with this Idempotency-Key is running.',
    cure: 'Wait for Retry-After seconds and send the same request again to get its answer.',
  },
  cursor_expired: {
    status: 410,
    title: 'Cursor Expired',
    cause: 'Events after this cursor are older than the retention period and were deleted.',
    cure: 'Start again without `from`, and read the current state of your resources.',
  },
  body_too_large: {
    status: 413,
    title: 'Body Too Large',
    cause: 'The body is larger than this operation accepts.',
    cure: 'Send a smaller body.',
  },
  uri_too_long: {
    status: 414,
    title: 'URI Too Long',
    cause: 'The request target is longer than the service accepts.',
    cure: 'Check how your program builds the path and query.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported Media Type',
    cause: 'The Content-Type of the body is not JSON.',
    cure: 'Send Content-Type: application/json.',
  },
  validation_failed: {
    status: 422,
    title: 'Validation Failed',
    cause:
      'The request is well formed, but a member or parameter is missing, unknown or not valid.',
    cure: 'Correct each member that `errors` points to. Unknown members are refused too.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency Key Reused',
    cause: 'The Idempotency-Key belongs to an earlier request that was different.',
    cure: 'Use a new key for a new request. To retry, repeat exactly the same bytes.',
  },
  rate_limited: {
    status: 429,
    title: 'Too Many Requests',
    cause: 'The token bucket of the class named in the detail is empty. The request did not run.',
    cure: 'Wait for Retry-After seconds and send the same request with the same Idempotency-Key.',
  },
  headers_too_large: {
    status: 431,
    title: 'Headers Too Large',
    cause: 'The request line and headers are larger than the service accepts.',
    cure: 'Send fewer or shorter headers.',
  },
} as const satisfies ErrorEntries
