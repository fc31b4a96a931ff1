import type { ErrorEntries } from './error-entry.ts'

/** Refusals about webhooks and the sandbox, and failures of the service. */
export const SERVICE_ERRORS = {
  secret_not_retrievable: {
    status: 409,
    title: 'Secret Not Retrievable',
    cause:
      'The signing secret that this request created was made by another key or person, is too old to be shown, was replaced, or can no longer be decrypted.',
    cure: 'Create a new secret with a new Idempotency-Key.',
  },
  webhook_disabled: {
    status: 409,
    title: 'Webhook Disabled',
    cause: 'The webhook was disabled after 100 failed attempts in a row. Nothing is sent to it.',
    cure: 'Repair the endpoint, register it again, recover from the disabled webhook to the new one, and delete the disabled one.',
  },
  delivery_in_progress: {
    status: 409,
    title: 'Delivery In Progress',
    cause: 'An attempt of this delivery is in progress.',
    cure: 'Wait for Retry-After seconds, read the delivery, and retry it if still needed.',
  },
  recovery_in_progress: {
    status: 409,
    title: 'Recovery In Progress',
    cause: 'An earlier recovery of this webhook is still making deliveries due.',
    cure: 'Wait for Retry-After seconds, read the deliveries, and recover again if still needed.',
  },
  clock_advancing: {
    status: 409,
    title: 'Clock Advancing',
    cause: 'The sandbox clock is still advancing because of an earlier request.',
    cure: 'Read GET /v1/sandbox/clock until `goal` is absent, then send the request again.',
  },
  limit_reached: {
    status: 409,
    title: 'Limit Reached',
    cause:
      'The maximum number is reached: webhooks or people of a tenant, invitations of an hour, signatures of a borrower, or retries of a delivery.',
    cure: 'Delete a webhook that is no longer used. Replay an event instead of retrying its delivery. A borrower does not need more than 100 signatures. Remove a person who no longer needs the console; invite the next one after Retry-After seconds.',
  },
  url_not_allowed: {
    status: 422,
    title: 'URL Not Allowed',
    cause:
      'The webhook URL has a format that is not accepted, or its address is not public. Every refused address gets this answer.',
    cure: 'Use an https URL without credentials or fragment, with a public address.',
  },
  internal: {
    status: 500,
    title: 'Internal Error',
    cause: 'The service failed because of a defect. Nothing of the request took effect.',
    cure: 'Retry with the same Idempotency-Key. If it persists, send the request_id to the operator.',
  },
  unavailable: {
    status: 503,
    title: 'Unavailable',
    cause: 'A system that the request needs is not available, or the service is overloaded.',
    cure: 'Wait for Retry-After seconds and send the same request with the same Idempotency-Key.',
  },
  price_unavailable: {
    status: 503,
    title: 'Price Unavailable',
    cause: 'There is no recent price for the decision.',
    cure: 'Wait for Retry-After seconds and send the same request with the same Idempotency-Key.',
  },
} as const satisfies ErrorEntries
