export type LoneEvent = {
  tenantId: string
  /** Of its row while it waits for a number. */
  entryId: string
  type: string
  resourceType: string
  resourceId: string
  occurredAt: Date
  data: string
}

/** The text of an event around its version and its number, which the server may fill in. A hash of its
 * records and the last brace follow. The data stays the text that was written. */
export function bodyAround(
  { type, occurredAt, resourceType, resourceId, data }: Omit<LoneEvent, 'tenantId' | 'entryId'>,
  eventId: string,
): { begin: string; middle: string; end: string } {
  const head = JSON.stringify({ id: eventId, type, occurred_at: occurredAt.toISOString() })
  const resource = JSON.stringify({ type: resourceType, id: resourceId })
  return {
    begin: `${head.slice(0, -1)},"resource_version":`,
    middle: `,"resource":${resource},"sequence":`,
    end: `,"data":${data}`,
  }
}
