import type { ErrorCode } from '../core/errors.ts'
import { MONEY_ASSETS } from '../core/money.ts'

type ErrorEntry = { status: number; title: string; cause: string; cure: string }

/** What each error code means: its status and title in a problem object, its page under /errors. */
export const ERROR_CATALOGUE = {
  malformed_request: {
    status: 400,
    title: 'Malformed Request',
    cause:
      'The request breaks HTTP or our framing rules: a signed header sent twice, an absolute-form target, bad percent-encoding, a body on GET or DELETE, or any Content-Encoding.',
    cure: 'Send each header once, the target as a path, bodies uncompressed and only on POST and PUT.',
  },
  invalid_json: {
    status: 400,
    title: 'Invalid JSON',
    cause:
      'The body is no JSON text that means one thing only: broken syntax, a repeated member name, invalid UTF-8, a byte order mark, a number that cannot be held exactly such as 1e-400, or nesting that is too deep.',
    cure: 'Send one JSON object in UTF-8, each member once. The detail says where reading stopped.',
  },
  idempotency_key_missing: {
    status: 400,
    title: 'Idempotency Key Missing',
    cause: 'This operation changes something and carries no Idempotency-Key header.',
    cure: 'Make a UUID for the operation, send it, and send the same one on every retry.',
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
    cause: 'The cursor was altered, or it belongs to another list, webhook or tenant.',
    cure: 'Pass next_cursor exactly as the previous page gave it, or leave `from` out to begin anew.',
  },
  signature_missing: {
    status: 401,
    title: 'Signature Missing',
    cause: 'One of X-SVC-Key-Id, X-SVC-Timestamp and X-SVC-Signature is absent.',
    cure: 'Sign the request and send all three headers.',
  },
  signature_malformed: {
    status: 401,
    title: 'Signature Malformed',
    cause:
      'A signature header has the wrong form: the key id is no key_… id, the timestamp is not 10 digits of unix seconds, or the signature is not 88 characters of standard base64.',
    cure: 'Send the key id as issued, unix seconds, and the 64 signature bytes in padded base64.',
  },
  timestamp_out_of_range: {
    status: 401,
    title: 'Timestamp Out Of Range',
    cause: 'The request was signed too long ago or in the future, by our clock.',
    cure: 'Set your clock by server_time in this answer, sign again and retry.',
  },
  signature_invalid: {
    status: 401,
    title: 'Signature Invalid',
    cause:
      'The key is unknown, revoked or expired, or the signature does not fit the request. These are deliberately one answer.',
    cure: 'Compare string_to_sign in this answer with the text you signed. The service does not normalise the target; sign it as sent, with its query and percent-encoding. Where both texts are equal, check the key with the operator.',
  },
  scope_missing: {
    status: 403,
    title: 'Scope Missing',
    cause: 'The key is valid but may not do this.',
    cure: 'Use a key with the scope named in required_scope.',
  },
  not_found: {
    status: 404,
    title: 'Not Found',
    cause: 'There is no such path, or no such resource of this tenant in this environment.',
    cure: 'Check the path and the id, and that live and sandbox are not mixed up.',
  },
  sandbox_only: {
    status: 404,
    title: 'Sandbox Only',
    cause: 'This operation exists on the sandbox alone.',
    cure: 'Call the sandbox address with a sandbox key.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method Not Allowed',
    cause: 'The path exists, but not for this method.',
    cure: 'Use a method that the Allow header names.',
  },
  request_timeout: {
    status: 408,
    title: 'Request Timeout',
    cause: 'The request did not arrive in full in time.',
    cure: 'Send it again; the same Idempotency-Key can be used.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'Request In Progress',
    cause: 'Another request with this Idempotency-Key is being executed at this moment.',
    cure: 'Wait for Retry-After seconds and send the same request again to get its answer.',
  },
  secret_not_retrievable: {
    status: 409,
    title: 'Secret Not Retrievable',
    cause:
      'The signing secret that this request created is too old to be shown, was replaced, or can be read no more.',
    cure: 'Create a new secret under a new Idempotency-Key.',
  },
  borrower_not_eligible: {
    status: 409,
    title: 'Borrower Not Eligible',
    cause: 'The borrower has not completed onboarding, or the operator has blocked it.',
    cure: 'The detail names what is missing: the documents to sign, by type and version, and the checks that are not complete. Then wait for borrower.eligible; where it does not come, or where the borrower is eligible, ask the operator.',
  },
  facility_not_approved: {
    status: 409,
    title: 'Facility Not Approved',
    cause: 'The facility is not in a state in which this can be done.',
    cure: 'The detail names the state and the next step: wait for facility.decisioned while it is PENDING, apply for a new facility where it is DECLINED or CLOSED.',
  },
  facility_exists: {
    status: 409,
    title: 'Facility Exists',
    cause: 'The borrower already has a facility that is pending, approved or closing.',
    cure: 'Use that facility, or close it first.',
  },
  draws_blocked: {
    status: 409,
    title: 'Draws Blocked',
    cause:
      'The collateral does not allow a draw: the loan-to-value afterwards would be too high, the facility is not healthy, or the portfolio is too old.',
    cure: 'Push a fresh portfolio, add collateral or draw less; the detail says which.',
  },
  outstanding_balance: {
    status: 409,
    title: 'Outstanding Balance',
    cause:
      'The facility still has debt, an open margin warning, or a draw, repayment or margin call under way.',
    cure: 'Repay the outstanding total and wait for what is under way, then close.',
  },
  margin_warning_not_open: {
    status: 409,
    title: 'Margin Warning Not Open',
    cause: 'The facility has no open margin warning of this number.',
    cure: 'Read the margin warnings; leave the number out for a repayment that cures none.',
  },
  execution_already_reported: {
    status: 409,
    title: 'Execution Already Reported',
    cause: 'The execution of this repayment was reported before.',
    cure: 'Read the repayment for what came of it. One that failed as expired or not_received still takes a completed report.',
  },
  duplicate_reference: {
    status: 409,
    title: 'Duplicate Reference',
    cause: 'Another repayment was reported with this external reference, in this or another case.',
    cure: 'Report each external transfer once, against the repayment that it executes.',
  },
  as_of_conflict: {
    status: 409,
    title: 'As-of Conflict',
    cause: 'A snapshot with this as_of and other content is stored already.',
    cure: 'Give each snapshot of a borrower an as_of of its own.',
  },
  webhook_disabled: {
    status: 409,
    title: 'Webhook Disabled',
    cause: 'The webhook was disabled after 100 failed attempts in a row; nothing is sent to it.',
    cure: 'Mend the endpoint, delete the webhook, register it anew and replay what was missed.',
  },
  delivery_in_progress: {
    status: 409,
    title: 'Delivery In Progress',
    cause: 'An attempt of this delivery is under way.',
    cure: 'Wait for Retry-After seconds, look at the delivery, and retry it if it is still needed.',
  },
  clock_advancing: {
    status: 409,
    title: 'Clock Advancing',
    cause: 'The sandbox clock is still on its way from an earlier request.',
    cure: 'Read GET /v1/sandbox/clock until `goal` is absent, then send the request again.',
  },
  limit_reached: {
    status: 409,
    title: 'Limit Reached',
    cause:
      'There are as many of these as there can be: webhooks of a tenant, signatures of a borrower, or retries of a delivery.',
    cure: 'Delete a webhook that is no longer used; replay an event instead of retrying its delivery. A borrower who has signed 100 times has signed enough.',
  },
  cursor_expired: {
    status: 410,
    title: 'Cursor Expired',
    cause: 'Events after this cursor are older than the retention period and are gone.',
    cure: 'Begin anew without `from`, and read the present state of what you track.',
  },
  body_too_large: {
    status: 413,
    title: 'Body Too Large',
    cause: 'The body is longer than this operation takes.',
    cure: 'Send a smaller body.',
  },
  uri_too_long: {
    status: 414,
    title: 'URI Too Long',
    cause: 'The request target is longer than any of ours.',
    cure: 'Check how the path and query are put together.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported Media Type',
    cause: 'The body is not declared as JSON.',
    cure: 'Send Content-Type: application/json.',
  },
  validation_failed: {
    status: 422,
    title: 'Validation Failed',
    cause: 'The request is well formed but does not say something that we can take.',
    cure: 'Mend each member that `errors` points to. Unknown members are refused too.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency Key Reused',
    cause: 'The Idempotency-Key belongs to an earlier request that was different.',
    cure: 'Use a new key for a new request; for a retry, repeat the very same bytes.',
  },
  contract_version_unknown: {
    status: 422,
    title: 'Contract Version Unknown',
    cause: 'The contract and version are not among the documents that can be accepted now.',
    cure: 'Read GET /v1/documents and have the borrower accept a version listed there.',
  },
  unsupported_asset: {
    status: 422,
    title: 'Unsupported Asset',
    cause: `Money moves only in ${MONEY_ASSETS.join(' and ')}.`,
    cure: `Use ${MONEY_ASSETS.join(' or ')}.`,
  },
  credit_limit_exceeded: {
    status: 422,
    title: 'Credit Limit Exceeded',
    cause: 'The draw and what is drawn and reserved already exceed the limit of the facility.',
    cure: 'Draw at most what the detail says is left: the limit less principal and reservations.',
  },
  as_of_in_future: {
    status: 422,
    title: 'As-of In Future',
    cause: 'The snapshot claims to be of a time that has not come.',
    cure: 'Set the clock of what takes your snapshots; the detail shows ours for this tenant, which on the sandbox may have been set ahead (GET /v1/sandbox/clock).',
  },
  url_not_allowed: {
    status: 422,
    title: 'URL Not Allowed',
    cause:
      'The webhook URL has a form that is not accepted, or does not lead to a public address. Every refused address has this one answer.',
    cure: 'Use an https URL without credentials or fragment, on a public address.',
  },
  residency_not_supported: {
    status: 422,
    title: 'Residency Not Supported',
    cause: 'The operator does not lend to borrowers of this type who live there.',
    cure: 'Nothing can be done in code; ask the operator for its residency policy.',
  },
  rate_limited: {
    status: 429,
    title: 'Too Many Requests',
    cause: 'The token bucket of the class that the detail names is empty. The request did not run.',
    cure: 'Wait for Retry-After seconds and send the same request with the same Idempotency-Key.',
  },
  headers_too_large: {
    status: 431,
    title: 'Headers Too Large',
    cause: 'The request line and headers are larger than we read.',
    cure: 'Send fewer or shorter headers.',
  },
  internal: {
    status: 500,
    title: 'Internal Error',
    cause: 'A defect of ours. Nothing of the request took effect.',
    cure: 'Retry with the same Idempotency-Key; tell the operator the request_id if it persists.',
  },
  unavailable: {
    status: 503,
    title: 'Unavailable',
    cause:
      'Something that the request needs cannot be reached at this moment, or too many requests were before it.',
    cure: 'Wait for Retry-After seconds and send the same request with the same Idempotency-Key.',
  },
  price_unavailable: {
    status: 503,
    title: 'Price Unavailable',
    cause: 'There is no price recent enough to decide by.',
    cure: 'Wait for Retry-After seconds and send the same request with the same Idempotency-Key.',
  },
} as const satisfies Record<ErrorCode, ErrorEntry>
