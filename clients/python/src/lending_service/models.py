# Written by npm run openapi.
"""The objects of the service, as JSON has them: money, quantities and times are strings."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

EventType = Literal["borrower.eligible", "facility.decisioned", "draw.completed", "draw.failed", "repayment.applied", "repayment.failed", "repayment.reversed", "draw.returned", "facility.floor_updated", "margin_warning.raised", "margin_warning.cured", "margin_warning.escalated", "margin_call.started", "margin_call.completed", "facility.closed", "facility.held", "facility.released", "facility.terms_changed", "facility.corrected", "margin_notice.approaching", "webhook.failing", "webhook.disabled", "api_key.expiring"]


class AdvanceSandboxClockBody(TypedDict):
    advance_seconds: int


class AmendSandboxFacilityBody(TypedDict):
    version: NotRequired[int]
    rate: NotRequired[str]
    effective_from: NotRequired[str]


class Amount(TypedDict):
    amount: str
    asset: str


class ApiKeyExpiringData(TypedDict):
    key_id: str
    expires_at: str


class Borrower(TypedDict):
    id: str
    external_id: NotRequired[str]
    type: Literal["individual", "business"]
    kyc_attested: bool
    residency_country: str
    residency_state: NotRequired[str]
    eligible: bool
    erased: NotRequired[bool]
    created_at: str
    updated_at: str


class BorrowerEligibleData(TypedDict):
    borrower_id: str


class BorrowerPage(TypedDict):
    items: list[Borrower]
    next_cursor: NotRequired[str]
    has_more: bool


class EventResource(TypedDict):
    type: str
    id: str


class ChainedEvent(TypedDict):
    id: str
    type: EventType
    occurred_at: str
    resource_version: int
    resource: EventResource
    sequence: int
    data: dict[str, Any]
    records: NotRequired[str]
    previous_hash: str
    hash: str


class ChainedEventPage(TypedDict):
    items: list[ChainedEvent]
    next_cursor: str
    has_more: bool


class CollateralPosition(TypedDict):
    asset: str
    quantity: str
    price_usd: NotRequired[str]
    haircut: NotRequired[str]
    value_usd: str


class Collateral(TypedDict):
    positions: list[CollateralPosition]
    collateral_value_usd: str
    debt_usd: str
    required_floor_usd: str
    ltv: str
    health: Literal["HEALTHY", "WARNING", "DEFICIT", "MARGIN_CALL"]
    valued_at: str
    valuation_status: Literal["FRESH", "STALE"]


CorrectSandboxFacilityBody = TypedDict(
    "CorrectSandboxFacilityBody",
    {
        "kind": Literal["waive_interest", "credit", "rate", "write_off", "forbearance", "undo", "close"],
        "amount": NotRequired[Amount],
        "rate": NotRequired[str],
        "from": NotRequired[str],
        "until": NotRequired[str],
        "correction_id": NotRequired[str],
    },
)


class CreateBorrowerBody(TypedDict):
    type: Literal["individual", "business"]
    kyc_attested: bool
    residency_country: str
    residency_state: NotRequired[str]
    external_id: NotRequired[str]


class CreateFacilityBody(TypedDict):
    borrower_id: str
    limit: Amount
    custody_account: NotRequired[str]
    external_id: NotRequired[str]


class CreateRepaymentBody(TypedDict):
    margin_warning_number: NotRequired[int]
    amount: str
    asset: str


class DeliveryAttempt(TypedDict):
    number: int
    at: str
    status: NotRequired[int]
    error: NotRequired[str]
    duration_ms: int
    response_excerpt: str
    requested: bool


class Delivery(TypedDict):
    webhook_id: str
    event_id: str
    event_type: str
    state: Literal["pending", "delivered", "dead_lettered", "cancelled"]
    next_attempt_at: NotRequired[str]
    attempts: list[DeliveryAttempt]


class DeliveryAttemptPageItem(TypedDict):
    number: int
    at: str
    status: NotRequired[int]
    error: NotRequired[str]
    duration_ms: int
    response_excerpt: str
    requested: bool


class DeliveryAttemptPage(TypedDict):
    items: list[DeliveryAttemptPageItem]
    next_cursor: NotRequired[str]
    has_more: bool


class DeliveryPage(TypedDict):
    items: list[Delivery]
    next_cursor: NotRequired[str]
    has_more: bool


class Document(TypedDict):
    contract_type: str
    contract_version: str
    title: str
    download_url: str
    content_type: str


class DocumentList(TypedDict):
    items: list[Document]


class DrawFailure(TypedDict):
    code: str
    retryable: bool


class DrawReturned(TypedDict):
    amount: Amount
    code: str
    returned_at: str


class Draw(TypedDict):
    id: str
    facility_id: str
    status: Literal["PENDING", "COMPLETED", "FAILED", "RETURNED"]
    amount: str
    asset: str
    destination: Any
    reference: NotRequired[str]
    failure: NotRequired[DrawFailure]
    requested_at: str
    completed_at: NotRequired[str]
    returned: NotRequired[DrawReturned]


class DrawCompletedData(TypedDict):
    facility_id: str
    draw_id: str
    amount: Amount
    reference: str
    completed_at: str


class DrawFailedData(TypedDict):
    facility_id: str
    draw_id: str
    amount: Amount
    code: str
    retryable: bool


class DrawPage(TypedDict):
    items: list[Draw]
    next_cursor: NotRequired[str]
    has_more: bool


class DrawReturnedData(TypedDict):
    facility_id: str
    draw_id: str
    amount: Amount
    code: str
    outstanding_usd: str


class Event(TypedDict):
    id: str
    type: EventType
    occurred_at: str
    resource_version: int
    resource: EventResource
    sequence: int
    data: dict[str, Any]
    records: NotRequired[str]


class EventPage(TypedDict):
    items: list[Event]
    next_cursor: str
    has_more: bool


class EventWithDeliveries(TypedDict):
    id: str
    type: EventType
    occurred_at: str
    resource_version: int
    resource: EventResource
    sequence: int
    data: dict[str, Any]
    records: NotRequired[str]
    previous_hash: str
    hash: str
    deliveries: list[Delivery]


class FacilityTermsTier(TypedDict):
    tier: int
    above_ltv: str
    cure_seconds: int


class FacilityTerms(TypedDict):
    version: int
    rate: str
    floor_ltv: str
    cure_ltv: str
    tiers: list[FacilityTermsTier]
    critical_ltv: str
    target_ltv: str
    haircuts: dict[str, Any]


class FacilityNextTerms(TypedDict):
    effective_at: str
    terms: FacilityTerms


class FacilityOutstanding(TypedDict):
    principal: str
    interest: str
    reserved: str
    total: str


class FacilityOnHold(TypedDict):
    since: str


class FacilityForbearance(TypedDict):
    until: str


class FacilityChargedOff(TypedDict):
    principal: str
    interest: str
    recovered: str


class Facility(TypedDict):
    id: str
    external_id: NotRequired[str]
    borrower_id: str
    state: Literal["PENDING", "APPROVED", "DECLINED", "CLOSING", "CLOSED"]
    limit: Amount
    rate: str
    terms: NotRequired[FacilityTerms]
    next_terms: NotRequired[FacilityNextTerms]
    outstanding: FacilityOutstanding
    collateral_value_usd: str
    required_floor_usd: str
    custodian_floor_usd: str
    ltv: str
    health: Literal["HEALTHY", "WARNING", "DEFICIT", "MARGIN_CALL"]
    on_hold: NotRequired[FacilityOnHold]
    forbearance: NotRequired[FacilityForbearance]
    refund_due: NotRequired[str]
    charged_off: NotRequired[FacilityChargedOff]
    decline_reasons: NotRequired[list[str]]
    created_at: str
    updated_at: str
    decisioned_at: NotRequired[str]


class FacilityClosedData(TypedDict):
    facility_id: str
    closed_at: str
    reason: Literal["repaid", "charged_off", "cancelled"]


class FacilityCorrectedDataChargedOff(TypedDict):
    principal: str
    interest: str
    recovered: str


FacilityCorrectedData = TypedDict(
    "FacilityCorrectedData",
    {
        "facility_id": str,
        "correction_id": str,
        "kind": Literal["waive_interest", "credit", "rate", "write_off", "forbearance", "undo", "close"],
        "amount": NotRequired[Amount],
        "rate": NotRequired[str],
        "from": NotRequired[str],
        "until": NotRequired[str],
        "charged_off": NotRequired[FacilityCorrectedDataChargedOff],
        "outstanding_usd": str,
    },
)


class FacilityDecisionedData(TypedDict):
    facility_id: str
    borrower_id: str
    decision: Literal["approved", "declined"]
    limit: Amount
    rate: str
    reasons: list[str]


class FacilityFloorUpdatedData(TypedDict):
    facility_id: str
    required_floor_usd: str
    previous_floor_usd: str
    reason: str


class FacilityHeldData(TypedDict):
    facility_id: str
    since: str


class FacilityPage(TypedDict):
    items: list[Facility]
    next_cursor: NotRequired[str]
    has_more: bool


class FacilityPreviewRefusal(TypedDict):
    act: Literal["draw", "repayment", "withdrawal"]
    code: str
    detail: str


class FacilityPreviewWarningCureAddition(TypedDict):
    asset: str
    quantity: str
    market_usd: str


class Position(TypedDict):
    asset: str
    quantity: str


class FacilityPreviewWarningIfEscalated(TypedDict):
    planned: list[Position]
    sale_usd: str
    target_ltv: str
    debt_after_usd: str


class FacilityPreviewWarning(TypedDict):
    number: int
    tier: int
    cure_amount_usd: str
    cure_collateral_usd: str
    cure_additions: list[FacilityPreviewWarningCureAddition]
    cure_deadline: str
    if_escalated: FacilityPreviewWarningIfEscalated


class FacilityPreviewSale(TypedDict):
    planned: list[Position]
    sale_usd: str
    target_ltv: str
    debt_after_usd: str


class FacilityPreviewEvent(TypedDict):
    type: EventType
    occurred_at: str
    data: dict[str, Any]


class FacilityPreview(TypedDict):
    at: str
    refusals: list[FacilityPreviewRefusal]
    debt_usd: str
    collateral_value_usd: str
    required_floor_usd: str
    ltv: str
    health: Literal["HEALTHY", "WARNING", "DEFICIT", "MARGIN_CALL"]
    valuation_status: Literal["FRESH", "STALE"]
    refund_due_usd: NotRequired[str]
    warning: NotRequired[FacilityPreviewWarning]
    sale: NotRequired[FacilityPreviewSale]
    events: list[FacilityPreviewEvent]


class FacilityReleasedDataMarginWarning(TypedDict):
    number: int
    deadline: str


class FacilityReleasedData(TypedDict):
    facility_id: str
    held_seconds: int
    margin_warning: NotRequired[FacilityReleasedDataMarginWarning]


class FacilityTermsChangedDataTermsTier(TypedDict):
    tier: int
    above_ltv: str
    cure_seconds: int


class FacilityTermsChangedDataTerms(TypedDict):
    version: int
    rate: str
    floor_ltv: str
    cure_ltv: str
    tiers: list[FacilityTermsChangedDataTermsTier]
    critical_ltv: str
    target_ltv: str
    haircuts: dict[str, Any]


class FacilityTermsChangedData(TypedDict):
    facility_id: str
    effective_at: str
    terms: FacilityTermsChangedDataTerms


class ListedWebhook(TypedDict):
    id: str
    url: str
    event_types: list[str]
    label: NotRequired[str]
    created_at: str


class MakeSandboxBreakBody(TypedDict):
    kind: Literal["missing_here", "missing_there", "other_amount", "other_day"]
    draw_id: NotRequired[str]
    repayment_id: NotRequired[str]


class MarginCallPlanned(TypedDict):
    asset: str
    quantity: str


class MarginCallSold(TypedDict):
    asset: str
    quantity: str
    proceeds_usd: str


class MarginCallAllocation(TypedDict):
    interest: Amount
    principal: Amount
    refund_due: Amount


class MarginCall(TypedDict):
    facility_id: str
    number: int
    margin_warning_number: int
    status: Literal["PENDING", "SELLING", "COMPLETED"]
    outcome: NotRequired[Literal["partial", "full", "not_needed", "deficit"]]
    target_ltv: NotRequired[str]
    planned: list[MarginCallPlanned]
    sold: list[MarginCallSold]
    costs_usd: str
    allocation: MarginCallAllocation
    surplus_usd: str
    deficit_usd: str
    started_at: NotRequired[str]
    completed_at: NotRequired[str]


class MarginCallCompletedDataSold(TypedDict):
    asset: str
    quantity: str
    proceeds_usd: str


class MarginCallCompletedDataAllocation(TypedDict):
    interest: Amount
    principal: Amount
    refund_due: Amount


class MarginCallCompletedData(TypedDict):
    facility_id: str
    number: int
    outcome: Literal["partial", "full", "not_needed", "deficit"]
    sold: list[MarginCallCompletedDataSold]
    costs_usd: str
    allocation: MarginCallCompletedDataAllocation
    surplus_usd: str
    deficit_usd: str


class MarginCallPage(TypedDict):
    items: list[MarginCall]
    next_cursor: NotRequired[str]
    has_more: bool


class MarginCallStartedDataPlanned(TypedDict):
    asset: str
    quantity: str


class MarginCallStartedData(TypedDict):
    facility_id: str
    number: int
    margin_warning_number: int
    target_ltv: str
    planned: list[MarginCallStartedDataPlanned]


class MarginFactsOutcome(TypedDict):
    tier: NotRequired[int]
    cure_deadline: NotRequired[str]
    cured_by: NotRequired[Literal["repayment", "collateral", "price", "correction"]]
    reason: NotRequired[Literal["deadline", "critical"]]


class MarginFactsDebt(TypedDict):
    principal_usd: str
    interest_usd: str
    total_usd: str
    rate: str


class MarginFactsValues(TypedDict):
    highest_usd: str
    lowest_usd: str
    latest_usd: str


class MarginFactsPush(TypedDict):
    received_at: str
    asked_since: NotRequired[str]
    answered_at: NotRequired[str]


class MarginFactsAtRaise(TypedDict):
    debt_usd: str
    highest_usd: str


class MarginFactsPosition(TypedDict):
    asset: str
    quantity: str
    cure_quantity: NotRequired[str]
    haircut: NotRequired[str]
    value_usd: str


class MarginFactsWarning(TypedDict):
    tier: int
    cure_deadline: str
    window_deadline: str


class MarginFactsLastCure(TypedDict):
    cured_at: str
    seconds_left: int


class MarginFactsReported(TypedDict):
    amount_usd: str
    holds_until: str


class MarginFactsPolicyTier(TypedDict):
    tier: int
    above_ltv: str
    cure_seconds: int


class MarginFactsPolicy(TypedDict):
    version: str
    floor_ltv: str
    cure_ltv: str
    tiers: list[MarginFactsPolicyTier]
    critical_ltv: str
    confirm_seconds: int
    flicker_seconds: int
    least_usd: str


class MarginFacts(TypedDict):
    outcome: MarginFactsOutcome
    trigger: Literal["repayment", "collateral", "price", "correction"]
    debt: MarginFactsDebt
    values: NotRequired[MarginFactsValues]
    push: NotRequired[MarginFactsPush]
    at_raise: NotRequired[MarginFactsAtRaise]
    positions: list[MarginFactsPosition]
    rounds: list[list[MarginFactsRound]]
    warning: NotRequired[MarginFactsWarning]
    last_cure: NotRequired[MarginFactsLastCure]
    reported: list[MarginFactsReported]
    policy: MarginFactsPolicy


class MarginDecision(TypedDict):
    number: int
    kind: Literal["raise", "worsen", "cure", "escalate"]
    decided_at: str
    facts: MarginFacts


class MarginDecisionList(TypedDict):
    items: list[MarginDecision]


class MarginFactsRoundSource(TypedDict):
    source: str
    price_usd: str
    at: str


class MarginFactsRound(TypedDict):
    asset: str
    price_usd: str
    accepted_at: str
    sources: list[MarginFactsRoundSource]


class MarginLevelsLevelPrice(TypedDict):
    asset: str
    price_usd: str


MarginLevelsLevel = TypedDict(
    "MarginLevelsLevel",
    {
        "line": Literal["tier_1", "tier_2", "tier_3", "critical", "sale"],
        "ltv": str,
        "reached": bool,
        "value_usd": str,
        "fall_percent": str,
        "prices": list[MarginLevelsLevelPrice],
        "from": NotRequired[str],
    },
)


class MarginLevels(TypedDict):
    debt_usd: str
    collateral_value_usd: str
    required_floor_usd: str
    ltv: str
    health: Literal["HEALTHY", "WARNING", "DEFICIT", "MARGIN_CALL"]
    valuation_status: Literal["FRESH", "STALE"]
    levels: list[MarginLevelsLevel]


class MarginNoticeApproachingDataLevelPrice(TypedDict):
    asset: str
    price_usd: str


MarginNoticeApproachingDataLevel = TypedDict(
    "MarginNoticeApproachingDataLevel",
    {
        "line": Literal["tier_1", "tier_2", "tier_3", "critical", "sale"],
        "ltv": str,
        "reached": bool,
        "value_usd": str,
        "fall_percent": str,
        "prices": list[MarginNoticeApproachingDataLevelPrice],
        "from": NotRequired[str],
    },
)


class MarginNoticeApproachingData(TypedDict):
    facility_id: str
    line: str
    ltv: str
    levels: list[MarginNoticeApproachingDataLevel]


class MarginWarningCureAddition(TypedDict):
    asset: str
    quantity: str
    market_usd: str


class MarginWarningIfEscalated(TypedDict):
    sale_usd: str
    target_ltv: str


class Notice(TypedDict):
    channel: Literal["webhook", "email", "sms", "push", "letter", "call"]
    at: str
    reference: NotRequired[str]
    recorded_at: str


class MarginWarningRaise(TypedDict):
    event_id: str
    raised_at: str
    notices: list[Notice]


class MarginWarning(TypedDict):
    facility_id: str
    number: int
    tier: int
    status: Literal["OPEN", "CURED", "ESCALATED"]
    cure_amount_usd: str
    cure_collateral_usd: str
    cure_additions: NotRequired[list[MarginWarningCureAddition]]
    cure_deadline: str
    window_deadline: str
    ltv_at_raise: str
    latest_ltv: NotRequired[str]
    raised_at: str
    cured_at: NotRequired[str]
    cured_by: NotRequired[Literal["repayment", "collateral", "price", "correction"]]
    escalated_at: NotRequired[str]
    extended_seconds: int
    if_escalated: NotRequired[MarginWarningIfEscalated]
    raises: NotRequired[list[MarginWarningRaise]]


class MarginWarningCuredData(TypedDict):
    facility_id: str
    number: int
    cured_at: str
    cured_by: Literal["repayment", "collateral", "price", "correction"]
    ltv: str
    latest_ltv: str


class MarginWarningEscalatedData(TypedDict):
    facility_id: str
    number: int
    margin_call_number: int
    reason: Literal["deadline", "critical"]


class MarginWarningPage(TypedDict):
    items: list[MarginWarning]
    next_cursor: NotRequired[str]
    has_more: bool


class MarginWarningRaisedData(TypedDict):
    facility_id: str
    number: int
    tier: int
    cure_amount: Amount
    deadline: str
    window_deadline: str
    ltv: str
    latest_ltv: str
    required_floor_usd: str
    cure_collateral_usd: str
    on_hold: NotRequired[bool]


class Payoff(TypedDict):
    facility_id: str
    at: str
    principal: str
    interest: str
    total: str
    per_day: str
    rises_at: NotRequired[str]
    reserved: str


class Portfolio(TypedDict):
    as_of: str
    received_at: str
    positions: list[Position]


class PortfolioPush(TypedDict):
    applied: bool
    as_of: str
    unknown_assets: NotRequired[list[str]]


class PortfolioSource(TypedDict):
    mode: Literal["push", "custodian"]


class PortfolioSourceInput(TypedDict):
    mode: Literal["push", "custodian"]


class PreviewFacilityBodyDeposit(TypedDict):
    asset: str
    quantity: str


class PreviewFacilityBodyWithdrawal(TypedDict):
    asset: str
    quantity: str


class PreviewFacilityBodyPrice(TypedDict):
    asset: Literal["BTC", "ETH", "USDC"]
    price_usd: str


class PreviewFacilityBody(TypedDict):
    deposit: NotRequired[list[PreviewFacilityBodyDeposit]]
    withdrawal: NotRequired[list[PreviewFacilityBodyWithdrawal]]
    repayment: NotRequired[Amount]
    draw: NotRequired[Amount]
    prices: NotRequired[list[PreviewFacilityBodyPrice]]
    days: NotRequired[int]


class PutPortfolioBodyPosition(TypedDict):
    asset: str
    quantity: str


class PutPortfolioBody(TypedDict):
    as_of: str
    positions: list[PutPortfolioBodyPosition]


class RecoverWebhookBody(TypedDict):
    since: str
    from_webhook_id: NotRequired[str]


class RegisterWebhookBody(TypedDict):
    url: str
    event_types: NotRequired[list[EventType]]
    label: NotRequired[str]


class RepaymentInstruction(TypedDict):
    operation: str
    source: str
    destination: str
    amount: str
    asset: str


class RepaymentAllocation(TypedDict):
    interest: Amount
    principal: Amount
    refund_due: Amount


class RepaymentReturned(TypedDict):
    amount: Amount
    code: str
    returned_at: str


class Repayment(TypedDict):
    id: str
    facility_id: str
    margin_warning_number: NotRequired[int]
    inferred: NotRequired[bool]
    recovery: NotRequired[bool]
    status: Literal["PENDING", "REPORTED", "APPLIED", "FAILED", "REVERSED"]
    amount: str
    asset: str
    instructions: list[RepaymentInstruction]
    delivered: NotRequired[Amount]
    confirmed: NotRequired[Amount]
    allocation: NotRequired[RepaymentAllocation]
    in_suspense: NotRequired[Amount]
    split_from: NotRequired[str]
    final_at: NotRequired[str]
    value_date: NotRequired[str]
    reference: NotRequired[str]
    failure: NotRequired[str]
    requested_at: str
    reported_at: NotRequired[str]
    applied_at: NotRequired[str]
    returned: NotRequired[RepaymentReturned]


class RepaymentAppliedDataAllocation(TypedDict):
    interest: Amount
    principal: Amount
    refund_due: Amount


class RepaymentAppliedData(TypedDict):
    facility_id: str
    repayment_id: str
    margin_warning_number: NotRequired[int]
    inferred: NotRequired[bool]
    recovery: NotRequired[bool]
    delivered: Amount
    confirmed: Amount
    in_suspense: NotRequired[Amount]
    split_from: NotRequired[str]
    final_at: NotRequired[str]
    allocation: RepaymentAppliedDataAllocation
    outstanding_usd: str


class RepaymentFailedData(TypedDict):
    facility_id: str
    repayment_id: str
    margin_warning_number: NotRequired[int]
    code: Literal["expired", "not_received", "asset_mismatch", "reported_failed"]


class RepaymentPage(TypedDict):
    items: list[Repayment]
    next_cursor: NotRequired[str]
    has_more: bool


class RepaymentReversedDataChargedOff(TypedDict):
    principal: str
    interest: str
    recovered: str


class RepaymentReversedData(TypedDict):
    facility_id: str
    repayment_id: str
    amount: Amount
    code: str
    facility_state: Literal["APPROVED", "CLOSING", "CLOSED"]
    charged_off: NotRequired[RepaymentReversedDataChargedOff]
    outstanding_usd: str


class ReportExecutionBody(TypedDict):
    status: Literal["completed", "failed"]
    delivered: NotRequired[Amount]
    reference: NotRequired[str]


class ReportNoticeBody(TypedDict):
    event_id: str
    channel: Literal["email", "sms", "push", "letter", "call"]
    sent_at: str
    reference: NotRequired[str]


class RequestDrawBody(TypedDict):
    amount: str
    asset: str
    destination: str


class ReturnSandboxPaymentBody(TypedDict):
    repayment_id: NotRequired[str]
    code: str
    draw_id: NotRequired[str]


class SaleReceiptReceipt(TypedDict):
    type: Literal["sale-receipt/1"]


class SaleReceiptSignature(TypedDict):
    algorithm: Literal["Ed25519"]
    key_id: str
    public_key: str
    value: str


class SaleReceipt(TypedDict):
    receipt: SaleReceiptReceipt
    sha256: str
    signature: SaleReceiptSignature


class SandboxAmendmentNextTerms(TypedDict):
    effective_at: str
    terms: FacilityTerms


class SandboxAmendment(TypedDict):
    facility_id: str
    terms: NotRequired[FacilityTerms]
    next_terms: NotRequired[SandboxAmendmentNextTerms]


class SandboxBreak(TypedDict):
    kind: Literal["missing_here", "missing_there", "other_amount", "other_day"]
    transfer_id: str
    day: str


class SandboxClock(TypedDict):
    now: str
    goal: NotRequired[str]


class SandboxCompliance(TypedDict):
    decided: int


SandboxCorrection = TypedDict(
    "SandboxCorrection",
    {
        "facility_id": str,
        "correction_id": str,
        "kind": Literal["waive_interest", "credit", "rate", "write_off", "forbearance", "undo", "close"],
        "amount": NotRequired[Amount],
        "rate": NotRequired[str],
        "from": NotRequired[str],
        "until": NotRequired[str],
    },
)


class SandboxHoldOnHold(TypedDict):
    since: str


class SandboxHold(TypedDict):
    facility_id: str
    on_hold: NotRequired[SandboxHoldOnHold]


class SandboxHolding(TypedDict):
    borrower_id: str
    positions: list[Position]
    late_seconds: int


class SandboxPrice(TypedDict):
    asset: str
    price_usd: str


class SandboxPriceListItem(TypedDict):
    asset: str
    price_usd: str
    source: Literal["tenant", "market"]


class SandboxPriceList(TypedDict):
    items: list[SandboxPriceListItem]


class SandboxProvider(TypedDict):
    next: Literal["fail", "delay", "succeed"]


class SandboxProviderInput(TypedDict):
    next: Literal["fail", "delay", "succeed"]


class SandboxReturn(TypedDict):
    repayment_id: NotRequired[str]
    draw_id: NotRequired[str]
    code: str
    returned_at: str


class SetSandboxComplianceBody(TypedDict):
    outcome: Literal["pass", "fail", "review"]


class SetSandboxCustodianPositionsBodyPosition(TypedDict):
    asset: str
    quantity: str


class SetSandboxCustodianPositionsBody(TypedDict):
    borrower_id: str
    positions: list[SetSandboxCustodianPositionsBodyPosition]
    late_seconds: NotRequired[int]


class SetSandboxHoldBody(TypedDict):
    held: bool


class SetSandboxPriceBody(TypedDict):
    asset: Literal["BTC", "ETH", "USDC"]
    price_usd: str


class Signature(TypedDict):
    id: str
    full_name: Any
    email: Any
    ip_address: Any
    signed_at: str
    contract_type: str
    contract_version: str
    recorded_at: str


class SignatureList(TypedDict):
    items: list[Signature]


class SigningSecret(TypedDict):
    secret: str


class SimulateDeliveryBody(TypedDict):
    webhook_id: str
    event_type: EventType
    data: dict[str, Any]


class SimulatedResponse(TypedDict):
    status: int
    body: str
    error: Literal["dns", "connect", "tls", "timeout", "address_not_allowed"]


class Simulated(TypedDict):
    webhook_id: str
    event_type: EventType
    response: SimulatedResponse


class StatementOpening(TypedDict):
    principal: str
    interest: str
    total: str


class StatementLineBalance(TypedDict):
    principal: str
    interest: str
    total: str


class StatementLine(TypedDict):
    type: Literal["interest", "draw", "repayment", "sale", "waiver", "charge_off", "recovery", "misdelivery", "suspense", "suspense_return", "repayment_return", "draw_return", "correction", "refund", "refund_return"]
    value_date: str
    posted_at: NotRequired[str]
    draw_id: NotRequired[str]
    repayment_id: NotRequired[str]
    correction_id: NotRequired[str]
    margin_call_number: NotRequired[int]
    principal: str
    interest: str
    refund_due: NotRequired[str]
    recovered: NotRequired[str]
    received: NotRequired[Amount]
    paid: NotRequired[Amount]
    balance: StatementLineBalance


class StatementClosing(TypedDict):
    principal: str
    interest: str
    total: str


Statement = TypedDict(
    "Statement",
    {
        "facility_id": str,
        "from": str,
        "to": str,
        "opening": StatementOpening,
        "lines": list[StatementLine],
        "closing": StatementClosing,
        "next_cursor": NotRequired[str],
        "has_more": bool,
    },
)


class SubmitSignatureBody(TypedDict):
    full_name: str
    email: str
    ip_address: str
    signed_at: str
    contract_type: str
    contract_version: str


class Webhook(TypedDict):
    id: str
    url: str
    event_types: list[str]
    label: NotRequired[str]
    created_at: str
    consecutive_failed_attempts: int
    state: Literal["active", "disabled"]


class WebhookCreated(TypedDict):
    id: str


class WebhookDisabledData(TypedDict):
    webhook_id: str
    url: str
    disabled_at: str


class WebhookFailingDataDeadLetter(TypedDict):
    event_id: str
    event_type: str


class WebhookFailingData(TypedDict):
    webhook_id: str
    url: str
    consecutive_failed_attempts: int
    reason: Literal["failures", "dead_letter"]
    dead_letter: NotRequired[WebhookFailingDataDeadLetter]


class WebhookList(TypedDict):
    items: list[ListedWebhook]


class WebhookRecovery(TypedDict):
    webhook_id: str
    from_webhook_id: NotRequired[str]
    recovering_since: str
    deliveries: int


WhoamiLimit = TypedDict(
    "WhoamiLimit",
    {
        "class": str,
        "per_second": float,
        "burst": int,
    },
)


class Whoami(TypedDict):
    tenant_id: str
    key_id: str
    scopes: list[Literal["webhook:write", "webhook:read", "borrower:write", "borrower:read", "facility:read", "facility:write", "repayment:write", "portfolio:write"]]
    expires_at: NotRequired[str]
    stack: Literal["live", "sandbox"]
    limits: list[WhoamiLimit]

# The model of the data of each type.
EVENT_DATA: dict[str, type] = {
    "borrower.eligible": BorrowerEligibleData,
    "facility.decisioned": FacilityDecisionedData,
    "draw.completed": DrawCompletedData,
    "draw.failed": DrawFailedData,
    "repayment.applied": RepaymentAppliedData,
    "repayment.failed": RepaymentFailedData,
    "repayment.reversed": RepaymentReversedData,
    "draw.returned": DrawReturnedData,
    "facility.floor_updated": FacilityFloorUpdatedData,
    "margin_warning.raised": MarginWarningRaisedData,
    "margin_warning.cured": MarginWarningCuredData,
    "margin_warning.escalated": MarginWarningEscalatedData,
    "margin_call.started": MarginCallStartedData,
    "margin_call.completed": MarginCallCompletedData,
    "facility.closed": FacilityClosedData,
    "facility.held": FacilityHeldData,
    "facility.released": FacilityReleasedData,
    "facility.terms_changed": FacilityTermsChangedData,
    "facility.corrected": FacilityCorrectedData,
    "margin_notice.approaching": MarginNoticeApproachingData,
    "webhook.failing": WebhookFailingData,
    "webhook.disabled": WebhookDisabledData,
    "api_key.expiring": ApiKeyExpiringData,
}
