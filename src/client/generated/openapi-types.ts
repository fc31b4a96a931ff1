// Written by npm run openapi.

export interface webhooks {
    "api_key.expiring": { post: operations["onApiKeyExpiring"] };
    "borrower.eligible": { post: operations["onBorrowerEligible"] };
    "draw.completed": { post: operations["onDrawCompleted"] };
    "draw.failed": { post: operations["onDrawFailed"] };
    "draw.returned": { post: operations["onDrawReturned"] };
    "facility.closed": { post: operations["onFacilityClosed"] };
    "facility.corrected": { post: operations["onFacilityCorrected"] };
    "facility.decisioned": { post: operations["onFacilityDecisioned"] };
    "facility.floor_updated": { post: operations["onFacilityFloorUpdated"] };
    "facility.held": { post: operations["onFacilityHeld"] };
    "facility.released": { post: operations["onFacilityReleased"] };
    "facility.terms_changed": { post: operations["onFacilityTermsChanged"] };
    "margin_call.completed": { post: operations["onMarginCallCompleted"] };
    "margin_call.started": { post: operations["onMarginCallStarted"] };
    "margin_notice.approaching": { post: operations["onMarginNoticeApproaching"] };
    "margin_warning.cured": { post: operations["onMarginWarningCured"] };
    "margin_warning.escalated": { post: operations["onMarginWarningEscalated"] };
    "margin_warning.raised": { post: operations["onMarginWarningRaised"] };
    "repayment.applied": { post: operations["onRepaymentApplied"] };
    "repayment.failed": { post: operations["onRepaymentFailed"] };
    "repayment.reversed": { post: operations["onRepaymentReversed"] };
    "webhook.disabled": { post: operations["onWebhookDisabled"] };
    "webhook.failing": { post: operations["onWebhookFailing"] };
}
export interface components {
    schemas: {
        Amount: { amount: components["schemas"]["Decimal"]; asset: string };
        Borrower: {
            created_at: components["schemas"]["Timestamp"];
            eligible: boolean;
            /** The lender has erased its personal data; absent otherwise */
            erased?: true;
            /** Your own id of the borrower */
            external_id?: string;
            id: string;
            kyc_attested: boolean;
            residency_country: string;
            residency_state?: string;
            type: "individual" | "business";
            updated_at: components["schemas"]["Timestamp"];
        };
        BorrowerPage: {
            has_more: boolean;
            items: components["schemas"]["Borrower"][];
            /** Present while there are more items */
            next_cursor?: string;
        };
        ChainedEventPage: {
            has_more: boolean;
            items: {
                /** Depends on `type` */
                data: { [key: string]: unknown };
                /** SHA-256 of `previous_hash`, `sequence` (8 bytes, big endian) and the SHA-256 of the body */
                hash: string;
                /** The same on every attempt and webhook: use it to drop duplicates */
                id: string;
                /** When it happened, by domain time */
                occurred_at: components["schemas"]["Timestamp"];
                /** `hash` of the event before; 64 zeros before the first */
                previous_hash: string;
                /** Present where the facility's books or margin decisions have grown since its event before: their hash */
                records?: string;
                /** The resource the event is about; a margin warning or call is `fac_…/<number>` */
                resource: { id: string; type: string };
                /** Counts the resource's events from 1: ignore an event that is not above the last you applied */
                resource_version: number;
                /** Counts the tenant's events from 1 without gaps: a missing number is a missing event */
                sequence: number;
                type: components["schemas"]["EventType"];
            }[];
            /** Always present; on the last page it is where to resume */
            next_cursor: string;
        };
        Collateral: {
            collateral_value_usd: components["schemas"]["Usd"];
            /** Floor and ratio follow from it */
            debt_usd: components["schemas"]["Usd"];
            health: "HEALTHY" | "WARNING" | "DEFICIT" | "MARGIN_CALL";
            ltv: components["schemas"]["Decimal"];
            positions: {
                asset: string;
                /** Absent for an asset that is not collateral */
                haircut?: components["schemas"]["Decimal"];
                /** Absent where there is no price */
                price_usd?: components["schemas"]["Decimal"];
                quantity: components["schemas"]["Decimal"];
                value_usd: components["schemas"]["Usd"];
            }[];
            required_floor_usd: components["schemas"]["Usd"];
            valuation_status: "FRESH" | "STALE";
            valued_at: components["schemas"]["Timestamp"];
        };
        Decimal: string;
        Delivery: {
            /** The newest 20, newest first */
            attempts: {
                at: components["schemas"]["Timestamp"];
                duration_ms: number;
                /** Why there was no answer; either `status` or `error` is present */
                error?: string;
                number: number;
                /** Requested by you, outside the retry schedule */
                requested: boolean;
                /** First 1 KiB of the answer */
                response_excerpt: string;
                /** HTTP status of the answer */
                status?: number;
            }[];
            event_id: string;
            event_type: string;
            next_attempt_at?: components["schemas"]["Timestamp"];
            state: "pending" | "delivered" | "dead_lettered" | "cancelled";
            webhook_id: string;
        };
        DeliveryAttemptPage: {
            has_more: boolean;
            items: {
                at: components["schemas"]["Timestamp"];
                duration_ms: number;
                /** Why there was no answer; either `status` or `error` is present */
                error?: string;
                number: number;
                /** Requested by you, outside the retry schedule */
                requested: boolean;
                /** First 1 KiB of the answer */
                response_excerpt: string;
                /** HTTP status of the answer */
                status?: number;
            }[];
            /** Present while there are more items */
            next_cursor?: string;
        };
        DeliveryPage: {
            has_more: boolean;
            items: components["schemas"]["Delivery"][];
            /** Present while there are more items */
            next_cursor?: string;
        };
        DocumentList: {
            items: {
                content_type: string;
                contract_type: string;
                /** Year and month, as 2026-11 */
                contract_version: string;
                download_url: string;
                title: string;
            }[];
        };
        Draw: {
            amount: components["schemas"]["Decimal"];
            asset: string;
            completed_at?: components["schemas"]["Timestamp"];
            /** `null` once the borrower is erased */
            destination: string | null;
            facility_id: string;
            failure?: { code: string; retryable: boolean };
            id: string;
            /** The payment's reference */
            reference?: string;
            requested_at: components["schemas"]["Timestamp"];
            /** What came back of it */
            returned?: {
                amount: components["schemas"]["Amount"];
                /** The payments provider's */
                code: string;
                returned_at: components["schemas"]["Timestamp"];
            };
            status: "PENDING" | "COMPLETED" | "FAILED" | "RETURNED";
        };
        DrawPage: {
            has_more: boolean;
            items: components["schemas"]["Draw"][];
            /** Present while there are more items */
            next_cursor?: string;
        };
        EventEnvelope: {
            /** The same on every attempt and webhook: use it to drop duplicates */
            id: string;
            /** When it happened, by domain time */
            occurred_at: components["schemas"]["Timestamp"];
            /** Present where the facility's books or margin decisions have grown since its event before: their hash */
            records?: string;
            /** The resource the event is about; a margin warning or call is `fac_…/<number>` */
            resource: { id: string; type: string };
            /** Counts the resource's events from 1: ignore an event that is not above the last you applied */
            resource_version: number;
            /** Counts the tenant's events from 1 without gaps: a missing number is a missing event */
            sequence: number;
        };
        EventPage: {
            has_more: boolean;
            items: {
                /** Depends on `type` */
                data: { [key: string]: unknown };
                /** The same on every attempt and webhook: use it to drop duplicates */
                id: string;
                /** When it happened, by domain time */
                occurred_at: components["schemas"]["Timestamp"];
                /** Present where the facility's books or margin decisions have grown since its event before: their hash */
                records?: string;
                /** The resource the event is about; a margin warning or call is `fac_…/<number>` */
                resource: { id: string; type: string };
                /** Counts the resource's events from 1: ignore an event that is not above the last you applied */
                resource_version: number;
                /** Counts the tenant's events from 1 without gaps: a missing number is a missing event */
                sequence: number;
                type: components["schemas"]["EventType"];
            }[];
            /** Always present; on the last page it is where to resume */
            next_cursor: string;
        };
        /**
         * timestamp
         * Format: date-time
         */
        EventTimestamp: string;
        EventType: "borrower.eligible" | "facility.decisioned" | "draw.completed" | "draw.failed" | "repayment.applied" | "repayment.failed" | "repayment.reversed" | "draw.returned" | "facility.floor_updated" | "margin_warning.raised" | "margin_warning.cured" | "margin_warning.escalated" | "margin_call.started" | "margin_call.completed" | "facility.closed" | "facility.held" | "facility.released" | "facility.terms_changed" | "facility.corrected" | "margin_notice.approaching" | "webhook.failing" | "webhook.disabled" | "api_key.expiring";
        EventWithDeliveries: {
            /** Depends on `type` */
            data: { [key: string]: unknown };
            deliveries: components["schemas"]["Delivery"][];
            /** SHA-256 of `previous_hash`, `sequence` (8 bytes, big endian) and the SHA-256 of the body */
            hash: string;
            /** The same on every attempt and webhook: use it to drop duplicates */
            id: string;
            /** When it happened, by domain time */
            occurred_at: components["schemas"]["Timestamp"];
            /** `hash` of the event before; 64 zeros before the first */
            previous_hash: string;
            /** Present where the facility's books or margin decisions have grown since its event before: their hash */
            records?: string;
            /** The resource the event is about; a margin warning or call is `fac_…/<number>` */
            resource: { id: string; type: string };
            /** Counts the resource's events from 1: ignore an event that is not above the last you applied */
            resource_version: number;
            /** Counts the tenant's events from 1 without gaps: a missing number is a missing event */
            sequence: number;
            type: components["schemas"]["EventType"];
        };
        Facility: {
            borrower_id: string;
            /** Debt that was left after a sale; no interest runs on it */
            charged_off?: {
                interest: components["schemas"]["Usd"];
                principal: components["schemas"]["Usd"];
                /** By repayments since: principal first, then interest */
                recovered: components["schemas"]["Usd"];
            };
            collateral_value_usd: components["schemas"]["Usd"];
            created_at: components["schemas"]["Timestamp"];
            /** The floor that the custodian has acknowledged */
            custodian_floor_usd: components["schemas"]["Usd"];
            decisioned_at?: components["schemas"]["Timestamp"];
            decline_reasons?: string[];
            /** Your own id of the facility */
            external_id?: string;
            /** The lender grants it: margin deadlines stand still until then */
            forbearance?: { until: components["schemas"]["Timestamp"] };
            health: "HEALTHY" | "WARNING" | "DEFICIT" | "MARGIN_CALL";
            id: string;
            limit: components["schemas"]["Amount"];
            /** Loan-to-value, six decimal places, rounded up */
            ltv: components["schemas"]["Decimal"];
            /** An amendment; it waits for the end of an open warning or margin call too */
            next_terms?: {
                effective_at: components["schemas"]["Timestamp"];
                terms: components["schemas"]["FacilityTerms"];
            };
            /** The lender holds it: nothing escalates, sells, pays out or closes */
            on_hold?: { since: components["schemas"]["Timestamp"] };
            outstanding: {
                interest: components["schemas"]["Usd"];
                principal: components["schemas"]["Usd"];
                /** Amount of draws in progress */
                reserved: components["schemas"]["Usd"];
                /** Principal and interest */
                total: components["schemas"]["Usd"];
            };
            /** Annual interest rate */
            rate: components["schemas"]["Decimal"];
            /** Refund to the borrower that is not completed yet */
            refund_due?: components["schemas"]["Usd"];
            required_floor_usd: components["schemas"]["Usd"];
            state: "PENDING" | "APPROVED" | "DECLINED" | "CLOSING" | "CLOSED";
            /** Later versions of the lender do not change them; an amendment does */
            terms?: components["schemas"]["FacilityTerms"];
            updated_at: components["schemas"]["Timestamp"];
        };
        FacilityPage: {
            has_more: boolean;
            items: components["schemas"]["Facility"][];
            /** Present while there are more items */
            next_cursor?: string;
        };
        FacilityPreview: {
            /** The instant of all figures. New prices count after they have held for a minute. A preview ends early where a margin call begins */
            at: components["schemas"]["Timestamp"];
            collateral_value_usd: components["schemas"]["Usd"];
            /** Floor and ratio follow from it */
            debt_usd: components["schemas"]["Usd"];
            /** The events of margin on the way, as they would be emitted */
            events: {
                data: { [key: string]: unknown };
                occurred_at: components["schemas"]["Timestamp"];
                type: components["schemas"]["EventType"];
            }[];
            health: "HEALTHY" | "WARNING" | "DEFICIT" | "MARGIN_CALL";
            ltv: components["schemas"]["Decimal"];
            /** What would be refunded */
            refund_due_usd?: components["schemas"]["Usd"];
            /** What would be refused, and is left out of the figures */
            refusals: { act: "draw" | "repayment" | "withdrawal"; code: string; detail: string }[];
            required_floor_usd: components["schemas"]["Usd"];
            /** The plan of the margin call that would live */
            sale?: {
                /** What would still be owed, at the planned fee */
                debt_after_usd: components["schemas"]["Usd"];
                planned: components["schemas"]["Position"][];
                sale_usd: components["schemas"]["Usd"];
                target_ltv: components["schemas"]["Decimal"];
            };
            valuation_status: "FRESH" | "STALE";
            /** The warning that would be open */
            warning?: {
                /** Adding one of these cures it too: the quantity, and what it is worth in the market, before the haircut. First what is held */
                cure_additions: {
                    asset: string;
                    market_usd: components["schemas"]["Usd"];
                    quantity: components["schemas"]["Decimal"];
                }[];
                cure_amount_usd: components["schemas"]["Usd"];
                /** After the haircut */
                cure_collateral_usd: components["schemas"]["Usd"];
                cure_deadline: components["schemas"]["Timestamp"];
                if_escalated: {
                    /** What would still be owed, at the planned fee */
                    debt_after_usd: components["schemas"]["Usd"];
                    planned: components["schemas"]["Position"][];
                    sale_usd: components["schemas"]["Usd"];
                    target_ltv: components["schemas"]["Decimal"];
                };
                number: number;
                tier: number;
            };
        };
        FacilityTerms: {
            /** Above it there is no time to cure */
            critical_ltv: components["schemas"]["Decimal"];
            /** Up to it a warning is cured */
            cure_ltv: components["schemas"]["Decimal"];
            /** Above it the facility is in breach */
            floor_ltv: components["schemas"]["Decimal"];
            /** By asset; one that is not named counts for nothing */
            haircuts: { [key: string]: components["schemas"]["Decimal"] };
            /** Annual interest rate */
            rate: components["schemas"]["Decimal"];
            /** Collateral is sold down to it */
            target_ltv: components["schemas"]["Decimal"];
            tiers: {
                above_ltv: components["schemas"]["Decimal"];
                /** The time to cure a warning of this tier */
                cure_seconds: number;
                tier: number;
            }[];
            /** Of the margin policy; 0 is the service's own */
            version: number;
        };
        MarginCall: {
            allocation: {
                interest: components["schemas"]["Amount"];
                principal: components["schemas"]["Amount"];
                refund_due: components["schemas"]["Amount"];
            };
            completed_at?: components["schemas"]["Timestamp"];
            costs_usd: components["schemas"]["Usd"];
            deficit_usd: components["schemas"]["Usd"];
            facility_id: string;
            margin_warning_number: number;
            number: number;
            outcome?: "partial" | "full" | "not_needed" | "deficit";
            planned: { asset: string; quantity: string }[];
            sold: {
                asset: string;
                proceeds_usd: components["schemas"]["Usd"];
                quantity: components["schemas"]["Decimal"];
            }[];
            started_at?: components["schemas"]["Timestamp"];
            status: "PENDING" | "SELLING" | "COMPLETED";
            surplus_usd: components["schemas"]["Usd"];
            target_ltv?: components["schemas"]["Decimal"];
        };
        MarginCallPage: {
            has_more: boolean;
            items: components["schemas"]["MarginCall"][];
            /** Present while there are more items */
            next_cursor?: string;
        };
        MarginDecision: {
            decided_at: components["schemas"]["Timestamp"];
            /** All inputs of the decision, and its result */
            facts: components["schemas"]["MarginFacts"];
            kind: "raise" | "worsen" | "cure" | "escalate";
            number: number;
        };
        MarginDecisionList: { items: components["schemas"]["MarginDecision"][] };
        MarginFacts: {
            /** What the warning was raised on, by the positions of the custodian */
            at_raise?: {
                debt_usd: components["schemas"]["Usd"];
                highest_usd: components["schemas"]["Usd"];
            };
            debt: {
                interest_usd: components["schemas"]["Usd"];
                principal_usd: components["schemas"]["Usd"];
                rate: components["schemas"]["Decimal"];
                total_usd: components["schemas"]["Usd"];
            };
            last_cure?: { cured_at: components["schemas"]["Timestamp"]; seconds_left: number };
            outcome: {
                cure_deadline?: components["schemas"]["Timestamp"];
                cured_by?: "repayment" | "collateral" | "price" | "correction";
                reason?: "deadline" | "critical";
                tier?: number;
            };
            policy: {
                confirm_seconds: number;
                critical_ltv: components["schemas"]["Decimal"];
                cure_ltv: components["schemas"]["Decimal"];
                /** How long after the deadline the window may be undecided */
                flicker_seconds: number;
                floor_ltv: components["schemas"]["Decimal"];
                least_usd: components["schemas"]["Usd"];
                tiers: {
                    above_ltv: components["schemas"]["Decimal"];
                    cure_seconds: number;
                    tier: number;
                }[];
                version: string;
            };
            /** At the latest round; for an escalation as confirmed by the custodian */
            positions: {
                asset: string;
                /** What counts towards a cure, where it is less */
                cure_quantity?: components["schemas"]["Decimal"];
                haircut?: components["schemas"]["Decimal"];
                quantity: components["schemas"]["Decimal"];
                value_usd: components["schemas"]["Usd"];
            }[];
            /** The newest push, and whether the custodian has answered about it */
            push?: {
                /** The positions are then those of the custodian */
                answered_at?: components["schemas"]["Timestamp"];
                asked_since?: components["schemas"]["Timestamp"];
                received_at: components["schemas"]["Timestamp"];
            };
            /** Repayments reported in time and not confirmed yet */
            reported: {
                amount_usd: components["schemas"]["Usd"];
                holds_until: components["schemas"]["Timestamp"];
            }[];
            /** Prices of the rounds that were evaluated, oldest first */
            rounds: {
                accepted_at: components["schemas"]["Timestamp"];
                asset: string;
                price_usd: components["schemas"]["Decimal"];
                /** The quote of each venue; none where the sandbox set the price */
                sources: {
                    at: components["schemas"]["Timestamp"];
                    price_usd: components["schemas"]["Decimal"];
                    source: string;
                }[];
            }[][];
            /** What triggered the evaluation */
            trigger: "repayment" | "collateral" | "price" | "correction";
            /** Value of the positions at the rounds; absent where prices were not used */
            values?: {
                highest_usd: components["schemas"]["Usd"];
                latest_usd: components["schemas"]["Usd"];
                lowest_usd: components["schemas"]["Usd"];
            };
            /** The warning before this decision */
            warning?: {
                cure_deadline: components["schemas"]["Timestamp"];
                tier: number;
                /** The deadline of its tiers without extensions */
                window_deadline: components["schemas"]["Timestamp"];
            };
        };
        MarginLevels: {
            collateral_value_usd: components["schemas"]["Usd"];
            /** Floor and ratio follow from it */
            debt_usd: components["schemas"]["Usd"];
            health: "HEALTHY" | "WARNING" | "DEFICIT" | "MARGIN_CALL";
            levels: {
                /** The line holds after a fall of the whole collateral by this many percent; 0 where it holds now */
                fall_percent: components["schemas"]["Decimal"];
                /** The line counts after this instant; absent: it counts now */
                from?: components["schemas"]["Timestamp"];
                line: "tier_1" | "tier_2" | "tier_3" | "critical" | "sale";
                /** The line holds above this ratio */
                ltv: components["schemas"]["Decimal"];
                /** The line holds at this price and below, with all else equal. An asset is absent whose price alone does not decide it */
                prices: { asset: string; price_usd: components["schemas"]["Decimal"] }[];
                /** Whether it holds now, at the latest prices */
                reached: boolean;
                /** The line holds where the whole collateral counts this much or less */
                value_usd: components["schemas"]["Usd"];
            }[];
            ltv: components["schemas"]["Decimal"];
            required_floor_usd: components["schemas"]["Usd"];
            valuation_status: "FRESH" | "STALE";
        };
        MarginWarning: {
            /** Adding one of these cures it too: the quantity, and what it is worth in the market, before the haircut. First what is held */
            cure_additions?: {
                asset: string;
                market_usd: components["schemas"]["Usd"];
                quantity: components["schemas"]["Decimal"];
            }[];
            cure_amount_usd: components["schemas"]["Usd"];
            /** After the haircut */
            cure_collateral_usd: components["schemas"]["Usd"];
            cure_deadline: components["schemas"]["Timestamp"];
            cured_at?: components["schemas"]["Timestamp"];
            /** `correction`: by what the custodian holds, it should never have been raised */
            cured_by?: "repayment" | "collateral" | "price" | "correction";
            escalated_at?: components["schemas"]["Timestamp"];
            /** How far outages have moved the deadline */
            extended_seconds: number;
            facility_id: string;
            if_escalated?: {
                sale_usd: components["schemas"]["Usd"];
                target_ltv: components["schemas"]["Decimal"];
            };
            /** At the latest prices, while the warning is open */
            latest_ltv?: components["schemas"]["Decimal"];
            /** As evaluated: at the highest value of the window */
            ltv_at_raise: components["schemas"]["Decimal"];
            number: number;
            raised_at: components["schemas"]["Timestamp"];
            /** The first raise and each worse one, with proof of notice; not in lists */
            raises?: {
                /** Of its `margin_warning.raised` */
                event_id: string;
                notices: components["schemas"]["Notice"][];
                raised_at: components["schemas"]["Timestamp"];
            }[];
            status: "OPEN" | "CURED" | "ESCALATED";
            tier: number;
            /** The deadline of its tiers alone; holds where the custodian does not confirm a critical loan */
            window_deadline: components["schemas"]["Timestamp"];
        };
        MarginWarningPage: {
            has_more: boolean;
            items: components["schemas"]["MarginWarning"][];
            /** Present while there are more items */
            next_cursor?: string;
        };
        Notice: {
            /** When it was sent, or taken by the webhook */
            at: components["schemas"]["Timestamp"];
            channel: "webhook" | "email" | "sms" | "push" | "letter" | "call";
            recorded_at: components["schemas"]["Timestamp"];
            reference?: string;
        };
        Payoff: {
            at: components["schemas"]["Timestamp"];
            facility_id: string;
            interest: components["schemas"]["Usd"];
            /** Interest of each further day, rounded up to the cent */
            per_day: components["schemas"]["Usd"];
            principal: components["schemas"]["Usd"];
            /** Draws in progress; each adds to the debt when it is paid out */
            reserved: components["schemas"]["Usd"];
            /** From then on it is a cent more, or more */
            rises_at?: components["schemas"]["Timestamp"];
            /** What closes the facility if it is reported at that instant */
            total: components["schemas"]["Usd"];
        };
        Portfolio: {
            /** To the millisecond */
            as_of: components["schemas"]["Timestamp"];
            /** As pushed, sorted by asset */
            positions: components["schemas"]["Position"][];
            /** When it arrived; its age counts from then */
            received_at: components["schemas"]["Timestamp"];
        };
        PortfolioPush: {
            /** False where a newer snapshot is stored or waits to be stored */
            applied: boolean;
            /** Of the newest stored snapshot, to the millisecond */
            as_of: components["schemas"]["Timestamp"];
            /** Codes of this snapshot that the service does not know: they count nothing. Missing where it knows all */
            unknown_assets?: string[];
        };
        PortfolioSource: {
            /** `custodian`: positions are also read from the custodian, and the smaller quantity counts */
            mode: "push" | "custodian";
        };
        PortfolioSourceInput: {
            /** `custodian`: positions are also read from the custodian, and the smaller quantity counts */
            mode: "push" | "custodian";
        };
        Position: { asset: string; quantity: components["schemas"]["Decimal"] };
        Problem: {
            code: "malformed_request" | "invalid_json" | "idempotency_key_missing" | "idempotency_key_invalid" | "cursor_invalid" | "signature_missing" | "signature_malformed" | "timestamp_out_of_range" | "signature_invalid" | "scope_missing" | "tenant_suspended" | "not_found" | "sandbox_only" | "method_not_allowed" | "request_timeout" | "body_too_large" | "uri_too_long" | "unsupported_media_type" | "headers_too_large" | "idempotency_in_progress" | "secret_not_retrievable" | "webhook_disabled" | "delivery_in_progress" | "recovery_in_progress" | "clock_advancing" | "limit_reached" | "facility_not_approved" | "facility_exists" | "external_id_taken" | "facility_on_hold" | "nothing_to_return" | "borrower_not_eligible" | "borrower_erased" | "draws_blocked" | "outstanding_balance" | "margin_warning_not_open" | "margin_call_not_completed" | "execution_already_reported" | "duplicate_reference" | "as_of_conflict" | "cursor_expired" | "validation_failed" | "idempotency_key_reused" | "contract_version_unknown" | "unsupported_asset" | "credit_limit_exceeded" | "url_not_allowed" | "as_of_in_future" | "residency_not_supported" | "rate_limited" | "internal" | "unavailable" | "price_unavailable";
            detail: string;
            errors?: {
                /**
                 * - `required`: The member is missing.
                 *     - `unknown_member`: The operation has no member or parameter of this name.
                 *     - `not_allowed`: The member exists, but must be left out here.
                 *     - `wrong_type`: The value has another JSON type than expected.
                 *     - `wrong_format`: The text does not have the expected form.
                 *     - `unknown_value`: The value is not one of those allowed.
                 *     - `too_short`: The text or list has too few characters or items.
                 *     - `too_long`: The text or list has too many characters or items.
                 *     - `out_of_range`: The number or amount is too small or too large.
                 *     - `too_precise`: The decimal has more digits after the point than the asset has.
                 *     - `forbidden_character`: The text has a character that is refused, such as a control character.
                 *     - `duplicate`: The value is repeated.
                 *     - `mismatch`: The value contradicts what is stored, or another member.
                 *     - `in_future`: The time is in the future.
                 */
                code: "required" | "unknown_member" | "not_allowed" | "wrong_type" | "wrong_format" | "unknown_value" | "too_short" | "too_long" | "out_of_range" | "too_precise" | "forbidden_character" | "duplicate" | "mismatch" | "in_future";
                /** What is expected, with an example, for people */
                detail: string;
                /** JSON pointer into the body, or ?name for a query parameter */
                pointer: string;
            }[];
            request_id: string;
            status: number;
            title: string;
            type: string;
        } & { [key: string]: unknown };
        Repayment: {
            allocation?: {
                interest: components["schemas"]["Amount"];
                principal: components["schemas"]["Amount"];
                refund_due: components["schemas"]["Amount"];
            };
            amount: components["schemas"]["Decimal"];
            applied_at?: components["schemas"]["Timestamp"];
            asset: string;
            /** What the treasury received; this amount is applied */
            confirmed?: components["schemas"]["Amount"];
            /** What you reported */
            delivered?: components["schemas"]["Amount"];
            facility_id: string;
            failure?: string;
            /** Until then the money can be taken back, and frees neither limit nor collateral */
            final_at?: components["schemas"]["Timestamp"];
            id: string;
            /** Received far beyond what you reported; the lender applies or returns it */
            in_suspense?: components["schemas"]["Amount"];
            /** Treated as a cure although no warning was named */
            inferred?: boolean;
            /** Steps to carry out in order. `clc` is the lender: pay to the account that it gave you */
            instructions: {
                amount: components["schemas"]["Decimal"];
                asset: string;
                destination: string;
                operation: string;
                source: string;
            }[];
            margin_warning_number?: number;
            /** Applied to a debt that was charged off */
            recovery?: boolean;
            reference?: string;
            reported_at?: components["schemas"]["Timestamp"];
            requested_at: components["schemas"]["Timestamp"];
            /** Its transfer was taken back: it pays nothing */
            returned?: {
                amount: components["schemas"]["Amount"];
                /** The payments provider's */
                code: string;
                returned_at: components["schemas"]["Timestamp"];
            };
            /** The repayment of whose receipt this is a part, applied later */
            split_from?: string;
            status: "PENDING" | "REPORTED" | "APPLIED" | "FAILED" | "REVERSED";
            /** From when what the treasury received counts: interest runs until then */
            value_date?: components["schemas"]["Timestamp"];
        };
        RepaymentPage: {
            has_more: boolean;
            items: components["schemas"]["Repayment"][];
            /** Present while there are more items */
            next_cursor?: string;
        };
        SaleReceipt: {
            receipt: { type: "sale-receipt/1" } & { [key: string]: unknown };
            /** Of the bytes of `receipt`, lower-case hex */
            sha256: string;
            signature: {
                algorithm: "Ed25519";
                /** One of `/.well-known/receipt-keys.json` */
                key_id: string;
                public_key: string;
                /** Over the bytes of `receipt`, lower-case hex */
                value: string;
            };
        };
        SandboxAmendment: {
            facility_id: string;
            /** An amendment; it waits for the end of an open warning or margin call too */
            next_terms?: {
                effective_at: components["schemas"]["Timestamp"];
                terms: components["schemas"]["FacilityTerms"];
            };
            terms?: components["schemas"]["FacilityTerms"];
        };
        SandboxBreak: {
            /** On which the provider lists it, or would have */
            day: string;
            kind: "missing_here" | "missing_there" | "other_amount" | "other_day";
            /** The payments provider's */
            transfer_id: string;
        };
        SandboxClock: {
            /** The time the clock is advancing to; absent once reached */
            goal?: components["schemas"]["Timestamp"];
            now: components["schemas"]["Timestamp"];
        };
        SandboxCompliance: {
            /** Number of checks that were decided */
            decided: number;
        };
        SandboxCorrection: {
            amount?: components["schemas"]["Amount"];
            /** Of `undo`: that of the correction which is undone */
            correction_id: string;
            facility_id: string;
            from?: components["schemas"]["Timestamp"];
            /** waive_interest and credit (of principal) take an amount, rate a rate and from, forbearance until, undo a correction_id */
            kind: "waive_interest" | "credit" | "rate" | "write_off" | "forbearance" | "undo" | "close";
            rate?: components["schemas"]["Decimal"];
            until?: components["schemas"]["Timestamp"];
        };
        SandboxHold: {
            facility_id: string;
            /** The lender holds it: nothing escalates, sells, pays out or closes */
            on_hold?: { since: components["schemas"]["Timestamp"] };
        };
        SandboxHolding: {
            borrower_id: string;
            late_seconds: number;
            /** null: what was pushed */
            positions: components["schemas"]["Position"][] | null;
        };
        SandboxPrice: { asset: string; price_usd: string };
        SandboxPriceList: {
            items: {
                asset: string;
                price_usd: string;
                /** Whether you set the price or it is the sandbox market price */
                source: "tenant" | "market";
            }[];
        };
        SandboxProvider: {
            /** How the next call is answered */
            next: "fail" | "delay" | "succeed";
        };
        SandboxProviderInput: {
            /** How the next call is answered */
            next: "fail" | "delay" | "succeed";
        };
        SandboxReturn: {
            code: string;
            draw_id?: string;
            repayment_id?: string;
            /** In real time, as the payments provider has it */
            returned_at: components["schemas"]["Timestamp"];
        };
        SignatureList: {
            items: {
                contract_type: string;
                contract_version: string;
                /** `null` once the borrower is erased */
                email: string | null;
                /** `null` once the borrower is erased */
                full_name: string | null;
                id: string;
                /** `null` once the borrower is erased */
                ip_address: string | null;
                recorded_at: components["schemas"]["Timestamp"];
                signed_at: components["schemas"]["Timestamp"];
            }[];
        };
        SignedUsd: string;
        SigningSecret: { secret: string };
        Simulated: {
            event_type: components["schemas"]["EventType"];
            response: {
                /** First 1 KiB of the answer */
                body: string;
                error: ("dns" | "connect" | "tls" | "timeout" | "address_not_allowed") | null;
                /** 0 without an answer */
                status: number;
            };
            webhook_id: string;
        };
        Statement: {
            /** At `to`, on every page */
            closing: {
                interest: components["schemas"]["SignedUsd"];
                principal: components["schemas"]["SignedUsd"];
                total: components["schemas"]["SignedUsd"];
            };
            facility_id: string;
            /** Movements after this instant */
            from: components["schemas"]["Timestamp"];
            has_more: boolean;
            lines: {
                /** After this line */
                balance: {
                    interest: components["schemas"]["SignedUsd"];
                    principal: components["schemas"]["SignedUsd"];
                    total: components["schemas"]["SignedUsd"];
                };
                /** Of the lender, see facility.corrected */
                correction_id?: string;
                draw_id?: string;
                /** What it adds to the interest */
                interest: components["schemas"]["SignedUsd"];
                margin_call_number?: number;
                paid?: components["schemas"]["Amount"];
                /** When it was booked; interest is computed from the value dates */
                posted_at?: components["schemas"]["Timestamp"];
                /** What it adds to the principal */
                principal: components["schemas"]["SignedUsd"];
                received?: components["schemas"]["Amount"];
                /** Of a debt that was charged off */
                recovered?: components["schemas"]["Usd"];
                /** What it adds to the refund; negative: paid out */
                refund_due?: components["schemas"]["SignedUsd"];
                repayment_id?: string;
                type: "interest" | "draw" | "repayment" | "sale" | "waiver" | "charge_off" | "recovery" | "misdelivery" | "suspense" | "suspense_return" | "repayment_return" | "draw_return" | "correction" | "refund" | "refund_return";
                /** From when it counts */
                value_date: components["schemas"]["Timestamp"];
            }[];
            /** Present while there are more lines */
            next_cursor?: string;
            /** At `from`, on every page */
            opening: {
                interest: components["schemas"]["SignedUsd"];
                principal: components["schemas"]["SignedUsd"];
                total: components["schemas"]["SignedUsd"];
            };
            /** Until this instant */
            to: components["schemas"]["Timestamp"];
        };
        /** Format: date-time */
        Timestamp: string;
        Usd: string;
        Webhook: {
            consecutive_failed_attempts: number;
            created_at: components["schemas"]["Timestamp"];
            event_types: string[];
            id: string;
            label?: string;
            state: "active" | "disabled";
            url: string;
        };
        WebhookCreated: { id: string };
        WebhookList: {
            items: {
                created_at: components["schemas"]["Timestamp"];
                event_types: string[];
                id: string;
                label?: string;
                url: string;
            }[];
        };
        WebhookRecovery: {
            /** How many will be made, counted up to 10,000 */
            deliveries: number;
            from_webhook_id?: string;
            recovering_since: components["schemas"]["Timestamp"];
            webhook_id: string;
        };
        Whoami: {
            /** From then on the key is refused. Absent where it does not expire */
            expires_at?: components["schemas"]["Timestamp"];
            key_id: string;
            limits: {
                burst: number;
                /** As the detail of a 429 names it */
                class: string;
                /** Tokens a second */
                per_second: number;
            }[];
            scopes: ("webhook:write" | "webhook:read" | "borrower:write" | "borrower:read" | "facility:read" | "facility:write" | "repayment:write" | "portfolio:write")[];
            stack: "live" | "sandbox";
            tenant_id: string;
        };
    };
}
export interface operations {
    listBorrowers: {
        parameters: {
            query?: {
                eligible?: boolean;
                external_id?: string;
                /** `next_cursor` of the previous page; omit it for the first page */
                from?: string;
                /** Items per page, at most 500 */
                limit?: number;
            };
        };
        responses: {
            200: { content: { "application/json": components["schemas"]["BorrowerPage"] } };
        };
    };
    createBorrower: {
        requestBody: {
            content: {
                "application/json": {
                    /** Your own id of the borrower; no two borrowers have the same */
                    external_id?: string;
                    /** That you have completed customer KYC */
                    kyc_attested: boolean;
                    /** ISO 3166-1 alpha-2, an assigned code */
                    residency_country: string;
                    /** ISO 3166-2 without the country; required for US, refused elsewhere */
                    residency_state?: string;
                    type: "individual" | "business";
                };
            };
        };
        responses: { 201: { content: { "application/json": components["schemas"]["Borrower"] } } };
    };
    getBorrower: {
        parameters: { path: { borrower_id: string } };
        responses: { 200: { content: { "application/json": components["schemas"]["Borrower"] } } };
    };
    getPortfolio: {
        parameters: { path: { borrower_id: string } };
        responses: { 200: { content: { "application/json": components["schemas"]["Portfolio"] } } };
    };
    putPortfolio: {
        parameters: { path: { borrower_id: string } };
        requestBody: {
            content: {
                "application/json": {
                    /** When the positions were read; stored to the microsecond */
                    as_of: string;
                    /** All assets of the borrower, each once */
                    positions: {
                        asset: string;
                        /** Plain decimal, 0 or more, with at most the asset's decimal places */
                        quantity: components["schemas"]["Decimal"];
                    }[];
                };
            };
        };
        responses: {
            200: { content: { "application/json": components["schemas"]["PortfolioPush"] } };
        };
    };
    listSignatures: {
        parameters: { path: { borrower_id: string } };
        responses: {
            200: { content: { "application/json": components["schemas"]["SignatureList"] } };
        };
    };
    submitSignature: {
        parameters: { path: { borrower_id: string } };
        requestBody: {
            content: {
                "application/json": {
                    contract_type: string;
                    contract_version: string;
                    /** Format: idn-email */
                    email: string;
                    full_name: string;
                    ip_address: string;
                    signed_at: string;
                };
            };
        };
        responses: {
            202: {
            };
        };
    };
    listDocuments: {
        responses: {
            200: { content: { "application/json": components["schemas"]["DocumentList"] } };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** Events of the borrower and of its facilities */
                borrower_id?: string;
                /** Events of the facility, its draws, repayments, warnings and calls */
                facility_id?: string;
                /** `next_cursor` of the previous page; omit it for the first page */
                from?: string;
                /** Items per page, at most 500 */
                limit?: number;
                /** Events of this resource only; a margin warning or call is `fac_…/<number>` */
                resource_id?: string;
                type?: components["schemas"]["EventType"];
            };
        };
        responses: {
            200: { content: { "application/json": components["schemas"]["ChainedEventPage"] } };
        };
    };
    getEvent: {
        parameters: { path: { id: string } };
        responses: {
            200: { content: { "application/json": components["schemas"]["EventWithDeliveries"] } };
        };
    };
    listFacilities: {
        parameters: {
            query?: {
                borrower_id?: string;
                external_id?: string;
                /** `next_cursor` of the previous page; omit it for the first page */
                from?: string;
                /** Items per page, at most 500 */
                limit?: number;
                state?: "PENDING" | "APPROVED" | "DECLINED" | "CLOSING" | "CLOSED";
            };
        };
        responses: {
            200: { content: { "application/json": components["schemas"]["FacilityPage"] } };
        };
    };
    createFacility: {
        requestBody: {
            content: {
                "application/json": {
                    borrower_id: string;
                    /** Required on the live stack */
                    custody_account?: string;
                    /** Your own id of the facility; free again where the application is declined or cancelled */
                    external_id?: string;
                    limit: { amount: string; asset: string };
                };
            };
        };
        responses: { 201: { content: { "application/json": components["schemas"]["Facility"] } } };
    };
    getFacility: {
        parameters: { path: { facility_id: string } };
        responses: { 200: { content: { "application/json": components["schemas"]["Facility"] } } };
    };
    closeFacility: {
        parameters: { path: { facility_id: string } };
        responses: { 200: { content: { "application/json": components["schemas"]["Facility"] } } };
    };
    getCollateral: {
        parameters: { path: { facility_id: string } };
        responses: { 200: { content: { "application/json": components["schemas"]["Collateral"] } } };
    };
    listDraws: {
        parameters: {
            query?: {
                /** `next_cursor` of the previous page; omit it for the first page */
                from?: string;
                /** Items per page, at most 500 */
                limit?: number;
            };
            path: { facility_id: string };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["DrawPage"] } } };
    };
    requestDraw: {
        parameters: { path: { facility_id: string } };
        requestBody: {
            content: {
                "application/json": {
                    /** Plain decimal, above 0; digits after the point at most: 2 in USD, 6 in USDC */
                    amount: string;
                    asset: string;
                    /** The account to pay to, as the treasury of the lender knows it; passed on as it is */
                    destination: string;
                };
            };
        };
        responses: { 201: { content: { "application/json": components["schemas"]["Draw"] } } };
    };
    getDraw: {
        parameters: { path: { draw_id: string; facility_id: string } };
        responses: { 200: { content: { "application/json": components["schemas"]["Draw"] } } };
    };
    listMarginCalls: {
        parameters: {
            query?: {
                /** `next_cursor` of the previous page; omit it for the first page */
                from?: string;
                /** Items per page, at most 500 */
                limit?: number;
            };
            path: { facility_id: string };
        };
        responses: {
            200: { content: { "application/json": components["schemas"]["MarginCallPage"] } };
        };
    };
    getMarginCall: {
        parameters: { path: { facility_id: string; number: number } };
        responses: { 200: { content: { "application/json": components["schemas"]["MarginCall"] } } };
    };
    getReceipt: {
        parameters: { path: { facility_id: string; number: number } };
        responses: {
            200: { content: { "application/json": components["schemas"]["SaleReceipt"] } };
        };
    };
    getMarginLevels: {
        parameters: { path: { facility_id: string } };
        responses: {
            200: { content: { "application/json": components["schemas"]["MarginLevels"] } };
        };
    };
    listMarginWarnings: {
        parameters: {
            query?: {
                /** `next_cursor` of the previous page; omit it for the first page */
                from?: string;
                /** Items per page, at most 500 */
                limit?: number;
            };
            path: { facility_id: string };
        };
        responses: {
            200: { content: { "application/json": components["schemas"]["MarginWarningPage"] } };
        };
    };
    getMarginWarning: {
        parameters: { path: { facility_id: string; number: number } };
        responses: {
            200: { content: { "application/json": components["schemas"]["MarginWarning"] } };
        };
    };
    listMarginDecisions: {
        parameters: { path: { facility_id: string; number: number } };
        responses: {
            200: { content: { "application/json": components["schemas"]["MarginDecisionList"] } };
        };
    };
    reportNotice: {
        parameters: { path: { facility_id: string; number: number } };
        requestBody: {
            content: {
                "application/json": {
                    channel: "email" | "sms" | "push" | "letter" | "call";
                    /** Of the `margin_warning.raised` */
                    event_id: string;
                    /** Yours, such as the id of the message. Nothing that names the borrower */
                    reference?: string;
                    /** From the raise to now, by your clock here */
                    sent_at: string;
                };
            };
        };
        responses: { 201: { content: { "application/json": components["schemas"]["Notice"] } } };
    };
    getPayoff: {
        parameters: {
            query?: {
                /** Not in the past, at most 366 days ahead; omit it for now */
                at?: string;
            };
            path: { facility_id: string };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["Payoff"] } } };
    };
    previewFacility: {
        parameters: { path: { facility_id: string } };
        requestBody: {
            content: {
                "application/json": {
                    /** How long afterwards; prices stay as they are */
                    days?: number;
                    /** Collateral that is added */
                    deposit?: {
                        asset: string;
                        /** Plain decimal, 0 or more, with at most the asset's decimal places */
                        quantity: components["schemas"]["Decimal"];
                    }[];
                    /** Paid out at once */
                    draw?: { amount: string; asset: string };
                    /** New prices; other assets keep theirs */
                    prices?: { asset: "BTC" | "ETH" | "USDC"; price_usd: string }[];
                    /** Confirmed by the treasury at once */
                    repayment?: { amount: string; asset: string };
                    /** Collateral that is taken away */
                    withdrawal?: {
                        asset: string;
                        /** Plain decimal, 0 or more, with at most the asset's decimal places */
                        quantity: components["schemas"]["Decimal"];
                    }[];
                };
            };
        };
        responses: {
            200: { content: { "application/json": components["schemas"]["FacilityPreview"] } };
        };
    };
    listRepayments: {
        parameters: {
            query?: {
                /** `next_cursor` of the previous page; omit it for the first page */
                from?: string;
                /** Items per page, at most 500 */
                limit?: number;
            };
            path: { facility_id: string };
        };
        responses: {
            200: { content: { "application/json": components["schemas"]["RepaymentPage"] } };
        };
    };
    createRepayment: {
        parameters: { path: { facility_id: string } };
        requestBody: {
            content: {
                "application/json": {
                    /** Plain decimal, above 0; digits after the point at most: 2 in USD, 6 in USDC */
                    amount: string;
                    asset: string;
                    /** When it cures this open warning */
                    margin_warning_number?: number;
                };
            };
        };
        responses: { 201: { content: { "application/json": components["schemas"]["Repayment"] } } };
    };
    getRepayment: {
        parameters: { path: { facility_id: string; repayment_id: string } };
        responses: { 200: { content: { "application/json": components["schemas"]["Repayment"] } } };
    };
    reportExecution: {
        parameters: { path: { facility_id: string; repayment_id: string } };
        requestBody: {
            content: {
                "application/json": {
                    /** The amount that was moved */
                    delivered: { amount: string; asset: string };
                    /** The external transfer. One repayment only can be reported under it, whatever its case. No leading or trailing blanks, no invisible characters */
                    reference: string;
                    status: "completed";
                } | {
                    delivered?: { amount: string; asset: string };
                    reference?: string;
                    status: "failed";
                };
            };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["Repayment"] } } };
    };
    getStatement: {
        parameters: {
            query?: {
                /** `next_cursor` of the previous page; omit it for the first page */
                cursor?: string;
                /** Movements after this instant; omit it for the day of the application, or as long before `to` as a period may be */
                from?: string;
                /** A line of interest before each movement, or also for each UTC day */
                interest?: "period" | "day";
                /** Items per page, at most 500 */
                limit?: number;
                /** Movements until this instant; omit it for now */
                to?: string;
            };
            path: { facility_id: string };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Statement"];
                    "text/csv": string;
                };
            };
        };
    };
    getPortfolioSource: {
        responses: {
            200: { content: { "application/json": components["schemas"]["PortfolioSource"] } };
        };
    };
    setPortfolioSource: {
        requestBody: {
            content: { "application/json": components["schemas"]["PortfolioSourceInput"] };
        };
        responses: {
            200: { content: { "application/json": components["schemas"]["PortfolioSource"] } };
        };
    };
    setSandboxCompliance: {
        parameters: { path: { borrower_id: string } };
        requestBody: { content: { "application/json": { outcome: "pass" | "fail" | "review" } } };
        responses: {
            200: { content: { "application/json": components["schemas"]["SandboxCompliance"] } };
        };
    };
    getSandboxClock: {
        responses: {
            200: { content: { "application/json": components["schemas"]["SandboxClock"] } };
        };
    };
    advanceSandboxClock: {
        requestBody: {
            content: {
                "application/json": {
                    /** Whole seconds, at most 400 days. The clock cannot be set back */
                    advance_seconds: number;
                };
            };
        };
        responses: {
            200: { content: { "application/json": components["schemas"]["SandboxClock"] } };
            202: { content: { "application/json": components["schemas"]["SandboxClock"] } };
        };
    };
    setSandboxCustodian: {
        requestBody: {
            content: { "application/json": components["schemas"]["SandboxProviderInput"] };
        };
        responses: {
            200: { content: { "application/json": components["schemas"]["SandboxProvider"] } };
        };
    };
    setSandboxCustodianPositions: {
        requestBody: {
            content: {
                "application/json": {
                    borrower_id: string;
                    /**
                     * How long, by your clock, a question about a push or an escalation stays open
                     * @default 0
                     */
                    late_seconds?: number;
                    /** What the custodian holds, whatever is pushed; null: what was pushed */
                    positions: {
                        asset: string;
                        /** Plain decimal, 0 or more, with at most the asset's decimal places */
                        quantity: components["schemas"]["Decimal"];
                    }[] | null;
                };
            };
        };
        responses: {
            200: { content: { "application/json": components["schemas"]["SandboxHolding"] } };
        };
    };
    amendSandboxFacility: {
        parameters: { path: { facility_id: string } };
        requestBody: {
            content: {
                "application/json": {
                    /** Not before then, if it needs notice */
                    effective_from?: string;
                    /** Annual interest rate */
                    rate?: string;
                    /** Of the margin policy */
                    version?: number;
                };
            };
        };
        responses: {
            200: { content: { "application/json": components["schemas"]["SandboxAmendment"] } };
        };
    };
    correctSandboxFacility: {
        parameters: { path: { facility_id: string } };
        requestBody: {
            content: {
                "application/json": {
                    /** At most what is owed now */
                    amount?: { amount: string; asset: string };
                    /** The correction that is undone */
                    correction_id?: string;
                    /** From when the rate holds; not ahead */
                    from?: string;
                    /** waive_interest and credit (of principal) take an amount, rate a rate and from, forbearance until, undo a correction_id */
                    kind: "waive_interest" | "credit" | "rate" | "write_off" | "forbearance" | "undo" | "close";
                    /** Annual, nowhere above the one in force */
                    rate?: string;
                    /** At most 12 months ahead */
                    until?: string;
                };
            };
        };
        responses: {
            200: { content: { "application/json": components["schemas"]["SandboxCorrection"] } };
        };
    };
    setSandboxHold: {
        parameters: { path: { facility_id: string } };
        requestBody: { content: { "application/json": { held: boolean } } };
        responses: {
            200: { content: { "application/json": components["schemas"]["SandboxHold"] } };
        };
    };
    setSandboxPayments: {
        requestBody: {
            content: { "application/json": components["schemas"]["SandboxProviderInput"] };
        };
        responses: {
            200: { content: { "application/json": components["schemas"]["SandboxProvider"] } };
        };
    };
    makeSandboxBreak: {
        requestBody: {
            content: {
                "application/json": { kind: "missing_here" } | {
                    draw_id: string;
                    kind: "missing_there" | "other_amount" | "other_day";
                } | { kind: "missing_there" | "other_amount" | "other_day"; repayment_id: string };
            };
        };
        responses: {
            200: { content: { "application/json": components["schemas"]["SandboxBreak"] } };
        };
    };
    returnSandboxPayment: {
        requestBody: {
            content: {
                "application/json": { code: string; repayment_id: string } | {
                    code: string;
                    draw_id: string;
                };
            };
        };
        responses: {
            200: { content: { "application/json": components["schemas"]["SandboxReturn"] } };
        };
    };
    listSandboxPrices: {
        responses: {
            200: { content: { "application/json": components["schemas"]["SandboxPriceList"] } };
        };
    };
    setSandboxPrice: {
        requestBody: {
            content: {
                "application/json": {
                    asset: "BTC" | "ETH" | "USDC";
                    /** null returns to the market price */
                    price_usd: string | null;
                };
            };
        };
        responses: {
            200: { content: { "application/json": components["schemas"]["SandboxPrice"] } };
        };
    };
    listWebhooks: {
        responses: {
            200: { content: { "application/json": components["schemas"]["WebhookList"] } };
        };
    };
    registerWebhook: {
        requestBody: {
            content: {
                "application/json": {
                    /** Omitted or empty: every event */
                    event_types?: components["schemas"]["EventType"][];
                    label?: string;
                    /** Format: uri */
                    url: string;
                };
            };
        };
        responses: {
            201: { content: { "application/json": components["schemas"]["WebhookCreated"] } };
        };
    };
    getWebhook: {
        parameters: { path: { id: string } };
        responses: { 200: { content: { "application/json": components["schemas"]["Webhook"] } } };
    };
    deleteWebhook: {
        parameters: { path: { id: string } };
        responses: {
            204: {
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** `next_cursor` of the previous page; omit it for the first page */
                from?: string;
                /** Items per page, at most 500 */
                limit?: number;
                state?: "pending" | "delivered" | "dead_lettered" | "cancelled";
            };
            path: { id: string };
        };
        responses: {
            200: { content: { "application/json": components["schemas"]["DeliveryPage"] } };
        };
    };
    listDeliveryAttempts: {
        parameters: {
            query?: {
                /** `next_cursor` of the previous page; omit it for the first page */
                from?: string;
                /** Items per page, at most 500 */
                limit?: number;
            };
            path: { event_id: string; id: string };
        };
        responses: {
            200: { content: { "application/json": components["schemas"]["DeliveryAttemptPage"] } };
        };
    };
    retryDelivery: {
        parameters: { path: { event_id: string; id: string } };
        responses: { 200: { content: { "application/json": components["schemas"]["Delivery"] } } };
    };
    replayEvents: {
        parameters: {
            query?: {
                /** `next_cursor` of the previous page; omit it for the first page */
                from?: string;
                /** Items per page, at most 500 */
                limit?: number;
            };
            path: { id: string };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["EventPage"] } } };
    };
    recoverWebhook: {
        parameters: { path: { id: string } };
        requestBody: {
            content: {
                "application/json": {
                    /** Delivers to this webhook what that one has missed */
                    from_webhook_id?: string;
                    /** Events written from this instant on, in real time */
                    since: string;
                };
            };
        };
        responses: {
            202: { content: { "application/json": components["schemas"]["WebhookRecovery"] } };
        };
    };
    createSigningSecret: {
        responses: {
            201: { content: { "application/json": components["schemas"]["SigningSecret"] } };
        };
    };
    simulateDelivery: {
        requestBody: {
            content: {
                "application/json": {
                    data: { [key: string]: unknown };
                    event_type: components["schemas"]["EventType"];
                    webhook_id: string;
                };
            };
        };
        responses: { 200: { content: { "application/json": components["schemas"]["Simulated"] } } };
    };
    whoami: {
        responses: { 200: { content: { "application/json": components["schemas"]["Whoami"] } } };
    };
    onApiKeyExpiring: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    data: {
                        /**
                         * timestamp
                         * From then on requests that it signs are refused
                         */
                        expires_at: components["schemas"]["EventTimestamp"];
                        /** key_… */
                        key_id: string;
                    };
                    type: "api_key.expiring";
                };
            };
        };
        responses: {
            "2XX": {
            };
        };
    };
    onBorrowerEligible: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    data: {
                        /** bor_… */
                        borrower_id: string;
                    };
                    type: "borrower.eligible";
                };
            };
        };
        responses: {
            "2XX": {
            };
        };
    };
    onDrawCompleted: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    data: {
                        /**
                         * amount
                         * What was paid out
                         */
                        amount: {
                            /** decimal */
                            amount: components["schemas"]["Decimal"];
                            asset: string;
                        };
                        /** timestamp */
                        completed_at: components["schemas"]["EventTimestamp"];
                        /** drw_… */
                        draw_id: string;
                        /** fac_… */
                        facility_id: string;
                        /** The payment's external reference */
                        reference: string;
                    };
                    type: "draw.completed";
                };
            };
        };
        responses: {
            "2XX": {
            };
        };
    };
    onDrawFailed: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    data: {
                        /**
                         * amount
                         * The amount requested; it is no longer reserved
                         */
                        amount: {
                            /** decimal */
                            amount: components["schemas"]["Decimal"];
                            asset: string;
                        };
                        /** `floor_refused`, `margin`, `borrower_not_eligible`, `facility_on_hold`, `returned`, or that of the payments provider */
                        code: string;
                        /** drw_… */
                        draw_id: string;
                        /** fac_… */
                        facility_id: string;
                        /** Whether the same draw may succeed when requested again */
                        retryable: boolean;
                    };
                    type: "draw.failed";
                };
            };
        };
        responses: {
            "2XX": {
            };
        };
    };
    onDrawReturned: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    data: {
                        /**
                         * amount
                         * What came back, which may be less than the draw
                         */
                        amount: {
                            /** decimal */
                            amount: components["schemas"]["Decimal"];
                            asset: string;
                        };
                        /** That of the payments provider */
                        code: string;
                        /** drw_… */
                        draw_id: string;
                        /** fac_… */
                        facility_id: string;
                        /**
                         * dollars
                         * Of the facility, afterwards
                         */
                        outstanding_usd: string;
                    };
                    type: "draw.returned";
                };
            };
        };
        responses: {
            "2XX": {
            };
        };
    };
    onFacilityClosed: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    data: {
                        /** timestamp */
                        closed_at: components["schemas"]["EventTimestamp"];
                        /** fac_… */
                        facility_id: string;
                        /** The debt is repaid; the debt left after a sale is written off; never approved */
                        reason: "repaid" | "charged_off" | "cancelled";
                    };
                    type: "facility.closed";
                };
            };
        };
        responses: {
            "2XX": {
            };
        };
    };
    onFacilityCorrected: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    data: {
                        /**
                         * amount
                         * Taken off interest or principal
                         */
                        amount?: {
                            /** decimal */
                            amount: components["schemas"]["Decimal"];
                            asset: string;
                        };
                        /** Of a facility that is charged off, by this or before */
                        charged_off?: {
                            /** dollars */
                            interest: string;
                            /** dollars */
                            principal: string;
                            /** dollars */
                            recovered: string;
                        };
                        /**
                         * cor_…
                         * Of `undo`: that of the correction which is undone
                         */
                        correction_id: string;
                        /** fac_… */
                        facility_id: string;
                        /**
                         * timestamp
                         * From when the rate holds
                         */
                        from?: components["schemas"]["EventTimestamp"];
                        kind: "waive_interest" | "credit" | "rate" | "write_off" | "forbearance" | "undo" | "close";
                        /**
                         * dollars
                         * Debt afterwards
                         */
                        outstanding_usd: string;
                        /**
                         * decimal
                         * The annual rate
                         */
                        rate?: components["schemas"]["Decimal"];
                        /**
                         * timestamp
                         * Until when margin deadlines stand still
                         */
                        until?: components["schemas"]["EventTimestamp"];
                    };
                    type: "facility.corrected";
                };
            };
        };
        responses: {
            "2XX": {
            };
        };
    };
    onFacilityDecisioned: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    data: {
                        /** bor_… */
                        borrower_id: string;
                        decision: "approved" | "declined";
                        /** fac_… */
                        facility_id: string;
                        /**
                         * amount
                         * The limit requested; when approved, what can be drawn
                         */
                        limit: {
                            /** decimal */
                            amount: components["schemas"]["Decimal"];
                            asset: string;
                        };
                        /**
                         * decimal
                         * Interest a year: "0.1" is 10 %
                         */
                        rate: components["schemas"]["Decimal"];
                        /** Why it was declined, else empty: `borrower_not_eligible`, `deficit_owed`, `limit_out_of_range`, `residency_limit_exceeded`, `insufficient_collateral`, `control_not_confirmed`, `portfolio_stale` */
                        reasons: string[];
                    };
                    type: "facility.decisioned";
                };
            };
        };
        responses: {
            "2XX": {
            };
        };
    };
    onFacilityFloorUpdated: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    data: {
                        /** fac_… */
                        facility_id: string;
                        /** dollars */
                        previous_floor_usd: string;
                        /** `draw` or `update` */
                        reason: string;
                        /**
                         * dollars
                         * What the custodian holds the collateral to from now on
                         */
                        required_floor_usd: string;
                    };
                    type: "facility.floor_updated";
                };
            };
        };
        responses: {
            "2XX": {
            };
        };
    };
    onFacilityHeld: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    data: {
                        /** fac_… */
                        facility_id: string;
                        /** timestamp */
                        since: components["schemas"]["EventTimestamp"];
                    };
                    type: "facility.held";
                };
            };
        };
        responses: {
            "2XX": {
            };
        };
    };
    onFacilityReleased: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    data: {
                        /** fac_… */
                        facility_id: string;
                        held_seconds: number;
                        /** The open warning */
                        margin_warning?: {
                            /**
                             * timestamp
                             * It stood still; at least two hours are left
                             */
                            deadline: components["schemas"]["EventTimestamp"];
                            /** Counts the facility's margin warnings from 1 */
                            number: number;
                        };
                    };
                    type: "facility.released";
                };
            };
        };
        responses: {
            "2XX": {
            };
        };
    };
    onFacilityTermsChanged: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    data: {
                        /**
                         * timestamp
                         * Stricter terms: at least 30 days later, and not while a margin warning or call is open
                         */
                        effective_at: components["schemas"]["EventTimestamp"];
                        /** fac_… */
                        facility_id: string;
                        /** From then on, as the facility's `terms`; those that stay after a withdrawal */
                        terms: {
                            /** decimal */
                            critical_ltv: components["schemas"]["Decimal"];
                            /** decimal */
                            cure_ltv: components["schemas"]["Decimal"];
                            /** decimal */
                            floor_ltv: components["schemas"]["Decimal"];
                            haircuts: { [key: string]: components["schemas"]["Decimal"] };
                            /** decimal */
                            rate: components["schemas"]["Decimal"];
                            /** decimal */
                            target_ltv: components["schemas"]["Decimal"];
                            tiers: {
                                /** decimal */
                                above_ltv: components["schemas"]["Decimal"];
                                cure_seconds: number;
                                tier: number;
                            }[];
                            version: number;
                        };
                    };
                    type: "facility.terms_changed";
                };
            };
        };
        responses: {
            "2XX": {
            };
        };
    };
    onMarginCallCompleted: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    data: {
                        /**
                         * allocation
                         * How the rest was applied
                         */
                        allocation: {
                            /** amount */
                            interest: {
                                /** decimal */
                                amount: components["schemas"]["Decimal"];
                                asset: string;
                            };
                            /** amount */
                            principal: {
                                /** decimal */
                                amount: components["schemas"]["Decimal"];
                                asset: string;
                            };
                            /** amount */
                            refund_due: {
                                /** decimal */
                                amount: components["schemas"]["Decimal"];
                                asset: string;
                            };
                        };
                        /**
                         * dollars
                         * Costs of the sale, taken from the proceeds
                         */
                        costs_usd: string;
                        /**
                         * dollars
                         * What stays owed and is written off
                         */
                        deficit_usd: string;
                        /** fac_… */
                        facility_id: string;
                        /** Counts the facility's margin calls from 1 */
                        number: number;
                        /** The floor is clear again; the debt is paid off; no sale was needed; all is sold and debt is left */
                        outcome: "partial" | "full" | "not_needed" | "deficit";
                        /** What was sold, by asset */
                        sold: {
                            asset: string;
                            /** dollars */
                            proceeds_usd: string;
                            /** decimal */
                            quantity: components["schemas"]["Decimal"];
                        }[];
                        /**
                         * dollars
                         * What is left over, for the borrower
                         */
                        surplus_usd: string;
                    };
                    type: "margin_call.completed";
                };
            };
        };
        responses: {
            "2XX": {
            };
        };
    };
    onMarginCallStarted: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    data: {
                        /** fac_… */
                        facility_id: string;
                        /** The margin warning that escalated */
                        margin_warning_number: number;
                        /** Counts the facility's margin calls from 1 */
                        number: number;
                        /** What is to be sold, planned again after each fill */
                        planned: {
                            asset: string;
                            /** decimal */
                            quantity: components["schemas"]["Decimal"];
                        }[];
                        /**
                         * decimal
                         * The loan-to-value that the sale aims at
                         */
                        target_ltv: components["schemas"]["Decimal"];
                    };
                    type: "margin_call.started";
                };
            };
        };
        responses: {
            "2XX": {
            };
        };
    };
    onMarginNoticeApproaching: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    data: {
                        /** fac_… */
                        facility_id: string;
                        /** Where a warning would be raised, as `GET …/margin-levels` shows it */
                        levels: {
                            /** decimal */
                            fall_percent: components["schemas"]["Decimal"];
                            /** timestamp */
                            from?: components["schemas"]["EventTimestamp"];
                            line: "tier_1" | "tier_2" | "tier_3" | "critical" | "sale";
                            /** decimal */
                            ltv: components["schemas"]["Decimal"];
                            prices: {
                                asset: string;
                                /** decimal */
                                price_usd: components["schemas"]["Decimal"];
                            }[];
                            reached: boolean;
                            /** dollars */
                            value_usd: string;
                        }[];
                        /**
                         * decimal
                         * The highest line that was crossed
                         */
                        line: components["schemas"]["Decimal"];
                        /**
                         * decimal
                         * Loan-to-value, at the highest value of the window
                         */
                        ltv: components["schemas"]["Decimal"];
                    };
                    type: "margin_notice.approaching";
                };
            };
        };
        responses: {
            "2XX": {
            };
        };
    };
    onMarginWarningCured: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    data: {
                        /** timestamp */
                        cured_at: components["schemas"]["EventTimestamp"];
                        /** `correction`: by what the custodian holds, it should never have been raised; or the lender corrected the debt, or a draw came back */
                        cured_by: "repayment" | "collateral" | "price" | "correction";
                        /** fac_… */
                        facility_id: string;
                        /**
                         * decimal
                         * At the latest prices
                         */
                        latest_ltv: components["schemas"]["Decimal"];
                        /**
                         * decimal
                         * Loan-to-value after the cure, at the lowest value of the window
                         */
                        ltv: components["schemas"]["Decimal"];
                        /** Counts the facility's margin warnings from 1 */
                        number: number;
                    };
                    type: "margin_warning.cured";
                };
            };
        };
        responses: {
            "2XX": {
            };
        };
    };
    onMarginWarningEscalated: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    data: {
                        /** fac_… */
                        facility_id: string;
                        /** The margin call that takes over */
                        margin_call_number: number;
                        /** Counts the facility's margin warnings from 1 */
                        number: number;
                        /** Not cured in time; above the critical ratio */
                        reason: "deadline" | "critical";
                    };
                    type: "margin_warning.escalated";
                };
            };
        };
        responses: {
            "2XX": {
            };
        };
    };
    onMarginWarningRaised: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    data: {
                        /**
                         * amount
                         * Paying this cures the warning
                         */
                        cure_amount: {
                            /** decimal */
                            amount: components["schemas"]["Decimal"];
                            asset: string;
                        };
                        /**
                         * dollars
                         * Adding this much collateral, after haircuts, cures it too
                         */
                        cure_collateral_usd: string;
                        /**
                         * timestamp
                         * Until when it must be cured, this instant included
                         */
                        deadline: components["schemas"]["EventTimestamp"];
                        /** fac_… */
                        facility_id: string;
                        /**
                         * decimal
                         * At the latest prices
                         */
                        latest_ltv: components["schemas"]["Decimal"];
                        /**
                         * decimal
                         * Loan-to-value at this step, at the highest value of the window
                         */
                        ltv: components["schemas"]["Decimal"];
                        /** Counts the facility's margin warnings from 1 */
                        number: number;
                        /** The facility is on hold: nothing escalates before facility.released */
                        on_hold?: true;
                        /**
                         * dollars
                         * The collateral must be worth this again
                         */
                        required_floor_usd: string;
                        /** The step of the ladder, 3 being the worst */
                        tier: number;
                        /**
                         * timestamp
                         * The deadline of its tiers alone; holds where the custodian does not confirm a critical loan
                         */
                        window_deadline: components["schemas"]["EventTimestamp"];
                    };
                    type: "margin_warning.raised";
                };
            };
        };
        responses: {
            "2XX": {
            };
        };
    };
    onRepaymentApplied: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    data: {
                        /**
                         * allocation
                         * How it was applied; `refund_due` will be refunded
                         */
                        allocation: {
                            /** amount */
                            interest: {
                                /** decimal */
                                amount: components["schemas"]["Decimal"];
                                asset: string;
                            };
                            /** amount */
                            principal: {
                                /** decimal */
                                amount: components["schemas"]["Decimal"];
                                asset: string;
                            };
                            /** amount */
                            refund_due: {
                                /** decimal */
                                amount: components["schemas"]["Decimal"];
                                asset: string;
                            };
                        };
                        /**
                         * amount
                         * What has arrived, and was applied
                         */
                        confirmed: {
                            /** decimal */
                            amount: components["schemas"]["Decimal"];
                            asset: string;
                        };
                        /**
                         * amount
                         * What the execution report states
                         */
                        delivered: {
                            /** decimal */
                            amount: components["schemas"]["Decimal"];
                            asset: string;
                        };
                        /** fac_… */
                        facility_id: string;
                        /**
                         * timestamp
                         * Until then the money can be taken back
                         */
                        final_at?: components["schemas"]["EventTimestamp"];
                        /**
                         * amount
                         * Arrived beyond that: far more than reported. The lender applies or returns it
                         */
                        in_suspense?: {
                            /** decimal */
                            amount: components["schemas"]["Decimal"];
                            asset: string;
                        };
                        /** Present when the service inferred that the repayment is a cure */
                        inferred?: boolean;
                        /** The margin warning that the repayment is to cure */
                        margin_warning_number?: number;
                        /**
                         * dollars
                         * Debt afterwards
                         */
                        outstanding_usd: string;
                        /** Present when it was applied to a debt that was charged off */
                        recovery?: boolean;
                        /** rep_… */
                        repayment_id: string;
                        /**
                         * rep_…
                         * The repayment of whose receipt this is a part, taken out of suspense
                         */
                        split_from?: string;
                    };
                    type: "repayment.applied";
                };
            };
        };
        responses: {
            "2XX": {
            };
        };
    };
    onRepaymentFailed: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    data: {
                        /** Not reported in time; nothing has arrived; another asset has, and will be refunded; reported as failed */
                        code: "expired" | "not_received" | "asset_mismatch" | "reported_failed";
                        /** fac_… */
                        facility_id: string;
                        /** The margin warning that the repayment is to cure */
                        margin_warning_number?: number;
                        /** rep_… */
                        repayment_id: string;
                    };
                    type: "repayment.failed";
                };
            };
        };
        responses: {
            "2XX": {
            };
        };
    };
    onRepaymentReversed: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    data: {
                        /**
                         * amount
                         * What it had paid
                         */
                        amount: {
                            /** decimal */
                            amount: components["schemas"]["Decimal"];
                            asset: string;
                        };
                        /** Of a facility that is charged off, by this or before */
                        charged_off?: {
                            /** dollars */
                            interest: string;
                            /** dollars */
                            principal: string;
                            /** dollars */
                            recovered: string;
                        };
                        /** That of the payments provider */
                        code: string;
                        /** fac_… */
                        facility_id: string;
                        facility_state: "APPROVED" | "CLOSING" | "CLOSED";
                        /**
                         * dollars
                         * Of the facility, afterwards
                         */
                        outstanding_usd: string;
                        /** rep_… */
                        repayment_id: string;
                    };
                    type: "repayment.reversed";
                };
            };
        };
        responses: {
            "2XX": {
            };
        };
    };
    onWebhookDisabled: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    data: {
                        /** timestamp */
                        disabled_at: components["schemas"]["EventTimestamp"];
                        url: string;
                        /** whk_… */
                        webhook_id: string;
                    };
                    type: "webhook.disabled";
                };
            };
        };
        responses: {
            "2XX": {
            };
        };
    };
    onWebhookFailing: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventEnvelope"] & {
                    data: {
                        /** At 100 the webhook is disabled */
                        consecutive_failed_attempts: number;
                        /** Present with the reason `dead_letter` */
                        dead_letter?: {
                            /** evt_… */
                            event_id: string;
                            event_type: string;
                        };
                        /** Attempts in a row; an event about margin that is no longer retried */
                        reason: "failures" | "dead_letter";
                        url: string;
                        /** whk_… */
                        webhook_id: string;
                    };
                    type: "webhook.failing";
                };
            };
        };
        responses: {
            "2XX": {
            };
        };
    };
}
