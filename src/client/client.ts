import type { PrivateKey } from './private-key.ts'
import { type ConnectionOptions, createSender, type RequestOptions } from './request.ts'
import type {
  Borrower,
  Collateral,
  ContractDocument,
  Draw,
  EventPage,
  ExecutionReport,
  Facility,
  FacilityState,
  ListedWebhook,
  MarginCall,
  MarginDecision,
  MarginWarning,
  NewBorrower,
  NewDraw,
  NewFacility,
  NewRepayment,
  NewSignature,
  NewWebhook,
  Page,
  PageRequest,
  PortfolioPush,
  PortfolioSnapshot,
  PortfolioSource,
  Repayment,
  SandboxOutcome,
  SandboxProviderAnswer,
  Signature,
  Simulation,
  SimulationResult,
  Webhook,
} from './resources.ts'

export type ClientOptions = Omit<ConnectionOptions, 'privateKey'> &
  ({ privateKeyPem: string } | { privateKey: PrivateKey })

/** Pass a key of your own to make a call repeatable across restarts of your process. */
export type CallOptions = Pick<RequestOptions, 'idempotencyKey' | 'signal'>

export type Client = ReturnType<typeof createClient>

/**
 * A client of the tenant interface for one environment. Every method signs its request, repeats it
 * when that is safe and useful, and throws ProblemError when the service refuses it. `request`
 * reaches the operations that have no method here.
 */
export function createClient(options: ClientOptions) {
  const privateKey = 'privateKeyPem' in options ? options.privateKeyPem : options.privateKey
  const send = createSender({ ...options, privateKey })

  function request<T = unknown>(method: string, path: string, options?: RequestOptions) {
    return send(method, path, options) as Promise<T>
  }

  return {
    request,

    /** The documents that each borrower must sign before becoming eligible. */
    async listDocuments(): Promise<ContractDocument[]> {
      return (await request<{ items: ContractDocument[] }>('GET', '/v1/documents')).items
    },

    createBorrower(borrower: NewBorrower, call?: CallOptions): Promise<Borrower> {
      return request('POST', '/v1/borrowers', { ...call, body: borrower })
    },

    getBorrower(borrowerId: string): Promise<Borrower> {
      return request('GET', `/v1/borrowers/${segment(borrowerId)}`)
    },

    /** One document signed by one borrower; signatures are never batched. */
    submitSignature(borrowerId: string, signed: NewSignature, call?: CallOptions): Promise<void> {
      const path = `/v1/borrowers/${segment(borrowerId)}/signatures`
      return request('POST', path, { ...call, body: signed })
    },

    /** Oldest first. */
    async listSignatures(borrowerId: string): Promise<Signature[]> {
      const path = `/v1/borrowers/${segment(borrowerId)}/signatures`
      return (await request<{ items: Signature[] }>('GET', path)).items
    },

    /**
     * Everything that a borrower holds. The newest `as_of` wins in whatever order pushes arrive; the
     * answer tells whether this one did.
     */
    putPortfolio(
      borrowerId: string,
      snapshot: PortfolioSnapshot,
      call?: CallOptions,
    ): Promise<PortfolioPush> {
      const path = `/v1/borrowers/${segment(borrowerId)}/portfolio`
      return request('PUT', path, { ...call, body: snapshot })
    },

    /** Where your borrowers' positions come from; `push` until you choose otherwise. */
    getPortfolioSource(): Promise<PortfolioSource> {
      return request('GET', '/v1/portfolio-source')
    },

    /** With `custodian`, the smaller of what you push and what the custodian holds counts. */
    setPortfolioSource(
      mode: PortfolioSource['mode'],
      call?: CallOptions,
    ): Promise<PortfolioSource> {
      return request('PUT', '/v1/portfolio-source', { ...call, body: { mode } })
    },

    /** Underwriting decides in the background and tells by `facility.decisioned`. */
    createFacility(facility: NewFacility, call?: CallOptions): Promise<Facility> {
      return request('POST', '/v1/facilities', { ...call, body: facility })
    },

    getFacility(facilityId: string): Promise<Facility> {
      return request('GET', `/v1/facilities/${segment(facilityId)}`)
    },

    listFacilities(
      page: PageRequest & { borrower_id?: string; state?: FacilityState } = {},
    ): Promise<Page<Facility>> {
      return request('GET', '/v1/facilities', { query: page })
    },

    /** Cancels an application, or closes a facility that owes nothing; told by `facility.closed`. */
    closeFacility(facilityId: string, call?: CallOptions): Promise<Facility> {
      return request('POST', `/v1/facilities/${segment(facilityId)}/close`, call)
    },

    /** Reserves the amount; the payout is told by `draw.completed` or `draw.failed`. */
    requestDraw(facilityId: string, draw: NewDraw, call?: CallOptions): Promise<Draw> {
      const path = `/v1/facilities/${segment(facilityId)}/draws`
      return request('POST', path, { ...call, body: draw })
    },

    getDraw(facilityId: string, drawId: string): Promise<Draw> {
      return request('GET', `/v1/facilities/${segment(facilityId)}/draws/${segment(drawId)}`)
    },

    listDraws(facilityId: string, page: PageRequest = {}): Promise<Page<Draw>> {
      return request('GET', `/v1/facilities/${segment(facilityId)}/draws`, { query: page })
    },

    /** Execute the answer's instructions in order, then report the execution. */
    createRepayment(
      facilityId: string,
      repayment: NewRepayment,
      call?: CallOptions,
    ): Promise<Repayment> {
      const path = `/v1/facilities/${segment(facilityId)}/repayments`
      return request('POST', path, { ...call, body: repayment })
    },

    getRepayment(facilityId: string, repaymentId: string): Promise<Repayment> {
      const path = `/v1/facilities/${segment(facilityId)}/repayments/${segment(repaymentId)}`
      return request('GET', path)
    },

    listRepayments(facilityId: string, page: PageRequest = {}): Promise<Page<Repayment>> {
      return request('GET', `/v1/facilities/${segment(facilityId)}/repayments`, { query: page })
    },

    /**
     * Tells what became of a repayment's instructions. What the treasury then finds under the
     * reference is applied, as of the arrival of this report.
     */
    reportExecution(
      facilityId: string,
      repaymentId: string,
      report: ExecutionReport,
      call?: CallOptions,
    ): Promise<Repayment> {
      const repayment = `${segment(facilityId)}/repayments/${segment(repaymentId)}`
      const path = `/v1/facilities/${repayment}/execution`
      return request('POST', path, { ...call, body: report })
    },

    /** Of an approved facility. */
    getCollateral(facilityId: string): Promise<Collateral> {
      return request('GET', `/v1/facilities/${segment(facilityId)}/collateral`)
    },

    getMarginWarning(facilityId: string, number: number): Promise<MarginWarning> {
      return request('GET', `/v1/facilities/${segment(facilityId)}/margin-warnings/${number}`)
    },

    /** Newest first. */
    listMarginWarnings(facilityId: string, page: PageRequest = {}): Promise<Page<MarginWarning>> {
      const path = `/v1/facilities/${segment(facilityId)}/margin-warnings`
      return request('GET', path, { query: page })
    },

    /** In the order in which they were made. */
    async listMarginDecisions(facilityId: string, number: number): Promise<MarginDecision[]> {
      const warning = `${segment(facilityId)}/margin-warnings/${number}`
      const path = `/v1/facilities/${warning}/decisions`
      return (await request<{ items: MarginDecision[] }>('GET', path)).items
    },

    getMarginCall(facilityId: string, number: number): Promise<MarginCall> {
      return request('GET', `/v1/facilities/${segment(facilityId)}/margin-calls/${number}`)
    },

    /** Newest first. */
    listMarginCalls(facilityId: string, page: PageRequest = {}): Promise<Page<MarginCall>> {
      const path = `/v1/facilities/${segment(facilityId)}/margin-calls`
      return request('GET', path, { query: page })
    },

    /** Replaces the earlier secret at once; this is the only time you see the new one. */
    async createSigningSecret(call?: CallOptions): Promise<string> {
      return (await request<{ secret: string }>('POST', '/v1/webhooks/secrets', call)).secret
    },

    /** Returns the webhook's id. */
    async registerWebhook(webhook: NewWebhook, call?: CallOptions): Promise<string> {
      const options = { ...call, body: webhook }
      return (await request<{ id: string }>('POST', '/v1/webhooks', options)).id
    },

    getWebhook(webhookId: string): Promise<Webhook> {
      return request('GET', `/v1/webhooks/${segment(webhookId)}`)
    },

    async listWebhooks(): Promise<ListedWebhook[]> {
      return (await request<{ items: ListedWebhook[] }>('GET', '/v1/webhooks')).items
    },

    deleteWebhook(webhookId: string, call?: CallOptions): Promise<void> {
      return request('DELETE', `/v1/webhooks/${segment(webhookId)}`, call)
    },

    /** One page of a webhook's past events; pass `next_cursor` as `from` for the page after it. */
    replayEvents(
      webhookId: string,
      page: { from?: string; limit?: number } = {},
    ): Promise<EventPage> {
      return request('GET', `/v1/webhooks/${segment(webhookId)}/events`, { query: page })
    },

    /** Sandbox only: posts a signed test event to the webhook and reports what it answered. */
    simulate(simulation: Simulation, call?: CallOptions): Promise<SimulationResult> {
      return request('POST', '/v1/webhooks/simulate', { ...call, body: simulation })
    },

    /** Sandbox only: the price that you alone see; null returns to the market. */
    setSandboxPrice(
      asset: string,
      priceUsd: string | null,
      call?: CallOptions,
    ): Promise<{ asset: string; price_usd: string }> {
      const body = { asset, price_usd: priceUsd }
      return request('POST', '/v1/sandbox/prices', { ...call, body })
    },

    /** Sandbox only: the time by which deadlines, interest and prices go for you. */
    getSandboxClock(): Promise<{ now: string }> {
      return request('GET', '/v1/sandbox/clock')
    },

    /** Sandbox only: sets your clock ahead; what falls due on the way has happened when it ends. */
    advanceSandboxClock(advanceSeconds: number, call?: CallOptions): Promise<{ now: string }> {
      const body = { advance_seconds: advanceSeconds }
      return request('POST', '/v1/sandbox/clock', { ...call, body })
    },

    /** Sandbox only: decides a borrower's open compliance checks. */
    setSandboxCompliance(
      borrowerId: string,
      outcome: SandboxOutcome,
      call?: CallOptions,
    ): Promise<{ decided: number }> {
      const path = `/v1/sandbox/borrowers/${segment(borrowerId)}/compliance`
      return request('POST', path, { ...call, body: { outcome } })
    },

    /** Sandbox only: how the custodian answers your next call to it. */
    setSandboxCustodian(
      next: SandboxProviderAnswer,
      call?: CallOptions,
    ): Promise<{ next: SandboxProviderAnswer }> {
      return request('POST', '/v1/sandbox/custodian', { ...call, body: { next } })
    },

    /** Sandbox only: how the payments provider answers your next call to it. */
    setSandboxPayments(
      next: SandboxProviderAnswer,
      call?: CallOptions,
    ): Promise<{ next: SandboxProviderAnswer }> {
      return request('POST', '/v1/sandbox/payments', { ...call, body: { next } })
    },
  }
}

/** An identifier as one path segment: never one that would address something else. */
function segment(id: string): string {
  if (id === '' || id === '.' || id === '..') throw new TypeError(`Not an identifier: "${id}".`)
  return encodeURIComponent(id)
}
