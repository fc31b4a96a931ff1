// Timestamps are ISO 8601 UTC strings; money and quantities are decimal strings.
import type { webhooks } from '../generated/openapi-types.ts'
import type { Answer, Body, Item, Query } from '../operation-types.ts'

export type Whoami = Answer<'whoami'>

export type ContractDocument = Item<'listDocuments'>
export type NewBorrower = Body<'createBorrower'>
export type Borrower = Answer<'getBorrower'>
export type NewSignature = Body<'submitSignature'>
export type Signature = Item<'listSignatures'>

export type PortfolioSnapshot = Body<'putPortfolio'>
export type Portfolio = Answer<'getPortfolio'>
/** `as_of` of the newest snapshot stored; before the first, of the one that waits. */
export type PortfolioPush = Answer<'putPortfolio'>
export type PortfolioSource = Answer<'getPortfolioSource'>

export type NewFacility = Body<'createFacility'>
export type Facility = Answer<'getFacility'>
export type FacilityState = Facility['state']
export type Amount = Facility['limit']
export type StatementQuery = Query<'getStatement'>
export type Statement = Answer<'getStatement'>
export type Payoff = Answer<'getPayoff'>
export type NewDraw = Body<'requestDraw'>
export type Draw = Answer<'getDraw'>
/** Set `margin_warning_number` where the repayment cures a warning. */
export type NewRepayment = Body<'createRepayment'>
export type Repayment = Answer<'getRepayment'>
export type ExecutionReport = Body<'reportExecution'>

export type Collateral = Answer<'getCollateral'>
/** Where warnings and the sale would be, by price. */
export type MarginLevels = Answer<'getMarginLevels'>
export type PreviewActs = Body<'previewFacility'>
export type FacilityPreview = Answer<'previewFacility'>
/** Either of the two cure amounts cures it: money, or collateral of that value. */
export type MarginWarning = Answer<'getMarginWarning'>
/** That the borrower was told of a raise. */
export type NewNotice = Body<'reportNotice'>
export type Notice = Answer<'reportNotice'>
export type MarginDecision = Item<'listMarginDecisions'>
/** A sale of collateral, and where its proceeds went. */
export type MarginCall = Answer<'getMarginCall'>

export type NewWebhook = Body<'registerWebhook'>
export type ListedWebhook = Item<'listWebhooks'>
export type Webhook = Answer<'getWebhook'>
export type Delivery = Item<'listDeliveries'>
export type DeliveryState = Delivery['state']
export type RecoveryRequest = Body<'recoverWebhook'>
export type Recovery = Answer<'recoverWebhook'>
export type Simulation = Body<'simulateDelivery'>
/** Without an answer `status` is 0 and `error` is the cause. */
export type SimulationResult = Answer<'simulateDelivery'>

export type EventType = keyof webhooks
type EventOf<Type extends EventType> =
  webhooks[Type]['post']['requestBody']['content']['application/json']
/**
 * `type` decides what `data` holds. Ignore events with a `resource_version` you already have, and
 * types you do not know; simulated events may lack members.
 */
export type WebhookEvent = { [Type in EventType]: EventOf<Type> }[EventType]
export type EventData<Type extends EventType> = EventOf<Type>['data']
/** An event of the log, with the hashes that chain it to the one before. */
export type ChainedEvent = WebhookEvent & Pick<Item<'listEvents'>, 'previous_hash' | 'hash'>
/** `next_cursor` is where to resume, also on the last page. */
export type EventPage = Omit<Answer<'replayEvents'>, 'items'> & { items: WebhookEvent[] }
export type ChainedEventPage = Omit<Answer<'listEvents'>, 'items'> & { items: ChainedEvent[] }
export type EventWithDeliveries = Answer<'getEvent'>

export type SandboxOutcome = Body<'setSandboxCompliance'>['outcome']
export type SandboxProviderAnswer = Body<'setSandboxCustodian'>['next']

export type PageRequest = Query<'listDraws'>
