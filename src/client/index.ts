// biome-ignore-all lint/performance/noBarrelFile: a package has one door.
export type { CallOptions } from './call.ts'
export { type Client, type ClientOptions, type ConnectionOptions, createClient } from './client.ts'
export type { Followed, FollowOptions } from './follow.ts'
export {
  createInbox,
  type Delivered,
  type Inbox,
  type InboxIncident,
  type InboxOptions,
} from './inbox/inbox.ts'
export { createMemoryStore } from './inbox/memory-store.ts'
export { createPostgresStore, INBOX_TABLES, type PostgresClient } from './inbox/postgres-store.ts'
export { fastifyReceiver, nodeReceiver } from './inbox/receivers.ts'
export type {
  Failure,
  InboxState,
  InboxStore,
  OpenInbox,
  ReceivedEvent,
  WaitingEvent,
} from './inbox/store.ts'
export type { Listing, WholeList } from './listing.ts'
export type { Answer, Body, Item, OperationId, Query } from './operation-types.ts'
export { createSigner, type PrivateKey, type Signer } from './private-key.ts'
export {
  type InvalidMember,
  type InvalidMemberCode,
  type ProblemCode,
  ProblemError,
  type ProblemWith,
  UnreachableError,
} from './problem-error.ts'
export { describeReceipt } from './receipts/describe-receipt.ts'
export type { Receipt, ReceiptKeys, SignedReceipt } from './receipts/receipt.ts'
export { type ReceiptVerdict, verifyReceipt } from './receipts/verify-receipt.ts'
export type { RequestOptions } from './request.ts'
export type {
  Amount,
  Borrower,
  ChainedEvent,
  ChainedEventPage,
  Collateral,
  ContractDocument,
  Delivery,
  DeliveryState,
  Draw,
  EventData,
  EventPage,
  EventType,
  EventWithDeliveries,
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
  NewNotice,
  NewRepayment,
  NewSignature,
  NewWebhook,
  Notice,
  PageRequest,
  Portfolio,
  PortfolioPush,
  PortfolioSnapshot,
  PortfolioSource,
  Recovery,
  RecoveryRequest,
  Repayment,
  SandboxOutcome,
  SandboxProviderAnswer,
  Signature,
  Simulation,
  SimulationResult,
  Webhook,
  WebhookEvent,
  Whoami,
} from './resources/resources.ts'
export { type SignedParts, signRequest, stringToSign } from './sign-request.ts'
export {
  type ChainEnd,
  type ChainFault,
  type ChainVerdict,
  deliveredBody,
  verifyEventChain,
} from './verify-chain.ts'
export {
  type ReceivedHeaders,
  verifyWebhook,
  type WebhookRefusal,
  type WebhookVerdict,
} from './verify-webhook.ts'
