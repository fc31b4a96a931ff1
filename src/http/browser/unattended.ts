import type { FastifyRequest } from 'fastify'

/** Sent by the pages with what they read while no person is at them. */
const UNATTENDED = 'x-svc-unattended'

/** A page that polls by itself, or a stream that reconnects, does not keep its session open. */
export function isAttended({ headers, routeOptions }: FastifyRequest): boolean {
  return headers[UNATTENDED] === undefined && routeOptions.config.streams !== true
}
