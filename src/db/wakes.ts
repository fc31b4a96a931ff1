/** Work left for a job by a transaction; a hint sent after its commit. */
export type Wake =
  | { kind: 'work'; tenantId: string; topic: string; subjectId: string }
  | ({ kind: 'deliveries' } & DeliveryWake)

export type DeliveryWake = { tenantId: string; webhookId: string }
