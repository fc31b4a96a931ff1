// Written by npm run openapi from openapi.json.

export interface paths {
    "/v1/borrowers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List borrowers, newest first */
        get: operations["listBorrowers"];
        put?: never;
        /**
         * Create a borrower
         * @description Eligibility is evaluated in the background; `borrower.eligible` reports it.
         */
        post: operations["createBorrower"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/borrowers/{borrower_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a borrower */
        get: operations["getBorrower"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/borrowers/{borrower_id}/portfolio": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a borrower's newest portfolio
         * @description The newest snapshot as it was pushed. Read the collateral of the facility for what counts as collateral.
         */
        get: operations["getPortfolio"];
        /**
         * Replace a borrower's portfolio
         * @description The newest `as_of` wins, in whatever order snapshots arrive; an older one is answered `applied: false`. Above the rate limit the newest snapshot of each borrower waits for a token, and those that it replaces are answered `applied: false` at once; 429 comes only far above the limit. An Idempotency-Key is accepted and not recorded: sending a snapshot again changes nothing.
         */
        put: operations["putPortfolio"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/borrowers/{borrower_id}/signatures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List a borrower's signatures, oldest first */
        get: operations["listSignatures"];
        put?: never;
        /**
         * Submit a signature
         * @description Answers 202 with an empty body; the borrower is evaluated in the background. A borrower can have 100 signatures.
         */
        post: operations["submitSignature"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the contracts that borrowers must accept */
        get: operations["listDocuments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the tenant's whole event log
         * @description In order of `sequence`, which has no gaps: without filters, a missing number is a lost event. An event must match all filters. `hash` chains the events, so that none can be changed or removed unseen. A cursor is valid only with the filters it was returned for.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read one event with its deliveries */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/facilities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List facilities, newest first */
        get: operations["listFacilities"];
        put?: never;
        /**
         * Apply for a facility
         * @description Underwriting decides in the background; `facility.decisioned` reports the decision.
         */
        post: operations["createFacility"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/facilities/{facility_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a facility with its debt and ratio as of now */
        get: operations["getFacility"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/facilities/{facility_id}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close a facility
         * @description A pending application is cancelled. An approved facility without debt is closed once the lien is released; `facility.closed` reports it. A remainder of up to 1.00 USD, and not more than the interest paid, is waived.
         */
        post: operations["closeFacility"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/facilities/{facility_id}/collateral": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a facility's collateral and health */
        get: operations["getCollateral"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/facilities/{facility_id}/draws": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List a facility's draws, newest first */
        get: operations["listDraws"];
        put?: never;
        /**
         * Request a draw
         * @description The amount is reserved at once. The payout follows in the background; `draw.completed` or `draw.failed` reports it.
         */
        post: operations["requestDraw"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/facilities/{facility_id}/draws/{draw_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a draw */
        get: operations["getDraw"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/facilities/{facility_id}/margin-calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List a facility's margin calls, newest first */
        get: operations["listMarginCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/facilities/{facility_id}/margin-calls/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a margin call */
        get: operations["getMarginCall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/facilities/{facility_id}/margin-levels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read at which prices a facility would be warned and its collateral sold
         * @description Exact, by the rules of the ladder: at each price the line holds, and one unit of price above it does not. A price counts once it has held for a minute. Empty where no warning can be raised.
         */
        get: operations["getMarginLevels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/facilities/{facility_id}/margin-warnings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List a facility's margin warnings, newest first */
        get: operations["listMarginWarnings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/facilities/{facility_id}/margin-warnings/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a margin warning
         * @description While the warning is open, its cure amounts are as of now; afterwards as of its end.
         */
        get: operations["getMarginWarning"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/facilities/{facility_id}/margin-warnings/{number}/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the decisions about a margin warning, each with its inputs
         * @description Oldest first.
         */
        get: operations["listMarginDecisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/facilities/{facility_id}/payoff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what closes a facility at an instant
         * @description A repayment of `total` in USD that is reported at that instant leaves no debt, if nothing else moves until then. For a facility closed as `charged_off` it is what is left to recover.
         */
        get: operations["getPayoff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/facilities/{facility_id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview what draws, repayments, collateral, prices and days would do
         * @description Changes nothing. Collateral moves first, then the repayment is confirmed and the draw is paid out, at the latest prices; then prices change; then time passes. The custodian is assumed to confirm the positions.
         */
        post: operations["previewFacility"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/facilities/{facility_id}/repayments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List a facility's repayments, newest first */
        get: operations["listRepayments"];
        put?: never;
        /**
         * Create a repayment
         * @description Execute the instructions in order, then report the execution.
         */
        post: operations["createRepayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/facilities/{facility_id}/repayments/{repayment_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a repayment */
        get: operations["getRepayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/facilities/{facility_id}/repayments/{repayment_id}/execution": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report the execution of a repayment
         * @description The amount that the treasury confirms under the reference is applied, with the arrival of this report as value date. `repayment.applied` or `repayment.failed` reports the result.
         */
        post: operations["reportExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/facilities/{facility_id}/statement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a facility's statement
         * @description Every movement with its value date, interest, and the balance before and after. At most 366 days and 1000 movements. As a table with `Accept: text/csv`.
         */
        get: operations["getStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/portfolio-source": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read where positions come from */
        get: operations["getPortfolioSource"];
        /**
         * Choose where positions come from
         * @description `push`: the newest snapshot only. `custodian`: for each asset the smaller quantity of the newest snapshot and the custodian.
         */
        put: operations["setPortfolioSource"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/borrowers/{borrower_id}/compliance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide a borrower's compliance checks
         * @description Decides the checks that are pending or in review; `pass` also overrides failed ones. The borrower is then evaluated in the background.
         */
        post: operations["setSandboxCompliance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the clock of the tenant's sandbox */
        get: operations["getSandboxClock"];
        put?: never;
        /**
         * Advance the clock of the tenant's sandbox
         * @description Everything that falls due on the way happens at its own time and in order before the answer 200. An advance that takes longer than 20 s is answered 202 and continues; `GET` shows `goal` until it is reached. Request signatures, identifiers, retention and retries stay on real time.
         */
        post: operations["advanceSandboxClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/custodian": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Choose how the custodian provider answers its next call for the tenant
         * @description Applies to the next floor, release, order or question about an account, for a push or an escalation; where the custodian is the portfolio source, also to the read before an application is decided. It applies to one call; other calls succeed at once. Reads made every minute or before an order are not counted.
         */
        post: operations["setSandboxCustodian"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/custodian/positions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set what the custodian holds for a borrower
         * @description From now on, less what margin calls sell. It shows only where the custodian is asked: about a push that would raise, worsen or cure a margin warning, before an escalation or an order, and where it is your portfolio source.
         */
        post: operations["setSandboxCustodianPositions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Choose how the payments provider answers its next call for the tenant
         * @description It applies to one call; other calls succeed at once.
         */
        post: operations["setSandboxPayments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the prices of the tenant's sandbox
         * @description USD is always worth 1 and is not listed.
         */
        get: operations["listSandboxPrices"];
        put?: never;
        /**
         * Set a price on the tenant's sandbox
         * @description Returns the current price. USD is always worth 1.
         */
        post: operations["setSandboxPrice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List webhooks, newest first */
        get: operations["listWebhooks"];
        put?: never;
        /** Register a webhook */
        post: operations["registerWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a webhook with its state and failure counter */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Deliveries stop at once; past events can no longer be replayed through it.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List a webhook's deliveries with their newest attempts, newest event first */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{event_id}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List all attempts of one delivery, newest first */
        get: operations["listDeliveryAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{event_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a delivery now
         * @description Also for dead letters, at most 100 times. The attempt gets the next number and counts like any other; the retry schedule does not change.
         */
        post: operations["retryDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Replay the events of a webhook
         * @description Events of the webhook's types since its registration, in order of `sequence`, in any state of the webhook.
         */
        get: operations["replayEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver again what failed
         * @description Each delivery since then that failed or was cancelled is attempted once more, a few at a time beside new events. With `from_webhook_id`, the events that the other webhook has missed until this one was registered are delivered to this one.
         */
        post: operations["recoverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create the signing secret
         * @description Replaces an earlier secret at once. The secret is shown only here; a retry with the same Idempotency-Key shows it again for 24 hours while it is current.
         */
        post: operations["createSigningSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate a delivery (sandbox only)
         * @description Posts a signed sample event of this type to the webhook, in any state and with any subscriptions, and returns the endpoint's answer. Nothing is written to the event log. A failure is not counted; a 2xx resets the failure counter.
         */
        post: operations["simulateDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "borrower.eligible": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * borrower.eligible
         * @description Fires when: compliance verification and signature both complete.
         */
        post: operations["onBorrowerEligible"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "draw.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * draw.completed
         * @description Fires when: transfer confirmed.
         */
        post: operations["onDrawCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "draw.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * draw.failed
         * @description Fires when: structured failure of a draw.
         */
        post: operations["onDrawFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "facility.closed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * facility.closed
         * @description Fires when: lien released.
         */
        post: operations["onFacilityClosed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "facility.decisioned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * facility.decisioned
         * @description Fires when: underwriting approves or declines.
         */
        post: operations["onFacilityDecisioned"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "facility.floor_updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * facility.floor_updated
         * @description Fires when: new required floor pushed to the custodian.
         */
        post: operations["onFacilityFloorUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "margin_call.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * margin_call.completed
         * @description Fires when: secured-party sale completes.
         */
        post: operations["onMarginCallCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "margin_call.started": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * margin_call.started
         * @description Fires when: secured-party sale starts.
         */
        post: operations["onMarginCallStarted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "margin_notice.approaching": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * margin_notice.approaching
         * @description Fires when: loan-to-value rises above an early line, 0.60 or 0.65, and no warning is raised yet. Only webhooks that name it in `event_types` receive it.
         */
        post: operations["onMarginNoticeApproaching"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "margin_warning.cured": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * margin_warning.cured
         * @description Fires when: balance clears the floor.
         */
        post: operations["onMarginWarningCured"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "margin_warning.escalated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * margin_warning.escalated
         * @description Fires when: deadline passes first; margin call takes over.
         */
        post: operations["onMarginWarningEscalated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "margin_warning.raised": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * margin_warning.raised
         * @description Fires when: a margin warning ladder step is raised.
         */
        post: operations["onMarginWarningRaised"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "repayment.applied": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * repayment.applied
         * @description Fires when: waterfall applied.
         */
        post: operations["onRepaymentApplied"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "repayment.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * repayment.failed
         * @description Fires when: repayment could not be applied.
         */
        post: operations["onRepaymentFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * webhook.disabled
         * @description Fires when: a webhook is disabled after 100 failed attempts in a row. Only webhooks that name it in `event_types` receive it.
         */
        post: operations["onWebhookDisabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.failing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * webhook.failing
         * @description Fires when: a webhook has had 25, 50 or 75 failed attempts in a row, or an event about margin is dead-lettered at it. Only webhooks that name it in `event_types` receive it.
         */
        post: operations["onWebhookFailing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Amount: {
            amount: components["schemas"]["Decimal"];
            asset: string;
        };
        /**
         * @example {
         *       "id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "type": "individual",
         *       "kyc_attested": true,
         *       "residency_country": "US",
         *       "residency_state": "CA",
         *       "eligible": false,
         *       "created_at": "2026-11-20T12:00:00.000Z",
         *       "updated_at": "2026-11-20T12:00:00.000Z"
         *     }
         */
        Borrower: {
            created_at: components["schemas"]["Timestamp"];
            eligible: boolean;
            id: string;
            kyc_attested: boolean;
            residency_country: string;
            residency_state?: string;
            /** @enum {string} */
            type: "individual" | "business";
            updated_at: components["schemas"]["Timestamp"];
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "type": "individual",
         *           "kyc_attested": true,
         *           "residency_country": "US",
         *           "residency_state": "CA",
         *           "eligible": false,
         *           "created_at": "2026-11-20T12:00:00.000Z",
         *           "updated_at": "2026-11-20T12:00:00.000Z"
         *         }
         *       ],
         *       "has_more": false
         *     }
         */
        BorrowerPage: {
            has_more: boolean;
            items: components["schemas"]["Borrower"][];
            /** @description Present while there are more items */
            next_cursor?: string;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "id": "evt_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "type": "borrower.eligible",
         *           "occurred_at": "2026-11-20T12:00:05.000Z",
         *           "resource_version": 1,
         *           "resource": {
         *             "type": "borrower",
         *             "id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c"
         *           },
         *           "sequence": 7,
         *           "data": {
         *             "borrower_id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c"
         *           },
         *           "previous_hash": "3d5b8c1f0a7e4296b1d83c5f9e0472a6c8b1e5d70f936a24d8c7e1b05f6a9342",
         *           "hash": "a94f2e7c61d80b35f7c92ae4160d8b53c7e1f9a2046b8d3517ce9fa2d0b46e81"
         *         }
         *       ],
         *       "next_cursor": "q83vASNFZ4mrze8BNw",
         *       "has_more": false
         *     }
         */
        ChainedEventPage: {
            has_more: boolean;
            items: {
                /** @description Depends on `type` */
                data: {
                    [key: string]: unknown;
                };
                /** @description SHA-256 of `previous_hash`, `sequence` (8 bytes, big endian) and the SHA-256 of the body */
                hash: string;
                /** @description The same on every attempt and webhook: use it to drop duplicates */
                id: string;
                /** @description When it happened, by domain time */
                occurred_at: components["schemas"]["Timestamp"];
                /** @description `hash` of the event before; 64 zeros before the first */
                previous_hash: string;
                /** @description Present where the facility's books or margin decisions have grown since its event before: their hash */
                records?: string;
                /** @description The resource the event is about; a margin warning or call is `fac_…/<number>` */
                resource: {
                    id: string;
                    type: string;
                };
                /** @description Counts the resource's events from 1: ignore an event that is not above the last you applied */
                resource_version: number;
                /** @description Counts the tenant's events from 1 without gaps: a missing number is a missing event */
                sequence: number;
                type: components["schemas"]["EventType"];
            }[];
            /** @description Always present; on the last page it is where to resume */
            next_cursor: string;
        };
        /**
         * @example {
         *       "positions": [
         *         {
         *           "asset": "BTC",
         *           "quantity": "1",
         *           "price_usd": "70000",
         *           "haircut": "0.03",
         *           "value_usd": "67900.00"
         *         }
         *       ],
         *       "collateral_value_usd": "67900.00",
         *       "debt_usd": "50000.00",
         *       "required_floor_usd": "71428.58",
         *       "ltv": "0.736378",
         *       "health": "HEALTHY",
         *       "valued_at": "2026-11-20T12:00:00.000Z",
         *       "valuation_status": "FRESH"
         *     }
         */
        Collateral: {
            collateral_value_usd: components["schemas"]["Usd"];
            /** @description Floor and ratio follow from it */
            debt_usd: components["schemas"]["Usd"];
            /** @enum {string} */
            health: "HEALTHY" | "WARNING" | "DEFICIT" | "MARGIN_CALL";
            ltv: components["schemas"]["Decimal"];
            positions: {
                asset: string;
                /** @description Absent for an asset that is not collateral */
                haircut?: components["schemas"]["Decimal"];
                /** @description Absent where there is no price */
                price_usd?: components["schemas"]["Decimal"];
                quantity: components["schemas"]["Decimal"];
                value_usd: components["schemas"]["Usd"];
            }[];
            required_floor_usd: components["schemas"]["Usd"];
            /** @enum {string} */
            valuation_status: "FRESH" | "STALE";
            valued_at: components["schemas"]["Timestamp"];
        };
        Decimal: string;
        /**
         * @example {
         *       "webhook_id": "whk_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "event_id": "evt_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "event_type": "borrower.eligible",
         *       "state": "delivered",
         *       "attempts": [
         *         {
         *           "number": 1,
         *           "at": "2026-11-20T12:00:05.020Z",
         *           "status": 204,
         *           "duration_ms": 31,
         *           "response_excerpt": "",
         *           "requested": false
         *         }
         *       ]
         *     }
         */
        Delivery: {
            /** @description The newest 20, newest first */
            attempts: {
                at: components["schemas"]["Timestamp"];
                duration_ms: number;
                /** @description Why there was no answer; either `status` or `error` is present */
                error?: string;
                number: number;
                /** @description Requested by you, outside the retry schedule */
                requested: boolean;
                /** @description First 1 KiB of the answer */
                response_excerpt: string;
                /** @description HTTP status of the answer */
                status?: number;
            }[];
            event_id: string;
            event_type: string;
            next_attempt_at?: components["schemas"]["Timestamp"];
            /** @enum {string} */
            state: "pending" | "delivered" | "dead_lettered" | "cancelled";
            webhook_id: string;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "number": 1,
         *           "at": "2026-11-20T12:00:05.020Z",
         *           "status": 204,
         *           "duration_ms": 31,
         *           "response_excerpt": "",
         *           "requested": false
         *         }
         *       ],
         *       "has_more": false
         *     }
         */
        DeliveryAttemptPage: {
            has_more: boolean;
            items: {
                at: components["schemas"]["Timestamp"];
                duration_ms: number;
                /** @description Why there was no answer; either `status` or `error` is present */
                error?: string;
                number: number;
                /** @description Requested by you, outside the retry schedule */
                requested: boolean;
                /** @description First 1 KiB of the answer */
                response_excerpt: string;
                /** @description HTTP status of the answer */
                status?: number;
            }[];
            /** @description Present while there are more items */
            next_cursor?: string;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "webhook_id": "whk_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "event_id": "evt_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "event_type": "borrower.eligible",
         *           "state": "delivered",
         *           "attempts": [
         *             {
         *               "number": 1,
         *               "at": "2026-11-20T12:00:05.020Z",
         *               "status": 204,
         *               "duration_ms": 31,
         *               "response_excerpt": "",
         *               "requested": false
         *             }
         *           ]
         *         }
         *       ],
         *       "has_more": false
         *     }
         */
        DeliveryPage: {
            has_more: boolean;
            items: components["schemas"]["Delivery"][];
            /** @description Present while there are more items */
            next_cursor?: string;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "contract_type": "master_loan_agreement",
         *           "contract_version": "2026-11",
         *           "title": "Master Loan Agreement",
         *           "download_url": "https://documents.example.com/master-loan-agreement-2026-11.pdf",
         *           "content_type": "application/pdf"
         *         }
         *       ]
         *     }
         */
        DocumentList: {
            items: {
                content_type: string;
                contract_type: string;
                /** @description Year and month, as 2026-11 */
                contract_version: string;
                download_url: string;
                title: string;
            }[];
        };
        /**
         * @example {
         *       "id": "drw_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "facility_id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "status": "PENDING",
         *       "amount": "20000.00",
         *       "asset": "USD",
         *       "destination": "account-4711",
         *       "requested_at": "2026-11-20T12:05:00.000Z"
         *     }
         */
        Draw: {
            amount: components["schemas"]["Decimal"];
            asset: string;
            completed_at?: components["schemas"]["Timestamp"];
            destination: string;
            facility_id: string;
            failure?: {
                code: string;
                retryable: boolean;
            };
            id: string;
            /** @description The payment's reference */
            reference?: string;
            requested_at: components["schemas"]["Timestamp"];
            /** @enum {string} */
            status: "PENDING" | "COMPLETED" | "FAILED";
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "id": "drw_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "facility_id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "status": "PENDING",
         *           "amount": "20000.00",
         *           "asset": "USD",
         *           "destination": "account-4711",
         *           "requested_at": "2026-11-20T12:05:00.000Z"
         *         }
         *       ],
         *       "has_more": false
         *     }
         */
        DrawPage: {
            has_more: boolean;
            items: components["schemas"]["Draw"][];
            /** @description Present while there are more items */
            next_cursor?: string;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "id": "evt_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "type": "borrower.eligible",
         *           "occurred_at": "2026-11-20T12:00:05.000Z",
         *           "resource_version": 1,
         *           "resource": {
         *             "type": "borrower",
         *             "id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c"
         *           },
         *           "sequence": 7,
         *           "data": {
         *             "borrower_id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c"
         *           }
         *         }
         *       ],
         *       "next_cursor": "q83vASNFZ4mrze8BNw",
         *       "has_more": false
         *     }
         */
        EventPage: {
            has_more: boolean;
            items: {
                /** @description Depends on `type` */
                data: {
                    [key: string]: unknown;
                };
                /** @description The same on every attempt and webhook: use it to drop duplicates */
                id: string;
                /** @description When it happened, by domain time */
                occurred_at: components["schemas"]["Timestamp"];
                /** @description Present where the facility's books or margin decisions have grown since its event before: their hash */
                records?: string;
                /** @description The resource the event is about; a margin warning or call is `fac_…/<number>` */
                resource: {
                    id: string;
                    type: string;
                };
                /** @description Counts the resource's events from 1: ignore an event that is not above the last you applied */
                resource_version: number;
                /** @description Counts the tenant's events from 1 without gaps: a missing number is a missing event */
                sequence: number;
                type: components["schemas"]["EventType"];
            }[];
            /** @description Always present; on the last page it is where to resume */
            next_cursor: string;
        };
        /**
         * timestamp
         * Format: date-time
         */
        EventTimestamp: string;
        /** @enum {string} */
        EventType: "borrower.eligible" | "facility.decisioned" | "draw.completed" | "draw.failed" | "repayment.applied" | "repayment.failed" | "facility.floor_updated" | "margin_warning.raised" | "margin_warning.cured" | "margin_warning.escalated" | "margin_call.started" | "margin_call.completed" | "facility.closed" | "margin_notice.approaching" | "webhook.failing" | "webhook.disabled";
        /**
         * @example {
         *       "id": "evt_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "type": "borrower.eligible",
         *       "occurred_at": "2026-11-20T12:00:05.000Z",
         *       "resource_version": 1,
         *       "resource": {
         *         "type": "borrower",
         *         "id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c"
         *       },
         *       "sequence": 7,
         *       "data": {
         *         "borrower_id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c"
         *       },
         *       "previous_hash": "3d5b8c1f0a7e4296b1d83c5f9e0472a6c8b1e5d70f936a24d8c7e1b05f6a9342",
         *       "hash": "a94f2e7c61d80b35f7c92ae4160d8b53c7e1f9a2046b8d3517ce9fa2d0b46e81",
         *       "deliveries": [
         *         {
         *           "webhook_id": "whk_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "event_id": "evt_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "event_type": "borrower.eligible",
         *           "state": "delivered",
         *           "attempts": [
         *             {
         *               "number": 1,
         *               "at": "2026-11-20T12:00:05.020Z",
         *               "status": 204,
         *               "duration_ms": 31,
         *               "response_excerpt": "",
         *               "requested": false
         *             }
         *           ]
         *         }
         *       ]
         *     }
         */
        EventWithDeliveries: {
            /** @description Depends on `type` */
            data: {
                [key: string]: unknown;
            };
            deliveries: components["schemas"]["Delivery"][];
            /** @description SHA-256 of `previous_hash`, `sequence` (8 bytes, big endian) and the SHA-256 of the body */
            hash: string;
            /** @description The same on every attempt and webhook: use it to drop duplicates */
            id: string;
            /** @description When it happened, by domain time */
            occurred_at: components["schemas"]["Timestamp"];
            /** @description `hash` of the event before; 64 zeros before the first */
            previous_hash: string;
            /** @description Present where the facility's books or margin decisions have grown since its event before: their hash */
            records?: string;
            /** @description The resource the event is about; a margin warning or call is `fac_…/<number>` */
            resource: {
                id: string;
                type: string;
            };
            /** @description Counts the resource's events from 1: ignore an event that is not above the last you applied */
            resource_version: number;
            /** @description Counts the tenant's events from 1 without gaps: a missing number is a missing event */
            sequence: number;
            type: components["schemas"]["EventType"];
        };
        /**
         * @example {
         *       "id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "borrower_id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "state": "APPROVED",
         *       "limit": {
         *         "amount": "50000.00",
         *         "asset": "USD"
         *       },
         *       "rate": "0.1",
         *       "outstanding": {
         *         "principal": "20000.00",
         *         "interest": "5.48",
         *         "reserved": "0.00",
         *         "total": "20005.48"
         *       },
         *       "collateral_value_usd": "97000.00",
         *       "required_floor_usd": "28579.26",
         *       "custodian_floor_usd": "28594.91",
         *       "ltv": "0.206243",
         *       "health": "HEALTHY",
         *       "created_at": "2026-11-20T12:00:00.000Z",
         *       "updated_at": "2026-11-21T12:00:00.000Z",
         *       "decisioned_at": "2026-11-20T12:00:01.000Z"
         *     }
         */
        Facility: {
            borrower_id: string;
            /** @description Debt that was left after a sale; no interest runs on it */
            charged_off?: {
                interest: components["schemas"]["Usd"];
                principal: components["schemas"]["Usd"];
                /** @description By repayments since: principal first, then interest */
                recovered: components["schemas"]["Usd"];
            };
            collateral_value_usd: components["schemas"]["Usd"];
            created_at: components["schemas"]["Timestamp"];
            /** @description The floor that the custodian has acknowledged */
            custodian_floor_usd: components["schemas"]["Usd"];
            decisioned_at?: components["schemas"]["Timestamp"];
            decline_reasons?: string[];
            /** @enum {string} */
            health: "HEALTHY" | "WARNING" | "DEFICIT" | "MARGIN_CALL";
            id: string;
            limit: components["schemas"]["Amount"];
            /** @description Loan-to-value, six decimal places, rounded up */
            ltv: components["schemas"]["Decimal"];
            outstanding: {
                interest: components["schemas"]["Usd"];
                principal: components["schemas"]["Usd"];
                /** @description Amount of draws in progress */
                reserved: components["schemas"]["Usd"];
                /** @description Principal and interest */
                total: components["schemas"]["Usd"];
            };
            /** @description Annual interest rate */
            rate: components["schemas"]["Decimal"];
            /** @description Refund to the borrower that is not completed yet */
            refund_due?: components["schemas"]["Usd"];
            required_floor_usd: components["schemas"]["Usd"];
            /** @enum {string} */
            state: "PENDING" | "APPROVED" | "DECLINED" | "CLOSING" | "CLOSED";
            updated_at: components["schemas"]["Timestamp"];
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "borrower_id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "state": "APPROVED",
         *           "limit": {
         *             "amount": "50000.00",
         *             "asset": "USD"
         *           },
         *           "rate": "0.1",
         *           "outstanding": {
         *             "principal": "20000.00",
         *             "interest": "5.48",
         *             "reserved": "0.00",
         *             "total": "20005.48"
         *           },
         *           "collateral_value_usd": "97000.00",
         *           "required_floor_usd": "28579.26",
         *           "custodian_floor_usd": "28594.91",
         *           "ltv": "0.206243",
         *           "health": "HEALTHY",
         *           "created_at": "2026-11-20T12:00:00.000Z",
         *           "updated_at": "2026-11-21T12:00:00.000Z",
         *           "decisioned_at": "2026-11-20T12:00:01.000Z"
         *         }
         *       ],
         *       "has_more": false
         *     }
         */
        FacilityPage: {
            has_more: boolean;
            items: components["schemas"]["Facility"][];
            /** @description Present while there are more items */
            next_cursor?: string;
        };
        /**
         * @example {
         *       "at": "2026-11-20T12:01:00.000Z",
         *       "refusals": [],
         *       "debt_usd": "50000.01",
         *       "collateral_value_usd": "67900.00",
         *       "required_floor_usd": "83333.35",
         *       "ltv": "0.736378",
         *       "health": "WARNING",
         *       "valuation_status": "FRESH",
         *       "warning": {
         *         "number": 1,
         *         "tier": 1,
         *         "cure_amount_usd": "9301.11",
         *         "cure_collateral_usd": "15501.85",
         *         "cure_deadline": "2026-11-22T12:01:00.000Z",
         *         "if_escalated": {
         *           "planned": [
         *             {
         *               "asset": "BTC",
         *               "quantity": "0.40489543"
         *             }
         *           ],
         *           "sale_usd": "28342.69",
         *           "target_ltv": "0.55",
         *           "debt_after_usd": "22224.18"
         *         }
         *       },
         *       "events": []
         *     }
         */
        FacilityPreview: {
            /** @description The instant of all figures. New prices count after they have held for a minute. A preview ends early where a margin call begins */
            at: components["schemas"]["Timestamp"];
            collateral_value_usd: components["schemas"]["Usd"];
            /** @description Floor and ratio follow from it */
            debt_usd: components["schemas"]["Usd"];
            /** @description The events of margin on the way, as they would be emitted */
            events: {
                data: {
                    [key: string]: unknown;
                };
                occurred_at: components["schemas"]["Timestamp"];
                type: components["schemas"]["EventType"];
            }[];
            /** @enum {string} */
            health: "HEALTHY" | "WARNING" | "DEFICIT" | "MARGIN_CALL";
            ltv: components["schemas"]["Decimal"];
            /** @description What would be refunded */
            refund_due_usd?: components["schemas"]["Usd"];
            /** @description What would be refused, and is left out of the figures */
            refusals: {
                /** @enum {string} */
                act: "draw" | "repayment" | "withdrawal";
                code: string;
                detail: string;
            }[];
            required_floor_usd: components["schemas"]["Usd"];
            /** @description The plan of the margin call that would live */
            sale?: {
                /** @description What would still be owed, at the planned fee */
                debt_after_usd: components["schemas"]["Usd"];
                planned: components["schemas"]["Position"][];
                sale_usd: components["schemas"]["Usd"];
                target_ltv: components["schemas"]["Decimal"];
            };
            /** @enum {string} */
            valuation_status: "FRESH" | "STALE";
            /** @description The warning that would be open */
            warning?: {
                cure_amount_usd: components["schemas"]["Usd"];
                cure_collateral_usd: components["schemas"]["Usd"];
                cure_deadline: components["schemas"]["Timestamp"];
                if_escalated: {
                    /** @description What would still be owed, at the planned fee */
                    debt_after_usd: components["schemas"]["Usd"];
                    planned: components["schemas"]["Position"][];
                    sale_usd: components["schemas"]["Usd"];
                    target_ltv: components["schemas"]["Decimal"];
                };
                number: number;
                tier: number;
            };
        };
        /**
         * @example {
         *       "facility_id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "number": 1,
         *       "margin_warning_number": 1,
         *       "status": "COMPLETED",
         *       "outcome": "partial",
         *       "target_ltv": "0.55",
         *       "planned": [
         *         {
         *           "asset": "BTC",
         *           "quantity": "0.405772"
         *         }
         *       ],
         *       "sold": [
         *         {
         *           "asset": "BTC",
         *           "quantity": "0.405772",
         *           "proceeds_usd": "28404.04"
         *         }
         *       ],
         *       "costs_usd": "284.05",
         *       "allocation": {
         *         "interest": {
         *           "amount": "27.40",
         *           "asset": "USD"
         *         },
         *         "principal": {
         *           "amount": "28092.59",
         *           "asset": "USD"
         *         },
         *         "refund_due": {
         *           "amount": "0.00",
         *           "asset": "USD"
         *         }
         *       },
         *       "surplus_usd": "0.00",
         *       "deficit_usd": "0.00",
         *       "started_at": "2026-11-22T12:00:01.000Z",
         *       "completed_at": "2026-11-22T12:00:02.000Z"
         *     }
         */
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
            /** @enum {string} */
            outcome?: "partial" | "full" | "not_needed" | "deficit";
            planned: {
                asset: string;
                quantity: string;
            }[];
            sold: {
                asset: string;
                proceeds_usd: components["schemas"]["Usd"];
                quantity: components["schemas"]["Decimal"];
            }[];
            started_at?: components["schemas"]["Timestamp"];
            /** @enum {string} */
            status: "PENDING" | "SELLING" | "COMPLETED";
            surplus_usd: components["schemas"]["Usd"];
            target_ltv?: components["schemas"]["Decimal"];
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "facility_id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "number": 1,
         *           "margin_warning_number": 1,
         *           "status": "COMPLETED",
         *           "outcome": "partial",
         *           "target_ltv": "0.55",
         *           "planned": [
         *             {
         *               "asset": "BTC",
         *               "quantity": "0.405772"
         *             }
         *           ],
         *           "sold": [
         *             {
         *               "asset": "BTC",
         *               "quantity": "0.405772",
         *               "proceeds_usd": "28404.04"
         *             }
         *           ],
         *           "costs_usd": "284.05",
         *           "allocation": {
         *             "interest": {
         *               "amount": "27.40",
         *               "asset": "USD"
         *             },
         *             "principal": {
         *               "amount": "28092.59",
         *               "asset": "USD"
         *             },
         *             "refund_due": {
         *               "amount": "0.00",
         *               "asset": "USD"
         *             }
         *           },
         *           "surplus_usd": "0.00",
         *           "deficit_usd": "0.00",
         *           "started_at": "2026-11-22T12:00:01.000Z",
         *           "completed_at": "2026-11-22T12:00:02.000Z"
         *         }
         *       ],
         *       "has_more": false
         *     }
         */
        MarginCallPage: {
            has_more: boolean;
            items: components["schemas"]["MarginCall"][];
            /** @description Present while there are more items */
            next_cursor?: string;
        };
        MarginDecision: {
            decided_at: components["schemas"]["Timestamp"];
            /** @description All inputs of the decision, and its result */
            facts: {
                /** @description What the warning was raised on, by the positions of the custodian */
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
                last_cure?: {
                    cured_at: components["schemas"]["Timestamp"];
                    seconds_left: number;
                };
                outcome: {
                    cure_deadline?: components["schemas"]["Timestamp"];
                    /** @enum {string} */
                    cured_by?: "repayment" | "collateral" | "price" | "correction";
                    /** @enum {string} */
                    reason?: "deadline" | "critical";
                    tier?: number;
                };
                policy: {
                    confirm_seconds: number;
                    critical_ltv: components["schemas"]["Decimal"];
                    cure_ltv: components["schemas"]["Decimal"];
                    /** @description How long after the deadline the window may be undecided */
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
                /** @description At the latest round; for an escalation as confirmed by the custodian */
                positions: {
                    asset: string;
                    /** @description What counts towards a cure, where it is less */
                    cure_quantity?: components["schemas"]["Decimal"];
                    haircut?: components["schemas"]["Decimal"];
                    quantity: components["schemas"]["Decimal"];
                    value_usd: components["schemas"]["Usd"];
                }[];
                /** @description The newest push, and whether the custodian has answered about it */
                push?: {
                    /** @description The positions are then those of the custodian */
                    answered_at?: components["schemas"]["Timestamp"];
                    asked_since?: components["schemas"]["Timestamp"];
                    received_at: components["schemas"]["Timestamp"];
                };
                /** @description Repayments reported in time and not confirmed yet */
                reported: {
                    amount_usd: components["schemas"]["Usd"];
                    holds_until: components["schemas"]["Timestamp"];
                }[];
                /** @description Prices of the rounds that were evaluated, oldest first */
                rounds: {
                    accepted_at: components["schemas"]["Timestamp"];
                    asset: string;
                    price_usd: components["schemas"]["Decimal"];
                    /** @description The quote of each venue; none where the sandbox set the price */
                    sources: {
                        at: components["schemas"]["Timestamp"];
                        price_usd: components["schemas"]["Decimal"];
                        source: string;
                    }[];
                }[][];
                /**
                 * @description What triggered the evaluation
                 * @enum {string}
                 */
                trigger: "repayment" | "collateral" | "price";
                /** @description Value of the positions at the rounds; absent where prices were not used */
                values?: {
                    highest_usd: components["schemas"]["Usd"];
                    latest_usd: components["schemas"]["Usd"];
                    lowest_usd: components["schemas"]["Usd"];
                };
                /** @description The warning before this decision */
                warning?: {
                    cure_deadline: components["schemas"]["Timestamp"];
                    tier: number;
                    /** @description The deadline of its tiers without extensions */
                    window_deadline: components["schemas"]["Timestamp"];
                };
            };
            /** @enum {string} */
            kind: "raise" | "worsen" | "cure" | "escalate";
            number: number;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "number": 1,
         *           "kind": "raise",
         *           "decided_at": "2026-11-20T12:01:00.000Z",
         *           "facts": {
         *             "outcome": {
         *               "tier": 1,
         *               "cure_deadline": "2026-11-22T12:01:00.000Z"
         *             },
         *             "trigger": "price",
         *             "debt": {
         *               "principal_usd": "50000.00",
         *               "interest_usd": "0.00",
         *               "total_usd": "50000.00",
         *               "rate": "0.1"
         *             },
         *             "values": {
         *               "highest_usd": "67900.00",
         *               "lowest_usd": "67900.00",
         *               "latest_usd": "67900.00"
         *             },
         *             "positions": [
         *               {
         *                 "asset": "BTC",
         *                 "quantity": "1",
         *                 "haircut": "0.03",
         *                 "value_usd": "67900.00"
         *               }
         *             ],
         *             "rounds": [
         *               [
         *                 {
         *                   "asset": "BTC",
         *                   "price_usd": "70000",
         *                   "accepted_at": "2026-11-20T12:00:00.000Z",
         *                   "sources": []
         *                 }
         *               ],
         *               [
         *                 {
         *                   "asset": "BTC",
         *                   "price_usd": "70000",
         *                   "accepted_at": "2026-11-20T12:01:00.000Z",
         *                   "sources": []
         *                 }
         *               ]
         *             ],
         *             "reported": [],
         *             "policy": {
         *               "version": "2026-11",
         *               "floor_ltv": "0.7",
         *               "cure_ltv": "0.6",
         *               "tiers": [
         *                 {
         *                   "tier": 1,
         *                   "above_ltv": "0.7",
         *                   "cure_seconds": 172800
         *                 }
         *               ],
         *               "critical_ltv": "0.83",
         *               "confirm_seconds": 60,
         *               "flicker_seconds": 600,
         *               "least_usd": "10.00"
         *             }
         *           }
         *         }
         *       ]
         *     }
         */
        MarginDecisionList: {
            items: components["schemas"]["MarginDecision"][];
        };
        /**
         * @example {
         *       "debt_usd": "50000.00",
         *       "collateral_value_usd": "67900.00",
         *       "required_floor_usd": "71428.58",
         *       "ltv": "0.736378",
         *       "health": "HEALTHY",
         *       "valuation_status": "FRESH",
         *       "levels": [
         *         {
         *           "line": "tier_1",
         *           "ltv": "0.7",
         *           "reached": true,
         *           "value_usd": "71428.57",
         *           "fall_percent": "0.0000",
         *           "prices": [
         *             {
         *               "asset": "BTC",
         *               "price_usd": "73637.7113402"
         *             }
         *           ]
         *         },
         *         {
         *           "line": "tier_2",
         *           "ltv": "0.75",
         *           "reached": false,
         *           "value_usd": "66666.66",
         *           "fall_percent": "1.8165",
         *           "prices": [
         *             {
         *               "asset": "BTC",
         *               "price_usd": "68728.52577319"
         *             }
         *           ]
         *         },
         *         {
         *           "line": "tier_3",
         *           "ltv": "0.8",
         *           "reached": false,
         *           "value_usd": "62499.99",
         *           "fall_percent": "7.9529",
         *           "prices": [
         *             {
         *               "asset": "BTC",
         *               "price_usd": "64432.98969072"
         *             }
         *           ]
         *         },
         *         {
         *           "line": "critical",
         *           "ltv": "0.83",
         *           "reached": false,
         *           "value_usd": "60240.96",
         *           "fall_percent": "11.2799",
         *           "prices": [
         *             {
         *               "asset": "BTC",
         *               "price_usd": "62104.0927835"
         *             }
         *           ]
         *         },
         *         {
         *           "line": "sale",
         *           "ltv": "0.83",
         *           "reached": false,
         *           "value_usd": "60240.96",
         *           "fall_percent": "11.2799",
         *           "prices": [
         *             {
         *               "asset": "BTC",
         *               "price_usd": "62104.0927835"
         *             }
         *           ]
         *         }
         *       ]
         *     }
         */
        MarginLevels: {
            collateral_value_usd: components["schemas"]["Usd"];
            /** @description Floor and ratio follow from it */
            debt_usd: components["schemas"]["Usd"];
            /** @enum {string} */
            health: "HEALTHY" | "WARNING" | "DEFICIT" | "MARGIN_CALL";
            levels: {
                /** @description The line holds after a fall of the whole collateral by this many percent; 0 where it holds now */
                fall_percent: components["schemas"]["Decimal"];
                /** @description The line counts after this instant; absent: it counts now */
                from?: components["schemas"]["Timestamp"];
                /** @enum {string} */
                line: "tier_1" | "tier_2" | "tier_3" | "critical" | "sale";
                /** @description The line holds above this ratio */
                ltv: components["schemas"]["Decimal"];
                /** @description The line holds at this price and below, with all else equal. An asset is absent whose price alone does not decide it */
                prices: {
                    asset: string;
                    price_usd: components["schemas"]["Decimal"];
                }[];
                /** @description Whether it holds now, at the latest prices */
                reached: boolean;
                /** @description The line holds where the whole collateral counts this much or less */
                value_usd: components["schemas"]["Usd"];
            }[];
            ltv: components["schemas"]["Decimal"];
            required_floor_usd: components["schemas"]["Usd"];
            /** @enum {string} */
            valuation_status: "FRESH" | "STALE";
        };
        /**
         * @example {
         *       "facility_id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "number": 1,
         *       "tier": 1,
         *       "status": "OPEN",
         *       "cure_amount_usd": "9301.10",
         *       "cure_collateral_usd": "15501.84",
         *       "cure_deadline": "2026-11-22T12:00:00.000Z",
         *       "window_deadline": "2026-11-22T12:00:00.000Z",
         *       "ltv_at_raise": "0.736378",
         *       "latest_ltv": "0.736378",
         *       "raised_at": "2026-11-20T12:00:00.000Z",
         *       "extended_seconds": 0,
         *       "if_escalated": {
         *         "sale_usd": "28342.67",
         *         "target_ltv": "0.55"
         *       }
         *     }
         */
        MarginWarning: {
            cure_amount_usd: components["schemas"]["Usd"];
            cure_collateral_usd: components["schemas"]["Usd"];
            cure_deadline: components["schemas"]["Timestamp"];
            cured_at?: components["schemas"]["Timestamp"];
            /**
             * @description `correction`: by what the custodian holds, it should never have been raised
             * @enum {string}
             */
            cured_by?: "repayment" | "collateral" | "price" | "correction";
            escalated_at?: components["schemas"]["Timestamp"];
            /** @description How far outages have moved the deadline */
            extended_seconds: number;
            facility_id: string;
            if_escalated?: {
                sale_usd: components["schemas"]["Usd"];
                target_ltv: components["schemas"]["Decimal"];
            };
            /** @description At the latest prices, while the warning is open */
            latest_ltv?: components["schemas"]["Decimal"];
            /** @description As evaluated: at the highest value of the window */
            ltv_at_raise: components["schemas"]["Decimal"];
            number: number;
            raised_at: components["schemas"]["Timestamp"];
            /** @enum {string} */
            status: "OPEN" | "CURED" | "ESCALATED";
            tier: number;
            /** @description The deadline of its tiers alone; holds where the custodian does not confirm a critical loan */
            window_deadline: components["schemas"]["Timestamp"];
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "facility_id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "number": 1,
         *           "tier": 1,
         *           "status": "OPEN",
         *           "cure_amount_usd": "9301.10",
         *           "cure_collateral_usd": "15501.84",
         *           "cure_deadline": "2026-11-22T12:00:00.000Z",
         *           "window_deadline": "2026-11-22T12:00:00.000Z",
         *           "ltv_at_raise": "0.736378",
         *           "latest_ltv": "0.736378",
         *           "raised_at": "2026-11-20T12:00:00.000Z",
         *           "extended_seconds": 0,
         *           "if_escalated": {
         *             "sale_usd": "28342.67",
         *             "target_ltv": "0.55"
         *           }
         *         }
         *       ],
         *       "has_more": false
         *     }
         */
        MarginWarningPage: {
            has_more: boolean;
            items: components["schemas"]["MarginWarning"][];
            /** @description Present while there are more items */
            next_cursor?: string;
        };
        /**
         * @example {
         *       "facility_id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "at": "2026-12-20T12:00:00.000Z",
         *       "principal": "48000.00",
         *       "interest": "394.53",
         *       "total": "48394.53",
         *       "per_day": "13.16",
         *       "rises_at": "2026-12-20T12:01:02.101Z",
         *       "reserved": "0.00"
         *     }
         */
        Payoff: {
            at: components["schemas"]["Timestamp"];
            facility_id: string;
            interest: components["schemas"]["Usd"];
            /** @description Interest of each further day, rounded up to the cent */
            per_day: components["schemas"]["Usd"];
            principal: components["schemas"]["Usd"];
            /** @description Draws in progress; each adds to the debt when it is paid out */
            reserved: components["schemas"]["Usd"];
            /** @description From then on it is a cent more, or more */
            rises_at?: components["schemas"]["Timestamp"];
            /** @description What closes the facility if it is reported at that instant */
            total: components["schemas"]["Usd"];
        };
        /**
         * @example {
         *       "as_of": "2026-11-20T12:00:00.000Z",
         *       "received_at": "2026-11-20T12:00:00.215Z",
         *       "positions": [
         *         {
         *           "asset": "BTC",
         *           "quantity": "1.5"
         *         },
         *         {
         *           "asset": "USDC",
         *           "quantity": "2500"
         *         }
         *       ]
         *     }
         */
        Portfolio: {
            /** @description To the millisecond */
            as_of: components["schemas"]["Timestamp"];
            /** @description As pushed, sorted by asset */
            positions: components["schemas"]["Position"][];
            /** @description When it arrived; its age counts from then */
            received_at: components["schemas"]["Timestamp"];
        };
        /**
         * @example {
         *       "applied": true,
         *       "as_of": "2026-11-20T12:00:00.000Z"
         *     }
         */
        PortfolioPush: {
            /** @description False where a newer snapshot is stored or waits to be stored */
            applied: boolean;
            /** @description Of the newest stored snapshot, to the millisecond */
            as_of: components["schemas"]["Timestamp"];
        };
        /**
         * @example {
         *       "mode": "custodian"
         *     }
         */
        PortfolioSource: {
            /**
             * @description `custodian`: positions are also read from the custodian, and the smaller quantity counts
             * @enum {string}
             */
            mode: "push" | "custodian";
        };
        /**
         * @example {
         *       "mode": "custodian"
         *     }
         */
        PortfolioSourceInput: {
            /**
             * @description `custodian`: positions are also read from the custodian, and the smaller quantity counts
             * @enum {string}
             */
            mode: "push" | "custodian";
        };
        Position: {
            asset: string;
            quantity: components["schemas"]["Decimal"];
        };
        /**
         * @example {
         *       "type": "https://api.example.com/errors/not_found",
         *       "title": "Not Found",
         *       "status": 404,
         *       "code": "not_found",
         *       "detail": "There is no such borrower.",
         *       "request_id": "req_01k9x4m2q8e0tb7f2v5j6h8n3c"
         *     }
         */
        Problem: {
            /** @enum {string} */
            code: "malformed_request" | "invalid_json" | "idempotency_key_missing" | "idempotency_key_invalid" | "cursor_invalid" | "signature_missing" | "signature_malformed" | "timestamp_out_of_range" | "signature_invalid" | "scope_missing" | "tenant_suspended" | "not_found" | "sandbox_only" | "method_not_allowed" | "request_timeout" | "body_too_large" | "uri_too_long" | "unsupported_media_type" | "headers_too_large" | "idempotency_in_progress" | "secret_not_retrievable" | "webhook_disabled" | "delivery_in_progress" | "recovery_in_progress" | "clock_advancing" | "limit_reached" | "facility_not_approved" | "facility_exists" | "borrower_not_eligible" | "draws_blocked" | "outstanding_balance" | "margin_warning_not_open" | "execution_already_reported" | "duplicate_reference" | "as_of_conflict" | "cursor_expired" | "validation_failed" | "idempotency_key_reused" | "contract_version_unknown" | "unsupported_asset" | "credit_limit_exceeded" | "url_not_allowed" | "as_of_in_future" | "residency_not_supported" | "rate_limited" | "internal" | "unavailable" | "price_unavailable" | "tenant_moving";
            detail: string;
            errors?: {
                /**
                 * @description - `required`: The member is missing.
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
                 * @enum {string}
                 */
                code: "required" | "unknown_member" | "not_allowed" | "wrong_type" | "wrong_format" | "unknown_value" | "too_short" | "too_long" | "out_of_range" | "too_precise" | "forbidden_character" | "duplicate" | "mismatch" | "in_future";
                /** @description What is expected, with an example, for people */
                detail: string;
                /** @description JSON pointer into the body, or ?name for a query parameter */
                pointer: string;
            }[];
            request_id: string;
            status: number;
            title: string;
            type: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @example {
         *       "id": "rep_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "facility_id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "status": "PENDING",
         *       "amount": "5000.00",
         *       "asset": "USD",
         *       "instructions": [
         *         {
         *           "operation": "transfer",
         *           "source": "borrower",
         *           "destination": "clc",
         *           "amount": "5000.00",
         *           "asset": "USD"
         *         }
         *       ],
         *       "requested_at": "2026-11-25T09:00:00.000Z"
         *     }
         */
        Repayment: {
            allocation?: {
                interest: components["schemas"]["Amount"];
                principal: components["schemas"]["Amount"];
                refund_due: components["schemas"]["Amount"];
            };
            amount: components["schemas"]["Decimal"];
            applied_at?: components["schemas"]["Timestamp"];
            asset: string;
            /** @description What the treasury received; this amount is applied */
            confirmed?: components["schemas"]["Amount"];
            /** @description What you reported */
            delivered?: components["schemas"]["Amount"];
            facility_id: string;
            failure?: string;
            id: string;
            /** @description Treated as a cure although no warning was named */
            inferred?: boolean;
            instructions: {
                amount: components["schemas"]["Decimal"];
                asset: string;
                destination: string;
                operation: string;
                source: string;
            }[];
            margin_warning_number?: number;
            /** @description Applied to a debt that was charged off */
            recovery?: boolean;
            reference?: string;
            reported_at?: components["schemas"]["Timestamp"];
            requested_at: components["schemas"]["Timestamp"];
            /** @enum {string} */
            status: "PENDING" | "REPORTED" | "APPLIED" | "FAILED";
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "id": "rep_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "facility_id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "status": "PENDING",
         *           "amount": "5000.00",
         *           "asset": "USD",
         *           "instructions": [
         *             {
         *               "operation": "transfer",
         *               "source": "borrower",
         *               "destination": "clc",
         *               "amount": "5000.00",
         *               "asset": "USD"
         *             }
         *           ],
         *           "requested_at": "2026-11-25T09:00:00.000Z"
         *         }
         *       ],
         *       "has_more": false
         *     }
         */
        RepaymentPage: {
            has_more: boolean;
            items: components["schemas"]["Repayment"][];
            /** @description Present while there are more items */
            next_cursor?: string;
        };
        /**
         * @example {
         *       "now": "2026-11-21T12:00:00.000Z"
         *     }
         */
        SandboxClock: {
            /** @description The time the clock is advancing to; absent once reached */
            goal?: components["schemas"]["Timestamp"];
            now: components["schemas"]["Timestamp"];
        };
        /**
         * @example {
         *       "decided": 2
         *     }
         */
        SandboxCompliance: {
            /** @description Number of checks that were decided */
            decided: number;
        };
        /**
         * @example {
         *       "borrower_id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "positions": [
         *         {
         *           "asset": "BTC",
         *           "quantity": "0.5"
         *         }
         *       ],
         *       "late_seconds": 0
         *     }
         */
        SandboxHolding: {
            borrower_id: string;
            late_seconds: number;
            /** @description null: what was pushed */
            positions: components["schemas"]["Position"][] | null;
        };
        /**
         * @example {
         *       "asset": "BTC",
         *       "price_usd": "70000"
         *     }
         */
        SandboxPrice: {
            asset: string;
            price_usd: string;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "asset": "BTC",
         *           "price_usd": "70000",
         *           "source": "tenant"
         *         },
         *         {
         *           "asset": "ETH",
         *           "price_usd": "4000",
         *           "source": "market"
         *         }
         *       ]
         *     }
         */
        SandboxPriceList: {
            items: {
                asset: string;
                price_usd: string;
                /**
                 * @description Whether you set the price or it is the sandbox market price
                 * @enum {string}
                 */
                source: "tenant" | "market";
            }[];
        };
        /**
         * @example {
         *       "next": "fail"
         *     }
         */
        SandboxProvider: {
            /**
             * @description How the next call is answered
             * @enum {string}
             */
            next: "fail" | "delay" | "succeed";
        };
        /**
         * @example {
         *       "next": "fail"
         *     }
         */
        SandboxProviderInput: {
            /**
             * @description How the next call is answered
             * @enum {string}
             */
            next: "fail" | "delay" | "succeed";
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "id": "sig_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "full_name": "Ada Lovelace",
         *           "email": "ada@example.com",
         *           "ip_address": "203.0.113.9",
         *           "signed_at": "2026-11-20T12:00:00.000Z",
         *           "contract_type": "master_loan_agreement",
         *           "contract_version": "2026-11",
         *           "recorded_at": "2026-11-20T12:00:03.120Z"
         *         }
         *       ]
         *     }
         */
        SignatureList: {
            items: {
                contract_type: string;
                contract_version: string;
                email: string;
                full_name: string;
                id: string;
                ip_address: string;
                recorded_at: components["schemas"]["Timestamp"];
                signed_at: components["schemas"]["Timestamp"];
            }[];
        };
        SignedUsd: string;
        /**
         * @example {
         *       "secret": "whsec_2tYQ0mUO0X4m2bS6m0JrR1cP3v8h1w5Yk9z7LqD4EaM="
         *     }
         */
        SigningSecret: {
            secret: string;
        };
        /**
         * @example {
         *       "webhook_id": "whk_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "event_type": "margin_warning.raised",
         *       "response": {
         *         "status": 204,
         *         "body": "",
         *         "error": null
         *       }
         *     }
         */
        Simulated: {
            event_type: components["schemas"]["EventType"];
            response: {
                /** @description First 1 KiB of the answer */
                body: string;
                error: ("dns" | "connect" | "tls" | "timeout" | "address_not_allowed" | "body_too_large") | null;
                /** @description 0 without an answer */
                status: number;
            };
            webhook_id: string;
        };
        /**
         * @example {
         *       "facility_id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "from": "2026-11-01T00:00:00.000Z",
         *       "to": "2026-12-01T00:00:00.000Z",
         *       "opening": {
         *         "principal": "20000.00",
         *         "interest": "0.00",
         *         "total": "20000.00"
         *       },
         *       "lines": [
         *         {
         *           "type": "interest",
         *           "value_date": "2026-11-11T00:00:00.000Z",
         *           "principal": "0.00",
         *           "interest": "54.80",
         *           "balance": {
         *             "principal": "20000.00",
         *             "interest": "54.80",
         *             "total": "20054.80"
         *           }
         *         },
         *         {
         *           "type": "repayment",
         *           "value_date": "2026-11-11T00:00:00.000Z",
         *           "posted_at": "2026-11-11T00:00:05.000Z",
         *           "repayment_id": "rep_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "principal": "-4945.20",
         *           "interest": "-54.80",
         *           "received": {
         *             "amount": "5000.00",
         *             "asset": "USD"
         *           },
         *           "balance": {
         *             "principal": "15054.80",
         *             "interest": "0.00",
         *             "total": "15054.80"
         *           }
         *         },
         *         {
         *           "type": "interest",
         *           "value_date": "2026-12-01T00:00:00.000Z",
         *           "principal": "0.00",
         *           "interest": "82.49",
         *           "balance": {
         *             "principal": "15054.80",
         *             "interest": "82.49",
         *             "total": "15137.29"
         *           }
         *         }
         *       ],
         *       "closing": {
         *         "principal": "15054.80",
         *         "interest": "82.49",
         *         "total": "15137.29"
         *       }
         *     }
         */
        Statement: {
            closing: {
                interest: components["schemas"]["SignedUsd"];
                principal: components["schemas"]["SignedUsd"];
                total: components["schemas"]["SignedUsd"];
            };
            facility_id: string;
            /** @description Movements after this instant */
            from: components["schemas"]["Timestamp"];
            lines: {
                /** @description After this line */
                balance: {
                    interest: components["schemas"]["SignedUsd"];
                    principal: components["schemas"]["SignedUsd"];
                    total: components["schemas"]["SignedUsd"];
                };
                draw_id?: string;
                /** @description What it adds to the interest */
                interest: components["schemas"]["SignedUsd"];
                margin_call_number?: number;
                paid?: components["schemas"]["Amount"];
                /** @description When it was booked; interest is computed from the value dates */
                posted_at?: components["schemas"]["Timestamp"];
                /** @description What it adds to the principal */
                principal: components["schemas"]["SignedUsd"];
                received?: components["schemas"]["Amount"];
                /** @description Of a debt that was charged off */
                recovered?: components["schemas"]["Usd"];
                /** @description What it adds to the refund; negative: paid out */
                refund_due?: components["schemas"]["SignedUsd"];
                repayment_id?: string;
                /** @enum {string} */
                type: "interest" | "draw" | "repayment" | "sale" | "waiver" | "charge_off" | "recovery" | "misdelivery" | "correction" | "refund";
                /** @description From when it counts */
                value_date: components["schemas"]["Timestamp"];
            }[];
            opening: {
                interest: components["schemas"]["SignedUsd"];
                principal: components["schemas"]["SignedUsd"];
                total: components["schemas"]["SignedUsd"];
            };
            /** @description Until this instant */
            to: components["schemas"]["Timestamp"];
        };
        /** Format: date-time */
        Timestamp: string;
        Usd: string;
        /**
         * @example {
         *       "id": "whk_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "url": "https://example.com/hooks/lending",
         *       "event_types": [
         *         "borrower.eligible",
         *         "margin_warning.raised"
         *       ],
         *       "label": "production",
         *       "consecutive_failed_attempts": 0,
         *       "state": "active"
         *     }
         */
        Webhook: {
            consecutive_failed_attempts: number;
            event_types: string[];
            id: string;
            label?: string;
            /** @enum {string} */
            state: "active" | "disabled";
            url: string;
        };
        /**
         * @example {
         *       "id": "whk_01k9x4m2q8e0tb7f2v5j6h8n3c"
         *     }
         */
        WebhookCreated: {
            id: string;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "id": "whk_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *           "url": "https://example.com/hooks/lending",
         *           "event_types": [
         *             "borrower.eligible",
         *             "margin_warning.raised"
         *           ],
         *           "label": "production"
         *         }
         *       ]
         *     }
         */
        WebhookList: {
            items: {
                event_types: string[];
                id: string;
                label?: string;
                url: string;
            }[];
        };
        /**
         * @example {
         *       "webhook_id": "whk_01k9x4m2q8e0tb7f2v5j6h8n3c",
         *       "recovering_since": "2026-11-20T06:00:00.000Z",
         *       "deliveries": 412
         *     }
         */
        WebhookRecovery: {
            /** @description How many will be made, counted up to 10,000 */
            deliveries: number;
            from_webhook_id?: string;
            recovering_since: components["schemas"]["Timestamp"];
            webhook_id: string;
        };
    };
    responses: {
        /** @description `malformed_request` */
        Problem400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `cursor_invalid`, `malformed_request` */
        "Problem400-cursor_invalid": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_invalid`, `malformed_request` */
        "Problem400-idempotency_key_invalid": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_invalid`, `idempotency_key_missing`, `invalid_json`, `malformed_request` */
        "Problem400-idempotency_key_invalid-idempotency_key_missing-invalid_json": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_invalid`, `invalid_json`, `malformed_request` */
        "Problem400-idempotency_key_invalid-invalid_json": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `invalid_json`, `malformed_request` */
        "Problem400-invalid_json": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `signature_invalid`, `signature_malformed`, `signature_missing`, `timestamp_out_of_range` */
        Problem401: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `scope_missing` */
        Problem403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `scope_missing`, `tenant_suspended` */
        "Problem403-tenant_suspended": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `not_found` */
        "Problem404-not_found": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `not_found`, `sandbox_only` */
        "Problem404-not_found-sandbox_only": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `sandbox_only` */
        "Problem404-sandbox_only": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `request_timeout` */
        Problem408: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `as_of_conflict` */
        "Problem409-as_of_conflict": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `borrower_not_eligible`, `draws_blocked`, `facility_not_approved`, `idempotency_in_progress` */
        "Problem409-borrower_not_eligible-draws_blocked-facility_not_approved-idempotency_in_progress": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `borrower_not_eligible`, `facility_exists`, `idempotency_in_progress` */
        "Problem409-borrower_not_eligible-facility_exists-idempotency_in_progress": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `clock_advancing`, `idempotency_in_progress` */
        "Problem409-clock_advancing-idempotency_in_progress": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `delivery_in_progress`, `idempotency_in_progress`, `limit_reached`, `webhook_disabled` */
        "Problem409-delivery_in_progress-idempotency_in_progress-limit_reached-webhook_disabled": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `duplicate_reference`, `execution_already_reported`, `idempotency_in_progress` */
        "Problem409-duplicate_reference-execution_already_reported-idempotency_in_progress": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `facility_not_approved` */
        "Problem409-facility_not_approved": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `facility_not_approved`, `idempotency_in_progress`, `margin_warning_not_open` */
        "Problem409-facility_not_approved-idempotency_in_progress-margin_warning_not_open": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `facility_not_approved`, `idempotency_in_progress`, `outstanding_balance` */
        "Problem409-facility_not_approved-idempotency_in_progress-outstanding_balance": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_in_progress` */
        "Problem409-idempotency_in_progress": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_in_progress`, `limit_reached` */
        "Problem409-idempotency_in_progress-limit_reached": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_in_progress`, `recovery_in_progress`, `webhook_disabled` */
        "Problem409-idempotency_in_progress-recovery_in_progress-webhook_disabled": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_in_progress`, `secret_not_retrievable` */
        "Problem409-idempotency_in_progress-secret_not_retrievable": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `cursor_expired` */
        Problem410: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `body_too_large` */
        Problem413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `uri_too_long` */
        Problem414: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `unsupported_media_type` */
        Problem415: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `validation_failed` */
        Problem422: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `as_of_in_future`, `validation_failed` */
        "Problem422-as_of_in_future": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `contract_version_unknown`, `idempotency_key_reused`, `validation_failed` */
        "Problem422-contract_version_unknown-idempotency_key_reused": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `credit_limit_exceeded`, `idempotency_key_reused`, `unsupported_asset`, `validation_failed` */
        "Problem422-credit_limit_exceeded-idempotency_key_reused-unsupported_asset": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_reused`, `validation_failed` */
        "Problem422-idempotency_key_reused": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_reused`, `residency_not_supported`, `validation_failed` */
        "Problem422-idempotency_key_reused-residency_not_supported": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_reused`, `unsupported_asset`, `validation_failed` */
        "Problem422-idempotency_key_reused-unsupported_asset": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_reused`, `url_not_allowed`, `validation_failed` */
        "Problem422-idempotency_key_reused-url_not_allowed": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `rate_limited` */
        Problem429: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `headers_too_large` */
        Problem431: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `internal` */
        Problem500: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `tenant_moving`, `unavailable` */
        Problem503: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `price_unavailable`, `tenant_moving`, `unavailable` */
        "Problem503-price_unavailable": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        borrower_id: string;
        event_id: string;
        facility_id: string;
        /**
         * @description `next_cursor` of the previous page; omit it for the first page
         * @example q83vASNFZ4mrze8BNw
         */
        from: string;
        id: string;
        /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
        "Idempotency-Key": string;
        /**
         * @description Items per page, at most 500
         * @example 100
         */
        limit: number;
        number: number;
        repayment_id: string;
        /** @description Standard Webhooks: the event's id; absent without a secret */
        "webhook-id": string;
        /** @description Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of id, timestamp and raw body, joined by dots; absent without a secret */
        "webhook-signature": string;
        /** @description Standard Webhooks: when this attempt was sent, in unix seconds; absent without a secret */
        "webhook-timestamp": string;
        /** @description Counts the attempts of this event from 1 */
        "X-SVC-Delivery-Attempt": string;
        /** @description The event's id */
        "X-SVC-Event-Id": string;
        /** @description `sha256=` and the hex HMAC-SHA256 of timestamp, dot and raw body; absent without a secret */
        "X-SVC-Webhook-Signature": string;
        /** @description When this attempt was sent, in unix seconds */
        "X-SVC-Webhook-Timestamp": string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listBorrowers: {
        parameters: {
            query?: {
                /** @example true */
                eligible?: boolean;
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: components["parameters"]["from"];
                /**
                 * @description Items per page, at most 500
                 * @example 100
                 */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BorrowerPage"];
                };
            };
            400: components["responses"]["Problem400-cursor_invalid"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createBorrower: {
        parameters: {
            query?: never;
            header: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key": components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "individual",
                 *       "kyc_attested": true,
                 *       "residency_country": "US",
                 *       "residency_state": "CA"
                 *     }
                 */
                "application/json": {
                    /** @description That you have completed customer KYC */
                    kyc_attested: boolean;
                    /** @description ISO 3166-1 alpha-2, an assigned code */
                    residency_country: string;
                    /** @description ISO 3166-2 without the country; required for US, refused elsewhere */
                    residency_state?: string;
                    /** @enum {string} */
                    type: "individual" | "business";
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Borrower"];
                };
            };
            400: components["responses"]["Problem400-idempotency_key_invalid-idempotency_key_missing-invalid_json"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-tenant_suspended"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409-idempotency_in_progress"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused-residency_not_supported"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getBorrower: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                borrower_id: components["parameters"]["borrower_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Borrower"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404-not_found"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getPortfolio: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                borrower_id: components["parameters"]["borrower_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Portfolio"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404-not_found"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    putPortfolio: {
        parameters: {
            query?: never;
            header?: {
                /** @description A UUID. Accepted and not recorded, because repeating this operation changes nothing. */
                "Idempotency-Key"?: string;
            };
            path: {
                borrower_id: components["parameters"]["borrower_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "as_of": "2026-11-20T12:00:00Z",
                 *       "positions": [
                 *         {
                 *           "asset": "BTC",
                 *           "quantity": "1.5"
                 *         },
                 *         {
                 *           "asset": "USDC",
                 *           "quantity": "2500"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description When the positions were read; stored to the microsecond */
                    as_of: string;
                    /** @description All assets of the borrower, each once */
                    positions: {
                        asset: string;
                        /** @description Plain decimal, 0 or more, with at most the asset's decimal places */
                        quantity: components["schemas"]["Decimal"];
                    }[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortfolioPush"];
                };
            };
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-tenant_suspended"];
            404: components["responses"]["Problem404-not_found"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409-as_of_conflict"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-as_of_in_future"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listSignatures: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                borrower_id: components["parameters"]["borrower_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignatureList"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404-not_found"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    submitSignature: {
        parameters: {
            query?: never;
            header: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key": components["parameters"]["Idempotency-Key"];
            };
            path: {
                borrower_id: components["parameters"]["borrower_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "full_name": "Ada Lovelace",
                 *       "email": "ada@example.com",
                 *       "ip_address": "203.0.113.9",
                 *       "signed_at": "2026-11-20T12:00:00Z",
                 *       "contract_type": "master_loan_agreement",
                 *       "contract_version": "2026-11"
                 *     }
                 */
                "application/json": {
                    contract_type: string;
                    contract_version: string;
                    /** Format: email */
                    email: string;
                    full_name: string;
                    ip_address: string;
                    signed_at: string;
                };
            };
        };
        responses: {
            /** @description Accepted; empty body */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400-idempotency_key_invalid-idempotency_key_missing-invalid_json"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-tenant_suspended"];
            404: components["responses"]["Problem404-not_found"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409-idempotency_in_progress-limit_reached"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-contract_version_unknown-idempotency_key_reused"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listDocuments: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentList"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /**
                 * @description Events of the borrower and of its facilities
                 * @example bor_01k9x4m2q8e0tb7f2v5j6h8n3c
                 */
                borrower_id?: string;
                /**
                 * @description Events of the facility, its draws, repayments, warnings and calls
                 * @example fac_01k9x4m2q8e0tb7f2v5j6h8n3c
                 */
                facility_id?: string;
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: components["parameters"]["from"];
                /**
                 * @description Items per page, at most 500
                 * @example 100
                 */
                limit?: components["parameters"]["limit"];
                /**
                 * @description Events of this resource only; a margin warning or call is `fac_…/<number>`
                 * @example fac_01k9x4m2q8e0tb7f2v5j6h8n3c/1
                 */
                resource_id?: string;
                type?: components["schemas"]["EventType"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChainedEventPage"];
                };
            };
            400: components["responses"]["Problem400-cursor_invalid"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            408: components["responses"]["Problem408"];
            410: components["responses"]["Problem410"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventWithDeliveries"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404-not_found"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listFacilities: {
        parameters: {
            query?: {
                /** @example bor_01k9x4m2q8e0tb7f2v5j6h8n3c */
                borrower_id?: string;
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: components["parameters"]["from"];
                /**
                 * @description Items per page, at most 500
                 * @example 100
                 */
                limit?: components["parameters"]["limit"];
                state?: "PENDING" | "APPROVED" | "DECLINED" | "CLOSING" | "CLOSED";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FacilityPage"];
                };
            };
            400: components["responses"]["Problem400-cursor_invalid"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createFacility: {
        parameters: {
            query?: never;
            header: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key": components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "borrower_id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *       "limit": {
                 *         "amount": "50000.00",
                 *         "asset": "USD"
                 *       },
                 *       "custody_account": "custody-0815"
                 *     }
                 */
                "application/json": {
                    borrower_id: string;
                    /** @description Required on the live stack */
                    custody_account?: string;
                    limit: {
                        /** @example 1500.00 */
                        amount: string;
                        /** @example USD */
                        asset: string;
                    };
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Facility"];
                };
            };
            400: components["responses"]["Problem400-idempotency_key_invalid-idempotency_key_missing-invalid_json"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-tenant_suspended"];
            404: components["responses"]["Problem404-not_found"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409-borrower_not_eligible-facility_exists-idempotency_in_progress"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getFacility: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                facility_id: components["parameters"]["facility_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Facility"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404-not_found"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    closeFacility: {
        parameters: {
            query?: never;
            header: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key": components["parameters"]["Idempotency-Key"];
            };
            path: {
                facility_id: components["parameters"]["facility_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Facility"];
                };
            };
            400: components["responses"]["Problem400-idempotency_key_invalid-idempotency_key_missing-invalid_json"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-tenant_suspended"];
            404: components["responses"]["Problem404-not_found"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409-facility_not_approved-idempotency_in_progress-outstanding_balance"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getCollateral: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                facility_id: components["parameters"]["facility_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Collateral"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404-not_found"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409-facility_not_approved"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listDraws: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: components["parameters"]["from"];
                /**
                 * @description Items per page, at most 500
                 * @example 100
                 */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path: {
                facility_id: components["parameters"]["facility_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DrawPage"];
                };
            };
            400: components["responses"]["Problem400-cursor_invalid"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404-not_found"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    requestDraw: {
        parameters: {
            query?: never;
            header: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key": components["parameters"]["Idempotency-Key"];
            };
            path: {
                facility_id: components["parameters"]["facility_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": "20000.00",
                 *       "asset": "USD",
                 *       "destination": "account-4711"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Plain decimal, above 0; digits after the point at most: 2 in USD, 6 in USDC
                     * @example 1500.00
                     */
                    amount: string;
                    /** @example USD */
                    asset: string;
                    /** @description Where the money goes */
                    destination: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Draw"];
                };
            };
            400: components["responses"]["Problem400-idempotency_key_invalid-idempotency_key_missing-invalid_json"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-tenant_suspended"];
            404: components["responses"]["Problem404-not_found"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409-borrower_not_eligible-draws_blocked-facility_not_approved-idempotency_in_progress"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-credit_limit_exceeded-idempotency_key_reused-unsupported_asset"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503-price_unavailable"];
        };
    };
    getDraw: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                draw_id: string;
                facility_id: components["parameters"]["facility_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Draw"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404-not_found"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listMarginCalls: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: components["parameters"]["from"];
                /**
                 * @description Items per page, at most 500
                 * @example 100
                 */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path: {
                facility_id: components["parameters"]["facility_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MarginCallPage"];
                };
            };
            400: components["responses"]["Problem400-cursor_invalid"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404-not_found"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getMarginCall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                facility_id: components["parameters"]["facility_id"];
                number: components["parameters"]["number"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MarginCall"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404-not_found"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getMarginLevels: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                facility_id: components["parameters"]["facility_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MarginLevels"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404-not_found"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409-facility_not_approved"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listMarginWarnings: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: components["parameters"]["from"];
                /**
                 * @description Items per page, at most 500
                 * @example 100
                 */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path: {
                facility_id: components["parameters"]["facility_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MarginWarningPage"];
                };
            };
            400: components["responses"]["Problem400-cursor_invalid"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404-not_found"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getMarginWarning: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                facility_id: components["parameters"]["facility_id"];
                number: components["parameters"]["number"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MarginWarning"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404-not_found"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listMarginDecisions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                facility_id: components["parameters"]["facility_id"];
                number: components["parameters"]["number"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MarginDecisionList"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404-not_found"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getPayoff: {
        parameters: {
            query?: {
                /**
                 * @description Not in the past, at most 366 days ahead; omit it for now
                 * @example 2026-12-20T12:00:00Z
                 */
                at?: string;
            };
            header?: never;
            path: {
                facility_id: components["parameters"]["facility_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payoff"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404-not_found"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    previewFacility: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                facility_id: components["parameters"]["facility_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "deposit": [
                 *         {
                 *           "asset": "BTC",
                 *           "quantity": "0.5"
                 *         }
                 *       ],
                 *       "withdrawal": [
                 *         {
                 *           "asset": "ETH",
                 *           "quantity": "2"
                 *         }
                 *       ],
                 *       "repayment": {
                 *         "amount": "5000.00",
                 *         "asset": "USDC"
                 *       },
                 *       "draw": {
                 *         "amount": "1000.00",
                 *         "asset": "USD"
                 *       },
                 *       "prices": [
                 *         {
                 *           "asset": "BTC",
                 *           "price_usd": "70000"
                 *         }
                 *       ],
                 *       "days": 3
                 *     }
                 */
                "application/json": {
                    /** @description How long afterwards; prices stay as they are */
                    days?: number;
                    /** @description Collateral that is added */
                    deposit?: {
                        asset: string;
                        /** @description Plain decimal, 0 or more, with at most the asset's decimal places */
                        quantity: components["schemas"]["Decimal"];
                    }[];
                    /** @description Paid out at once */
                    draw?: {
                        /** @example 1500.00 */
                        amount: string;
                        /** @example USD */
                        asset: string;
                    };
                    /** @description New prices; other assets keep theirs */
                    prices?: {
                        /** @enum {string} */
                        asset: "BTC" | "ETH" | "USDC";
                        /** @example 70000.00 */
                        price_usd: string;
                    }[];
                    /** @description Confirmed by the treasury at once */
                    repayment?: {
                        /** @example 1500.00 */
                        amount: string;
                        /** @example USD */
                        asset: string;
                    };
                    /** @description Collateral that is taken away */
                    withdrawal?: {
                        asset: string;
                        /** @description Plain decimal, 0 or more, with at most the asset's decimal places */
                        quantity: components["schemas"]["Decimal"];
                    }[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FacilityPreview"];
                };
            };
            400: components["responses"]["Problem400-invalid_json"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404-not_found"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409-facility_not_approved"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listRepayments: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: components["parameters"]["from"];
                /**
                 * @description Items per page, at most 500
                 * @example 100
                 */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path: {
                facility_id: components["parameters"]["facility_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RepaymentPage"];
                };
            };
            400: components["responses"]["Problem400-cursor_invalid"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404-not_found"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createRepayment: {
        parameters: {
            query?: never;
            header: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key": components["parameters"]["Idempotency-Key"];
            };
            path: {
                facility_id: components["parameters"]["facility_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": "5000.00",
                 *       "asset": "USD"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Plain decimal, above 0; digits after the point at most: 2 in USD, 6 in USDC
                     * @example 1500.00
                     */
                    amount: string;
                    /** @example USD */
                    asset: string;
                    /**
                     * @description When it cures this open warning
                     * @example 1
                     */
                    margin_warning_number?: number;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Repayment"];
                };
            };
            400: components["responses"]["Problem400-idempotency_key_invalid-idempotency_key_missing-invalid_json"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-tenant_suspended"];
            404: components["responses"]["Problem404-not_found"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409-facility_not_approved-idempotency_in_progress-margin_warning_not_open"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused-unsupported_asset"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getRepayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                facility_id: components["parameters"]["facility_id"];
                repayment_id: components["parameters"]["repayment_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Repayment"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404-not_found"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    reportExecution: {
        parameters: {
            query?: never;
            header: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key": components["parameters"]["Idempotency-Key"];
            };
            path: {
                facility_id: components["parameters"]["facility_id"];
                repayment_id: components["parameters"]["repayment_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "completed",
                 *       "delivered": {
                 *         "amount": "5000.00",
                 *         "asset": "USD"
                 *       },
                 *       "reference": "wire-20261125-0001"
                 *     }
                 */
                "application/json": {
                    /** @description The amount that was moved */
                    delivered: {
                        /** @example 1500.00 */
                        amount: string;
                        /** @example USD */
                        asset: string;
                    };
                    /** @description The external transfer. One repayment only can be reported under it, whatever its case. No leading or trailing blanks, no invisible characters */
                    reference: string;
                    /** @enum {string} */
                    status: "completed";
                } | {
                    delivered?: {
                        /** @example 1500.00 */
                        amount: string;
                        /** @example USD */
                        asset: string;
                    };
                    reference?: string;
                    /** @enum {string} */
                    status: "failed";
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Repayment"];
                };
            };
            400: components["responses"]["Problem400-idempotency_key_invalid-idempotency_key_missing-invalid_json"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-tenant_suspended"];
            404: components["responses"]["Problem404-not_found"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409-duplicate_reference-execution_already_reported-idempotency_in_progress"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getStatement: {
        parameters: {
            query?: {
                /**
                 * @description Movements after this instant; omit it for the day of the application, or a year before `to`
                 * @example 2026-11-01T00:00:00Z
                 */
                from?: string;
                /** @description A line of interest before each movement, or also for each UTC day */
                interest?: "period" | "day";
                /**
                 * @description Movements until this instant; omit it for now
                 * @example 2026-12-01T00:00:00Z
                 */
                to?: string;
            };
            header?: never;
            path: {
                facility_id: components["parameters"]["facility_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Statement"];
                    "text/csv": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404-not_found"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getPortfolioSource: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortfolioSource"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    setPortfolioSource: {
        parameters: {
            query?: never;
            header: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key": components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PortfolioSourceInput"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortfolioSource"];
                };
            };
            400: components["responses"]["Problem400-idempotency_key_invalid-idempotency_key_missing-invalid_json"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-tenant_suspended"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409-idempotency_in_progress"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    setSandboxCompliance: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                borrower_id: components["parameters"]["borrower_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "outcome": "pass"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    outcome: "pass" | "fail" | "review";
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxCompliance"];
                };
            };
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-tenant_suspended"];
            404: components["responses"]["Problem404-not_found-sandbox_only"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409-idempotency_in_progress"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getSandboxClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxClock"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404-sandbox_only"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    advanceSandboxClock: {
        parameters: {
            query?: never;
            header: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key": components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "advance_seconds": 86400
                 *     }
                 */
                "application/json": {
                    /** @description Whole seconds, at most 400 days. The clock cannot be set back */
                    advance_seconds: number;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxClock"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxClock"];
                };
            };
            400: components["responses"]["Problem400-idempotency_key_invalid-idempotency_key_missing-invalid_json"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-tenant_suspended"];
            404: components["responses"]["Problem404-sandbox_only"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409-clock_advancing-idempotency_in_progress"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    setSandboxCustodian: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxProviderInput"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxProvider"];
                };
            };
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-tenant_suspended"];
            404: components["responses"]["Problem404-sandbox_only"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409-idempotency_in_progress"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    setSandboxCustodianPositions: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "borrower_id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *       "positions": [
                 *         {
                 *           "asset": "BTC",
                 *           "quantity": "0.5"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    borrower_id: string;
                    /**
                     * @description How long, by your clock, a question about a push or an escalation stays open
                     * @default 0
                     */
                    late_seconds?: number;
                    /** @description What the custodian holds, whatever is pushed; null: what was pushed */
                    positions: {
                        asset: string;
                        /** @description Plain decimal, 0 or more, with at most the asset's decimal places */
                        quantity: components["schemas"]["Decimal"];
                    }[] | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxHolding"];
                };
            };
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-tenant_suspended"];
            404: components["responses"]["Problem404-not_found-sandbox_only"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409-idempotency_in_progress"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    setSandboxPayments: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxProviderInput"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxProvider"];
                };
            };
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-tenant_suspended"];
            404: components["responses"]["Problem404-sandbox_only"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409-idempotency_in_progress"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listSandboxPrices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxPriceList"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404-sandbox_only"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    setSandboxPrice: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "asset": "BTC",
                 *       "price_usd": "70000"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    asset: "BTC" | "ETH" | "USDC";
                    /** @description null returns to the market price */
                    price_usd: string | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxPrice"];
                };
            };
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-tenant_suspended"];
            404: components["responses"]["Problem404-sandbox_only"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409-idempotency_in_progress"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    registerWebhook: {
        parameters: {
            query?: never;
            header: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key": components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/hooks/lending",
                 *       "event_types": [
                 *         "borrower.eligible",
                 *         "margin_warning.raised"
                 *       ],
                 *       "label": "production"
                 *     }
                 */
                "application/json": {
                    /** @description Omitted or empty: every event but `margin_notice.approaching`, `webhook.failing`, `webhook.disabled` */
                    event_types?: components["schemas"]["EventType"][];
                    label?: string;
                    /** Format: uri */
                    url: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookCreated"];
                };
            };
            400: components["responses"]["Problem400-idempotency_key_invalid-idempotency_key_missing-invalid_json"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-tenant_suspended"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409-idempotency_in_progress-limit_reached"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused-url_not_allowed"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404-not_found"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted; empty body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400-idempotency_key_invalid"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-tenant_suspended"];
            404: components["responses"]["Problem404-not_found"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409-idempotency_in_progress"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: components["parameters"]["from"];
                /**
                 * @description Items per page, at most 500
                 * @example 100
                 */
                limit?: components["parameters"]["limit"];
                state?: "pending" | "delivered" | "dead_lettered" | "cancelled";
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            400: components["responses"]["Problem400-cursor_invalid"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404-not_found"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    listDeliveryAttempts: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: components["parameters"]["from"];
                /**
                 * @description Items per page, at most 500
                 * @example 100
                 */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path: {
                event_id: components["parameters"]["event_id"];
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryAttemptPage"];
                };
            };
            400: components["responses"]["Problem400-cursor_invalid"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404-not_found"];
            408: components["responses"]["Problem408"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    retryDelivery: {
        parameters: {
            query?: never;
            header: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key": components["parameters"]["Idempotency-Key"];
            };
            path: {
                event_id: components["parameters"]["event_id"];
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["Problem400-idempotency_key_invalid-idempotency_key_missing-invalid_json"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-tenant_suspended"];
            404: components["responses"]["Problem404-not_found"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409-delivery_in_progress-idempotency_in_progress-limit_reached-webhook_disabled"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    replayEvents: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page; omit it for the first page
                 * @example q83vASNFZ4mrze8BNw
                 */
                from?: components["parameters"]["from"];
                /**
                 * @description Items per page, at most 500
                 * @example 100
                 */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            400: components["responses"]["Problem400-cursor_invalid"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404-not_found"];
            408: components["responses"]["Problem408"];
            410: components["responses"]["Problem410"];
            414: components["responses"]["Problem414"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    recoverWebhook: {
        parameters: {
            query?: never;
            header: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key": components["parameters"]["Idempotency-Key"];
            };
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "since": "2026-11-20T06:00:00Z"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Delivers to this webhook what that one has missed
                     * @example whk_01k9x4m2q8e0tb7f2v5j6h8n3c
                     */
                    from_webhook_id?: string;
                    /** @description Events written from this instant on, in real time */
                    since: string;
                };
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookRecovery"];
                };
            };
            400: components["responses"]["Problem400-idempotency_key_invalid-idempotency_key_missing-invalid_json"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-tenant_suspended"];
            404: components["responses"]["Problem404-not_found"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409-idempotency_in_progress-recovery_in_progress-webhook_disabled"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    createSigningSecret: {
        parameters: {
            query?: never;
            header: {
                /** @description One UUID per operation. A retry sends the same one and gets the recorded answer. */
                "Idempotency-Key": components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SigningSecret"];
                };
            };
            400: components["responses"]["Problem400-idempotency_key_invalid-idempotency_key_missing-invalid_json"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-tenant_suspended"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409-idempotency_in_progress-secret_not_retrievable"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422-idempotency_key_reused"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    simulateDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description A UUID. Accepted and not recorded, because repeating this operation changes nothing. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "webhook_id": "whk_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *       "event_type": "margin_warning.raised",
                 *       "data": {
                 *         "facility_id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *         "tier": 1,
                 *         "cure_amount": {
                 *           "amount": "9301.10",
                 *           "asset": "USD"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    data: {
                        [key: string]: unknown;
                    };
                    event_type: components["schemas"]["EventType"];
                    webhook_id: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Simulated"];
                };
            };
            400: components["responses"]["Problem400-idempotency_key_invalid-invalid_json"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403-tenant_suspended"];
            404: components["responses"]["Problem404-not_found-sandbox_only"];
            408: components["responses"]["Problem408"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            415: components["responses"]["Problem415"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    onBorrowerEligible: {
        parameters: {
            query?: never;
            header: {
                /** @description Standard Webhooks: the event's id; absent without a secret */
                "webhook-id"?: components["parameters"]["webhook-id"];
                /** @description Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of id, timestamp and raw body, joined by dots; absent without a secret */
                "webhook-signature"?: components["parameters"]["webhook-signature"];
                /** @description Standard Webhooks: when this attempt was sent, in unix seconds; absent without a secret */
                "webhook-timestamp"?: components["parameters"]["webhook-timestamp"];
                /** @description Counts the attempts of this event from 1 */
                "X-SVC-Delivery-Attempt": components["parameters"]["X-SVC-Delivery-Attempt"];
                /** @description The event's id */
                "X-SVC-Event-Id": components["parameters"]["X-SVC-Event-Id"];
                /** @description `sha256=` and the hex HMAC-SHA256 of timestamp, dot and raw body; absent without a secret */
                "X-SVC-Webhook-Signature"?: components["parameters"]["X-SVC-Webhook-Signature"];
                /** @description When this attempt was sent, in unix seconds */
                "X-SVC-Webhook-Timestamp": components["parameters"]["X-SVC-Webhook-Timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *       "type": "borrower.eligible",
                 *       "occurred_at": "2026-11-20T12:00:05.000Z",
                 *       "resource_version": 1,
                 *       "resource": {
                 *         "type": "borrower",
                 *         "id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c"
                 *       },
                 *       "sequence": 7,
                 *       "data": {
                 *         "borrower_id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c"
                 *       }
                 *     }
                 */
                "application/json": {
                    data: {
                        /** bor_… */
                        borrower_id: string;
                    };
                    /** @description The same on every attempt and webhook: use it to drop duplicates */
                    id: string;
                    /** @description When it happened, by domain time */
                    occurred_at: components["schemas"]["Timestamp"];
                    /** @description Present where the facility's books or margin decisions have grown since its event before: their hash */
                    records?: string;
                    /** @description The resource the event is about; a margin warning or call is `fac_…/<number>` */
                    resource: {
                        id: string;
                        type: string;
                    };
                    /** @description Counts the resource's events from 1: ignore an event that is not above the last you applied */
                    resource_version: number;
                    /** @description Counts the tenant's events from 1 without gaps: a missing number is a missing event */
                    sequence: number;
                    /** @constant */
                    type: "borrower.eligible";
                };
            };
        };
        responses: {
            /** @description Received; anything else is a failed attempt */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDrawCompleted: {
        parameters: {
            query?: never;
            header: {
                /** @description Standard Webhooks: the event's id; absent without a secret */
                "webhook-id"?: components["parameters"]["webhook-id"];
                /** @description Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of id, timestamp and raw body, joined by dots; absent without a secret */
                "webhook-signature"?: components["parameters"]["webhook-signature"];
                /** @description Standard Webhooks: when this attempt was sent, in unix seconds; absent without a secret */
                "webhook-timestamp"?: components["parameters"]["webhook-timestamp"];
                /** @description Counts the attempts of this event from 1 */
                "X-SVC-Delivery-Attempt": components["parameters"]["X-SVC-Delivery-Attempt"];
                /** @description The event's id */
                "X-SVC-Event-Id": components["parameters"]["X-SVC-Event-Id"];
                /** @description `sha256=` and the hex HMAC-SHA256 of timestamp, dot and raw body; absent without a secret */
                "X-SVC-Webhook-Signature"?: components["parameters"]["X-SVC-Webhook-Signature"];
                /** @description When this attempt was sent, in unix seconds */
                "X-SVC-Webhook-Timestamp": components["parameters"]["X-SVC-Webhook-Timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *       "type": "draw.completed",
                 *       "occurred_at": "2026-11-20T12:00:05.000Z",
                 *       "resource_version": 1,
                 *       "resource": {
                 *         "type": "draw",
                 *         "id": "drw_01k9x4m2q8e0tb7f2v5j6h8n3c"
                 *       },
                 *       "sequence": 7,
                 *       "data": {
                 *         "facility_id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *         "draw_id": "drw_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *         "amount": {
                 *           "amount": "50000.00",
                 *           "asset": "USD"
                 *         },
                 *         "reference": "payout-58102",
                 *         "completed_at": "2026-11-20T12:00:04.812Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    data: {
                        /**
                         * amount
                         * @description What was paid out
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
                        /** @description The payment's external reference */
                        reference: string;
                    };
                    /** @description The same on every attempt and webhook: use it to drop duplicates */
                    id: string;
                    /** @description When it happened, by domain time */
                    occurred_at: components["schemas"]["Timestamp"];
                    /** @description Present where the facility's books or margin decisions have grown since its event before: their hash */
                    records?: string;
                    /** @description The resource the event is about; a margin warning or call is `fac_…/<number>` */
                    resource: {
                        id: string;
                        type: string;
                    };
                    /** @description Counts the resource's events from 1: ignore an event that is not above the last you applied */
                    resource_version: number;
                    /** @description Counts the tenant's events from 1 without gaps: a missing number is a missing event */
                    sequence: number;
                    /** @constant */
                    type: "draw.completed";
                };
            };
        };
        responses: {
            /** @description Received; anything else is a failed attempt */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDrawFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description Standard Webhooks: the event's id; absent without a secret */
                "webhook-id"?: components["parameters"]["webhook-id"];
                /** @description Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of id, timestamp and raw body, joined by dots; absent without a secret */
                "webhook-signature"?: components["parameters"]["webhook-signature"];
                /** @description Standard Webhooks: when this attempt was sent, in unix seconds; absent without a secret */
                "webhook-timestamp"?: components["parameters"]["webhook-timestamp"];
                /** @description Counts the attempts of this event from 1 */
                "X-SVC-Delivery-Attempt": components["parameters"]["X-SVC-Delivery-Attempt"];
                /** @description The event's id */
                "X-SVC-Event-Id": components["parameters"]["X-SVC-Event-Id"];
                /** @description `sha256=` and the hex HMAC-SHA256 of timestamp, dot and raw body; absent without a secret */
                "X-SVC-Webhook-Signature"?: components["parameters"]["X-SVC-Webhook-Signature"];
                /** @description When this attempt was sent, in unix seconds */
                "X-SVC-Webhook-Timestamp": components["parameters"]["X-SVC-Webhook-Timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *       "type": "draw.failed",
                 *       "occurred_at": "2026-11-20T12:00:05.000Z",
                 *       "resource_version": 1,
                 *       "resource": {
                 *         "type": "draw",
                 *         "id": "drw_01k9x4m2q8e0tb7f2v5j6h8n3c"
                 *       },
                 *       "sequence": 7,
                 *       "data": {
                 *         "facility_id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *         "draw_id": "drw_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *         "amount": {
                 *           "amount": "50000.00",
                 *           "asset": "USD"
                 *         },
                 *         "code": "floor_refused",
                 *         "retryable": true
                 *       }
                 *     }
                 */
                "application/json": {
                    data: {
                        /**
                         * amount
                         * @description The amount requested; it is no longer reserved
                         */
                        amount: {
                            /** decimal */
                            amount: components["schemas"]["Decimal"];
                            asset: string;
                        };
                        /** @description `floor_refused`, `margin`, `borrower_not_eligible`, or that of the payments provider */
                        code: string;
                        /** drw_… */
                        draw_id: string;
                        /** fac_… */
                        facility_id: string;
                        /** @description Whether the same draw may succeed when requested again */
                        retryable: boolean;
                    };
                    /** @description The same on every attempt and webhook: use it to drop duplicates */
                    id: string;
                    /** @description When it happened, by domain time */
                    occurred_at: components["schemas"]["Timestamp"];
                    /** @description Present where the facility's books or margin decisions have grown since its event before: their hash */
                    records?: string;
                    /** @description The resource the event is about; a margin warning or call is `fac_…/<number>` */
                    resource: {
                        id: string;
                        type: string;
                    };
                    /** @description Counts the resource's events from 1: ignore an event that is not above the last you applied */
                    resource_version: number;
                    /** @description Counts the tenant's events from 1 without gaps: a missing number is a missing event */
                    sequence: number;
                    /** @constant */
                    type: "draw.failed";
                };
            };
        };
        responses: {
            /** @description Received; anything else is a failed attempt */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onFacilityClosed: {
        parameters: {
            query?: never;
            header: {
                /** @description Standard Webhooks: the event's id; absent without a secret */
                "webhook-id"?: components["parameters"]["webhook-id"];
                /** @description Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of id, timestamp and raw body, joined by dots; absent without a secret */
                "webhook-signature"?: components["parameters"]["webhook-signature"];
                /** @description Standard Webhooks: when this attempt was sent, in unix seconds; absent without a secret */
                "webhook-timestamp"?: components["parameters"]["webhook-timestamp"];
                /** @description Counts the attempts of this event from 1 */
                "X-SVC-Delivery-Attempt": components["parameters"]["X-SVC-Delivery-Attempt"];
                /** @description The event's id */
                "X-SVC-Event-Id": components["parameters"]["X-SVC-Event-Id"];
                /** @description `sha256=` and the hex HMAC-SHA256 of timestamp, dot and raw body; absent without a secret */
                "X-SVC-Webhook-Signature"?: components["parameters"]["X-SVC-Webhook-Signature"];
                /** @description When this attempt was sent, in unix seconds */
                "X-SVC-Webhook-Timestamp": components["parameters"]["X-SVC-Webhook-Timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *       "type": "facility.closed",
                 *       "occurred_at": "2026-11-20T12:00:05.000Z",
                 *       "resource_version": 4,
                 *       "resource": {
                 *         "type": "facility",
                 *         "id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c"
                 *       },
                 *       "sequence": 7,
                 *       "data": {
                 *         "facility_id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *         "closed_at": "2026-11-20T12:00:00.000Z",
                 *         "reason": "repaid"
                 *       }
                 *     }
                 */
                "application/json": {
                    data: {
                        /** timestamp */
                        closed_at: components["schemas"]["EventTimestamp"];
                        /** fac_… */
                        facility_id: string;
                        /**
                         * @description The debt is repaid; the debt left after a sale is written off; never approved
                         * @enum {string}
                         */
                        reason: "repaid" | "charged_off" | "cancelled";
                    };
                    /** @description The same on every attempt and webhook: use it to drop duplicates */
                    id: string;
                    /** @description When it happened, by domain time */
                    occurred_at: components["schemas"]["Timestamp"];
                    /** @description Present where the facility's books or margin decisions have grown since its event before: their hash */
                    records?: string;
                    /** @description The resource the event is about; a margin warning or call is `fac_…/<number>` */
                    resource: {
                        id: string;
                        type: string;
                    };
                    /** @description Counts the resource's events from 1: ignore an event that is not above the last you applied */
                    resource_version: number;
                    /** @description Counts the tenant's events from 1 without gaps: a missing number is a missing event */
                    sequence: number;
                    /** @constant */
                    type: "facility.closed";
                };
            };
        };
        responses: {
            /** @description Received; anything else is a failed attempt */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onFacilityDecisioned: {
        parameters: {
            query?: never;
            header: {
                /** @description Standard Webhooks: the event's id; absent without a secret */
                "webhook-id"?: components["parameters"]["webhook-id"];
                /** @description Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of id, timestamp and raw body, joined by dots; absent without a secret */
                "webhook-signature"?: components["parameters"]["webhook-signature"];
                /** @description Standard Webhooks: when this attempt was sent, in unix seconds; absent without a secret */
                "webhook-timestamp"?: components["parameters"]["webhook-timestamp"];
                /** @description Counts the attempts of this event from 1 */
                "X-SVC-Delivery-Attempt": components["parameters"]["X-SVC-Delivery-Attempt"];
                /** @description The event's id */
                "X-SVC-Event-Id": components["parameters"]["X-SVC-Event-Id"];
                /** @description `sha256=` and the hex HMAC-SHA256 of timestamp, dot and raw body; absent without a secret */
                "X-SVC-Webhook-Signature"?: components["parameters"]["X-SVC-Webhook-Signature"];
                /** @description When this attempt was sent, in unix seconds */
                "X-SVC-Webhook-Timestamp": components["parameters"]["X-SVC-Webhook-Timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *       "type": "facility.decisioned",
                 *       "occurred_at": "2026-11-20T12:00:05.000Z",
                 *       "resource_version": 1,
                 *       "resource": {
                 *         "type": "facility",
                 *         "id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c"
                 *       },
                 *       "sequence": 7,
                 *       "data": {
                 *         "facility_id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *         "borrower_id": "bor_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *         "decision": "approved",
                 *         "limit": {
                 *           "amount": "50000.00",
                 *           "asset": "USD"
                 *         },
                 *         "rate": "0.1",
                 *         "reasons": []
                 *       }
                 *     }
                 */
                "application/json": {
                    data: {
                        /** bor_… */
                        borrower_id: string;
                        /** @enum {string} */
                        decision: "approved" | "declined";
                        /** fac_… */
                        facility_id: string;
                        /**
                         * amount
                         * @description The limit requested; when approved, what can be drawn
                         */
                        limit: {
                            /** decimal */
                            amount: components["schemas"]["Decimal"];
                            asset: string;
                        };
                        /**
                         * decimal
                         * @description Interest a year: "0.1" is 10 %
                         */
                        rate: components["schemas"]["Decimal"];
                        /** @description Why it was declined, else empty: `borrower_not_eligible`, `limit_out_of_range`, `residency_limit_exceeded`, `insufficient_collateral`, `control_not_confirmed`, `portfolio_stale` */
                        reasons: string[];
                    };
                    /** @description The same on every attempt and webhook: use it to drop duplicates */
                    id: string;
                    /** @description When it happened, by domain time */
                    occurred_at: components["schemas"]["Timestamp"];
                    /** @description Present where the facility's books or margin decisions have grown since its event before: their hash */
                    records?: string;
                    /** @description The resource the event is about; a margin warning or call is `fac_…/<number>` */
                    resource: {
                        id: string;
                        type: string;
                    };
                    /** @description Counts the resource's events from 1: ignore an event that is not above the last you applied */
                    resource_version: number;
                    /** @description Counts the tenant's events from 1 without gaps: a missing number is a missing event */
                    sequence: number;
                    /** @constant */
                    type: "facility.decisioned";
                };
            };
        };
        responses: {
            /** @description Received; anything else is a failed attempt */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onFacilityFloorUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description Standard Webhooks: the event's id; absent without a secret */
                "webhook-id"?: components["parameters"]["webhook-id"];
                /** @description Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of id, timestamp and raw body, joined by dots; absent without a secret */
                "webhook-signature"?: components["parameters"]["webhook-signature"];
                /** @description Standard Webhooks: when this attempt was sent, in unix seconds; absent without a secret */
                "webhook-timestamp"?: components["parameters"]["webhook-timestamp"];
                /** @description Counts the attempts of this event from 1 */
                "X-SVC-Delivery-Attempt": components["parameters"]["X-SVC-Delivery-Attempt"];
                /** @description The event's id */
                "X-SVC-Event-Id": components["parameters"]["X-SVC-Event-Id"];
                /** @description `sha256=` and the hex HMAC-SHA256 of timestamp, dot and raw body; absent without a secret */
                "X-SVC-Webhook-Signature"?: components["parameters"]["X-SVC-Webhook-Signature"];
                /** @description When this attempt was sent, in unix seconds */
                "X-SVC-Webhook-Timestamp": components["parameters"]["X-SVC-Webhook-Timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *       "type": "facility.floor_updated",
                 *       "occurred_at": "2026-11-20T12:00:05.000Z",
                 *       "resource_version": 2,
                 *       "resource": {
                 *         "type": "facility",
                 *         "id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c"
                 *       },
                 *       "sequence": 7,
                 *       "data": {
                 *         "facility_id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *         "required_floor_usd": "71467.71",
                 *         "previous_floor_usd": "0.00",
                 *         "reason": "draw"
                 *       }
                 *     }
                 */
                "application/json": {
                    data: {
                        /** fac_… */
                        facility_id: string;
                        /** dollars */
                        previous_floor_usd: string;
                        /** @description `draw` or `update` */
                        reason: string;
                        /**
                         * dollars
                         * @description What the custodian holds the collateral to from now on
                         */
                        required_floor_usd: string;
                    };
                    /** @description The same on every attempt and webhook: use it to drop duplicates */
                    id: string;
                    /** @description When it happened, by domain time */
                    occurred_at: components["schemas"]["Timestamp"];
                    /** @description Present where the facility's books or margin decisions have grown since its event before: their hash */
                    records?: string;
                    /** @description The resource the event is about; a margin warning or call is `fac_…/<number>` */
                    resource: {
                        id: string;
                        type: string;
                    };
                    /** @description Counts the resource's events from 1: ignore an event that is not above the last you applied */
                    resource_version: number;
                    /** @description Counts the tenant's events from 1 without gaps: a missing number is a missing event */
                    sequence: number;
                    /** @constant */
                    type: "facility.floor_updated";
                };
            };
        };
        responses: {
            /** @description Received; anything else is a failed attempt */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMarginCallCompleted: {
        parameters: {
            query?: never;
            header: {
                /** @description Standard Webhooks: the event's id; absent without a secret */
                "webhook-id"?: components["parameters"]["webhook-id"];
                /** @description Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of id, timestamp and raw body, joined by dots; absent without a secret */
                "webhook-signature"?: components["parameters"]["webhook-signature"];
                /** @description Standard Webhooks: when this attempt was sent, in unix seconds; absent without a secret */
                "webhook-timestamp"?: components["parameters"]["webhook-timestamp"];
                /** @description Counts the attempts of this event from 1 */
                "X-SVC-Delivery-Attempt": components["parameters"]["X-SVC-Delivery-Attempt"];
                /** @description The event's id */
                "X-SVC-Event-Id": components["parameters"]["X-SVC-Event-Id"];
                /** @description `sha256=` and the hex HMAC-SHA256 of timestamp, dot and raw body; absent without a secret */
                "X-SVC-Webhook-Signature"?: components["parameters"]["X-SVC-Webhook-Signature"];
                /** @description When this attempt was sent, in unix seconds */
                "X-SVC-Webhook-Timestamp": components["parameters"]["X-SVC-Webhook-Timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *       "type": "margin_call.completed",
                 *       "occurred_at": "2026-11-20T12:00:05.000Z",
                 *       "resource_version": 2,
                 *       "resource": {
                 *         "type": "margin_call",
                 *         "id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c/1"
                 *       },
                 *       "sequence": 7,
                 *       "data": {
                 *         "facility_id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *         "number": 1,
                 *         "outcome": "partial",
                 *         "sold": [
                 *           {
                 *             "asset": "BTC",
                 *             "quantity": "0.405772",
                 *             "proceeds_usd": "28404.04"
                 *           }
                 *         ],
                 *         "costs_usd": "568.09",
                 *         "allocation": {
                 *           "interest": {
                 *             "amount": "27.40",
                 *             "asset": "USD"
                 *           },
                 *           "principal": {
                 *             "amount": "27808.55",
                 *             "asset": "USD"
                 *           },
                 *           "refund_due": {
                 *             "amount": "0.00",
                 *             "asset": "USD"
                 *           }
                 *         },
                 *         "surplus_usd": "0.00",
                 *         "deficit_usd": "0.00"
                 *       }
                 *     }
                 */
                "application/json": {
                    data: {
                        /**
                         * allocation
                         * @description How the rest was applied
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
                         * @description Costs of the sale, taken from the proceeds
                         */
                        costs_usd: string;
                        /**
                         * dollars
                         * @description What stays owed and is written off
                         */
                        deficit_usd: string;
                        /** fac_… */
                        facility_id: string;
                        /** @description Counts the facility's margin calls from 1 */
                        number: number;
                        /**
                         * @description The floor is clear again; the debt is paid off; no sale was needed; all is sold and debt is left
                         * @enum {string}
                         */
                        outcome: "partial" | "full" | "not_needed" | "deficit";
                        /** @description What was sold, by asset */
                        sold: {
                            asset: string;
                            /** dollars */
                            proceeds_usd: string;
                            /** decimal */
                            quantity: components["schemas"]["Decimal"];
                        }[];
                        /**
                         * dollars
                         * @description What is left over, for the borrower
                         */
                        surplus_usd: string;
                    };
                    /** @description The same on every attempt and webhook: use it to drop duplicates */
                    id: string;
                    /** @description When it happened, by domain time */
                    occurred_at: components["schemas"]["Timestamp"];
                    /** @description Present where the facility's books or margin decisions have grown since its event before: their hash */
                    records?: string;
                    /** @description The resource the event is about; a margin warning or call is `fac_…/<number>` */
                    resource: {
                        id: string;
                        type: string;
                    };
                    /** @description Counts the resource's events from 1: ignore an event that is not above the last you applied */
                    resource_version: number;
                    /** @description Counts the tenant's events from 1 without gaps: a missing number is a missing event */
                    sequence: number;
                    /** @constant */
                    type: "margin_call.completed";
                };
            };
        };
        responses: {
            /** @description Received; anything else is a failed attempt */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMarginCallStarted: {
        parameters: {
            query?: never;
            header: {
                /** @description Standard Webhooks: the event's id; absent without a secret */
                "webhook-id"?: components["parameters"]["webhook-id"];
                /** @description Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of id, timestamp and raw body, joined by dots; absent without a secret */
                "webhook-signature"?: components["parameters"]["webhook-signature"];
                /** @description Standard Webhooks: when this attempt was sent, in unix seconds; absent without a secret */
                "webhook-timestamp"?: components["parameters"]["webhook-timestamp"];
                /** @description Counts the attempts of this event from 1 */
                "X-SVC-Delivery-Attempt": components["parameters"]["X-SVC-Delivery-Attempt"];
                /** @description The event's id */
                "X-SVC-Event-Id": components["parameters"]["X-SVC-Event-Id"];
                /** @description `sha256=` and the hex HMAC-SHA256 of timestamp, dot and raw body; absent without a secret */
                "X-SVC-Webhook-Signature"?: components["parameters"]["X-SVC-Webhook-Signature"];
                /** @description When this attempt was sent, in unix seconds */
                "X-SVC-Webhook-Timestamp": components["parameters"]["X-SVC-Webhook-Timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *       "type": "margin_call.started",
                 *       "occurred_at": "2026-11-20T12:00:05.000Z",
                 *       "resource_version": 1,
                 *       "resource": {
                 *         "type": "margin_call",
                 *         "id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c/1"
                 *       },
                 *       "sequence": 7,
                 *       "data": {
                 *         "facility_id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *         "number": 1,
                 *         "margin_warning_number": 1,
                 *         "target_ltv": "0.55",
                 *         "planned": [
                 *           {
                 *             "asset": "BTC",
                 *             "quantity": "0.405772"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    data: {
                        /** fac_… */
                        facility_id: string;
                        /** @description The margin warning that escalated */
                        margin_warning_number: number;
                        /** @description Counts the facility's margin calls from 1 */
                        number: number;
                        /** @description What is to be sold, planned again after each fill */
                        planned: {
                            asset: string;
                            /** decimal */
                            quantity: components["schemas"]["Decimal"];
                        }[];
                        /**
                         * decimal
                         * @description The loan-to-value that the sale aims at
                         */
                        target_ltv: components["schemas"]["Decimal"];
                    };
                    /** @description The same on every attempt and webhook: use it to drop duplicates */
                    id: string;
                    /** @description When it happened, by domain time */
                    occurred_at: components["schemas"]["Timestamp"];
                    /** @description Present where the facility's books or margin decisions have grown since its event before: their hash */
                    records?: string;
                    /** @description The resource the event is about; a margin warning or call is `fac_…/<number>` */
                    resource: {
                        id: string;
                        type: string;
                    };
                    /** @description Counts the resource's events from 1: ignore an event that is not above the last you applied */
                    resource_version: number;
                    /** @description Counts the tenant's events from 1 without gaps: a missing number is a missing event */
                    sequence: number;
                    /** @constant */
                    type: "margin_call.started";
                };
            };
        };
        responses: {
            /** @description Received; anything else is a failed attempt */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMarginNoticeApproaching: {
        parameters: {
            query?: never;
            header: {
                /** @description Standard Webhooks: the event's id; absent without a secret */
                "webhook-id"?: components["parameters"]["webhook-id"];
                /** @description Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of id, timestamp and raw body, joined by dots; absent without a secret */
                "webhook-signature"?: components["parameters"]["webhook-signature"];
                /** @description Standard Webhooks: when this attempt was sent, in unix seconds; absent without a secret */
                "webhook-timestamp"?: components["parameters"]["webhook-timestamp"];
                /** @description Counts the attempts of this event from 1 */
                "X-SVC-Delivery-Attempt": components["parameters"]["X-SVC-Delivery-Attempt"];
                /** @description The event's id */
                "X-SVC-Event-Id": components["parameters"]["X-SVC-Event-Id"];
                /** @description `sha256=` and the hex HMAC-SHA256 of timestamp, dot and raw body; absent without a secret */
                "X-SVC-Webhook-Signature"?: components["parameters"]["X-SVC-Webhook-Signature"];
                /** @description When this attempt was sent, in unix seconds */
                "X-SVC-Webhook-Timestamp": components["parameters"]["X-SVC-Webhook-Timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *       "type": "margin_notice.approaching",
                 *       "occurred_at": "2026-11-20T12:00:05.000Z",
                 *       "resource_version": 3,
                 *       "resource": {
                 *         "type": "facility",
                 *         "id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c"
                 *       },
                 *       "sequence": 7,
                 *       "data": {
                 *         "facility_id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *         "line": "0.65",
                 *         "ltv": "0.660852",
                 *         "levels": [
                 *           {
                 *             "line": "tier_1",
                 *             "ltv": "0.7",
                 *             "reached": false,
                 *             "value_usd": "71428.57",
                 *             "fall_percent": "5.5927",
                 *             "prices": [
                 *               {
                 *                 "asset": "BTC",
                 *                 "price_usd": "73637.7113402"
                 *               }
                 *             ]
                 *           },
                 *           {
                 *             "line": "tier_2",
                 *             "ltv": "0.75",
                 *             "reached": false,
                 *             "value_usd": "66666.66",
                 *             "fall_percent": "11.8866",
                 *             "prices": [
                 *               {
                 *                 "asset": "BTC",
                 *                 "price_usd": "68728.52577319"
                 *               }
                 *             ]
                 *           },
                 *           {
                 *             "line": "tier_3",
                 *             "ltv": "0.8",
                 *             "reached": false,
                 *             "value_usd": "62499.99",
                 *             "fall_percent": "17.3937",
                 *             "prices": [
                 *               {
                 *                 "asset": "BTC",
                 *                 "price_usd": "64432.98969072"
                 *               }
                 *             ]
                 *           },
                 *           {
                 *             "line": "critical",
                 *             "ltv": "0.83",
                 *             "reached": false,
                 *             "value_usd": "60240.96",
                 *             "fall_percent": "20.3794",
                 *             "prices": [
                 *               {
                 *                 "asset": "BTC",
                 *                 "price_usd": "62104.0927835"
                 *               }
                 *             ]
                 *           },
                 *           {
                 *             "line": "sale",
                 *             "ltv": "0.83",
                 *             "reached": false,
                 *             "value_usd": "60240.96",
                 *             "fall_percent": "20.3794",
                 *             "prices": [
                 *               {
                 *                 "asset": "BTC",
                 *                 "price_usd": "62104.0927835"
                 *               }
                 *             ]
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    data: {
                        /** fac_… */
                        facility_id: string;
                        /** @description Where a warning would be raised, as `GET …/margin-levels` shows it */
                        levels: {
                            /** decimal */
                            fall_percent: components["schemas"]["Decimal"];
                            /** timestamp */
                            from?: components["schemas"]["EventTimestamp"];
                            /** @enum {string} */
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
                         * @description The highest line that was crossed
                         */
                        line: components["schemas"]["Decimal"];
                        /**
                         * decimal
                         * @description Loan-to-value, at the highest value of the window
                         */
                        ltv: components["schemas"]["Decimal"];
                    };
                    /** @description The same on every attempt and webhook: use it to drop duplicates */
                    id: string;
                    /** @description When it happened, by domain time */
                    occurred_at: components["schemas"]["Timestamp"];
                    /** @description Present where the facility's books or margin decisions have grown since its event before: their hash */
                    records?: string;
                    /** @description The resource the event is about; a margin warning or call is `fac_…/<number>` */
                    resource: {
                        id: string;
                        type: string;
                    };
                    /** @description Counts the resource's events from 1: ignore an event that is not above the last you applied */
                    resource_version: number;
                    /** @description Counts the tenant's events from 1 without gaps: a missing number is a missing event */
                    sequence: number;
                    /** @constant */
                    type: "margin_notice.approaching";
                };
            };
        };
        responses: {
            /** @description Received; anything else is a failed attempt */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMarginWarningCured: {
        parameters: {
            query?: never;
            header: {
                /** @description Standard Webhooks: the event's id; absent without a secret */
                "webhook-id"?: components["parameters"]["webhook-id"];
                /** @description Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of id, timestamp and raw body, joined by dots; absent without a secret */
                "webhook-signature"?: components["parameters"]["webhook-signature"];
                /** @description Standard Webhooks: when this attempt was sent, in unix seconds; absent without a secret */
                "webhook-timestamp"?: components["parameters"]["webhook-timestamp"];
                /** @description Counts the attempts of this event from 1 */
                "X-SVC-Delivery-Attempt": components["parameters"]["X-SVC-Delivery-Attempt"];
                /** @description The event's id */
                "X-SVC-Event-Id": components["parameters"]["X-SVC-Event-Id"];
                /** @description `sha256=` and the hex HMAC-SHA256 of timestamp, dot and raw body; absent without a secret */
                "X-SVC-Webhook-Signature"?: components["parameters"]["X-SVC-Webhook-Signature"];
                /** @description When this attempt was sent, in unix seconds */
                "X-SVC-Webhook-Timestamp": components["parameters"]["X-SVC-Webhook-Timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *       "type": "margin_warning.cured",
                 *       "occurred_at": "2026-11-20T12:00:05.000Z",
                 *       "resource_version": 2,
                 *       "resource": {
                 *         "type": "margin_warning",
                 *         "id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c/1"
                 *       },
                 *       "sequence": 7,
                 *       "data": {
                 *         "facility_id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *         "number": 1,
                 *         "cured_at": "2026-11-20T18:30:00.000Z",
                 *         "cured_by": "repayment",
                 *         "ltv": "0.599799",
                 *         "latest_ltv": "0.599799"
                 *       }
                 *     }
                 */
                "application/json": {
                    data: {
                        /** timestamp */
                        cured_at: components["schemas"]["EventTimestamp"];
                        /**
                         * @description `correction`: by what the custodian holds, it should never have been raised
                         * @enum {string}
                         */
                        cured_by: "repayment" | "collateral" | "price" | "correction";
                        /** fac_… */
                        facility_id: string;
                        /**
                         * decimal
                         * @description At the latest prices
                         */
                        latest_ltv: components["schemas"]["Decimal"];
                        /**
                         * decimal
                         * @description Loan-to-value after the cure, at the lowest value of the window
                         */
                        ltv: components["schemas"]["Decimal"];
                        /** @description Counts the facility's margin warnings from 1 */
                        number: number;
                    };
                    /** @description The same on every attempt and webhook: use it to drop duplicates */
                    id: string;
                    /** @description When it happened, by domain time */
                    occurred_at: components["schemas"]["Timestamp"];
                    /** @description Present where the facility's books or margin decisions have grown since its event before: their hash */
                    records?: string;
                    /** @description The resource the event is about; a margin warning or call is `fac_…/<number>` */
                    resource: {
                        id: string;
                        type: string;
                    };
                    /** @description Counts the resource's events from 1: ignore an event that is not above the last you applied */
                    resource_version: number;
                    /** @description Counts the tenant's events from 1 without gaps: a missing number is a missing event */
                    sequence: number;
                    /** @constant */
                    type: "margin_warning.cured";
                };
            };
        };
        responses: {
            /** @description Received; anything else is a failed attempt */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMarginWarningEscalated: {
        parameters: {
            query?: never;
            header: {
                /** @description Standard Webhooks: the event's id; absent without a secret */
                "webhook-id"?: components["parameters"]["webhook-id"];
                /** @description Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of id, timestamp and raw body, joined by dots; absent without a secret */
                "webhook-signature"?: components["parameters"]["webhook-signature"];
                /** @description Standard Webhooks: when this attempt was sent, in unix seconds; absent without a secret */
                "webhook-timestamp"?: components["parameters"]["webhook-timestamp"];
                /** @description Counts the attempts of this event from 1 */
                "X-SVC-Delivery-Attempt": components["parameters"]["X-SVC-Delivery-Attempt"];
                /** @description The event's id */
                "X-SVC-Event-Id": components["parameters"]["X-SVC-Event-Id"];
                /** @description `sha256=` and the hex HMAC-SHA256 of timestamp, dot and raw body; absent without a secret */
                "X-SVC-Webhook-Signature"?: components["parameters"]["X-SVC-Webhook-Signature"];
                /** @description When this attempt was sent, in unix seconds */
                "X-SVC-Webhook-Timestamp": components["parameters"]["X-SVC-Webhook-Timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *       "type": "margin_warning.escalated",
                 *       "occurred_at": "2026-11-20T12:00:05.000Z",
                 *       "resource_version": 2,
                 *       "resource": {
                 *         "type": "margin_warning",
                 *         "id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c/1"
                 *       },
                 *       "sequence": 7,
                 *       "data": {
                 *         "facility_id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *         "number": 1,
                 *         "margin_call_number": 1,
                 *         "reason": "deadline"
                 *       }
                 *     }
                 */
                "application/json": {
                    data: {
                        /** fac_… */
                        facility_id: string;
                        /** @description The margin call that takes over */
                        margin_call_number: number;
                        /** @description Counts the facility's margin warnings from 1 */
                        number: number;
                        /**
                         * @description Not cured in time; above the critical ratio
                         * @enum {string}
                         */
                        reason: "deadline" | "critical";
                    };
                    /** @description The same on every attempt and webhook: use it to drop duplicates */
                    id: string;
                    /** @description When it happened, by domain time */
                    occurred_at: components["schemas"]["Timestamp"];
                    /** @description Present where the facility's books or margin decisions have grown since its event before: their hash */
                    records?: string;
                    /** @description The resource the event is about; a margin warning or call is `fac_…/<number>` */
                    resource: {
                        id: string;
                        type: string;
                    };
                    /** @description Counts the resource's events from 1: ignore an event that is not above the last you applied */
                    resource_version: number;
                    /** @description Counts the tenant's events from 1 without gaps: a missing number is a missing event */
                    sequence: number;
                    /** @constant */
                    type: "margin_warning.escalated";
                };
            };
        };
        responses: {
            /** @description Received; anything else is a failed attempt */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMarginWarningRaised: {
        parameters: {
            query?: never;
            header: {
                /** @description Standard Webhooks: the event's id; absent without a secret */
                "webhook-id"?: components["parameters"]["webhook-id"];
                /** @description Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of id, timestamp and raw body, joined by dots; absent without a secret */
                "webhook-signature"?: components["parameters"]["webhook-signature"];
                /** @description Standard Webhooks: when this attempt was sent, in unix seconds; absent without a secret */
                "webhook-timestamp"?: components["parameters"]["webhook-timestamp"];
                /** @description Counts the attempts of this event from 1 */
                "X-SVC-Delivery-Attempt": components["parameters"]["X-SVC-Delivery-Attempt"];
                /** @description The event's id */
                "X-SVC-Event-Id": components["parameters"]["X-SVC-Event-Id"];
                /** @description `sha256=` and the hex HMAC-SHA256 of timestamp, dot and raw body; absent without a secret */
                "X-SVC-Webhook-Signature"?: components["parameters"]["X-SVC-Webhook-Signature"];
                /** @description When this attempt was sent, in unix seconds */
                "X-SVC-Webhook-Timestamp": components["parameters"]["X-SVC-Webhook-Timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *       "type": "margin_warning.raised",
                 *       "occurred_at": "2026-11-20T12:00:05.000Z",
                 *       "resource_version": 1,
                 *       "resource": {
                 *         "type": "margin_warning",
                 *         "id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c/1"
                 *       },
                 *       "sequence": 7,
                 *       "data": {
                 *         "facility_id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *         "number": 1,
                 *         "tier": 1,
                 *         "cure_amount": {
                 *           "amount": "9301.10",
                 *           "asset": "USD"
                 *         },
                 *         "deadline": "2026-11-22T12:00:00.000Z",
                 *         "window_deadline": "2026-11-22T12:00:00.000Z",
                 *         "ltv": "0.736378",
                 *         "latest_ltv": "0.736378",
                 *         "required_floor_usd": "83333.34",
                 *         "cure_collateral_usd": "15501.84"
                 *       }
                 *     }
                 */
                "application/json": {
                    data: {
                        /**
                         * amount
                         * @description Paying this cures the warning
                         */
                        cure_amount: {
                            /** decimal */
                            amount: components["schemas"]["Decimal"];
                            asset: string;
                        };
                        /**
                         * dollars
                         * @description Adding this much collateral, after haircuts, cures it too
                         */
                        cure_collateral_usd: string;
                        /**
                         * timestamp
                         * @description Until when it must be cured, this instant included
                         */
                        deadline: components["schemas"]["EventTimestamp"];
                        /** fac_… */
                        facility_id: string;
                        /**
                         * decimal
                         * @description At the latest prices
                         */
                        latest_ltv: components["schemas"]["Decimal"];
                        /**
                         * decimal
                         * @description Loan-to-value at this step, at the highest value of the window
                         */
                        ltv: components["schemas"]["Decimal"];
                        /** @description Counts the facility's margin warnings from 1 */
                        number: number;
                        /**
                         * dollars
                         * @description The collateral must be worth this again
                         */
                        required_floor_usd: string;
                        /** @description The step of the ladder, 3 being the worst */
                        tier: number;
                        /**
                         * timestamp
                         * @description The deadline of its tiers alone; holds where the custodian does not confirm a critical loan
                         */
                        window_deadline: components["schemas"]["EventTimestamp"];
                    };
                    /** @description The same on every attempt and webhook: use it to drop duplicates */
                    id: string;
                    /** @description When it happened, by domain time */
                    occurred_at: components["schemas"]["Timestamp"];
                    /** @description Present where the facility's books or margin decisions have grown since its event before: their hash */
                    records?: string;
                    /** @description The resource the event is about; a margin warning or call is `fac_…/<number>` */
                    resource: {
                        id: string;
                        type: string;
                    };
                    /** @description Counts the resource's events from 1: ignore an event that is not above the last you applied */
                    resource_version: number;
                    /** @description Counts the tenant's events from 1 without gaps: a missing number is a missing event */
                    sequence: number;
                    /** @constant */
                    type: "margin_warning.raised";
                };
            };
        };
        responses: {
            /** @description Received; anything else is a failed attempt */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRepaymentApplied: {
        parameters: {
            query?: never;
            header: {
                /** @description Standard Webhooks: the event's id; absent without a secret */
                "webhook-id"?: components["parameters"]["webhook-id"];
                /** @description Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of id, timestamp and raw body, joined by dots; absent without a secret */
                "webhook-signature"?: components["parameters"]["webhook-signature"];
                /** @description Standard Webhooks: when this attempt was sent, in unix seconds; absent without a secret */
                "webhook-timestamp"?: components["parameters"]["webhook-timestamp"];
                /** @description Counts the attempts of this event from 1 */
                "X-SVC-Delivery-Attempt": components["parameters"]["X-SVC-Delivery-Attempt"];
                /** @description The event's id */
                "X-SVC-Event-Id": components["parameters"]["X-SVC-Event-Id"];
                /** @description `sha256=` and the hex HMAC-SHA256 of timestamp, dot and raw body; absent without a secret */
                "X-SVC-Webhook-Signature"?: components["parameters"]["X-SVC-Webhook-Signature"];
                /** @description When this attempt was sent, in unix seconds */
                "X-SVC-Webhook-Timestamp": components["parameters"]["X-SVC-Webhook-Timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *       "type": "repayment.applied",
                 *       "occurred_at": "2026-11-20T12:00:05.000Z",
                 *       "resource_version": 1,
                 *       "resource": {
                 *         "type": "repayment",
                 *         "id": "rep_01k9x4m2q8e0tb7f2v5j6h8n3c"
                 *       },
                 *       "sequence": 7,
                 *       "data": {
                 *         "facility_id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *         "repayment_id": "rep_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *         "margin_warning_number": 1,
                 *         "delivered": {
                 *           "amount": "9301.10",
                 *           "asset": "USD"
                 *         },
                 *         "confirmed": {
                 *           "amount": "9301.10",
                 *           "asset": "USD"
                 *         },
                 *         "allocation": {
                 *           "interest": {
                 *             "amount": "27.40",
                 *             "asset": "USD"
                 *           },
                 *           "principal": {
                 *             "amount": "9273.70",
                 *             "asset": "USD"
                 *           },
                 *           "refund_due": {
                 *             "amount": "0.00",
                 *             "asset": "USD"
                 *           }
                 *         },
                 *         "outstanding_usd": "40726.30"
                 *       }
                 *     }
                 */
                "application/json": {
                    data: {
                        /**
                         * allocation
                         * @description How it was applied; `refund_due` will be refunded
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
                         * @description What has arrived, and was applied
                         */
                        confirmed: {
                            /** decimal */
                            amount: components["schemas"]["Decimal"];
                            asset: string;
                        };
                        /**
                         * amount
                         * @description What the execution report states
                         */
                        delivered: {
                            /** decimal */
                            amount: components["schemas"]["Decimal"];
                            asset: string;
                        };
                        /** fac_… */
                        facility_id: string;
                        /** @description Present when the service inferred that the repayment is a cure */
                        inferred?: boolean;
                        /** @description The margin warning that the repayment is to cure */
                        margin_warning_number?: number;
                        /**
                         * dollars
                         * @description Debt afterwards
                         */
                        outstanding_usd: string;
                        /** @description Present when it was applied to a debt that was charged off */
                        recovery?: boolean;
                        /** rep_… */
                        repayment_id: string;
                    };
                    /** @description The same on every attempt and webhook: use it to drop duplicates */
                    id: string;
                    /** @description When it happened, by domain time */
                    occurred_at: components["schemas"]["Timestamp"];
                    /** @description Present where the facility's books or margin decisions have grown since its event before: their hash */
                    records?: string;
                    /** @description The resource the event is about; a margin warning or call is `fac_…/<number>` */
                    resource: {
                        id: string;
                        type: string;
                    };
                    /** @description Counts the resource's events from 1: ignore an event that is not above the last you applied */
                    resource_version: number;
                    /** @description Counts the tenant's events from 1 without gaps: a missing number is a missing event */
                    sequence: number;
                    /** @constant */
                    type: "repayment.applied";
                };
            };
        };
        responses: {
            /** @description Received; anything else is a failed attempt */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRepaymentFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description Standard Webhooks: the event's id; absent without a secret */
                "webhook-id"?: components["parameters"]["webhook-id"];
                /** @description Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of id, timestamp and raw body, joined by dots; absent without a secret */
                "webhook-signature"?: components["parameters"]["webhook-signature"];
                /** @description Standard Webhooks: when this attempt was sent, in unix seconds; absent without a secret */
                "webhook-timestamp"?: components["parameters"]["webhook-timestamp"];
                /** @description Counts the attempts of this event from 1 */
                "X-SVC-Delivery-Attempt": components["parameters"]["X-SVC-Delivery-Attempt"];
                /** @description The event's id */
                "X-SVC-Event-Id": components["parameters"]["X-SVC-Event-Id"];
                /** @description `sha256=` and the hex HMAC-SHA256 of timestamp, dot and raw body; absent without a secret */
                "X-SVC-Webhook-Signature"?: components["parameters"]["X-SVC-Webhook-Signature"];
                /** @description When this attempt was sent, in unix seconds */
                "X-SVC-Webhook-Timestamp": components["parameters"]["X-SVC-Webhook-Timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *       "type": "repayment.failed",
                 *       "occurred_at": "2026-11-20T12:00:05.000Z",
                 *       "resource_version": 1,
                 *       "resource": {
                 *         "type": "repayment",
                 *         "id": "rep_01k9x4m2q8e0tb7f2v5j6h8n3c"
                 *       },
                 *       "sequence": 7,
                 *       "data": {
                 *         "facility_id": "fac_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *         "repayment_id": "rep_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *         "margin_warning_number": 1,
                 *         "code": "not_received"
                 *       }
                 *     }
                 */
                "application/json": {
                    data: {
                        /**
                         * @description Not reported in time; nothing has arrived, or its transfer was confirmed for another repayment; another asset has, and will be refunded; reported as failed
                         * @enum {string}
                         */
                        code: "expired" | "not_received" | "asset_mismatch" | "reported_failed";
                        /** fac_… */
                        facility_id: string;
                        /** @description The margin warning that the repayment is to cure */
                        margin_warning_number?: number;
                        /** rep_… */
                        repayment_id: string;
                    };
                    /** @description The same on every attempt and webhook: use it to drop duplicates */
                    id: string;
                    /** @description When it happened, by domain time */
                    occurred_at: components["schemas"]["Timestamp"];
                    /** @description Present where the facility's books or margin decisions have grown since its event before: their hash */
                    records?: string;
                    /** @description The resource the event is about; a margin warning or call is `fac_…/<number>` */
                    resource: {
                        id: string;
                        type: string;
                    };
                    /** @description Counts the resource's events from 1: ignore an event that is not above the last you applied */
                    resource_version: number;
                    /** @description Counts the tenant's events from 1 without gaps: a missing number is a missing event */
                    sequence: number;
                    /** @constant */
                    type: "repayment.failed";
                };
            };
        };
        responses: {
            /** @description Received; anything else is a failed attempt */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookDisabled: {
        parameters: {
            query?: never;
            header: {
                /** @description Standard Webhooks: the event's id; absent without a secret */
                "webhook-id"?: components["parameters"]["webhook-id"];
                /** @description Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of id, timestamp and raw body, joined by dots; absent without a secret */
                "webhook-signature"?: components["parameters"]["webhook-signature"];
                /** @description Standard Webhooks: when this attempt was sent, in unix seconds; absent without a secret */
                "webhook-timestamp"?: components["parameters"]["webhook-timestamp"];
                /** @description Counts the attempts of this event from 1 */
                "X-SVC-Delivery-Attempt": components["parameters"]["X-SVC-Delivery-Attempt"];
                /** @description The event's id */
                "X-SVC-Event-Id": components["parameters"]["X-SVC-Event-Id"];
                /** @description `sha256=` and the hex HMAC-SHA256 of timestamp, dot and raw body; absent without a secret */
                "X-SVC-Webhook-Signature"?: components["parameters"]["X-SVC-Webhook-Signature"];
                /** @description When this attempt was sent, in unix seconds */
                "X-SVC-Webhook-Timestamp": components["parameters"]["X-SVC-Webhook-Timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *       "type": "webhook.disabled",
                 *       "occurred_at": "2026-11-20T12:00:05.000Z",
                 *       "resource_version": 4,
                 *       "resource": {
                 *         "type": "webhook",
                 *         "id": "whk_01k9x4m2q8e0tb7f2v5j6h8n3c"
                 *       },
                 *       "sequence": 7,
                 *       "data": {
                 *         "webhook_id": "whk_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *         "url": "https://example.com/hooks/lending",
                 *         "disabled_at": "2026-11-20T12:00:05.000Z"
                 *       }
                 *     }
                 */
                "application/json": {
                    data: {
                        /** timestamp */
                        disabled_at: components["schemas"]["EventTimestamp"];
                        url: string;
                        /** whk_… */
                        webhook_id: string;
                    };
                    /** @description The same on every attempt and webhook: use it to drop duplicates */
                    id: string;
                    /** @description When it happened, by domain time */
                    occurred_at: components["schemas"]["Timestamp"];
                    /** @description Present where the facility's books or margin decisions have grown since its event before: their hash */
                    records?: string;
                    /** @description The resource the event is about; a margin warning or call is `fac_…/<number>` */
                    resource: {
                        id: string;
                        type: string;
                    };
                    /** @description Counts the resource's events from 1: ignore an event that is not above the last you applied */
                    resource_version: number;
                    /** @description Counts the tenant's events from 1 without gaps: a missing number is a missing event */
                    sequence: number;
                    /** @constant */
                    type: "webhook.disabled";
                };
            };
        };
        responses: {
            /** @description Received; anything else is a failed attempt */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookFailing: {
        parameters: {
            query?: never;
            header: {
                /** @description Standard Webhooks: the event's id; absent without a secret */
                "webhook-id"?: components["parameters"]["webhook-id"];
                /** @description Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of id, timestamp and raw body, joined by dots; absent without a secret */
                "webhook-signature"?: components["parameters"]["webhook-signature"];
                /** @description Standard Webhooks: when this attempt was sent, in unix seconds; absent without a secret */
                "webhook-timestamp"?: components["parameters"]["webhook-timestamp"];
                /** @description Counts the attempts of this event from 1 */
                "X-SVC-Delivery-Attempt": components["parameters"]["X-SVC-Delivery-Attempt"];
                /** @description The event's id */
                "X-SVC-Event-Id": components["parameters"]["X-SVC-Event-Id"];
                /** @description `sha256=` and the hex HMAC-SHA256 of timestamp, dot and raw body; absent without a secret */
                "X-SVC-Webhook-Signature"?: components["parameters"]["X-SVC-Webhook-Signature"];
                /** @description When this attempt was sent, in unix seconds */
                "X-SVC-Webhook-Timestamp": components["parameters"]["X-SVC-Webhook-Timestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *       "type": "webhook.failing",
                 *       "occurred_at": "2026-11-20T12:00:05.000Z",
                 *       "resource_version": 1,
                 *       "resource": {
                 *         "type": "webhook",
                 *         "id": "whk_01k9x4m2q8e0tb7f2v5j6h8n3c"
                 *       },
                 *       "sequence": 7,
                 *       "data": {
                 *         "webhook_id": "whk_01k9x4m2q8e0tb7f2v5j6h8n3c",
                 *         "url": "https://example.com/hooks/lending",
                 *         "consecutive_failed_attempts": 25,
                 *         "reason": "failures"
                 *       }
                 *     }
                 */
                "application/json": {
                    data: {
                        /** @description At 100 the webhook is disabled */
                        consecutive_failed_attempts: number;
                        /** @description Present with the reason `dead_letter` */
                        dead_letter?: {
                            /** evt_… */
                            event_id: string;
                            event_type: string;
                        };
                        /**
                         * @description Attempts in a row; an event about margin that is no longer retried
                         * @enum {string}
                         */
                        reason: "failures" | "dead_letter";
                        url: string;
                        /** whk_… */
                        webhook_id: string;
                    };
                    /** @description The same on every attempt and webhook: use it to drop duplicates */
                    id: string;
                    /** @description When it happened, by domain time */
                    occurred_at: components["schemas"]["Timestamp"];
                    /** @description Present where the facility's books or margin decisions have grown since its event before: their hash */
                    records?: string;
                    /** @description The resource the event is about; a margin warning or call is `fac_…/<number>` */
                    resource: {
                        id: string;
                        type: string;
                    };
                    /** @description Counts the resource's events from 1: ignore an event that is not above the last you applied */
                    resource_version: number;
                    /** @description Counts the tenant's events from 1 without gaps: a missing number is a missing event */
                    sequence: number;
                    /** @constant */
                    type: "webhook.failing";
                };
            };
        };
        responses: {
            /** @description Received; anything else is a failed attempt */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
