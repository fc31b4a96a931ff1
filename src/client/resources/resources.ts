// What the interface sends and takes, by the names that people use for it. Timestamps are
// ISO 8601 UTC strings, money and quantities decimal strings.
import type { webhooks } from '../generated/openapi-types.ts'
import type { Answer, Body, Item, Query } from '../operation-types.ts'

/** A contract that your borrowers must accept. */
export type ContractDocument = Item<'listDocuments'>
export type NewBorrower = Body<'createBorrower'>
export type Borrower = Answer<'getBorrower'>
/** `contract_type` and `contract_version` as the documents list returned them. */
export type NewSignature = Body<'submitSignature'>
export type Signature = Item<'listSignatures'>

/** All that a borrower holds at one instant, each asset once. */
export type PortfolioSnapshot = Body<'putPortfolio'>
/** The newest snapshot, with when it arrived. */
export type Portfolio = Answer<'getPortfolio'>
/** `as_of` is that of the newest snapshot stored (before the first: of the one that waits). */
export type PortfolioPush = Answer<'putPortfolio'>
export type PortfolioSource = Answer<'getPortfolioSource'>

export type NewFacility = Body<'createFacility'>
/** A credit line with its debt and ratio as of the answer. */
export type Facility = Answer<'getFacility'>
export type FacilityState = Facility['state']
/** A decimal string, and what it is counted in. */
export type Amount = Facility['limit']
export type NewDraw = Body<'requestDraw'>
export type Draw = Answer<'getDraw'>
/** Name the margin warning whenever the repayment is to cure one. */
export type NewRepayment = Body<'createRepayment'>
export type Repayment = Answer<'getRepayment'>
/** `reference` is that of the external transfer, and is reported once. */
export type ExecutionReport = Body<'reportExecution'>

/** What a facility's collateral is worth, and what it must be worth. */
export type Collateral = Answer<'getCollateral'>
/** One of its two amounts cures it: money, or collateral of that value. */
export type MarginWarning = Answer<'getMarginWarning'>
/** A decision about a warning, with everything that it was made from. */
export type MarginDecision = Item<'listMarginDecisions'>
/** A sale of a facility's collateral, and where its proceeds went. */
export type MarginCall = Answer<'getMarginCall'>

export type NewWebhook = Body<'registerWebhook'>
export type ListedWebhook = Item<'listWebhooks'>
export type Webhook = Answer<'getWebhook'>
/** What became of one event at one webhook, with every attempt. */
export type Delivery = Item<'listDeliveries'>
export type DeliveryState = Delivery['state']
export type Simulation = Body<'simulateDelivery'>
/** `status` is 0 and `error` names the cause when the endpoint gave no answer. */
export type SimulationResult = Answer<'simulateDelivery'>

export type EventType = keyof webhooks
type EventOf<Type extends EventType> =
  webhooks[Type]['post']['requestBody']['content']['application/json']
/**
 * An event as delivered and as listed by the event log (interface, Events): `type` tells what is in
 * `data`. Drop an event whose `resource_version` is older than what you have; `sequence` is its
 * position in your log, without gaps. A newer service may send types that are not among these, and
 * a simulated event may lack members: ignore the one, do not trip over the other.
 */
export type WebhookEvent = { [Type in EventType]: EventOf<Type> }[EventType]
/** What an event of this type tells. */
export type EventData<Type extends EventType> = EventOf<Type>['data']
/** A page of the event log; `next_cursor` is where to resume, on the last page too. */
export type EventPage = Omit<Answer<'listEvents'>, 'items'> & { items: WebhookEvent[] }
export type EventWithDeliveries = Answer<'getEvent'>

export type SandboxOutcome = Body<'setSandboxCompliance'>['outcome']
export type SandboxProviderAnswer = Body<'setSandboxCustodian'>['next']

/** Where to go on, and how much at once. */
export type PageRequest = Query<'listDraws'>
